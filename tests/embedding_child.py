"""What a process of its own does with an embedder, for tests whose failure would be a crash or a hang.

`python -m tests.embedding_child hostile e5`: exit status 0 and a line "ok", or a traceback, or a signal.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xiajiao.settings")

# Before numpy, as in every process of ours.
from xiajiao.embeddings import Vectors, get_embedder  # isort: split

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NASTY = [
    "",
    " \t\n ",
    "\0",
    "a\0b",
    "\ufdfa",
    "\ufdfa" * 5,
    "\ufdfa" * 1000,
    "\ufdfa\0\ud800" * 1000,
    "\ud800",
    "\udfff\ud800" * 500,
    "👨‍👩‍👧‍👦" * 200,
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿" * 200,
    "e" + "\u0301" * 3000,
    "\u202e\u200b\ufeff\u2028" * 300,
    "\U0010ffff\ufffe\uffff" * 300,
    "한" * 2000,
    "龘" * 2000,
    "\u3300\u33ff\u32ff" * 700,
    "query: passage: </s><s><pad><unk><mask>▁" * 100,
    "x" * 1_000_000,
    "虾饺" * 500_000,
    " " * 1_000_000 + "dumpling",
    "\0" * 1_000_000,
    "a b\n" * 250_000,
]
TEXTS = ["用户喜欢虾饺", "The user likes shrimp dumplings", "", "C++ 与 Rust 哪个好？", "x" * 700]


def check(rows: Vectors, count: int, dim: int) -> None:
    assert rows.shape == (count, dim), rows.shape
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def hostile(name: str) -> None:
    embedder = get_embedder(name)
    for text in NASTY:
        check(embedder.embed_queries([text]), 1, embedder.dim)
    for text in ("", "\ufdfa" * 1000, "\ufdfa\0\ud800" * 1000, "虾饺" * 500_000):
        check(embedder.embed_passages([text]), 1, embedder.dim)

    anything = st.text(st.characters(), max_size=40)
    nasty = st.sampled_from([text for text in NASTY if len(text) <= 5000])

    @settings(max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(anything, min_size=1, max_size=3), nasty)
    def try_texts(texts: list[str], end: str) -> None:
        check(embedder.embed_queries([*texts[:-1], texts[-1] + end[:30]]), len(texts), embedder.dim)

    try_texts()


def forked(name: str) -> None:
    """A child of a process that embeds in another thread at that very moment, as a worker's pool is forked."""
    alone = get_embedder(name).embed_passages(TEXTS)
    is_over = threading.Event()

    def keep_busy() -> None:
        while not is_over.is_set():
            get_embedder(name).embed_passages(TEXTS)

    busy = [threading.Thread(target=keep_busy) for _ in range(2)]
    for thread in busy:
        thread.start()
    for _ in range(5):
        pid = os.fork()
        if pid == 0:
            same = np.allclose(get_embedder(name).embed_passages(TEXTS), alone, atol=1e-5)
            os._exit(0 if same else 1)
        assert os.waitpid(pid, 0)[1] == 0
    is_over.set()
    for thread in busy:
        thread.join()


def threaded(name: str) -> None:
    """Two threads here and a process beside them, all at once."""
    alone = {text: get_embedder(name).embed_queries([text])[0] for text in TEXTS}
    pid = os.fork()
    wrong: list[str] = []

    def embed_all() -> None:
        for text in TEXTS * 3:
            if not np.allclose(get_embedder(name).embed_queries([text])[0], alone[text], atol=1e-5):
                wrong.append(text)

    threads = [threading.Thread(target=embed_all) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if pid == 0:
        os._exit(1 if wrong else 0)
    assert os.waitpid(pid, 0)[1] == 0
    assert not wrong


PLAYS: dict[str, Callable[[str], None]] = {"hostile": hostile, "forked": forked, "threaded": threaded}

if __name__ == "__main__":
    PLAYS[sys.argv[1]](sys.argv[2])
    print("ok")
