"""An installation of its own for an evaluation, in a temporary folder: no memory of anybody is touched."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from django.conf import settings

MARK = "XIAJIAO_SCRATCH"


def is_scratch() -> bool:
    return MARK in os.environ


def run_in_scratch(arguments: Sequence[str]) -> int:
    """This command again, on an empty SQLite database; its exit code."""
    with tempfile.TemporaryDirectory(prefix="xiajiao-evaluate-") as folder:
        environment = os.environ | {"XIAJIAO_DATA": folder, "XIAJIAO_ENV_FILE": os.devnull, MARK: "1"}
        environment.pop("DATABASE_URL", None)
        # The embedder that is evaluated is the one of this installation.
        environment |= {
            "XIAJIAO_EMBEDDER": settings.EMBEDDER,
            "OPENAI_EMBEDDING_MODEL": settings.OPENAI_EMBEDDING_MODEL,
        }
        environment |= {"OPENAI_API_KEY": settings.OPENAI_API_KEY, "OPENAI_BASE_URL": settings.OPENAI_BASE_URL}
        command = [sys.executable, str(settings.BASE_DIR / "manage.py")]
        subprocess.run([*command, "migrate", "--verbosity", "0"], env=environment, check=True)  # noqa: S603  our own
        return subprocess.run([*command, *arguments], env=environment, check=False).returncode  # noqa: S603  our own
