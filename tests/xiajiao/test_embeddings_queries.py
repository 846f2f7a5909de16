"""The cache of query vectors, and what becomes of a query when the broker is gone."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import override_settings

from xiajiao.embeddings import embed_query, get_embedder, queries


@pytest.fixture(autouse=True)
def _fresh_memory_of_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "_cache", queries.QueryCache())


def caches_at(path: Path) -> dict[str, Any]:
    return {"default": settings.CACHES["default"] | {"LOCATION": f"unix://{path}"}}


def test_a_query_is_embedded_once_for_all_processes() -> None:
    first = embed_query("我用什么编程语言？")
    key = queries.cache_key(get_embedder(), "我用什么编程语言？")
    assert np.array_equal(np.frombuffer(cache.get(key), dtype=np.float32), first)

    cache.set(key, np.ones_like(first).tobytes())

    assert np.array_equal(embed_query("我用什么编程语言？"), np.ones_like(first))
    assert np.array_equal(embed_query("我用什么编程语言"), get_embedder().embed_queries(["我用什么编程语言"])[0])


def test_models_do_not_share_their_vectors() -> None:
    assert embed_query("hello", "e5").shape == (384,)
    assert embed_query("hello", "use").shape == (512,)


@pytest.mark.parametrize("stored", [b"", b"abc", "text", 7, b"\0" * 4000])
def test_something_else_in_the_cache_is_not_taken_for_a_vector(stored: object) -> None:
    cache.set(queries.cache_key(get_embedder(), "hello"), stored)

    assert np.array_equal(embed_query("hello"), get_embedder().embed_queries(["hello"])[0])


@pytest.mark.parametrize("text", ["", "\ud800", "\0", "x" * 100_000])
def test_any_text_has_a_key(text: str) -> None:
    assert np.array_equal(embed_query(text), embed_query(text))


def test_a_dead_broker_costs_nothing_but_the_cache(tmp_path: Path) -> None:
    with override_settings(CACHES=caches_at(tmp_path / "nobody.sock")):
        assert np.array_equal(embed_query("hello"), get_embedder().embed_queries(["hello"])[0])


@pytest.fixture
def hung_broker(tmp_path: Path) -> Iterator[socket.socket]:
    """Takes connections and never answers, as a stopped process does."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "hung.sock"))
        server.listen(64)
        yield server


def test_a_hung_broker_is_asked_once_and_then_left_alone(hung_broker: socket.socket) -> None:
    with override_settings(CACHES=caches_at(Path(hung_broker.getsockname()))):
        for text in ("one", "two", "three"):
            assert np.array_equal(embed_query(text), get_embedder().embed_queries([text])[0])

    hung_broker.setblocking(False)
    hung_broker.accept()
    with pytest.raises(BlockingIOError):
        hung_broker.accept()
