import pytest

from xiajiao.texts import clean, clean_json, clip, estimate_tokens, read_json


def test_nul_and_half_characters_go_and_halves_that_belong_together_stay() -> None:
    assert clean("a\x00b\ud83d c\ude00 \ud83d\ude00 😀虾饺") == "ab c 😀 😀虾饺"


def test_json_is_cleaned_in_all_its_depth() -> None:
    assert clean_json({"a\x00": ["b\ud800", {"c": float("inf")}, 1, True, None]}) == {
        "a": ["b", {"c": None}, 1, True, None]
    }


def test_clipping_shows_that_something_is_missing() -> None:
    assert clip("虾饺", 2) == "虾饺"
    assert clip("shrimp dumpling", 8) == "shrimp…"


def test_tokens_are_estimated_by_script() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("虾饺") == 2
    assert estimate_tokens("dumpling") == 2
    assert estimate_tokens("用户喜欢 Python") == 4 + 2


def test_json_from_outside_is_cleaned_of_what_its_escapes_bring_back() -> None:
    assert read_json('{"a\\u0000": "\\ud83d", "b": "\\ud83d\\ude00", "c": 1e999}') == {"a": "", "b": "😀", "c": None}


@pytest.mark.parametrize(
    "text", ["[" * depth + "]" * depth for depth in (100, 900, 100_000)] + ['{"a":' * 5000, "{", ""]
)
def test_json_that_nobody_meant_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(text)
