"""Writing an export: at once into an open file, or by a job into the data folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from django.conf import settings
from django.utils import translation

from memories.models import Export
from memories.transfer.jsonlines import write_jsonlines
from memories.transfer.markdown import write_markdown
from memories.transfer.plans import JSONLINES, Plan, load_plan
from memories.transfer.storage import export_path, plan_beside, remove
from xiajiao.claims import LostClaimError, claim, end, is_over, record, release, slice_end
from xiajiao.models import User
from xiajiao.storage import make_path

# As many memories are written while the person waits.
AT_ONCE = 5000


def write_pieces(plan: Plan, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """How many memories are written, and the next piece of the file; in the language that is active."""
    return write_jsonlines(plan, start) if plan.format == JSONLINES else write_markdown(plan, start)


def write_export(plan: Plan, file: IO[bytes]) -> None:
    for _done, piece in write_pieces(plan):
        file.write(piece)


def begin_export(user: User, plan: Plan) -> Export:
    """A job for what is large; it goes on with the memories that there were when it began."""
    path = make_path(settings.EXPORTS_DIR)
    plan.save(plan_beside(path))
    wanted = {"agents": list(plan.agents), "language": translation.get_language()}
    return Export.objects.create(
        user=user, format=plan.format, wanted=wanted, stored_as=path.name, total=len(plan.keys)
    )


def advance_export(export: Export) -> bool:
    """Write for a while, if nobody else does; whether something is left to do.

    A worker that was killed left a piece that the row doesn't know of: it is cut off, and the file goes on from there.
    """
    job = claim(export)
    if job is None:
        return False
    try:
        return write_slice(job)
    except LostClaimError:
        return False
    except OSError:
        end_with(job, Export.State.FAILED, "no_room")
        return False


def write_slice(job: Export) -> bool:
    path = export_path(job.stored_as)
    if job.attempts > 3:
        end_with(job, Export.State.FAILED, "crashed")
        return False
    plan = load_plan(job.format, plan_beside(path), tuple(job.wanted.get("agents", ())))
    until = slice_end()
    with path.open("ab") as file, translation.override(job.wanted.get("language") or settings.LANGUAGE_CODE):
        file.truncate(job.size)
        for done, piece in write_pieces(plan, job.cursor):
            file.write(piece)
            file.flush()
            record(job, cursor=done, position=done, size=file.tell())
            if job.is_cancelled:
                end_with(job, Export.State.CANCELLED)
                return False
            if is_over(until) and 0 < done < len(plan.keys):
                release(job)
                return True
    plan_beside(path).unlink(missing_ok=True)
    end(job, Export.State.READY)
    return False


def end_with(job: Export, state: str, error: str = "") -> None:
    """Without a file."""
    name = job.stored_as
    end(job, state, error=error, stored_as="")
    if name:
        remove(export_path(name))


def cancel_export(export: Export) -> None:
    """The worker stops after its next piece; where none works at it, it is over at once."""
    Export.objects.filter(pk=export.pk).update(is_cancelled=True)
    job = claim(export)
    if job is not None:
        end_with(job, Export.State.CANCELLED)
