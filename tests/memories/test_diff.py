import random

import pytest

from memories.alignment import align
from memories.diffs import Piece, diff_words, shorten_same, split_words

SIGNS = "ab 用户。é\u0301👩\u200d\u0939\u0940\n"


def read(before: str, after: str) -> str:
    marks = {"same": "", "removed": "-", "added": "+", "skipped": "…"}
    return "".join(f"{marks[piece.kind]}{piece.text}{marks[piece.kind]}" for piece in diff_words(before, after))


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("用户住在北京的朝阳区", "用户住在上海的浦东新区", "用户住在-北京-+上海+的-朝阳区-+浦东新区+"),
        ("用户今年 30 岁", "用户今年 31 岁", "用户今年 -30-+31+ 岁"),
        ("the quick fox likes tea", "a slow fox likes tea", "-the quick-+a slow+ fox likes tea"),
        ("He uses foo_bar v1.2.3", "He uses foo_baz v1.2.3", "He uses -foo_bar-+foo_baz+ v1.2.3"),
        ("مرحبا بالعالم", "مرحبا بالقمر", "مرحبا -بالعالم-+بالقمر+"),
        ("हिन्दी में", "हिन्दि में", "हिन्-दी-+दि+ में"),
        ("likes 👩‍👩‍👧 a lot", "likes 👩‍👧 a lot", "likes -👩‍👩‍👧-+👩‍👧+ a lot"),
        ("one\ntwo", "one\nthree\ntwo", "one\n+three\n+two"),
        ("nothing in common", "完全不同的话", "-nothing in common-+完全不同的话+"),
        ("", "new", "+new+"),
        ("old", "", "-old-"),
        ("", "", ""),
    ],
)
def test_a_change_is_shown_by_words(before: str, after: str, shown: str) -> None:
    assert read(before, after) == shown


def test_the_pieces_make_up_both_texts() -> None:
    chance = random.Random(7)
    for _round in range(2000):
        before, after = ("".join(chance.choices(SIGNS, k=chance.randint(0, 12))) for _side in range(2))
        pieces = diff_words(before, after)

        assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
        assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after


def test_as_much_is_kept_as_can_be() -> None:
    chance = random.Random(8)
    for _round in range(2000):
        first, second = (chance.choices("abc", k=chance.randint(0, 9)) for _side in range(2))
        kept = sum(stretch.end - stretch.start for stretch in align(first, second) or [] if stretch.is_same)

        assert kept == longest_common(first, second)


def longest_common(first: list[str], second: list[str]) -> int:
    """By the textbook's table."""
    table = [[0] * (len(second) + 1) for _row in range(len(first) + 1)]
    for row, one in enumerate(first):
        for column, other in enumerate(second):
            longer = max(table[row][column + 1], table[row + 1][column])
            table[row + 1][column + 1] = table[row][column] + 1 if one == other else longer
    return table[-1][-1]


def test_a_sign_of_several_characters_is_not_split() -> None:
    words = split_words("👩‍👩‍👧 e\u0301 👍🏽")

    assert words == ["👩‍👩‍👧", " ", "e\u0301", " ", "👍🏽"]


def test_long_texts_with_few_changes_are_shown_by_their_changes() -> None:
    text = "用户喜欢喝茶。" * 1400
    pieces = shorten_same(diff_words(text, f"{text[:4900]}猫在睡觉。{text[4900:]}"))

    assert [piece.kind for piece in pieces] == ["skipped", "same", "added", "same", "skipped"]
    assert pieces[2].text == "猫在睡觉。"
    assert sum(piece.length for piece in pieces) == len(text) + 5


def test_long_texts_that_are_wholly_different_stand_one_after_the_other() -> None:
    chance = random.Random(9)
    words = [f"word{number}" for number in range(5000)]
    before, after = (" ".join(chance.sample(words, 1100)) for _side in range(2))

    assert diff_words(before, after) == [Piece("removed", before), Piece("added", after)]


def test_of_a_long_text_the_changed_sentences_are_found() -> None:
    sentences = [
        f"Sentence {number} tells of thing number {number} and of nothing else at all." for number in range(140)
    ]
    changed = [
        f"Altogether other{number}, new{number}!" if number % 3 == 0 else each for number, each in enumerate(sentences)
    ]
    pieces = diff_words(" ".join(sentences), " ".join(changed))

    assert any(piece.kind == "same" and sentences[1] in piece.text for piece in pieces)
