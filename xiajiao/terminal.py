"""What commands share: who is meant, and tables for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from xiajiao.models import User

# Who sits at the terminal of the server may look at everybody's.
OPERATOR = User(is_staff=True)
GAP = "  "
WIDE = {"F", "W"}
# Marks on the letter before, and signs that nobody sees.
WITHOUT_WIDTH = {"Mn", "Me", "Cf", "Cc"}


def find_user(name: str) -> User:
    """Raises CommandError."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(_("There is no user %(name)s.") % {"name": repr(name)})
    return user


def write_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines, each column as wide as its widest cell: in columns of the terminal, of which a Chinese character takes
    two. Numbers stand at the right."""
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    widths = [max(map(measure_width, column)) for column in zip(heads, *cells, strict=True)]
    is_number = [bool(cells) and all(map(looks_like_number, column)) for column in zip(*cells, strict=True)]
    is_number = is_number or [False] * len(heads)
    for row in (heads, *cells):
        padded = (pad(cell, width, right) for cell, width, right in zip(row, widths, is_number, strict=True))
        yield GAP.join(padded).rstrip()


def pad(cell: str, width: int, is_right: bool) -> str:
    blank = " " * (width - measure_width(cell))
    return blank + cell if is_right else cell + blank


def measure_width(text: str) -> int:
    """Columns of a terminal."""
    return sum(
        0 if unicodedata.category(letter) in WITHOUT_WIDTH else 1 + (unicodedata.east_asian_width(letter) in WIDE)
        for letter in text
    )


def looks_like_number(cell: str) -> bool:
    return cell[:1].isdigit() or cell in {"", "–"}
