"""Our own format: JSON Lines with all that there is of each memory, in pieces of bounded size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from memories.models import Agent, Memory, MemoryRevision, MemoryType
from memories.transfer.columns import number_fields
from memories.transfer.numbers import Numbers
from memories.transfer.plans import BATCH, Plan
from memories.transfer.pointers import Uids
from memories.transfer.records import write_agent, write_header, write_line, write_memory, write_revision, write_type
from xiajiao.batches import batched

# Revisions of a batch that are read together; of more, a memory that was heard of very often is among them.
MANY = 5000


def write_jsonlines(plan: Plan, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """How many memories are written, and the next piece of the file; from the `start`th memory on."""
    if start == 0:
        yield 0, write_prelude(plan)
    numbers = Numbers()
    done = start
    for keys in plan.batches(start):
        rows = Memory.objects.select_related("agent", "user", "type", "superseded_by").in_bulk(list(keys))
        memories = [rows[key] for key in keys if key in rows]
        numbers.learn(list_numbers(memories))
        done += len(keys)
        yield done, b"".join(write_batch(memories, numbers))


def write_batch(memories: Sequence[Memory], numbers: Numbers) -> Iterator[bytes]:
    """Each memory, and behind it its revisions in the order in which they came about."""
    revisions = MemoryRevision.objects.filter(memory__in=memories)
    if revisions.count() > MANY:
        for memory in memories:
            yield write_line(write_memory(memory, numbers))
            yield from write_long_history(memory, numbers)
        return
    rows = list(revisions.select_related("user").order_by("at", "pk"))
    uids = Uids(rows)
    histories: dict[int, list[MemoryRevision]] = defaultdict(list)
    for row in rows:
        histories[row.memory_id].append(row)
    for memory in memories:
        yield write_line(write_memory(memory, numbers))
        yield from (write_line(write_revision(row, memory.uid, uids, numbers)) for row in histories[memory.pk])


def write_long_history(memory: Memory, numbers: Numbers) -> Iterator[bytes]:
    rows = memory.revisions.select_related("user").order_by("at", "pk")
    for revisions in batched(rows.iterator(BATCH), BATCH):
        uids = Uids(revisions)
        yield from (write_line(write_revision(revision, memory.uid, uids, numbers)) for revision in revisions)


def write_prelude(plan: Plan) -> bytes:
    """Header, agents and types; by name, and those of one name by their ids."""
    agent_keys, type_keys = set(plan.agents), set()
    for keys in plan.batches():
        pairs = Memory.objects.filter(pk__in=list(keys)).order_by().values_list("agent_id", "type_id").distinct()
        agent_keys |= {agent for agent, _type in pairs}
        type_keys |= {type_ for _agent, type_ in pairs}
    agents = list(Agent.objects.select_related("owner").in_bulk(list(agent_keys)).values())
    types = list(MemoryType.objects.in_bulk(list(type_keys)).values())
    counts = {"agents": len(agents), "types": len(types), "memories": len(plan.keys)}
    lines = [write_header(counts)]
    lines += [write_agent(agent) for agent in sorted(agents, key=lambda each: (each.name, str(each.uid)))]
    lines += [write_type(each) for each in sorted(types, key=lambda each: each.key)]
    return b"".join(map(write_line, lines))


def list_numbers(memories: Sequence[Memory]) -> Iterator[int]:
    for memory in memories:
        yield from (number for number in memory.message_ids if isinstance(number, int))
        yield from (getattr(memory, name) or 0 for name in number_fields(Memory))
