"""The two indexes of memories: vectors and full text, written in the transaction of the row."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from memories.models import Memory
from memories.namespaces import namespace_of
from xiajiao import fulltext
from xiajiao.embeddings import get_embedder
from xiajiao.embeddings.base import Calibration, EmbeddingError
from xiajiao.vectorstores import get_store
from xiajiao.vectorstores.base import Vector

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Embedded:
    """A text and its vector; `model` names the embedder and its dimension, as the vector's namespace does."""

    text: str
    vector: Vector
    model: str
    calibration: Calibration


def current_model() -> str:
    """Names the embedder of this installation and its dimension: `e5-384`."""
    embedder = get_embedder()
    return f"{embedder.name}-{embedder.dim}"


def embed_texts(texts: Sequence[str]) -> list[Embedded]:
    """Waits for a model: never inside a transaction. Raises EmbeddingError."""
    embedder = get_embedder()
    vectors = embedder.embed_passages(texts)
    model = f"{embedder.name}-{embedder.dim}"
    return [Embedded(text, vector, model, embedder.calibration) for text, vector in zip(texts, vectors, strict=True)]


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
    if not memory.is_findable:
        unindex(memory)
        return
    fulltext.index(namespace_of(memory), {str(memory.pk): searchable_text(memory)})
    if embedded is None or embedded.text != memory.content:
        return
    forget_vector(memory, but=embedded.model)
    get_store(memory.agent.vector_store).upsert(
        vector_namespace(memory, embedded.model), {str(memory.pk): embedded.vector}
    )
    mark_embedded(memory, embedded.model)


def unindex(memory: Memory) -> None:
    """Take the row out of both indexes; needs no embedder."""
    fulltext.remove(namespace_of(memory), [str(memory.pk)])
    forget_vector(memory)


def forget_vector(memory: Memory, but: str = "") -> None:
    """Delete the row's vector, unless it is the model `but` that made it (it will be replaced)."""
    if memory.embedded_with in {"", but}:
        return
    get_store(memory.agent.vector_store).delete(vector_namespace(memory, memory.embedded_with), [str(memory.pk)])
    mark_embedded(memory, "")


def vector_namespace(memory: Memory, model: str) -> str:
    return f"{namespace_of(memory)}@{model}"


def mark_embedded(memory: Memory, model: str) -> None:
    if memory.embedded_with != model:
        memory.embedded_with = model
        memory.save(update_fields=["embedded_with"])


def searchable_text(memory: Memory) -> str:
    parts = [memory.title, memory.content, memory.description, " ".join(memory.tags)]
    return "\n".join(part for part in parts if part)
