"""What waits as its page shows it: what it would do as things stand, and why it can't be done where it can't."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memories.approval.files import key_of, read_draft
from memories.approval.packing import look_up_type, origin_of, unpack_draft
from memories.columns import ColumnChange, TypeNames, describe_changes, name_types
from memories.diffs import Piece, diff_words
from memories.gate import Offer, foresee
from memories.indexing import Embedded, embed_in_time
from memories.models import Memory, PendingWrite, ProfileFile, ProfileKind, ProfileRevision
from memories.profiles.editing import ProfileKey, read_file
from memories.profiles.sections import SectionError, find_section, read_section, split_sections
from memories.revising import read_before

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


@dataclass(frozen=True)
class Background:
    """What the rows of a page are held against, read once: texts of new memories with their vectors, types by the keys
    that corrections name, names of types, files."""

    vectors: Mapping[str, Embedded]
    types: Mapping[str, int]
    type_names: TypeNames
    files: Mapping[ProfileKey, ProfileFile]


def preview_all(rows: Sequence[PendingWrite]) -> list[Preview]:
    """In the same order, of rows with their agents and memories. Where the embedder doesn't answer in time, words alone
    foretell."""
    background = read_background(rows)
    return [preview(row, background) for row in rows]


def read_background(rows: Sequence[PendingWrite]) -> Background:
    texts = list(dict.fromkeys(row.text for row in rows if row.kind == Kind.MEMORY))
    keys = {row.draft["columns"].get("type_key") for row in rows if row.kind == Kind.EDIT} - {None}
    types = {key: found.pk for key in keys if (found := look_up_type(key))}
    files = {key_of(row) for row in rows if row.kind == Kind.PROFILE}
    vectors = {each.text: each for each in embed_in_time(texts)}
    return Background(vectors, types, name_types() if types else {}, {key: read_file(key) for key in files})


def preview(pending: PendingWrite, background: Background) -> Preview:
    match pending.kind:
        case Kind.MEMORY:
            return preview_memory(pending, background.vectors.get(pending.text))
        case Kind.PROFILE:
            return preview_file(pending, background.files[key_of(pending)])
    return preview_change(pending, background)


def preview_memory(pending: PendingWrite, embedded: Embedded | None) -> Preview:
    draft, origin = unpack_draft(pending), origin_of(pending)
    judgement = foresee(Offer(pending.agent, pending.user_id, draft, origin, embedded))
    return Preview(pending, judgement.verdict.action, judgement.memory)


def preview_change(pending: PendingWrite, background: Background) -> Preview:
    memory = pending.memory
    action = "delete" if pending.kind == Kind.DELETE else "edit"
    if memory is None or memory.deleted_at is not None:
        return Preview(pending, action, problem="gone")
    columns = dict(pending.draft.get("columns", {}))
    if columns.get("type_key", "") not in {"", *background.types}:
        return Preview(pending, action, memory, problem="type_gone")
    if "type_key" in columns:
        columns["type_id"] = background.types[columns.pop("type_key")]
    stands = {name: getattr(memory, name) for name in columns}
    changes = describe_changes(stands, columns, background.type_names)
    then = content_then(memory, pending) if memory.version != pending.version else ""
    problem = "changed" if memory.version != pending.version else ""
    return Preview(pending, action, memory, changes, (), memory.version, problem, then, memory.content if then else "")


def content_then(memory: Memory, pending: PendingWrite) -> str:
    """Its text when the change was proposed, where it has another one now."""
    later = memory.revisions.filter(at__gt=pending.created_at).order_by("pk")
    return next((str(before["content"]) for each in later if "content" in (before := read_before(each))), "")


def preview_file(pending: PendingWrite, file: ProfileFile) -> Preview:
    section = pending.draft["section"]
    is_other = file.version != pending.version
    then = read_then(file, pending) if is_other else ""
    shown: dict[str, Any] = {"seen": file.version, "now": read_section(file.text, section)}
    if pending.draft["file"] == ProfileKind.SOUL and not pending.agent.may_change_soul(pending.user_id):
        return Preview(pending, "profile", problem="soul")
    try:
        after = read_draft(pending).alter(file.text)
    except SectionError as error:
        return Preview(pending, "profile", problem=error.code, then=then, **shown)
    pieces = diff_file(file.text, after, section)
    is_changed = pending.draft["action"] == ProfileRevision.Action.REMOVED and then != shown["now"] and is_other
    if is_changed:
        return Preview(pending, "profile", pieces=pieces, problem="changed", then=then, **shown)
    return Preview(pending, "profile", pieces=pieces, seen=file.version)


def diff_file(before: str, after: str, section: str) -> list[Piece]:
    """Of the section; of the whole file where others come, go or change with it: all that would be written is shown."""
    if read_others(before, section) == read_others(after, section):
        return diff_words(read_section(before, section), read_section(after, section))
    return diff_words(before, after)


def read_others(text: str, section: str) -> list[str]:
    sections = split_sections(text)
    own = find_section(sections, section)
    return [f"{each.heading}{each.body}".strip() for at, each in enumerate(sections) if at != own]


def read_then(file: ProfileFile, pending: PendingWrite) -> str:
    """The section when the change was proposed."""
    revision = ProfileRevision.objects.filter(file=file.pk, version=pending.version).first()
    return read_section(revision.after, pending.draft["section"]) if revision else ""
