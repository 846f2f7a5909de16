"""The zoo: text in every encoding that Chinese people meet, and what is said of the guess."""

import random

import pytest

from knowledge.parsing import ENCODINGS, Oddity, ParseError, Reason, Remark
from knowledge.readers.encodings import Decoded, decode
from tests.knowledge.reading import parsed, reason, text_of

POEM = "床前明月光，疑是地上霜。举头望明月，低头思故乡。"
WORDS = "知识 虾饺 烧卖 数据 测试 你好 早茶 联通 合同 发票 会议 地址 电话 订单 客户 供应 采购 价格 中文 文档".split()


@pytest.mark.parametrize("word", WORDS)
def test_two_characters_of_gbk_are_enough(word: str) -> None:
    decoded = decode(word.encode("gbk"))

    assert (decoded.text, decoded.encoding, decoded.is_guess) == (word, "gb18030", True)


def test_letters_with_accents_are_not_taken_for_chinese() -> None:
    for word in ("é", "déjà vu", "Straße", "ÄÖÜ", "Москва", "שלום", "Ελλάδα", "مرحبا"):
        assert decode(word.encode()) == Decoded(word, "utf-8")


def test_gbk_that_comes_late_in_a_large_file_is_seen() -> None:
    rows = b"number,name,sum\n" * 65_000 + "1,联通公司,3\n".encode("gbk")

    found = parsed(rows, "late.csv")

    assert (found.encoding, found.encoding_is_guess) == ("gb18030", True)
    assert "联通公司" in found.sections[-1].text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("𠮷野家的㐀字，今天天气很好", "gb18030"),
        ("台灣的天氣非常好，我們一起去喝茶吧", "big5"),
        ("hello 世界, this is UTF-16", "utf-16-le"),
        ("虾饺好吃，今天去喝早茶。\n大家都来了。\n", "utf-16-be"),
        ("hi 虾饺", "utf-32-le"),
        ("これは日本語のテストです。文字コードの検出を行います。", "cp932"),
        ("안녕하세요 여러분 오늘은 날씨가 좋습니다 그리고 저는 한국어를 씁니다", "cp949"),
        ("Привет, мир! Сегодня хорошая погода, и мы идём гулять в парк.", "cp1251"),
        ("Größe über Straße, déjà vu im café", "cp1252"),
    ],
)
def test_a_guess_is_right_and_called_a_guess(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))

    assert (decoded.text, decoded.is_guess, decoded.replaced) == (text, True, 0)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
def test_marks_and_plain_utf8_are_no_guess(encoding: str) -> None:
    found = parsed(POEM.encode(encoding), "poem.txt")

    assert found.sections[0].text == POEM
    assert not found.encoding_is_guess


def test_utf8_that_is_cut_or_has_an_accident_stays_utf8() -> None:
    cut = parsed(POEM.encode()[:-1], "cut.txt")
    assert cut.sections[0].text.startswith(POEM[:-1])
    assert (cut.encoding, cut.remarks) == ("utf-8", (Remark(Oddity.BYTES_REPLACED, "1"),))

    assert "故乡" in text_of(POEM.encode() + b"\xff\n" + POEM.encode(), "accident.log")


def test_stray_nul_bytes_are_dropped() -> None:
    assert text_of("虾\0饺 好吃得很\0".encode(), "nul.txt") == "虾饺 好吃得很"
    assert text_of((POEM + "\0" + POEM).encode("gbk"), "nul.txt") == POEM * 2


def test_one_byte_is_a_text() -> None:
    assert text_of(b"x", "x.txt") == "x"
    assert text_of(b"\xe9", "e.txt") == "é"


def test_a_person_knows_better_than_the_guess() -> None:
    content = "中文".encode("big5")

    found = parsed(content, "a.txt", encoding="gb18030")

    assert (found.encoding, found.encoding_is_guess) == ("gb18030", False)
    assert text_of(content, "a.txt", encoding="big5hkscs") == "中文"
    assert text_of(b"\xff\xfe" + "中".encode("utf-16-le"), "a.txt", encoding="utf-16-le") == "中"


def test_what_a_page_says_of_its_encoding_is_heard() -> None:
    page = '<html><head><meta charset="gb2312"><title>页</title></head><body><p>虾饺朱镕基</p></body></html>'

    found = parsed(page.encode("gbk"), "page.html")

    assert found.sections[0].text == "虾饺朱镕基"
    assert (found.encoding, found.encoding_is_guess) == ("gb18030", False)


def test_an_encoding_of_which_nobody_has_heard_is_uncertain() -> None:
    for name in ("klingon", "base64", "idna", "utf-7", "\0"):
        with pytest.raises(ParseError) as caught:
            decode(b"text", chosen=name)
        assert caught.value.code == Reason.ENCODING_UNCERTAIN


def test_bytes_that_fit_no_encoding_are_uncertain() -> None:
    noise = bytes(random.Random(3).choices(range(128, 256), k=3000))

    assert reason(noise.replace(b"\x80", b"\xff\xff"), "noise.txt") == "encoding_uncertain"


def test_every_encoding_that_a_person_may_choose_decodes() -> None:
    for encoding in ENCODINGS:
        assert decode("text".encode(encoding), chosen=encoding).text == "text"
