"""`manage.py memories export|import`: the same as the panel does, for scripts and backups."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memories.models import Agent, Import
from memories.models.memories import MemoryQuerySet
from memories.transfer.exporting import write_export
from memories.transfer.formats import NAMES
from memories.transfer.importing import advance_import
from memories.transfer.plans import JSONLINES, SUFFIXES, everything, everything_of, everything_with, make_plan
from memories.transfer.starting import agree, begin_import, discard
from memories.transfer.wording import explain_error, explain_line, name_outcome
from xiajiao.models import User

SHOWN = 20


class Command(BaseCommand):
    help = "Take memories out and bring them in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        out = what.add_parser("export", help="write memories to a file, or to the terminal")
        out.add_argument("file", nargs="?", default="-", help="- for the terminal")
        out.add_argument("--user", help="of one person; without it, of everybody")
        out.add_argument("--agent", help="of one agent: its name, or its number")
        out.add_argument("--category", choices=["semantic", "episodic", "procedural"])
        out.add_argument("--type", help="the key of a memory type")
        out.add_argument("--format", choices=list(SUFFIXES), default=JSONLINES)
        into = what.add_parser("import", help="say what a file would bring; with --yes, bring it in")
        into.add_argument("file", type=Path)
        into.add_argument("--user", required=True, help="who imports; staff may import for others")
        into.add_argument("--for", dest="person", help="whose memories they become (staff); `file`: as the file says")
        into.add_argument("--agent", help="into one agent: its name, or its number")
        into.add_argument("--format", choices=NAMES, default="", help="recognised where it is not said")
        into.add_argument("--conflicts", choices=Import.Conflicts.values, default=Import.Conflicts.KEEP)
        into.add_argument("--bring-back", action="store_true", help="bring back what was deleted or forgotten here")
        into.add_argument("--yes", action="store_true", help="write it; without this nothing is written")
        into.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, **options: Any) -> None:
        if options["what"] == "export":
            self.take_out(options)
        else:
            self.bring_in(options)

    def take_out(self, options: dict[str, Any]) -> None:
        rows, agents = choose_rows(options)
        plan = make_plan(options["format"], rows, agents)
        if options["file"] == "-":
            write_export(plan, sys.stdout.buffer)
            return
        try:
            with Path(options["file"]).open("wb") as file:
                write_export(plan, file)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}.") from None
        self.stderr.write(f"{len(plan.keys)} memories are in {options['file']}.")

    def bring_in(self, options: dict[str, Any]) -> None:
        """Without the queue: the command is its own worker."""
        job = finish(begin(options))
        if job.state == Import.State.CHECKED and options["yes"]:
            agree(job)
            job = finish(job)
        discard(job)
        self.tell(job, options)
        if job.state == Import.State.FAILED:
            raise CommandError(explain_error(job.error))

    def tell(self, job: Import, options: dict[str, Any]) -> None:
        counts = job.outcome if options["yes"] else job.forecast
        column = "outcome" if options["yes"] else "forecast"
        bad = job.lines.filter(**{column: "invalid"}).order_by("place")
        if options["json"]:
            lines = [{"line": line.line, "reason": line.reason, **line.details} for line in bad]
            told = {"state": job.state, "format": job.format, "counts": counts, "makes": job.makes, "invalid": lines}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
            return
        for outcome, count in counts.items():
            self.stdout.write(f"{name_outcome(outcome)}: {count}")
        for line in bad[:SHOWN]:
            self.stdout.write(f"  {line.line}: {explain_line(line.reason, line.details)}")
        if job.state == Import.State.CHECKED:
            self.stdout.write("Nothing has been written; --yes does.")


def choose_rows(options: dict[str, Any]) -> tuple[MemoryQuerySet, tuple[int, ...]]:
    """All of it unless it is narrowed down."""
    rows, agents = everything_of(find_user(options["user"])) if options["user"] else everything()
    if options["agent"]:
        rows, agents = everything_with(find_agent(options["agent"], Agent.objects.all()), rows)
    if options["category"]:
        rows = rows.filter(category=options["category"])
    if options["type"]:
        rows = rows.filter(type__key=options["type"])
    return rows, agents


def begin(options: dict[str, Any]) -> Import:
    user = find_user(options["user"])
    columns = {"format": options["format"], "conflicts": options["conflicts"], "brings_back": options["bring_back"]}
    if options["person"]:
        columns["person"] = None if options["person"] == "file" else find_user(options["person"])
    if options["agent"]:
        usable = Agent.objects.all() if user.is_staff else Agent.objects.for_user(user)
        columns["agent"] = find_agent(options["agent"], usable)
    if options["person"] and not user.is_staff:
        raise CommandError(f"{user.get_username()} is no member of the staff, who alone import for others.")
    try:
        return begin_import(user, options["file"], given_name=options["file"].name, **columns)
    except OSError as error:
        raise CommandError(f"{options['file']}: {error.strerror}.") from None


def finish(job: Import) -> Import:
    while advance_import(job):
        pass
    job.refresh_from_db()
    return job


def find_user(name: str) -> User:
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no user {name!r}.")
    return user


def find_agent(word: str, usable: Any) -> Agent:
    rows = usable.filter(pk=int(word)) if word.isdecimal() else usable.filter(name=word)
    found = list(rows[:2])
    if len(found) != 1:
        said = "There are several agents" if found else "There is no agent"
        raise CommandError(f"{said} {word!r}; give its number.")
    agent: Agent = found[0]
    return agent
