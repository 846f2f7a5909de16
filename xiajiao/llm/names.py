"""The names of models as servers list them, fit to be stored and chosen among."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from xiajiao.texts import clean

LONGEST_NAME = 200
MOST_NAMES = 2_000


def read_names(values: Iterable[Any]) -> list[str]:
    """Each once, in their order; what is no name, or too long for one, is left out."""
    names = (clean(value).strip() for value in values if isinstance(value, str))
    return list(islice(dict.fromkeys(name for name in names if 0 < len(name) <= LONGEST_NAME), MOST_NAMES))
