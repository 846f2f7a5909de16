"""Only what is injected is cut, section by section, from the end."""

from __future__ import annotations

from memories.profiles.budgets import trim_to_budget

TEXT = "Hello.\n\n## One\n" + "a" * 40 + "\n\n## Two\n" + "b" * 40 + "\n\n## Three\nshort\n"


def test_what_fits_is_whole() -> None:
    trimmed = trim_to_budget(TEXT, 1000)
    assert trimmed.is_whole
    assert (trimmed.text, trimmed.length) == (TEXT.strip(), len(TEXT.strip()))


def test_sections_go_from_the_end_and_none_is_left_out_in_the_middle() -> None:
    trimmed = trim_to_budget(TEXT, 80)
    assert trimmed.text == "Hello.\n\n## One\n" + "a" * 40
    assert list(trimmed.cut) == ["Two", "Three"]
    assert not trimmed.is_shortened


def test_a_section_that_is_too_long_by_itself_ends_early() -> None:
    trimmed = trim_to_budget("## One\n" + "很长" * 100 + "\n\n## Two\nx", 50)
    assert len(trimmed.text) <= 50
    assert trimmed.text.startswith("## One\n很长")
    assert trimmed.is_shortened
    assert list(trimmed.cut) == ["Two"]


def test_nothing_stays_nothing() -> None:
    assert trim_to_budget("", 10).text == ""
    assert trim_to_budget(" \n", 0).is_whole
