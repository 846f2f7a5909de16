"""All that a person may mean by "everything about X": memories that hold its words anywhere, and those near to it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from memories.filtering import MemoryFilter
from memories.finding import PanelHit, find
from memories.models import Agent, Memory, MemoryRevision
from memories.models.memories import MemoryQuerySet
from memories.search import Found, Query, is_relevant
from xiajiao.models import User
from xiajiao.texts import clean

MOST = 200
LONGEST_TOPIC = 200  # characters
# Why a memory is among them.
EXACT, NEAR, FORMER = "exact", "near", "former"
TEXTS = ("content", "title", "description", "quote", "tags_text", "metadata_text")


@dataclass(frozen=True)
class Related:
    """`why`: "exact", the words stand in it or in its history; "near", a search found it; "former", it was replaced by
    one of the others. `parts`: the evidence of the search."""

    memory: Memory
    why: str
    parts: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        return self.why == EXACT


@dataclass(frozen=True)
class Subject:
    """What a topic is about, at most `MOST` by its words; `exact_ids` numbers all of those."""

    related: Sequence[Related]
    exact_ids: Sequence[int]

    @property
    def more(self) -> int:
        return max(0, len(self.exact_ids) - MOST)


def read_topic(text: str) -> str:
    return clean(text)[:LONGEST_TOPIC].strip()


def find_subject(user: User, topic: str, agent_id: int | None = None) -> Subject:
    """Of what the person may have forgotten, in any state, deleted too: by words first, then by meaning.

    Their own memories and those that all users of their agents share; with all agents, or with one.
    """
    scopes = list_scopes(user, agent_id)
    exact_ids = find_exact(scopes, topic)
    exact = [Related(memory, EXACT) for memory in read(exact_ids[:MOST])]
    owned = Agent.objects.owned_by(user).values_list("pk", flat=True)
    hits = find(user, MemoryFilter(q=topic, agent=agent_id, state="all")).found if topic else []
    near = [
        Related(hit.memory, NEAR, hit.parts)
        for hit in hits
        if hit.memory.pk not in exact_ids and (hit.memory.user_id == user.pk or hit.memory.agent_id in owned)
        if is_near(topic, hit)
    ]
    known = {*exact_ids, *(each.memory.pk for each in near)}
    former = [Related(memory, FORMER) for memory in read(find_former(scopes, known))]
    return Subject([*exact, *near, *former], exact_ids)


def is_near(topic: str, hit: PanelHit) -> bool:
    """Whether a conversation would recall it; the panel's own search shows fainter ones too."""
    return "literal" in hit.parts or is_relevant(
        hit.memory.agent, Query(topic), Found(hit.memory, 0.0, 0.0, dict(hit.parts))
    )


def list_scopes(user: User, agent_id: int | None = None) -> list[MemoryQuerySet]:
    narrowed = Q() if agent_id is None else Q(agent=agent_id)
    return [rows.filter(narrowed) for rows in Memory.objects.parts_of(user)]


def find_exact(scopes: Sequence[MemoryQuerySet], topic: str) -> list[int]:
    """Numbers of those that hold all words of it, in their own text or in their history; the newest first."""
    words = topic.split()
    return sorted({pk for rows in scopes for pk in find_words(rows, words)}, reverse=True) if words else []


def find_words(rows: MemoryQuerySet, words: Sequence[str]) -> list[int]:
    told = rows.annotate(tags_text=Cast("tags", TextField()), metadata_text=Cast("metadata", TextField()))
    own = reduce(lambda wanted, word: wanted & holds(word, TEXTS), words, Q())
    former = MemoryRevision.objects.annotate(before_text=Cast("before", TextField()))
    # A newer memory's text stands there where the older one was replaced.
    offered = ~Q(action=MemoryRevision.Action.SUPERSEDED)
    past = reduce(
        lambda wanted, word: wanted & (holds(word, ["before_text"]) | offered & holds(word, ["offered"])), words, Q()
    )
    keys = set(told.filter(own).order_by().values_list("pk", flat=True))
    return list(
        keys | set(former.filter(past, memory__in=rows.order_by().values("pk")).values_list("memory", flat=True))
    )


def holds(word: str, columns: Sequence[str]) -> Q:
    """In one of the columns, as it stands or as JSON escapes it."""
    spelled = {word, json.dumps(word)[1:-1]}
    return reduce(
        lambda wanted, each: wanted | each, [Q(**{f"{name}__icontains": text}) for name in columns for text in spelled]
    )


def find_former(scopes: Sequence[MemoryQuerySet], keys: Collection[int]) -> list[int]:
    """What these replaced, and what that had replaced."""
    known, newest = set(keys), set(keys)
    while newest and len(known) < len(keys) + MOST:
        found = {pk for rows in scopes for pk in rows.filter(superseded_by__in=newest).values_list("pk", flat=True)}
        newest = found - known
        known |= newest
    return sorted(known - set(keys), reverse=True)


def read(keys: Sequence[int]) -> list[Memory]:
    found = Memory.objects.select_related("agent", "type", "user").in_bulk(list(keys))
    return [found[pk] for pk in keys if pk in found]
