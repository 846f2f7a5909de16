"""`export` and `import`: the same as the panel does, for scripts and backups."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memories.models import Agent, Import
from memories.models.memories import MemoryQuerySet
from memories.terminal.choosing import find_agent
from memories.transfer.exporting import write_export
from memories.transfer.importing import advance_import
from memories.transfer.plans import everything, everything_of, everything_with, make_plan
from memories.transfer.starting import agree, begin_import, discard
from memories.transfer.wording import explain_error, explain_line, name_outcome
from xiajiao.terminal import find_user

SHOWN = 20


def take_out(options: dict[str, Any]) -> Iterator[str]:
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
    yield f"{len(plan.keys)} memories are in {options['file']}."


def bring_in(options: dict[str, Any]) -> Iterator[str]:
    """Without the queue: the command is its own worker."""
    job = finish(begin(options))
    if job.state == Import.State.CHECKED and options["yes"]:
        agree(job)
        job = finish(job)
    discard(job)
    yield from tell(job, options)
    if job.state == Import.State.FAILED:
        raise CommandError(explain_error(job.error))


def tell(job: Import, options: dict[str, Any]) -> Iterator[str]:
    counts = job.outcome if options["yes"] else job.forecast
    column = "outcome" if options["yes"] else "forecast"
    bad = job.lines.filter(**{column: "invalid"}).order_by("place")
    if options["json"]:
        lines = [{"line": line.line, "reason": line.reason, **line.details} for line in bad]
        told = {"state": job.state, "format": job.format, "counts": counts, "makes": job.makes, "invalid": lines}
        yield json.dumps(told, ensure_ascii=False)
        return
    for outcome, count in counts.items():
        yield f"{name_outcome(outcome)}: {count}"
    for line in bad[:SHOWN]:
        yield f"  {line.line}: {explain_line(line.reason, line.details)}"
    if job.state == Import.State.CHECKED:
        yield "Nothing has been written; --yes does."


def choose_rows(options: dict[str, Any]) -> tuple[MemoryQuerySet, tuple[int, ...]]:
    """All of it unless it is narrowed down."""
    rows, agents = everything_of(find_user(options["user"])) if options["user"] else everything()
    if options["agent"]:
        rows, agents = everything_with(find_agent(options["agent"]), rows)
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
