"""What waits as its page shows it: what it would do as things stand, and why it can't be done where it can't."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memories.approval.files import key_of, make_alter
from memories.approval.packing import origin_of, unpack_draft
from memories.columns import ColumnChange, describe_changes, name_types
from memories.creating import find_type
from memories.diffs import Piece, diff_words
from memories.gate import Offer, foresee
from memories.indexing import Embedded, embed_texts
from memories.models import Memory, PendingWrite, ProfileFile, ProfileKind, ProfileRevision
from memories.profiles.editing import read_file
from memories.profiles.sections import SectionError, read_section
from memories.revising import read_before
from xiajiao.embeddings import get_embedder
from xiajiao.embeddings.base import EmbeddingError

Kind = PendingWrite.Kind


@dataclass(frozen=True)
class Preview:
    """`action`: add, supersede, reinforce, ignore, edit, delete or profile; `target`: the memory that it touches.

    `seen`: the version of the target as it is shown. `problem`: a code of UndecidedError. `then`, `now`: what stood
    there when it was proposed and what stands there since, where that is another text.
    """

    pending: PendingWrite
    action: str
    target: Memory | None = None
    changes: Sequence[ColumnChange] = ()
    pieces: Sequence[Piece] = ()
    seen: int | None = None
    problem: str = ""
    then: str = ""
    now: str = ""

    @property
    def is_editable(self) -> bool:
        return bool(self.pending.text) and not self.is_stuck

    @property
    def is_stuck(self) -> bool:
        """Whether there is nothing to approve as things stand."""
        return self.problem not in {"", "changed"}


def preview_all(rows: Sequence[PendingWrite]) -> list[Preview]:
    """In the same order. Waits for the embedder where it is one of this machine; else words alone foretell."""
    vectors = embed_new([row.text for row in rows if row.kind == Kind.MEMORY])
    return [preview(row, vectors.get(row.text)) for row in rows]


def embed_new(texts: Sequence[str]) -> Mapping[str, Embedded]:
    try:
        if not texts or not get_embedder().is_local:
            return {}
        return {each.text: each for each in embed_texts(texts)}
    except EmbeddingError:
        return {}


def preview(pending: PendingWrite, embedded: Embedded | None) -> Preview:
    match pending.kind:
        case Kind.MEMORY:
            return preview_memory(pending, embedded)
        case Kind.PROFILE:
            return preview_file(pending)
    return preview_change(pending)


def preview_memory(pending: PendingWrite, embedded: Embedded | None) -> Preview:
    draft, origin = unpack_draft(pending), origin_of(pending)
    judgement = foresee(Offer(pending.agent, pending.user_id, draft, origin, embedded))
    return Preview(pending, judgement.verdict.action, judgement.memory)


def preview_change(pending: PendingWrite) -> Preview:
    memory = Memory.objects.kept().select_related("agent", "type").filter(pending_writes=pending).first()
    action = "delete" if pending.kind == Kind.DELETE else "edit"
    if memory is None:
        return Preview(pending, action, problem="gone")
    columns = dict(pending.draft.get("columns", {}))
    if "type_key" in columns:
        columns["type_id"] = find_type(columns.pop("type_key")).pk
    stands = {name: getattr(memory, name) for name in columns}
    changes = describe_changes(stands, columns, name_types())
    then = content_then(memory, pending) if memory.version != pending.version else ""
    problem = "changed" if memory.version != pending.version else ""
    return Preview(pending, action, memory, changes, (), memory.version, problem, then, memory.content if then else "")


def content_then(memory: Memory, pending: PendingWrite) -> str:
    """Its text when the change was proposed, where it has another one now."""
    later = memory.revisions.filter(at__gt=pending.created_at).order_by("pk")
    return next((str(before["content"]) for each in later if "content" in (before := read_before(each))), "")


def preview_file(pending: PendingWrite) -> Preview:
    file, section = read_file(key_of(pending)), pending.draft["section"]
    is_other = file.version != pending.version
    then = read_then(file, pending) if is_other else ""
    shown: dict[str, Any] = {"seen": file.version, "now": read_section(file.text, section)}
    if pending.draft["file"] == ProfileKind.SOUL and not pending.agent.may_change_soul(pending.user_id):
        return Preview(pending, "profile", problem="soul")
    try:
        after = make_alter(pending)(file.text)
    except SectionError as error:
        return Preview(pending, "profile", problem=error.code, then=then, **shown)
    pieces = diff_words(shown["now"], read_section(after, section))
    is_changed = pending.draft["action"] == ProfileRevision.Action.REMOVED and then != shown["now"] and is_other
    if is_changed:
        return Preview(pending, "profile", pieces=pieces, problem="changed", then=then, **shown)
    return Preview(pending, "profile", pieces=pieces, seen=file.version)


def read_then(file: ProfileFile, pending: PendingWrite) -> str:
    """The section when the change was proposed."""
    revision = ProfileRevision.objects.filter(file=file.pk, version=pending.version).first()
    return read_section(revision.after, pending.draft["section"]) if revision else ""
