"""Texts that break C code, forks, threads: each in a process of its own, since a failure is a crash or a hang."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Seconds; the plays take tens of them on a busy machine. It only tells a hang from slowness.
HANGS = 540


@pytest.mark.parametrize("name", ["e5", "use"])
@pytest.mark.parametrize("play", ["hostile", "forked", "threaded"])
def test_embedder_neither_crashes_nor_hangs(play: str, name: str) -> None:
    command = [sys.executable, "-m", "tests.embedding_child", play, name]

    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)

    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr[-3000:]
