"""Where the indexes of memories have drifted from the rows (a crash, a copy put back, a store that was away), mended.

The rows are the truth: full text is made from them at once, a missing vector by the sweep that embeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils import timezone

from memories.indexing import searchable_text
from memories.locks import write_lock
from memories.models import Agent, IndexDrift, Memory
from memories.namespaces import ASIDE, Pair, memory_namespace
from xiajiao import fulltext
from xiajiao.batches import batched
from xiajiao.models import IndexedText
from xiajiao.vectorstores import get_store, vector_namespace


@dataclass(frozen=True)
class Drift:
    """Keys of memories. `extra_vectors` by their namespace; the others stand in the pair's own."""

    lacking_texts: set[str] = field(default_factory=set)
    extra_texts: set[str] = field(default_factory=set)
    lacking_vectors: set[str] = field(default_factory=set)
    extra_vectors: Mapping[str, set[str]] = field(default_factory=dict)

    @property
    def lacking(self) -> int:
        """Memories."""
        return len(self.lacking_texts | self.lacking_vectors)

    @property
    def too_much(self) -> int:
        """Entries of indexes."""
        return len(self.extra_texts) + sum(map(len, self.extra_vectors.values()))


@dataclass(frozen=True)
class Expected:
    """What the rows of one agent and person want: keys in full text, keys by vector namespace.

    `lapsed`: ended by time alone since they were indexed; no search shows them, and they may still be there.
    """

    texts: set[str]
    vectors: Mapping[str, set[str]]
    lapsed: set[str]


def find_drift(pair: Pair) -> Drift:
    agent = Agent.objects.get(pk=pair[0])
    namespace = memory_namespace(*pair)
    expected = read_expected(pair)
    texts = fulltext.list_keys(namespace)
    store = get_store(agent.vectors_in)
    lacking: set[str] = set()
    extra: dict[str, set[str]] = {}
    for name, keys in expected.vectors.items():
        held = store.keys(name)
        lacking |= keys - held - expected.lapsed
        extra[name] = held - keys - expected.lapsed
    return Drift(
        lacking_texts=expected.texts - texts,
        extra_texts=texts - expected.texts - expected.lapsed,
        lacking_vectors=lacking,
        extra_vectors={name: keys for name, keys in extra.items() if keys},
    )


def read_expected(pair: Pair) -> Expected:
    names = ("pk", "enabled", "deleted_at", "superseded_by", "valid_to", "embedded_with")
    rows = Memory.objects.filter(agent=pair[0], user=pair[1]).order_by().only(*names)
    namespace = memory_namespace(*pair)
    texts, lapsed = set(), set()
    vectors: dict[str, set[str]] = {}
    for memory in rows.iterator():
        key, model = str(memory.pk), memory.embedded_with
        if memory.is_findable:
            texts.add(key)
        elif memory.enabled and memory.deleted_at is None:
            lapsed.add(key)
        if model:
            where = vector_namespace(namespace, model)
            found, aside = (vectors.setdefault(f"{where}{end}", set()) for end in ("", ASIDE))
            (found if memory.is_findable else aside).add(key)
    return Expected(texts, vectors, lapsed)


def mend(pair: Pair) -> None:
    """Memories that lack a vector wait for it afterwards."""
    with write_lock(*pair):
        drift = find_drift(pair)
        namespace, store = memory_namespace(*pair), get_store(Agent.objects.get(pk=pair[0]).vectors_in)
        fulltext.remove(namespace, drift.extra_texts)
        for batch in batched(drift.lacking_texts):
            rows = Memory.objects.filter(pk__in=batch)
            fulltext.index(namespace, {str(memory.pk): searchable_text(memory) for memory in rows})
        for name, keys in drift.extra_vectors.items():
            store.delete(name, keys)
        for batch in batched(drift.lacking_vectors):
            Memory.objects.filter(pk__in=batch).update(embedded_with="")
        IndexDrift.objects.filter(agent=pair[0], user=pair[1]).delete()


def check_indexes() -> int:
    """Note each agent and person whose indexes have drifted; how many there are."""
    drop_strays()
    pairs = find_pairs()
    IndexDrift.objects.exclude(agent__in={agent_id for agent_id, _user_id in pairs}).delete()
    return sum(note_drift(pair) for pair in pairs)


def find_pairs() -> list[Pair]:
    """All that have memories, deleted ones too."""
    return list(Memory.objects.order_by().values_list("agent_id", "user_id").distinct())


def note_drift(pair: Pair) -> bool:
    drift = find_drift(pair)
    if drift.lacking or drift.too_much:
        # Perhaps somebody wrote just then.
        with write_lock(*pair):
            drift = find_drift(pair)
    IndexDrift.objects.filter(agent=pair[0], user=pair[1]).delete()
    if not drift.lacking and not drift.too_much:
        return False
    figures = {"lacking": drift.lacking, "too_much": drift.too_much, "found_at": timezone.now()}
    IndexDrift.objects.create(agent_id=pair[0], user_id=pair[1], **figures)
    return True


def drop_strays() -> None:
    """Full text of agents or people who are gone is nobody's."""
    rows = IndexedText.objects.filter(namespace__startswith="memories:").order_by()
    held = set(rows.values_list("namespace", flat=True).distinct())
    # Asked in this order: what is written meanwhile is taken for no stray.
    known = {memory_namespace(*pair) for pair in find_pairs()}
    for namespace in held - known:
        fulltext.drop(namespace)
