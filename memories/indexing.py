"""The two indexes of memories: vectors and full text, written in the transaction of the row."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from memories.models import Memory
from memories.namespaces import ASIDE, namespace_of, vectors_of
from xiajiao import fulltext
from xiajiao.batches import batched
from xiajiao.embeddings import get_embedder
from xiajiao.embeddings.base import Calibration, EmbeddingError
from xiajiao.embeddings.deadline import embed_passages_in_time
from xiajiao.vectorstores import get_store
from xiajiao.vectorstores.base import BaseVectorStore, Vector

logger = logging.getLogger(__name__)
_made: ContextVar[Mapping[str, Embedded] | None] = ContextVar("made", default=None)


@dataclass(frozen=True)
class Embedded:
    """A text and its vector; `model` names the embedder and its dimension, as the vector's namespace does."""

    text: str
    vector: Vector
    model: str
    calibration: Calibration


def current_model() -> str:
    """Names the embedder of this installation and its dimension: `e5-384`."""
    return get_embedder().full_name


def embed_texts(texts: Sequence[str]) -> list[Embedded]:
    """Waits for a model: never inside a transaction. Raises EmbeddingError."""
    made = _made.get()
    if made is None:
        return pair(texts, get_embedder().embed_passages(texts))
    if not made.keys() >= set(texts):
        raise EmbeddingError("It is not among the texts that were embedded at once.")
    return [made[text] for text in texts]


@contextmanager
def embedding_at_once(texts: Collection[str]) -> Iterator[None]:
    """Where many are written one after another: of these texts the vectors are made here, in one call, and inside no
    embedder is asked any more. Never raises."""
    try:
        made = {each.text: each for each in embed_texts(list(texts))} if texts else {}
    except EmbeddingError as error:
        logger.warning("Memories are kept without their vectors for now: %s", error)
        made = {}
    token = _made.set(made)
    try:
        yield
    finally:
        _made.reset(token)


def embed_in_time(texts: Sequence[str]) -> list[Embedded]:
    """The same for what a page shows; none where the embedder fails or takes longer than settings.RECALL_DEADLINE."""
    vectors = embed_passages_in_time(texts).vectors if texts else ()
    return pair(texts, vectors) if vectors else []


def pair(texts: Sequence[str], vectors: Iterable[Vector]) -> list[Embedded]:
    embedder = get_embedder()
    made = zip(texts, vectors, strict=True)
    return [Embedded(text, vector, embedder.full_name, embedder.calibration) for text, vector in made]


def embed(text: str) -> Embedded | None:
    """None where the embedder fails: the text is kept and found without its vector, which a sweep makes later."""
    try:
        return embed_texts([text])[0]
    except EmbeddingError as error:
        logger.warning("A memory is kept without its vector for now: %s", error)
        return None


def index(memory: Memory, embedded: Embedded | None) -> None:
    """Make the row findable as it stands, or not findable where it is disabled, deleted or superseded.

    `embedded` counts only where it is of the row's content. Inside the row's transaction; saves `embedded_with`.
    """
    index_all([memory], {} if embedded is None else {memory.pk: embedded})


def index_all(memories: Sequence[Memory], embedded: Mapping[int, Embedded]) -> None:
    """`index` for rows of one agent and person at once; `embedded` by the memory's primary key."""
    findable = [memory for memory in memories if memory.is_findable]
    set_aside([memory for memory in memories if not memory.is_findable])
    if findable:
        texts = {str(memory.pk): searchable_text(memory) for memory in findable}
        fulltext.index(namespace_of(findable[0]), texts)
    fresh = {memory.pk for memory in findable if memory.pk in embedded and embedded[memory.pk].text == memory.content}
    bring_back([memory for memory in findable if memory.pk not in fresh])
    by_model: dict[str, list[Memory]] = {}
    for memory in findable:
        if memory.pk in fresh:
            by_model.setdefault(embedded[memory.pk].model, []).append(memory)
    for model, rows in by_model.items():
        forget_vectors(rows, but=model)
        vectors = {str(memory.pk): embedded[memory.pk].vector for memory in rows}
        for store in stores_of(rows):
            store.upsert(vectors_of(rows[0], model), vectors)
        mark_embedded(rows, model)


