import pytest
from hypothesis import given
from hypothesis import strategies as st

from xiajiao.fulltext.encoding import encode, encode_all
from xiajiao.fulltext.terms import LONGEST_TERM, LONGEST_TEXT, pairs_across_words, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("编程语言", {"编程语言", "编程", "程语", "语言"}),
        ("我用AWS", {"我用", "aws"}),
        ("猫", {"猫"}),
        ("三码", {"三码"}),
        ("叶璇喜欢喝茶", {"叶璇", "喜欢", "喝茶"}),
        ("C++ C# .NET F#", {"c++", "c#", ".net", "f#"}),
        ("foo_bar", {"foo_bar", "foo", "bar"}),
        ("__init__", {"__init__", "init"}),
        ("v1.2.3", {"v1.2.3", "v1"}),
        ("PPR-9087", {"ppr-9087", "ppr", "9087"}),
        ("python-3.12", {"python-3.12", "python", "3.12"}),
        ("a.user@example.com", {"a.user@example.com", "a.user", "example.com", "example"}),
        ("https://docs.example.com/a?b=c", {"https://docs.example.com/a?b=c", "docs.example.com", "example"}),
        ("２０２４年 ＡＢＣ", {"2024", "年", "abc"}),
        ("Straße CAFÉ naïve", {"strasse", "cafe", "naive"}),
        ("東京都に住んでいます", {"東京", "京都", "住", "ます"}),
        ("コーヒー", {"コーヒー", "コー", "ヒー"}),
        ("한국어", {"한국어", "한국", "국어"}),
        ("Привет", {"привет"}),
    ],
)
def test_a_text_is_found_by(text: str, expected: set[str]) -> None:
    assert expected <= set(terms(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [("allergies", "allergy"), ("Meetings", "meeting"), ("the user's dog", "the user dog"), ("don't", "DON’T")],
)
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.parametrize(("one", "other"), [("C++", "C"), ("PPR-9087", "PPR-9088"), ("v1.2", "v12"), ("is", "i")])
def test_different_names_are_different_terms(one: str, other: str) -> None:
    assert terms(one)[0] != terms(other)[0]


@pytest.mark.parametrize("text", ["", " \n", "\0", "\ud83d", "😀👨‍👩‍👧", "!?…，。", "\u0301"])
def test_a_text_without_letters_has_no_terms(text: str) -> None:
    assert terms(text) == []


def test_pairs_across_words_belong_to_no_word() -> None:
    assert [word.term for word in words("我用编程语言")] == ["我", "用", "编程语言"]
    assert pairs_across_words("我用编程语言") == ["我用", "用编"]


def test_long_texts_and_long_terms_are_cut() -> None:
    assert max(map(len, terms("a" * 1000 + " " + "ア" * 1000))) == LONGEST_TERM
    assert len(terms("ab " * LONGEST_TEXT)) <= LONGEST_TEXT


@given(st.text())
def test_no_text_raises_and_each_term_is_a_term_of_itself(text: str) -> None:
    for term in terms(text):
        assert term
        assert "\0" not in term
        assert " " not in term


@given(st.text(min_size=1), st.text(min_size=1))
def test_encoded_terms_are_letters_and_digits_and_stay_different(one: str, other: str) -> None:
    assert encode(one).isalnum()
    assert (encode(one) == encode(other)) == (one == other)


def test_each_namespace_has_a_vocabulary_of_its_own() -> None:
    assert not set(encode_all("one", ["茶", "c++"])) & set(encode_all("two", ["茶", "c++"]))
