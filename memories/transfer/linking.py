"""What points from one memory or revision to another, once everything of the file is in."""

from __future__ import annotations

from collections.abc import Sequence

from memories.indexing import unindex
from memories.locks import write_lock
from memories.models import Import, ImportLine, Memory, MemoryRevision
from memories.transfer.pointers import as_uid, resolve, waiting_uids
from memories.transfer.targets import uid_for, uid_of_copy
from xiajiao.batches import batched

Outcome = ImportLine.Outcome
BATCH = 200
# Memories that may replace one another in a row.
LONGEST_CHAIN = 10_000


def link_lines(lines: Sequence[ImportLine]) -> None:
    """Of memories that an import has made."""
    link_successors(lines)
    keys = [line.memory_id for line in lines if line.memory_id is not None]
    revisions = MemoryRevision.objects.filter(memory_id__in=keys).select_related("memory").order_by("pk")
    for batch in batched(revisions.iterator(BATCH), BATCH):
        link_revisions(batch)


def link_successors(lines: Sequence[ImportLine]) -> None:
    for line in lines:
        uid = as_uid(line.details.get("superseded_by"))
        if uid is None or line.memory_id is None:
            continue
        memory = Memory.objects.select_related("agent").filter(pk=line.memory_id, superseded_by=None).first()
        if memory is None:
            continue
        with write_lock(memory.agent_id, memory.user_id):
            link_successor(memory, find_memories(memory, {str(uid)}).get(str(uid)))


def link_successor(memory: Memory, successor_id: int | None) -> None:
    """Left out where it would lead back to the memory itself; neither version nor date tells of it."""
    if successor_id is None or leads_to(successor_id, memory.pk):
        return
    Memory.objects.filter(pk=memory.pk).update(superseded_by_id=successor_id)
    memory.superseded_by_id = successor_id
    if not memory.is_findable:
        unindex(memory)


def leads_to(start: int, goal: int) -> bool:
    place: int | None = start
    for _step in range(LONGEST_CHAIN):
        if place is None or place == goal:
            break
        place = Memory.objects.filter(pk=place).values_list("superseded_by_id", flat=True).first()
    return place is not None


def find_memories(near: Memory, uids: set[str]) -> dict[str, int]:
    """Keys of the memories of the same agent and person that these uids name, here or in the file."""
    known = {as_uid(uid) for uid in uids} - {None}
    copies = {uid_of_copy(uid, near.user_id, near.agent_id): uid for uid in known if uid}
    rows = Memory.objects.of(near.agent, near.user_id).filter(uid__in=[*known, *copies])
    return {str(copies.get(uid, uid)): pk for uid, pk in rows.values_list("uid", "pk")}


def link_revisions(revisions: Sequence[MemoryRevision]) -> None:
    waiting = [revision for revision in revisions if any(waiting_uids(revision))]
    changed = []
    for revision in waiting:
        memories, earlier = waiting_uids(revision)
        known = find_memories(revision.memory, memories)
        copies = {str(uid_for(uid, revision.memory_id)): str(uid) for uid in map(as_uid, earlier) if uid}
        rows = MemoryRevision.objects.filter(memory=revision.memory, uid__in=[*earlier, *copies])
        undone = {copies.get(str(uid), str(uid)): pk for uid, pk in rows.values_list("uid", "pk")}
        if resolve(revision, known.get, undone.get):
            changed.append(revision)
    MemoryRevision.objects.bulk_update(changed, ["before", "reason"])


def mark_circles(job: Import) -> None:
    """Tell of memories that replace one another in a circle: they come in, and nothing replaces them."""
    pointed = job.lines.filter(forecast=Outcome.RESTORE, details__has_key="superseded_by")
    rows = pointed.values_list("uid", "details__superseded_by").iterator()
    successors = {str(uid): str(successor) for uid, successor in rows}
    circles = [uid for uid in successors if returns(successors, uid)]
    for batch in batched(circles):
        job.lines.filter(uid__in=batch).update(reason="circle")


def returns(successors: dict[str, str], start: str) -> bool:
    place = successors[start]
    for _step in range(LONGEST_CHAIN):
        if place == start:
            return True
        if place not in successors:
            return False
        place = successors[place]
    return False
