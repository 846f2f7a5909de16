"""Keep what an agent wants to write until its person decides; the same isn't asked twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from django.db.models import Q

from memories.approval.packing import hash_pending, origin_columns, pack_draft
from memories.changes import clean_columns
from memories.drafts import Draft, Origin, hash_content
from memories.gate import Offer, accept, foresee
from memories.indexing import embed
from memories.judgement import Statement, judge
from memories.locks import write_lock
from memories.models import Agent, Memory, PendingWrite
from memories.profiles.drafts import SectionDraft
from memories.profiles.editing import ProfileKey
from memories.tombstones import check_buried

Kind, State = PendingWrite.Kind, PendingWrite.State
ASKED, WAITS, DECIDED, KNOWN = "asked", "waits", "decided", "known"
# Verdicts of the judge on two proposals that say the same.
SAME = {"ignore", "reinforce"}


@dataclass(frozen=True)
class Asked:
    """`outcome`: ASKED; WAITS: the same waits already; DECIDED: the person has decided about it; KNOWN: nothing is to
    be asked, `known` says it word for word. `pending`: the row in question."""

    outcome: str
    pending: PendingWrite | None = None
    known: Memory | None = None


def do_nothing(_asked: Asked) -> None:
    pass


def make_offer(agent: Agent, user_id: int, draft: Draft, origin: Origin) -> Offer:
    """Without secrets, and embedded. Raises DraftError."""
    accepted = accept(agent, draft, origin)
    return Offer(agent, user_id, accepted, origin, embed(accepted.content))


def ask_to_remember(offer: Offer, also: Callable[[Asked], None] = do_nothing) -> Asked:
    """For an offer of one person that the gate accepted. `also` is called in a transaction, the one that keeps it.

    Waits for the embedder where the same messages were proposed from before. Raises ForgottenError.
    """
    check_buried(offer.agent.pk, offer.user_id, offer.draft, offer.origin, offer.embedded)
    judgement = foresee(offer)
    if judgement.verdict.action == "ignore" and judgement.memory is not None:
        asked = Asked(KNOWN, known=judgement.memory)
        with write_lock(offer.agent.pk, offer.user_id):
            also(asked)
        return asked
    earlier = next((row for row in find_earlier(offer) if says_same(offer, row)), None)
    columns: dict[str, Any] = {"agent": offer.agent, "user_id": offer.user_id, "kind": Kind.MEMORY}
    columns |= {"draft": pack_draft(offer.draft)} | origin_columns(offer.origin)
    return keep(PendingWrite(**columns), earlier, also)


def find_earlier(offer: Offer) -> list[PendingWrite]:
    """New memories that were proposed from some of the same messages, whatever became of them."""
    heard = set(offer.origin.message_ids)
    rows = PendingWrite.objects.filter(agent=offer.agent, user=offer.user_id, kind=Kind.MEMORY)
    rows = rows.filter(conversation_id=offer.origin.conversation_id).exclude(state=State.OUTDATED)
    return [row for row in rows if heard & set(row.message_ids)]


def says_same(offer: Offer, pending: PendingWrite) -> bool:
    """In whatever words, as the write gate judges. Waits for the embedder."""
    if pending.text_hash == hash_content(offer.draft.content):
        return True
    mine, theirs = offer.embedded, embed(pending.text)
    cosine = float(np.dot(mine.vector, theirs.vector)) if mine and theirs and mine.model == theirs.model else None
    new = Statement(offer.draft.content, offer.draft.category)
    old = Statement(pending.text, pending.draft["category"])
    return judge(new, old, cosine, mine.calibration if mine else None).action in SAME


def ask_to_edit(memory: Memory, columns: Mapping[str, Any], origin: Origin) -> Asked:
    """`columns` as `memories.changes.edit` takes them, without secrets; `type` as a row. Raises DraftError."""
    kept = clean_columns(memory, {name: value for name, value in columns.items() if name != "type"})
    if "type" in columns:
        kept["type_key"] = columns["type"].key
    return ask_about(memory, Kind.EDIT, {"columns": kept}, origin)


def ask_to_delete(memory: Memory, origin: Origin) -> Asked:
    return ask_about(memory, Kind.DELETE, {}, origin)


def ask_about(memory: Memory, kind: str, draft: dict[str, Any], origin: Origin) -> Asked:
    """For a person's own memory."""
    columns: dict[str, Any] = {"kind": kind, "draft": draft}
    columns |= {"agent": memory.agent, "user_id": memory.user_id, "memory": memory, "version": memory.version}
    return keep(PendingWrite(**columns, **origin_columns(origin)))


def ask_to_change_file(key: ProfileKey, draft: SectionDraft, version: int, origin: Origin) -> Asked:
    """Without secrets, for the person of the origin; `version` of the file as it stands."""
    columns = {"kind": Kind.PROFILE, "draft": asdict(draft), "version": version, "user_id": origin.user_id}
    return keep(PendingWrite(agent=key.agent, **columns, **origin_columns(origin)))


def keep(
    pending: PendingWrite, earlier: PendingWrite | None = None, also: Callable[[Asked], None] = do_nothing
) -> Asked:
    """Unless the same waits, or was decided about from the same messages."""
    pending.text_hash = hash_pending(pending)
    with write_lock(pending.agent_id, pending.user_id):
        known = find_equal(pending) or earlier
        if known is None:
            pending.save()
        asked = Asked(ASKED, pending) if known is None else Asked(WAITS if known.is_waiting else DECIDED, known)
        also(asked)
    return asked


def find_equal(pending: PendingWrite) -> PendingWrite | None:
    """Word for word."""
    rows = PendingWrite.objects.filter(agent=pending.agent_id, user=pending.user_id, kind=pending.kind)
    rows = rows.filter(text_hash=pending.text_hash).exclude(state=State.OUTDATED)
    here = Q(state=State.WAITING) | Q(conversation_id=pending.conversation_id)
    heard = set(pending.message_ids)
    return next((row for row in rows.filter(here) if row.is_waiting or heard & set(row.message_ids)), None)
