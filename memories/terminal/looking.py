"""`list`, `search`, `show` and `stats`: memories as lines of a terminal, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

from django.core.management.base import CommandError

from memories.finding import find, list_found
from memories.models import Memory, MemoryRevision
from memories.stats import as_lines, as_plain, count_memories
from memories.terminal.choosing import read_number, read_wanted
from memories.wording import explain_parts, name_action, name_actor, name_state
from xiajiao.terminal import OPERATOR
from xiajiao.texts import clip

WIDEST = 100
PLAIN = ("title", "content", "description", "tags", "importance", "pinned", "enabled", "source", "metadata", "quote")
MOMENTS = ("created_at", "updated_at", "valid_from", "valid_to", "deleted_at")


def list_memories(options: dict[str, Any]) -> Iterator[str]:
    """The newest first. Raises CommandError."""
    rows = [
        scope.select_related("agent", "type", "user").order_by("-updated_at", "-pk").iterator(500)
        for scope in list_found(OPERATOR, read_wanted(options))
    ]
    memories = islice(chain.from_iterable(rows), options["limit"] or None)
    if options["json"]:
        return (write_json(describe(memory)) for memory in memories)
    return map(write_line, memories)


def search_memories(options: dict[str, Any]) -> Iterator[str]:
    """The best first, each with why. Raises CommandError."""
    finding = find(OPERATOR, read_wanted(options, " ".join(options["words"])))
    for hit in finding.found[: options["limit"] or None]:
        if options["json"]:
            yield write_json(describe(hit.memory) | {"parts": dict(hit.parts)})
        else:
            yield f"{write_line(hit.memory)}\n        {explain_parts(hit.parts)}"


def show_memory(options: dict[str, Any]) -> Iterator[str]:
    """All of it, with its history, the oldest change first. Raises CommandError."""
    number = read_number(options["id"])
    memory = Memory.objects.select_related("agent", "type", "user", "superseded_by").filter(pk=number or 0).first()
    if memory is None:
        raise CommandError(f"There is no memory {options['id']!r}.")
    revisions = list(memory.revisions.select_related("user").order_by("at", "pk"))
    if options["json"]:
        yield write_json(describe(memory) | {"revisions": [describe_revision(each) for each in revisions]})
        return
    yield from (f"{name}: {value}" for name, value in describe(memory).items() if value not in ("", None, [], {}))
    for each in revisions:
        yield f"{each.at:%Y-%m-%d %H:%M}  {name_action(each.action)}  {name_actor(each)}"


def show_stats(options: dict[str, Any]) -> Iterator[str]:
    """Raises CommandError."""
    stats = count_memories(list_found(OPERATOR, read_wanted(options)))
    plain = as_plain(stats)
    if options["json"]:
        yield write_json(plain)
        return
    yield from as_lines(stats)
    yield "by agent: " + (", ".join(f"{each['name']} {each['count']}" for each in plain["agents"]) or "none")


def describe(memory: Memory) -> dict[str, Any]:
    """As JSON has it; `superseded_by` is the number of the memory that took its place."""
    return {
        "id": memory.pk,
        "uid": str(memory.uid),
        "agent": memory.agent.name,
        "user": memory.user.get_username() if memory.user else None,
        "category": memory.category,
        "type": memory.type.key,
        **{name: getattr(memory, name) for name in PLAIN},
        "state": name_state(memory),
        "superseded_by": memory.superseded_by_id,
        **{name: moment.isoformat() if (moment := getattr(memory, name)) else None for name in MOMENTS},
    }


def describe_revision(revision: MemoryRevision) -> dict[str, Any]:
    return {
        "at": revision.at.isoformat(),
        "action": revision.action,
        "actor": revision.actor,
        "user": revision.user.get_username() if revision.user else None,
        "before": revision.before,
        "reason": revision.reason,
    }


def write_line(memory: Memory) -> str:
    """`M12  2026-05-03  semantic  user  Helper  mei  The user likes tea`, in one line whatever the text."""
    text = " ".join(f"{memory.title} {memory.content}".split())
    words = [f"M{memory.pk}", f"{memory.updated_at:%Y-%m-%d}", memory.category, memory.type.key, memory.agent.name]
    words += [memory.user.get_username() if memory.user else "*", *filter(None, [name_state(memory)])]
    return "  ".join([*words, clip(text, WIDEST)])


def write_json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)
