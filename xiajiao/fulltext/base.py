"""What an engine of full text promises; its terms are encoded and stand in one namespace each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


class BaseTextIndex:
    def replace(self, namespace: str, texts: Mapping[str, str]) -> None:
        """Keys with the terms of their texts, joined by blanks. In the caller's transaction."""
        raise NotImplementedError

    def remove(self, namespace: str, keys: Collection[str] | None) -> None:
        """None: all of the namespace. In the caller's transaction."""
        raise NotImplementedError

    def tidy(self) -> None:
        """Leave nothing of removed rows in the index's own files. Takes its time; outside a transaction."""
        raise NotImplementedError

    def count(self, terms: Sequence[str], limit: int) -> dict[str, int]:
        """How many rows hold each term; those that none holds may be left out. May stop counting at `limit`."""
        raise NotImplementedError

    def find(self, groups: Mapping[str, Sequence[str]], limit: int) -> dict[str, Ids]:
        """For each group (n,) ids of the rows of IndexedText that hold one of its terms, `limit` at most."""
        raise NotImplementedError