def index_texts(memories: Sequence[Memory]) -> None:
    """Make findable rows, all of one agent and person, findable by their words at least."""
    if memories:
        texts = {str(memory.pk): searchable_text(memory) for memory in memories}
        fulltext.index(namespace_of(memories[0]), texts)


def unindex(memory: Memory) -> None:
    """Take the row out of all indexes for good; needs no embedder."""
    unindex_all([memory])


def unindex_all(memories: Sequence[Memory]) -> None:
    """`unindex` for rows of one agent and person at once."""
    if memories:
        fulltext.remove(namespace_of(memories[0]), [str(memory.pk) for memory in memories])
        forget_vectors(memories)


def set_aside(memories: Sequence[Memory]) -> None:
    """Out of both indexes, the vectors kept where no search looks: what comes back needs no embedder."""
    if not memories:
        return
    fulltext.remove(namespace_of(memories[0]), [str(memory.pk) for memory in memories])
    for model, rows in by_embedder(memories).items():
        namespace = vectors_of(rows[0], model)
        move_vectors(rows, namespace, f"{namespace}{ASIDE}")


def bring_back(memories: Sequence[Memory]) -> None:
    """The vectors that `set_aside` kept, where a search finds them."""
    for model, rows in by_embedder(memories).items():
        namespace = vectors_of(rows[0], model)
        move_vectors(rows, f"{namespace}{ASIDE}", namespace)


def move_vectors(memories: Sequence[Memory], source: str, target: str) -> None:
    keys = [str(memory.pk) for memory in memories]
    vectors = get_store(memories[0].agent.vectors_in).fetch(source, keys)
    for store in stores_of(memories) if vectors else []:
        store.upsert(target, vectors)
        store.delete(source, list(vectors))


def forget_vector(memory: Memory, but: str = "") -> None:
    """Delete the row's vector, unless it is the model `but` that made it (it will be replaced)."""
    forget_vectors([memory], but)


def forget_vectors(memories: Sequence[Memory], but: str = "") -> None:
    """Of rows of one agent and person, wherever the vectors stand."""
    for model, rows in by_embedder(memories).items():
        keys = [str(memory.pk) for memory in rows]
        namespace = vectors_of(rows[0], model)
        for store in stores_of(rows):
            store.delete(f"{namespace}{ASIDE}", keys)
            store.delete(namespace, keys if model != but else [])
        if model != but:
            mark_embedded(rows, "")


def by_embedder(memories: Sequence[Memory]) -> dict[str, list[Memory]]:
    """Those that have a vector, by the embedder that made it."""
    rows: dict[str, list[Memory]] = {}
    for memory in memories:
        if memory.embedded_with:
            rows.setdefault(memory.embedded_with, []).append(memory)
    return rows


def stores_of(memories: Sequence[Memory]) -> list[BaseVectorStore]:
    """Where vectors are written: the agent's store, and while they move to another one, both."""
    agent = memories[0].agent
    return [get_store(alias) for alias in dict.fromkeys([agent.vectors_in, agent.vector_store])]


def find_vectors(memory: Memory) -> list[Vector]:
    """Where a search looks, and aside; none while it waits for one."""
    if not memory.embedded_with:
        return []
    namespace, key = vectors_of(memory, memory.embedded_with), str(memory.pk)
    wanted = {namespace: [key], f"{namespace}{ASIDE}": [key]}
    return [vector for store in stores_of([memory]) for vector in store.fetch_from(wanted).values()]


def mark_embedded(memories: Sequence[Memory], model: str) -> None:
    changed = [memory for memory in memories if memory.embedded_with != model]
    for memory in changed:
        memory.embedded_with = model
    for batch in batched(changed):
        Memory.objects.filter(pk__in=[memory.pk for memory in batch]).update(embedded_with=model)


def searchable_text(memory: Memory) -> str:
    parts = [memory.title, memory.content, memory.description, " ".join(memory.tags)]
    return "\n".join(part for part in parts if part)
