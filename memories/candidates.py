"""Memories that a new one may repeat or replace: the nearest by vector and the best by full text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from django.db.models import Q
from django.utils import timezone

from memories.drafts import Draft, hash_content
from memories.indexing import Embedded
from memories.models import Agent, Memory
from memories.models.memories import MemoryQuerySet
from memories.namespaces import memory_namespace
from xiajiao import fulltext
from xiajiao.texts import clip
from xiajiao.vectorstores import get_store, vector_namespace

# Of each search; some of what is found may have ended by time and is left out.
NEAREST = 12
QUERY_CHARACTERS = 600


@dataclass(frozen=True)
class Candidate:
    """A memory to be judged against a new one; `cosine` is None where one of them has no vector."""

    memory: Memory
    cosine: float | None


def find_candidates(agent: Agent, user_id: int | None, draft: Draft, embedded: Embedded | None) -> list[Candidate]:
    """Active memories of the same agent and person, and whatever has the very same text."""
    namespace = memory_namespace(agent.pk, user_id)
    cosines = find_cosines(agent, namespace, embedded)
    found = fulltext.search([namespace], clip(draft.content, QUERY_CHARACTERS), NEAREST)
    keys = {int(key) for key in cosines} | {int(hit.key) for hit in found}
    active = Memory.objects.of(agent, user_id).active().filter(pk__in=keys)
    same = find_same_text(agent, user_id, draft)
    memories = Memory.objects.filter(Q(pk__in=active.values("pk")) | Q(pk__in=same.values("pk")))
    cosines |= measure(agent, namespace, embedded, keys - {int(key) for key in cosines})
    return [
        Candidate(memory, cosines.get(str(memory.pk))) for memory in memories.select_related("agent").order_by("pk")
    ]


def find_same_text(agent: Agent, user_id: int | None, draft: Draft) -> MemoryQuerySet:
    """Word for word, wherever the searches rank it; of a fact that is yet to come, also what is yet to come."""
    rows = Memory.objects.of(agent, user_id).filter(content_hash=hash_content(draft.content))
    if draft.valid_from is None:
        return rows.active()
    unended = Q(valid_to__isnull=True) | Q(valid_to__gt=timezone.now())
    return rows.kept().filter(unended, enabled=True, superseded_by__isnull=True)


def find_cosines(agent: Agent, namespace: str, embedded: Embedded | None) -> dict[str, float]:
    if embedded is None:
        return {}
    store = get_store(agent.vectors_in)
    hits = store.search(vector_namespace(namespace, embedded.model), embedded.vector, NEAREST)
    return {hit.key: float(hit.score) for hit in hits}


def measure(agent: Agent, namespace: str, embedded: Embedded | None, keys: Collection[int]) -> dict[str, float]:
    """The cosines of what full text alone has found."""
    if embedded is None or not keys:
        return {}
    store = get_store(agent.vectors_in)
    vectors = store.fetch(vector_namespace(namespace, embedded.model), [str(key) for key in keys])
    return {key: float(np.dot(vector, embedded.vector)) for key, vector in vectors.items()}
