"""Sections of a profile file: read, added to, replaced in, removed, and nothing else touched."""

from __future__ import annotations

import pytest

from memories.profiles.sections import (
    SectionError,
    add_to_section,
    drop_section,
    join_sections,
    name_sections,
    read_section,
    remove_section,
    replace_in_section,
    set_section,
    split_sections,
)

SOUL = (
    "## 身份\n我是小王，一个专业的 AI 助手。\n\n## 性格\n友好、耐心、注重细节\n\n## 说话方式\n简洁专业，偶尔使用比喻\n"
)
ODD = """Before all.

## Code ##
```python
## no heading
```
~~~
``` still code
## nor this
~~~
    ## indented code is a body, too

##
a heading without words

##no blank, no heading
### a smaller one
   ## Notes
one
## notes
two
"""


@pytest.mark.parametrize(
    "text", ["", "no heading", SOUL, ODD, ODD.replace("\n", "\r\n"), "## a", "\n\n## a\n\n\n", "```\n## x"]
)
def test_sections_joined_are_the_text_to_the_byte(text: str) -> None:
    assert join_sections(split_sections(text)) == text


def test_headings_begin_sections_and_code_does_not() -> None:
    assert name_sections(split_sections(ODD)) == ["", "Code", " (2)", "Notes", "notes (2)"]
    assert "## no heading" in read_section(ODD, "code")
    assert "## nor this" in read_section(ODD, "Code")
    assert "### a smaller one" in read_section(ODD, " (2)")


def test_no_two_sections_have_one_name_whatever_their_headings_say() -> None:
    text = "## A\none\n\n## a (2)\ntwo\n\n## A\nthree\n\n##\nfour\n\n## (2)\nfive\n\n##\nsix\n\n## A (3)\nseven\n"
    assert name_sections(split_sections(text)) == ["A", "a (2)", "A (4)", "", "(2)", " (3)", "A (3)"]
    assert [read_section(text, name) for name in ("A (2)", "A (3)", "A (4)")] == ["two", "seven", "three"]


def test_a_section_is_read_by_its_heading_however_it_is_written() -> None:
    assert read_section(SOUL, "性格") == "友好、耐心、注重细节"
    assert read_section(SOUL, "## 性格") == "友好、耐心、注重细节"
    assert read_section(ODD, "NOTES") == "one"
    assert read_section(ODD, "Notes (2)") == "two"
    assert read_section(ODD, "") == "Before all."


def test_what_is_not_there_reads_as_nothing() -> None:
    assert read_section("", "性格") == ""
    assert read_section(SOUL, "爱好") == ""


def test_a_new_section_stands_at_the_end() -> None:
    assert add_to_section(SOUL, "爱好", "喝茶") == SOUL + "\n## 爱好\n喝茶\n"
    assert add_to_section("", "爱好", "喝茶") == "## 爱好\n喝茶\n"
    assert add_to_section("no end", "Tea", "green") == "no end\n\n## Tea\ngreen\n"


def test_what_is_added_stands_at_the_end_of_its_section() -> None:
    assert add_to_section(SOUL, "性格", "有点幽默") == SOUL.replace("注重细节\n", "注重细节\n有点幽默\n")
    assert add_to_section("## a", "a", "one") == "## a\none\n"
    assert add_to_section("## a\n", "a", "one") == "## a\none\n"
    assert add_to_section("## a\r\nold\r\n\r\n## b\r\n", "a", "one\ntwo") == "## a\r\nold\r\none\r\ntwo\r\n\r\n## b\r\n"


def test_what_is_added_before_all_headings_stands_first() -> None:
    assert add_to_section("## a\nx\n", "", "hello") == "hello\n## a\nx\n"
    assert read_section(add_to_section(ODD, "", "More."), "") == "Before all.\nMore."


def test_text_is_replaced_word_for_word_and_only_in_its_section() -> None:
    both = "## a\nred tea\n\n## b\nred wine\n"
    assert replace_in_section(both, "b", "red", "white") == "## a\nred tea\n\n## b\nwhite wine\n"
    assert replace_in_section("## a\r\none\r\ntwo\r\n", "a", "one\ntwo", "1\n2") == "## a\r\n1\r\n2\r\n"


@pytest.mark.parametrize(
    ("name", "old", "code"),
    [("c", "x", "missing"), ("a", "z", "text_missing"), ("a", "x", "text_ambiguous"), ("a", "", "empty")],
)
def test_what_cannot_be_replaced_says_why(name: str, old: str, code: str) -> None:
    with pytest.raises(SectionError) as caught:
        replace_in_section("## a\nx and x\n## b\nz\n", name, old, "y")
    assert caught.value.code == code
    assert caught.value.count == (2 if code == "text_ambiguous" else 0)


def test_a_section_goes_with_its_heading() -> None:
    assert remove_section(SOUL, "性格") == SOUL.replace("## 性格\n友好、耐心、注重细节\n\n", "")
    assert remove_section(ODD, "notes (2)") == ODD.removesuffix("## notes\ntwo\n")
    with pytest.raises(SectionError, match="missing"):
        remove_section(SOUL, "爱好")


def test_nothing_is_no_addition() -> None:
    with pytest.raises(SectionError, match="empty"):
        add_to_section(SOUL, "性格", " \n")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("code", ["see:\n```\n## a comment", "~~~~py\n~~~\nx", "```\nx\n```\n   ```", "``` a\n````` b"])
def test_code_that_is_left_open_takes_no_other_section(code: str, end: str) -> None:
    text = "## A\none\n\n## B\nprecious\n".replace("\n", end)
    tail = text[text.index("## B") :]
    for changed in (
        add_to_section(text, "A", code),
        replace_in_section(text, "A", "one", code),
        set_section(text, 0, "A", code),
        add_to_section(text, "", code),
    ):
        assert "B" in name_sections(split_sections(changed))
        assert changed.endswith(tail)
        assert changed.count("\r\n") == (changed.count("\n") if end == "\r\n" else 0)
    assert remove_section(add_to_section(text, "A", code), "A") == tail
    assert read_section(add_to_section(add_to_section(text, "C", code), "D", "new"), "D") == "new"
    assert read_section(add_to_section(text + end + code, "D", "new"), "D") == "new"


def test_code_that_is_closed_stays_as_it_is_written() -> None:
    code = "```py\nx = 1\n```"
    assert add_to_section("## A\n\n## B\nb\n", "A", code) == f"## A\n{code}\n\n## B\nb\n"
    assert set_section("## A\n\n## B\nb\n", 0, "A", "```\nx") == "## A\n```\nx\n```\n\n## B\nb\n"


def test_a_section_is_written_anew_at_its_place() -> None:
    assert set_section(SOUL, 1, "性格", "安静") == SOUL.replace("友好、耐心、注重细节", "安静")
    assert set_section(SOUL, 2, "语气", "轻声\r\n慢") == SOUL.replace(
        "## 说话方式\n简洁专业，偶尔使用比喻\n", "## 语气\n轻声\n慢\n"
    )
    assert set_section("Hello.\n\n## a\nx\n", 0, "", "Bye.") == "Bye.\n\n## a\nx\n"
    assert set_section("Hello.\n\n## a\nx\n", 0, "Top", "Bye.") == "## Top\nBye.\n\n## a\nx\n"
    assert drop_section(SOUL, 0) == SOUL.partition("\n\n")[2]
    for number in (-1, 3):
        with pytest.raises(SectionError, match="missing"):
            set_section(SOUL, number, "x", "y")
        with pytest.raises(SectionError, match="missing"):
            drop_section(SOUL, number)
