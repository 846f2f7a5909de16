"""What holds for the search of secrets whatever the text."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.models.secrets import SecretKind
from memories.redaction import find_secrets
from memories.redaction.finding import redact
from memories.redaction.folding import fold
from memories.redaction.marks import MARKS
from tests.memories.test_redaction import KEYS, PEM, STATED

# A busy machine is no fault of the search.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
ALL = list(SecretKind.values)
PIECES = [
    *KEYS,
    *(sentence.format(value) for sentence, value, _kind in STATED),
    *(mark for pair in MARKS.values() for mark in pair),
    *[
        "11010519491231002X",
        "4111 1111 1111 1111",
        "6222021234567890128",
        "13812345678",
        "身份证",
        "密码",
        "password",
        "api key",
    ],
    *[
        "是",
        " is ",
        ":",
        "=",
        "：",
        " ",
        "\n",
        "-",
        "“",
        "(",
        "卡号",
        "-----BEGIN PRIVATE KEY-----",
        "://",
        "@",
        "1",
        "x",
        "\u200b",
    ],
    PEM.format(""),
]
TEXTS = st.one_of(
    st.text(), st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=12).map("".join)
)
REPEATED = [
    *[
        "1",
        "a",
        "a1",
        "1 ",
        "1-",
        "4111 ",
        "eyJ",
        "eyJ.",
        "sk-",
        "AIza",
        "token=",
        "password ",
        'password: "',
        "password for ",
    ],
    *["密码", "密码(", "身份证", "助记词:", "abandon ", "://", "://a:", "a.b-", "+1 ", "(555) ", "0123456789abcdef"],
    *["-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----", "MIIEowIBAAKCAQEA\n", "secret is a1b2c3d4 "],
]


@PATIENT
@given(TEXTS)
def test_spans_are_in_order_inside_the_text_and_apart(text: str) -> None:
    place = 0
    for kind, start, end in find_secrets(text, ALL):
        assert kind in ALL
        assert place <= start < end <= len(text)
        place = end


@PATIENT
@given(TEXTS, st.booleans())
def test_what_was_redacted_once_is_not_redacted_again(text: str, is_chinese: bool) -> None:
    once, kinds = redact(text, ALL, is_chinese)

    assert redact(once, ALL, is_chinese) == (once, set())
    assert bool(kinds) == (once != text)


@PATIENT
@given(TEXTS)
def test_folding_moves_no_character(text: str) -> None:
    assert len(fold(text)) == len(text)


@pytest.mark.parametrize(
    ("piece", "length"), [*((piece, 160_000) for piece in REPEATED), ("1", 1_000_000), ("a", 1_000_000)]
)
def test_a_long_text_takes_no_more_time_for_each_of_its_characters(piece: str, length: int) -> None:
    """Four times the text: four times the time if it is linear, sixteen times if it is not."""
    short, long = measure(piece, length // 4), measure(piece, length)

    assert long < 9 * short + 0.05


def measure(piece: str, length: int) -> float:
    """Seconds of this process's own time, the best of two."""
    text = (piece * (length // len(piece) + 1))[:length]
    return min(search(text) for _attempt in range(2))


def search(text: str) -> float:
    started = time.process_time()
    find_secrets(text)
    return time.process_time() - started
