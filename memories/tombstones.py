"""What was forgotten for good stays forgotten: agents don't write it anew out of what was said before."""

from __future__ import annotations

import base64
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from django.utils import timezone

from memories.drafts import Draft, DraftError, Origin
from memories.indexing import Embedded, embed, embed_texts
from memories.judgement import normalise
from memories.models import Memory, MemoryRevision, Tombstone
from xiajiao.embeddings.base import EmbeddingError
from xiajiao.secrets import SecretError, decrypt, encrypt, fingerprint, fingerprints
from xiajiao.tidying import tidy
from xiajiao.vectorstores.base import Vector

logger = logging.getLogger(__name__)

MOST, MOST_SAYINGS = 30, 40  # wordings of one memory, and sentences of one text, that are embedded
# A person who writes or imports it again has changed their mind.
BOUND = {MemoryRevision.Actor.AGENT, MemoryRevision.Actor.EXTRACTION}


class ForgottenError(DraftError):
    """The person had this forgotten, and has not said it anew."""

    def __init__(self) -> None:
        super().__init__("The user had this forgotten: it is kept only when they say it anew.")


def embed_wordings(wordings: Sequence[str], most: int = MOST) -> dict[str, Embedded]:
    """The vectors of a memory's latest wordings, by text. Waits for a model: before the transaction.

    Empty where the embedder fails: then the fingerprints alone are known again.
    """
    try:
        return {embedded.text: embedded for embedded in embed_texts(wordings[:most])}
    except EmbeddingError as error:
        logger.warning("What is forgotten now is known again by its very words alone: %s", error)
        return {}


def bury(memory: Memory, wordings: Mapping[str, Embedded | None], last_message_id: int) -> None:
    """In the transaction that removes the memory. The same again changes nothing.

    `last_message_id`: the newest message that there is.
    """
    bury_texts(memory.agent_id, memory.user_id, wordings, last_message_id)


def bury_texts(agent_id: int, user_id: int | None, texts: Mapping[str, Embedded | None], last_message_id: int) -> None:
    """Where a text has no vector it is known by its very words alone, or by the vector that it had."""
    for text, embedded in texts.items():
        vector = {"vector": seal(embedded.vector), "model": embedded.model} if embedded else {}
        known: dict[str, Any] = {
            "agent_id": agent_id,
            "user_id": user_id,
            "fingerprint": fingerprint(normalise(text)),
        }
        defaults = {**vector, "last_message_id": last_message_id, "tidied_at": None}
        if not Tombstone.objects.filter(**known).update(**defaults):
            Tombstone.objects.create(**known, **defaults)


def check_buried(agent_id: int, user_id: int | None, draft: Draft, origin: Origin, embedded: Embedded | None) -> None:
    """Raises ForgottenError where an agent would bring back what was forgotten, out of nothing newer than that.

    By the very words, or by a vector as near as two wordings of one fact are.
    """
    if origin.actor not in BOUND:
        return
    newest = max(origin.message_ids, default=0)
    buried = Tombstone.objects.filter(agent=agent_id, user=user_id, last_message_id__gte=newest)
    if buried.filter(fingerprint__in=fingerprints(normalise(draft.content))).exists():
        raise ForgottenError
    if embedded is not None and is_near(embedded, read_vectors(buried.filter(model=embedded.model))):
        raise ForgottenError


def check_edit(memory: Memory, content: str, origin: Origin) -> None:
    """The same for a text that an agent would put into a memory that there is. Waits for the embedder."""
    check_buried(memory.agent_id, memory.user_id, Draft(content), origin, embed(content))


def find_forgotten(agent_id: int, user_id: int | None, texts: Sequence[str], newest: int) -> list[str]:
    """Those of the texts that an agent would bring back out of no message newer than `newest`: by the very words all of
    them, by their meaning the first `MOST_SAYINGS` of the others. Waits for the embedder, once."""
    found = find_buried(agent_id, user_id, texts, newest)
    rows = Tombstone.objects.filter(agent=agent_id, user=user_id, last_message_id__gte=newest).exclude(vector="")
    others = [text for text in texts if text not in found][:MOST_SAYINGS]
    near = embed_wordings(others, MOST_SAYINGS) if others and rows.exists() else {}
    vectors = read_vectors(rows.filter(model__in={each.model for each in near.values()}))
    return [text for text in texts if text in found or (text in near and is_near(near[text], vectors))]


def find_buried(agent_id: int, user_id: int | None, texts: Collection[str], newest: int = 0) -> set[str]:
    """Those of the texts that were forgotten in these very words, when there was no message newer than `newest`."""
    buried = Tombstone.objects.filter(agent=agent_id, user=user_id, last_message_id__gte=newest)
    if not texts or not buried.exists():
        return set()
    forms = {text: normalise(text) for text in texts}
    marks = {mark: form for form in set(forms.values()) for mark in fingerprints(form)}
    found = {marks[mark] for mark in buried.filter(fingerprint__in=marks).values_list("fingerprint", flat=True)}
    return {text for text, form in forms.items() if form in found}


def tidy_tombstones(is_thorough: bool = False) -> None:
    """Rid the files of the database and the broker of what these were for; outside a transaction."""
    waiting = list(Tombstone.objects.filter(tidied_at__isnull=True).values_list("pk", flat=True))
    if waiting:
        tidy(is_thorough)
        Tombstone.objects.filter(pk__in=waiting).update(tidied_at=timezone.now())


def read_vectors(tombstones: Iterable[Tombstone]) -> list[Vector]:
    return [vector for tombstone in tombstones if (vector := unseal(tombstone.vector)) is not None]


def is_near(embedded: Embedded, vectors: Sequence[Vector]) -> bool:
    return any(float(np.dot(vector, embedded.vector)) >= embedded.calibration.nominate for vector in vectors)


def seal(vector: Vector) -> str:
    return encrypt(base64.b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode())


def unseal(token: str) -> Vector | None:
    """None where there is none, or SECRET_KEY is another one now."""
    try:
        return np.frombuffer(base64.b64decode(decrypt(token)), dtype="<f4") if token else None
    except SecretError:
        return None
