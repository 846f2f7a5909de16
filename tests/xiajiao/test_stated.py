"""How much of what people plainly state the rules find, and how much of what they find was stated."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from tests.xiajiao import stated_en, stated_zh
from xiajiao.statements import find_statements

MONDAY = date(2026, 11, 30)
Stated = Sequence[tuple[str, list[str]]]


@pytest.mark.parametrize("message", [*stated_zh.NOTHING, *stated_en.NOTHING])
def test_what_nobody_states_is_not_kept(message: str) -> None:
    assert find_statements(message, MONDAY) == []


@pytest.mark.parametrize("stated", [stated_zh.STATED, stated_en.STATED], ids=["zh", "en"])
def test_of_what_is_plainly_stated_nearly_all_is_found_and_nothing_else(stated: Stated) -> None:
    found = [(message, text) for message, _ in stated for text in list_contents(message)]
    expected = [(message, text) for message, texts in stated for text in texts]
    assert set(found) <= set(expected)
    assert len(found) >= 0.95 * len(expected)


def list_contents(message: str) -> list[str]:
    return [found.content for found in find_statements(message, MONDAY)]
