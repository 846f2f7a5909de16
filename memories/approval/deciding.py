"""The person's word about what waits: it is written the usual way, or never. Once, however often it is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.dispatch import Signal
from django.utils import timezone

from memories.approval.files import key_of, read_draft
from memories.approval.packing import look_up_type, origin_of, unpack_draft, with_a_type
from memories.changes import StaleError, delete, edit, reread
from memories.drafts import Decision, Draft
from memories.gate import Offer, accept, settle
from memories.indexing import embed
from memories.locks import write_lock
from memories.models import Memory, MemoryRevision, PendingWrite, ProfileKind, ProfileRevision
from memories.profiles.editing import ProfileTooLongError, change_file, read_file
from memories.profiles.forgetting import refuse_forgotten
from memories.profiles.sections import SectionError
from memories.tombstones import ForgottenError, check_edit
from xiajiao.texts import clean

Kind, State, Action = PendingWrite.Kind, PendingWrite.State, MemoryRevision.Action

# In the transaction that writes: `pending`, with what was done in `outcome` and the memory that holds it.
approved = Signal()


class UndecidedError(Exception):
    """It can't be approved as it stands, and nothing was written. `code`: decided (before, or in another tab),
    outdated (what it came from is gone), gone, type_gone, changed, forgotten, too_long, soul, emptied, or a
    SectionError's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Word:
    """`text` where the person changed it, else None; `seen`: the version of the memory or file that they were shown."""

    text: str | None = None
    seen: int | None = None


def approve(pending: PendingWrite, word: Word | None = None) -> PendingWrite:
    """By its own person. Waits for the embedder. Raises UndecidedError, DraftError."""
    word = word or Word()
    if not pending.is_waiting:
        raise UndecidedError(tell_apart(pending.state))
    if word.text is not None and not clean(word.text).strip():
        raise UndecidedError("emptied")
    try:
        CARRYING_OUT[Kind(pending.kind)](pending, word)
    except ForgottenError:
        raise UndecidedError("forgotten") from None
    except StaleError:
        raise UndecidedError("changed") from None
    except Memory.DoesNotExist:
        raise UndecidedError("gone") from None
    except SectionError as error:
        raise UndecidedError(error.code) from None
    except ProfileTooLongError:
        raise UndecidedError("too_long") from None
    pending.refresh_from_db()
    return pending


def remember(pending: PendingWrite, word: Word) -> None:
    draft, origin = with_a_type(unpack_draft(pending)), origin_of(pending)
    if word.text is not None:
        draft = replace(draft, content=word.text)
    accepted = keep_left_out(accept(pending.agent, draft, origin), draft)
    offer = Offer(pending.agent, pending.user_id, accepted, origin, embed(accepted.content))
    settle(offer, also=partial(close_remembered, pending))


def keep_left_out(accepted: Draft, draft: Draft) -> Draft:
    """What was left out when it was proposed is told as well."""
    kinds = [*draft.about_secrets.get("left_out", ()), *accepted.about_secrets.get("left_out", ())]
    return replace(accepted, about_secrets={"left_out": list(dict.fromkeys(kinds))} if kinds else {})


def close_remembered(pending: PendingWrite, decision: Decision) -> None:
    close_approved(pending, decision.action, decision.memory)


def correct(pending: PendingWrite, word: Word) -> None:
    memory, origin = find_target(pending), origin_of(pending)
    columns = dict(pending.draft["columns"])
    if "type_key" in columns:
        columns["type"] = look_up_type(columns.pop("type_key"))
        if columns["type"] is None:
            raise UndecidedError("type_gone")
    if word.text is not None and "content" in columns:
        columns["content"] = word.text
    if "content" in columns:
        check_edit(memory, columns["content"], origin)
    also = partial(close_approved, pending, Action.EDITED)
    edit(memory, columns, origin, seen_version(pending, word), also)


def forget(pending: PendingWrite, word: Word) -> None:
    memory = find_target(pending)
    with write_lock(pending.agent_id, pending.user_id):
        current = reread(memory, seen_version(pending, word))
        close_approved(pending, Action.DELETED, delete(current, origin_of(pending)))


def find_target(pending: PendingWrite) -> Memory:
    """Raises UndecidedError where it was deleted."""
    memory = Memory.objects.kept().select_related("agent", "type").filter(pending_writes=pending).first()
    if memory is None:
        raise UndecidedError("gone")
    return memory


def seen_version(pending: PendingWrite, word: Word) -> int:
    return pending.version if word.seen is None else word.seen


def change(pending: PendingWrite, word: Word) -> None:
    """What is added, or replaced word for word, is that whatever else stands in the file; a section goes as it was
    shown."""
    agent, key = pending.agent, key_of(pending)
    if key.kind == ProfileKind.SOUL and not agent.may_change_soul(pending.user_id):
        raise UndecidedError("soul")
    draft = read_draft(pending, word.text)
    if word.text is None and draft.action != ProfileRevision.Action.REMOVED:
        refuse_forgotten(agent.pk, pending.user_id, draft.said, pending.message_id)
    with write_lock(agent.pk, key.user_id):
        is_other = read_file(key).version != seen_version(pending, word)
        if draft.action == ProfileRevision.Action.REMOVED and is_other:
            raise UndecidedError("changed")
        change_file(key, draft.alter, draft.as_change(origin_of(pending)))
        close_approved(pending, draft.action)


CARRYING_OUT: dict[str, Callable[[PendingWrite, Word], None]] = {
    Kind.MEMORY: remember,
    Kind.EDIT: correct,
    Kind.DELETE: forget,
    Kind.PROFILE: change,
}


def close_approved(pending: PendingWrite, outcome: str, memory: Memory | None = None) -> None:
    """In the transaction that writes. Raises UndecidedError."""
    close(pending, State.APPROVED, outcome=outcome, memory_id=memory.pk if memory else None)
    pending.outcome, pending.memory = outcome, memory
    approved.send(PendingWrite, pending=pending)


def close(pending: PendingWrite, state: str, **columns: Any) -> None:
    """One wins. Raises UndecidedError for the other, whose transaction comes to nothing."""
    rows = PendingWrite.objects.filter(pk=pending.pk, state=State.WAITING)
    if not rows.update(state=state, decided_at=timezone.now(), **columns):
        now = PendingWrite.objects.filter(pk=pending.pk).values_list("state", flat=True).first()
        raise UndecidedError(tell_apart(now))


def tell_apart(state: str | None) -> str:
    """Why one that doesn't wait can't be decided."""
    return "outdated" if state == State.OUTDATED else "decided"


def reject(pending: PendingWrite) -> PendingWrite:
    """Nothing is written, and the same isn't asked again from the same messages. Raises UndecidedError."""
    close(pending, State.REJECTED)
    pending.refresh_from_db()
    return pending


def reopen(pending: PendingWrite) -> bool:
    """It waits again, where it was rejected; while what it came from is put aside, it is out of date instead."""
    rows = PendingWrite.objects.filter(pk=pending.pk, state=State.REJECTED)
    if rows.filter(is_standing=True).update(state=State.WAITING, decided_at=None):
        return True
    rows.update(state=State.OUTDATED, decided_at=timezone.now())
    return False
