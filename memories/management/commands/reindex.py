from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memories.models import Agent, Reindexing
from memories.reindexing import ask, run


class Command(BaseCommand):
    help = (
        "Make full text and vectors of memories anew from the rows, and move vectors to the store that an agent names."
        " What is there serves until its successor stands; Xiajiao may run meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--agent", type=int, help="the id of one agent; all without it")
        parser.add_argument(
            "--only-drift", action="store_true", help="only what the indexes lack or have too much, and moves"
        )
        parser.add_argument("--background", action="store_true", help="leave it to the workers of a running Xiajiao")

    def handle(self, **options: Any) -> None:
        agent = None
        if options["agent"] is not None:
            agent = Agent.objects.filter(pk=options["agent"]).first()
            if agent is None:
                raise CommandError(f"There is no agent {options['agent']}.")
        job = ask(agent, is_whole=not options["only_drift"])
        if options["background"]:
            self.stdout.write("The workers take it up within a minute; /memories/health/ shows how far it is.")
            return
        run(job.pk, seconds=float("inf"), tell=self.tell)
        self.report(job)

    def tell(self, job: Reindexing) -> None:
        self.stdout.write(f"\r{job.done:,} of {job.total:,} memories", ending="")
        self.stdout.flush()

    def report(self, job: Reindexing) -> None:
        job.refresh_from_db()
        self.stdout.write("")
        match job.state:
            case Reindexing.State.DONE:
                self.stdout.write(f"The indexes of {job.done:,} memories agree with their rows.")
            case Reindexing.State.FAILED:
                raise CommandError(f"{job.error} The next run goes on after {job.done:,} memories.")
            case _:
                self.stdout.write("Another process is at it already.")
