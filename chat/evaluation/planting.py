"""The doors by which a fact comes into an installation, as people and models use them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from tempfile import NamedTemporaryFile

from chat.evaluation.facts import Fact
from chat.evaluation.household import Installation
from chat.evaluation.learning import close_and_extract, fail_to_extract, write_into_files
from chat.models import ToolCall
from chat.sending import edit_message, regenerate_answer
from memories.bulk.choosing import Selection, begin
from memories.bulk.deeds import Deed
from memories.bulk.running import claim, run
from memories.bulk.undoing import begin_undo
from memories.changes import edit, undo
from memories.filtering import MemoryFilter
from memories.gate import Draft, write
from memories.health.sweeping import sweep
from memories.models import BulkChange, Import
from memories.transfer.exporting import advance_export, begin_export
from memories.transfer.importing import advance_import
from memories.transfer.plans import JSONLINES, everything_of, make_plan
from memories.transfer.starting import agree, begin_import
from memories.transfer.storage import import_path

LOOKING = 60.0  # seconds for a look at what is doubtful


def tell(here: Installation, fact: Fact) -> None:
    """In a conversation of its own."""
    here.say(fact.said)


def tell_twice(here: Installation, fact: Fact) -> None:
    """Said, said again in another conversation, and asked for once more."""
    message = here.say(fact.said)
    here.answer(regenerate_answer(message.children.order_by("pk")[0]))
    here.say(fact.said)


def tell_and_reword(here: Installation, fact: Fact) -> None:
    """The message is edited afterwards: both wordings stay in the tree."""
    message = here.say(f"{fact.said} {fact.asked}")
    here.answer(edit_message(message, fact.said).answer)


def write_by_hand(here: Installation, fact: Fact) -> None:
    """In the panel."""
    write(here.agent, here.user.pk, Draft(fact.kept, title=fact.marker, tags=[fact.marker]), here.by_hand)


def write_and_edit(here: Installation, fact: Fact) -> None:
    """The marker stands in the history only, and in the description."""
    memory = write(here.agent, here.user.pk, Draft(fact.kept, description=fact.marker), here.by_hand).memory
    edit(memory, {"content": fact.kept.replace(fact.marker, "…"), "metadata": {"was": fact.marker}}, here.by_hand)


def write_and_undo(here: Installation, fact: Fact) -> None:
    """Edited, the edit taken back, and that too: what is told and not told stands in the history by turns."""
    memory = write(here.agent, here.user.pk, Draft(fact.kept), here.by_hand).memory
    edit(memory, {"content": fact.kept.replace(fact.marker, "…")}, here.by_hand)
    for _turn in range(2):
        undo(memory.revisions.order_by("-pk")[0], here.by_hand)


def write_and_change_many(here: Installation, fact: Fact) -> None:
    """All that match the marker are switched off, and that is taken back; then they are deleted."""
    write(here.agent, here.user.pk, Draft(fact.kept), here.by_hand)
    off = change_many(begin(here.user, Selection(wanted=MemoryFilter(q=fact.marker)), Deed(BulkChange.Action.DISABLE)))
    change_many(begin_undo(off, here.user))
    change_many(begin(here.user, Selection(wanted=MemoryFilter(q=fact.marker)), Deed(BulkChange.Action.DELETE)))


def bring_in(here: Installation, fact: Fact) -> None:
    """From a file of another system; the file is kept for a day, and so is the one that is taken out then."""
    with NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump([{"id": fact.marker, "memory": fact.kept, "metadata": {"said": fact.said}}], file)
        file.flush()
        job = begin_import(here.user, Path(file.name), agent=here.agent, given_name="mem0.json")
    check(job)
    agree(job)
    check(job)
    begin_import(here.user, import_path(job.stored_as), agent=here.agent, given_name="again.json")
    take_out(here)


def check(job: Import) -> None:
    while advance_import(job):
        pass
    job.refresh_from_db()


def take_out(here: Installation) -> None:
    export = begin_export(here.user, make_plan(JSONLINES, *everything_of(here.user)))
    while advance_export(export):
        pass


def change_many(change: BulkChange) -> BulkChange:
    claimed = claim(change.pk)
    if claimed is not None:
        run(claimed)
    return BulkChange.objects.get(pk=change.pk)


Door = Callable[[Installation, Fact], None]
DOORS: dict[str, Door] = {
    "extraction": close_and_extract,
    "extraction, failed": fail_to_extract,
    "profile tools": write_into_files,
    "chat": tell,
    "chat, repeated": tell_twice,
    "chat, edited": tell_and_reword,
    "panel": write_by_hand,
    "panel, edited": write_and_edit,
    "panel, taken back": write_and_undo,
    "panel, many at once": write_and_change_many,
    "import": bring_in,
}


def plant(here: Installation, facts: Sequence[Fact]) -> None:
    """Each by the next door; then all that was told by chat is asked about, and everything is listed."""
    for fact, (name, door) in zip(facts, cycle(DOORS.items()), strict=False):
        door(here, fact)
        here.planted.setdefault(name, []).append(fact)
    for fact in facts:
        here.say(fact.asked)
    here.say("What do you remember about me?")
    here.say("你都记得我什么？")
    sweep(LOOKING)


@dataclass(frozen=True)
class OldCall:
    """A tool call as it was before anything was forgotten."""

    name: str
    arguments: str
    conversation_id: int
    answer_id: int
    message_id: int | None
    heard: str


def record_calls(here: Installation) -> list[OldCall]:
    rows = ToolCall.objects.filter(message__conversation__user=here.user).select_related("message__parent")
    return [
        OldCall(
            call.name,
            call.arguments,
            call.message.conversation_id,
            call.message_id,
            call.message.parent_id,
            call.message.parent.content if call.message.parent else "",
        )
        for call in rows.order_by("pk")
    ]
