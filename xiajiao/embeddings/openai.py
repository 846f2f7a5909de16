"""Any embedding model behind OpenAI's protocol."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import count

import numpy as np
from django.conf import settings
from openai import APIConnectionError, APIStatusError, OpenAI, OpenAIError

from xiajiao.embeddings.answers import read_rows
from xiajiao.embeddings.base import BaseEmbedder, EmbeddingError, Vectors
from xiajiao.embeddings.calibration import calibration_for
from xiajiao.embeddings.refusals import TooMuchError, explain_refusal, is_passing, seconds_to_wait
from xiajiao.embeddings.texts import clean_query, clean_text
from xiajiao.embeddings.vectors import normalise

# DashScope takes 10 texts, TEI 32, SiliconFlow 64.
LARGEST_BATCH = 64
# Characters. Usual models take 8,192 tokens, and a Chinese character may be more than one.
LONGEST_TEXT = 6000
SHORTEST_TEXT = 200
# Seconds: for one request, and for all waiting between the requests of a call. A query has a turn behind it.
QUERY_TIMEOUT, QUERY_PATIENCE = 10.0, 0.0
PASSAGE_TIMEOUT, PASSAGE_PATIENCE = 60.0, 20.0


class OpenAIEmbedder(BaseEmbedder):
    """What the server takes (texts in a request, characters in a text) is learned, and kept while the process lives."""

    def __init__(self, model: str = "", base_url: str = "", api_key: str = "") -> None:
        """Empty arguments are read from settings. Raises EmbeddingError where model or key is missing; calls nobody."""
        self.model = model or settings.OPENAI_EMBEDDING_MODEL
        base_url = base_url or settings.OPENAI_BASE_URL
        self.api_key = api_key or settings.OPENAI_API_KEY
        if not self.model:
            raise EmbeddingError("Set OPENAI_EMBEDDING_MODEL to the name of an embedding model.")
        if not self.api_key and not base_url:
            raise EmbeddingError("Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that wants no key.")
        self.name = f"openai/{self.model}"
        self.calibration = calibration_for(self.model)
        self.batch_size = LARGEST_BATCH
        self.text_length = LONGEST_TEXT
        self._dim = 0
        self._client = OpenAI(api_key=self.api_key or "none", base_url=base_url or None, max_retries=0)

    @property
    def dim(self) -> int:  # type: ignore[override]
        """Asks the server for one vector if it has given none yet. Raises EmbeddingError."""
        if not self._dim:
            self.embed_queries(["dimension"])
        return self._dim

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        call = Call(self, PASSAGE_TIMEOUT, PASSAGE_PATIENCE)
        return call.embed([clean_text(text, LONGEST_TEXT) for text in texts])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        call = Call(self, QUERY_TIMEOUT, QUERY_PATIENCE)
        return call.embed([clean_query(text, LONGEST_TEXT) for text in texts])

    def request(self, texts: list[str], timeout: float) -> Vectors:
        """One request; (n, dim) float32, normalised. Raises OpenAIError, EmbeddingError."""
        answer = self._client.embeddings.with_raw_response.create(
            # Floats: not every server knows base64. An empty text is refused by some.
            model=self.model,
            input=[text or "." for text in texts],
            encoding_format="float",
            timeout=timeout,
        )
        try:
            payload = answer.http_response.json()
        except ValueError as error:
            raise EmbeddingError("The embedding server answered with something else than JSON.") from error
        rows = normalise(read_rows(payload, len(texts)))
        if self._dim not in {0, rows.shape[1]}:
            raise EmbeddingError(f"{self.model} answered {rows.shape[1]} dimensions, where it had {self._dim} before.")
        self._dim = rows.shape[1]
        return rows


class Call:
    """One call of an embedder: as many requests as it takes, and no more waiting than it may."""

    def __init__(self, embedder: OpenAIEmbedder, timeout: float, patience: float) -> None:
        self.embedder = embedder
        self.timeout = timeout
        self.until = time.monotonic() + patience

    def embed(self, texts: list[str]) -> Vectors:
        parts = []
        while texts:
            size = self.embedder.batch_size
            parts.append(self.embed_batch(texts[:size]))
            texts = texts[size:]
        return np.concatenate(parts) if parts else np.empty((0, self.embedder.dim), dtype=np.float32)

    def embed_batch(self, texts: list[str]) -> Vectors:
        """Halves what the server refuses. A text too long is found so, and teaches nothing about batches."""
        length = self.embedder.text_length
        try:
            return self.request([text[:length] for text in texts])
        except TooMuchError as error:
            if len(texts) == 1:
                return self.embed_shorter(texts[0][:length], error)
        half = (len(texts) + 1) // 2
        rows = np.concatenate([self.embed_batch(texts[:half]), self.embed_batch(texts[half:])])
        if self.embedder.text_length == length:
            self.embedder.batch_size = min(self.embedder.batch_size, half)
        return rows

    def embed_shorter(self, text: str, error: TooMuchError) -> Vectors:
        while len(text) > SHORTEST_TEXT:
            text = text[: len(text) // 2]
            try:
                rows = self.request([text])
            except TooMuchError:
                continue
            self.embedder.text_length = len(text)
            return rows
        raise error

    def request(self, texts: list[str]) -> Vectors:
        """Tries again after a refusal that passes by, while the patience lasts. Raises EmbeddingError."""
        for attempt in count():
            try:
                return self.embedder.request(texts, self.timeout)
            except (APIStatusError, APIConnectionError) as error:
                wait = seconds_to_wait(error, attempt)
                if not is_passing(error) or time.monotonic() + wait > self.until:
                    raise explain_refusal(error, self.embedder.model, self.embedder.api_key) from error
                time.sleep(wait)
            except OpenAIError as error:
                raise EmbeddingError(f"The embedding server can't be asked: {error}") from error
        raise AssertionError("count() has no end")
