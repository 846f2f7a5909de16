"""What an embedder promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class EmbeddingError(Exception):
    """The texts could not be embedded now; the message is for a log and for the turn's details."""


@dataclass(frozen=True)
class Calibration:
    """Figures of one embedding model, measured on labelled texts. All are cosines.

    `floor`: a memory or chunk under it is not relevant to a query; after centring, for a model that has centres.
    `nominate`: two memories above it may say the same; the guards decide.
    `nominate_across`: the same for two memories in different languages.
    """

    floor: float
    nominate: float
    nominate_across: float


class BaseEmbedder:
    """Texts to vectors. Its full name goes into each namespace, so that models never mix."""

    name: str
    dim: int
    calibration: Calibration
    # A local model computes here; a remote one waits for a network.
    is_local: bool = False

    @property
    def full_name(self) -> str:
        """With its dimension: `e5-384`."""
        return f"{self.name}-{self.dim}"

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, dim) float32, L2-normalised, for texts that are stored. Raises EmbeddingError."""
        raise NotImplementedError

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """(n, dim) float32, L2-normalised, for texts that search. Raises EmbeddingError."""
        raise NotImplementedError
