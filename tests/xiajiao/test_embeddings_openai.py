"""The backend for API models, against a real server that does what servers have been seen to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from django.test import override_settings

from tests.embedding_stub import (
    Answer,
    EmbeddingStub,
    answer_items,
    answer_vectors,
    direction,
    pack,
    refuse,
)
from xiajiao.embeddings import EmbeddingError
from xiajiao.embeddings.openai import OpenAIEmbedder

Serve = Callable[[Callable[[list[str]], Answer]], tuple[EmbeddingStub, OpenAIEmbedder]]
KEY = "sk-a-key-that-nobody-may-see"


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:

        def start(answer: Callable[[list[str]], Answer]) -> tuple[EmbeddingStub, OpenAIEmbedder]:
            stub = stack.enter_context(EmbeddingStub(answer))
            return stub, OpenAIEmbedder(model="stub-embedding", base_url=stub.base_url, api_key=KEY)

        yield start


def unit(text: str) -> np.ndarray:
    row = np.array(direction(text))
    return row / np.linalg.norm(row)


def texts_of_length(count: int) -> list[str]:
    return ["x" * (number + 1) for number in range(count)]


def test_vectors_are_normalised_and_in_the_order_of_the_texts(serve: Serve) -> None:
    _, embedder = serve(answer_vectors)
    texts = texts_of_length(150)

    rows = embedder.embed_passages(texts)

    assert rows.dtype == np.float32
    assert np.allclose(rows, [unit(text) for text in texts], atol=1e-6)


def test_no_text_makes_no_vector(serve: Serve) -> None:
    _, embedder = serve(answer_vectors)

    assert embedder.embed_passages([]).shape == (0, 3)


def test_dimension_is_asked_for_once(serve: Serve) -> None:
    stub, embedder = serve(answer_vectors)

    assert (embedder.dim, embedder.dim) == (3, 3)
    assert len(stub.batches) == 1


@pytest.mark.parametrize("largest", [1, 10, 32, 50])
@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_batch_is_halved_and_the_size_kept(serve: Serve, largest: int, status: int) -> None:
    stub, embedder = serve(lambda texts: answer_vectors(texts) if len(texts) <= largest else refuse(status))
    texts = texts_of_length(100)

    rows = embedder.embed_passages(texts)
    learned = len(stub.batches)
    embedder.embed_passages(texts)

    assert np.allclose(rows, [unit(text) for text in texts], atol=1e-6)
    assert all(len(batch) <= largest for batch in stub.batches[learned:])
    assert embedder.batch_size > largest // 2


def test_a_text_too_long_is_cut_and_the_others_keep_their_batches(serve: Serve) -> None:
    stub, embedder = serve(lambda texts: refuse(413) if max(map(len, texts)) > 1000 else answer_vectors(texts))
    texts = [*texts_of_length(40), "y" * 4000, *texts_of_length(20)]

    rows = embedder.embed_passages(texts)
    learned = len(stub.batches)
    embedder.embed_passages(texts)

    assert np.allclose(rows[:40], [unit(text) for text in texts[:40]], atol=1e-6)
    assert np.allclose(rows[40], unit("y" * 1000), atol=1e-6)
    assert [len(batch) for batch in stub.batches[learned:]] == [61]


def test_a_server_that_refuses_everything_is_quoted(serve: Serve) -> None:
    stub, embedder = serve(lambda _texts: refuse(400, "this model makes no embeddings"))

    with pytest.raises(EmbeddingError, match=r"HTTP 400.*this model makes no embeddings"):
        embedder.embed_passages(texts_of_length(64))
    assert len(stub.batches) < 20


def test_base64_is_read_though_numbers_were_asked_for(serve: Serve) -> None:
    def answer(texts: list[str]) -> Answer:
        return answer_items([{"index": index, "embedding": pack(direction(t))} for index, t in enumerate(texts)])

    _, embedder = serve(answer)

    assert np.allclose(embedder.embed_queries(["abc", "d"]), [unit("abc"), unit("d")], atol=1e-6)


def test_vectors_in_another_order_are_sorted_by_index(serve: Serve) -> None:
    def answer(texts: list[str]) -> Answer:
        items = [{"index": index, "embedding": direction(text)} for index, text in enumerate(texts)]
        return answer_items(items[::-1])

    _, embedder = serve(answer)
    texts = texts_of_length(5)

    assert np.allclose(embedder.embed_passages(texts), [unit(text) for text in texts], atol=1e-6)


def test_vectors_without_index_keep_their_order(serve: Serve) -> None:
    _, embedder = serve(lambda texts: answer_items([{"embedding": direction(text)} for text in texts]))
    texts = texts_of_length(5)

    assert np.allclose(embedder.embed_passages(texts), [unit(text) for text in texts], atol=1e-6)


BROKEN: dict[str, Any] = {
    "too few": [{"index": 0, "embedding": [1.0]}],
    "too many": [{"index": index, "embedding": [1.0]} for index in range(3)],
    "different lengths": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}],
    "empty": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}],
    "nested": [{"index": 0, "embedding": [[1.0]]}, {"index": 1, "embedding": [[1.0]]}],
    "words": [{"index": 0, "embedding": ["a"]}, {"index": 1, "embedding": ["b"]}],
    "nothing": [{"index": 0, "embedding": None}, {"index": 1, "embedding": None}],
    "broken base64": [{"index": 0, "embedding": "a"}, {"index": 1, "embedding": "?"}],
    "half a number": [{"index": 0, "embedding": "AAA="}, {"index": 1, "embedding": "AAA="}],
    "zeros": [{"index": 0, "embedding": [0.0]}, {"index": 1, "embedding": [0.0]}],
    "not numbers": [{"index": 0, "embedding": [float("nan")]}, {"index": 1, "embedding": [float("inf")]}],
    "too large": [{"index": 0, "embedding": [10**400]}, {"index": 1, "embedding": [10**400]}],
    "no objects": [1, 2],
}


@pytest.mark.parametrize("items", BROKEN.values(), ids=BROKEN)
def test_a_broken_answer_is_an_error_with_a_sentence(serve: Serve, items: list[Any]) -> None:
    _, embedder = serve(lambda _texts: answer_items(items))

    with pytest.raises(EmbeddingError, match=r"embedding (server|model) answered"):
        embedder.embed_passages(["a", "b"])


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff\xfe", b"[]", b'{"data": null}', b'"text"', b'{"error": {}}'])
def test_an_answer_without_vectors_is_an_error_with_a_sentence(serve: Serve, body: bytes) -> None:
    _, embedder = serve(lambda _texts: (200, {}, body))

    with pytest.raises(EmbeddingError, match="embedding server answered"):
        embedder.embed_passages(["a", "b"])


def test_a_busy_server_is_asked_again_when_it_says_so(serve: Serve) -> None:
    answers = [refuse(429, **{"Retry-After": "0.01"}), refuse(503)]
    stub, embedder = serve(lambda texts: answers.pop(0) if answers else answer_vectors(texts))

    assert embedder.embed_passages(["abc"]).shape == (1, 3)
    assert len(stub.batches) == 3


def test_a_server_busy_for_too_long_is_not_waited_for(serve: Serve) -> None:
    stub, embedder = serve(lambda _texts: refuse(429, "slow down", **{"Retry-After": "3600"}))

    with pytest.raises(EmbeddingError, match=r"HTTP 429.*slow down"):
        embedder.embed_passages(["abc"])
    assert len(stub.batches) == 1


def test_a_query_never_waits_for_a_second_attempt(serve: Serve) -> None:
    stub, embedder = serve(lambda _texts: refuse(500))

    with pytest.raises(EmbeddingError, match="HTTP 500"):
        embedder.embed_queries(["abc"])
    assert len(stub.batches) == 1


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "OPENAI_API_KEY"), (403, "OPENAI_API_KEY"), (404, "stub-embedding")]
)
def test_a_refusal_says_what_to_check_and_never_the_key(serve: Serve, status: int, advice: str) -> None:
    _, embedder = serve(lambda _texts: refuse(status, f"Incorrect key {KEY}"))

    with pytest.raises(EmbeddingError, match=advice) as caught:
        embedder.embed_queries(["abc"])
    assert KEY not in str(caught.value)


def test_a_server_that_is_not_there_is_an_error_with_its_address() -> None:
    with EmbeddingStub(answer_vectors) as stub:
        address = stub.base_url
    embedder = OpenAIEmbedder(model="stub-embedding", base_url=address)

    with pytest.raises(EmbeddingError, match=f"{address}/embeddings can't be reached"):
        embedder.embed_queries(["abc"])


def test_vectors_of_another_dimension_are_refused(serve: Serve) -> None:
    dimensions = iter([3, 3, 4])
    _, embedder = serve(lambda _texts: answer_items([{"embedding": [1.0] * next(dimensions)}]))
    embedder.embed_queries(["a"])
    embedder.embed_queries(["b"])

    with pytest.raises(EmbeddingError, match="4 dimensions, where it had 3"):
        embedder.embed_queries(["c"])


def test_a_text_is_clean_and_never_empty_on_the_wire(serve: Serve) -> None:
    stub, embedder = serve(answer_vectors)

    embedder.embed_passages(["", "\0\ud800", " \n ", "a\0b\udfffc", "ﬁ" * 1_000_000])

    assert stub.batches[0][:4] == [".", ".", ".", "abc"]
    assert len(stub.batches[0][4]) == 6000


def test_settings_name_the_model_and_its_server(serve: Serve) -> None:
    stub, _ = serve(answer_vectors)

    with override_settings(OPENAI_EMBEDDING_MODEL="bge-m3", OPENAI_BASE_URL=stub.base_url):
        embedder = OpenAIEmbedder()

    assert embedder.name == "openai/bge-m3"
    assert embedder.embed_queries(["abc"]).shape == (1, 3)


@override_settings(OPENAI_EMBEDDING_MODEL="", OPENAI_BASE_URL="", OPENAI_API_KEY="")
def test_missing_settings_are_named() -> None:
    with pytest.raises(EmbeddingError, match="OPENAI_EMBEDDING_MODEL"):
        OpenAIEmbedder()
    with pytest.raises(EmbeddingError, match="OPENAI_API_KEY"):
        OpenAIEmbedder(model="text-embedding-3-small")
