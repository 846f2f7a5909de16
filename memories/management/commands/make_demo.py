from argparse import ArgumentParser
from datetime import UTC, datetime, time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memories.demonstration.filling import Wish, fill, remove
from memories.demonstration.people import count_own_memories, find_people

OWN = (
    "There are {count} memories of people in this data folder already. A demonstration is best made in a folder of its"
    " own: XIAJIAO_DATA=/somewhere/else manage.py migrate, then make_demo. --yes puts it beside them; it changes none"
    " of them, and --remove takes it away again."
)
THERE = "There is a demonstration already. --remove takes it away."


class Command(BaseCommand):
    help = "Fill a data folder with invented memories, to look around in or to measure with."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--memories", type=int, default=1000)
        parser.add_argument("--agents", type=int, default=20)
        parser.add_argument("--people", type=int, default=3, help="who share the agents; the first has the most")
        parser.add_argument("--seed", type=int, default=1, help="the same seed and day make the same memories")
        parser.add_argument(
            "--until", type=read_day, default=None, help="the day up to which they were written (2026-05-31); today"
        )
        parser.add_argument(
            "--vectors",
            choices=["none", "random", "real"],
            default="none",
            help="none: a running installation embeds them in the background, about a thousand a minute;"
            " real: embed them now, some thirty a second; random: for measuring alone, a search by meaning finds"
            " nothing sensible",
        )
        parser.add_argument("--remove", action="store_true", help="take the demonstration away again")
        parser.add_argument("--yes", action="store_true", help="also where people have memories of their own")

    def handle(self, **options: Any) -> None:
        if options["remove"]:
            self.stdout.write(f"Removed {remove(self.tell):,} memories.")
            return
        self.refuse(options)
        until = options["until"] or datetime.combine(timezone.now().date(), time.min, UTC)
        names = ("memories", "agents", "people", "seed", "vectors")
        people = fill(Wish(until=until, **{name: options[name] for name in names}), self.tell)
        self.stdout.write(f"{options['memories']:,} memories of {len(people)} people with {options['agents']} agents.")
        self.stdout.write("Nobody knows a password yet. To sign in as demo: manage.py changepassword demo")

    def refuse(self, options: dict[str, Any]) -> None:
        """Raises CommandError where a careful person would not begin."""
        if min(options["memories"], options["agents"], options["people"]) < 1:
            raise CommandError("--memories, --agents and --people must be 1 or more.")
        if find_people():
            raise CommandError(THERE)
        count = count_own_memories()
        if count and not options["yes"]:
            raise CommandError(OWN.format(count=f"{count:,}"))

    def tell(self, count: int) -> None:
        if self.stdout.isatty():
            self.stdout.write(f"\r{count:,}", ending="")
            self.stdout.flush()


def read_day(text: str) -> datetime:
    """The beginning of the day in UTC."""
    return datetime.combine(datetime.fromisoformat(text).date(), time.min, UTC)
