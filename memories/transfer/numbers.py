"""Numbers of conversations, messages and jobs, which mean something only in the installation that gave them.

In a file each stands as `home/12`. Here it is 12 where the home is ours, else the negative key of a ForeignNumber:
it names nothing, and goes out again as it came in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from memories.models import ForeignNumber, Installation
from memories.transfer.entries import EntryError
from xiajiao.batches import batched

WORD = re.compile(r"([0-9a-f-]{36})/([0-9]{1,18})")


class Numbers:
    """Translates; `learn` asks for many at once what would else be asked one by one.

    `may_write`: whether numbers of other places are kept, or only looked at (a dry run: they read as 0).
    """

    def __init__(self, may_write: bool = False) -> None:
        self.may_write = may_write
        installation = Installation.objects.order_by("pk").first() or Installation.objects.create()
        self.home = installation.uid
        self.known: dict[int, str] = {}

    def learn(self, numbers: Iterable[int]) -> None:
        keys = sorted({-number for number in numbers if number < 0})
        self.known.clear()
        for batch in batched(keys):
            for row in ForeignNumber.objects.filter(pk__in=batch):
                self.known[-row.pk] = f"{row.home}/{row.number}"

    def write(self, number: Any) -> str | None:
        """None for what is no number, or was one of another place that nobody knows any more."""
        if not isinstance(number, int) or number == 0:
            return None
        if number > 0:
            return f"{self.home}/{number}"
        if number not in self.known:
            row = ForeignNumber.objects.filter(pk=-number).first()
            self.known[number] = f"{row.home}/{row.number}" if row else ""
        return self.known[number] or None

    def write_all(self, numbers: Any) -> list[str]:
        return [word for word in map(self.write, numbers if isinstance(numbers, list) else []) if word]

    def read(self, word: Any, column: str) -> int | None:
        """Inside a transaction. Raises EntryError for what is no such word."""
        if word is None:
            return None
        home, number = split(word, column)
        if home == self.home:
            return number
        if not self.may_write:
            return 0
        return -ForeignNumber.objects.get_or_create(home=home, number=number)[0].pk


def split(word: Any, column: str) -> tuple[UUID, int]:
    """Raises EntryError."""
    found = WORD.fullmatch(word) if isinstance(word, str) else None
    try:
        return UUID(found[1]), int(found[2])  # type: ignore[index]
    except (TypeError, ValueError):
        raise EntryError("wrong_type", column=column) from None
