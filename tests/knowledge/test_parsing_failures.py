"""The zoo: files that can't be read, each with the reason that its owner is told."""

import pytest

from knowledge.parsing import Limits, Oddity, Reason
from knowledge.parsing.words import ODDITIES, REASONS
from tests.knowledge import zoo
from tests.knowledge.reading import reason, text_of

DRM = b'<encryption xmlns="urn:oasis:names"><CipherReference URI="OEBPS/2.xhtml"/></encryption>'


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "nothing.txt"),
        (b"", "nothing.pdf"),
        (b"\n \t\r\n", "blank.md"),
        (bytes(5000), "zeros.txt"),
        (b"\xef\xbb\xbf", "mark.csv"),
        (b"<html><body></body></html>", "hollow.html"),
        (b"<html><script>1</script></html>", "script.html"),
    ],
)
def test_what_says_nothing_is_empty(content: bytes, name: str) -> None:
    assert reason(content, name) == "empty"


def test_office_files_without_a_word_are_empty() -> None:
    empty = {"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"}

    assert reason(zoo.zipped({**empty}), "none.xlsx") in {"empty", "corrupt"}


def test_what_needs_a_password_is_encrypted() -> None:
    assert reason(zoo.locked_pdf("secret", "owner"), "user.pdf") == "encrypted"
    assert reason(zoo.ole("EncryptedPackage"), "locked.docx") == "encrypted"
    assert reason(zoo.book(DRM), "drm.epub") == "encrypted"


def test_scanned_pages_have_no_text_layer() -> None:
    assert reason(zoo.scanned_pdf(), "scan.pdf") == "no_text_layer"


def test_what_is_cut_off_is_corrupt() -> None:
    for content, name in [(zoo.pdf(["text"]), "a.pdf"), (zoo.word(), "a.docx"), (zoo.workbook(), "a.xlsx")]:
        assert reason(content[: len(content) // 2], name) == "corrupt", name
    assert reason(b"%PDF-1.7\nno more", "stub.pdf") == "corrupt"
    assert reason(b'{"nbformat": 4', "cut.ipynb") == "corrupt"
    assert reason(b"PK\x03\x04 no zip", "no.docx") == "corrupt"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (zoo.ole("WordDocument"), "old.doc"),
        (zoo.ole("WordDocument"), "old.docx"),
        (zoo.ole("PowerPoint Document"), "old.ppt"),
        (zoo.picture(), "photo.txt"),
        (b"{\\rtf1 hello}", "text.rtf"),
        (bytes(range(256)) * 40, "noise.txt"),
        (b"\x00\x01\x02\x03" * 100, "noise.csv"),
        (zoo.zipped({"a.txt": b"hello"}), "archive.zip"),
    ],
)
def test_what_is_no_document_is_unsupported(content: bytes, name: str) -> None:
    assert reason(content, name) == "unsupported"


def test_a_text_may_begin_with_the_mark_of_something_else() -> None:
    for start in ("RIFF", "ID3", "GIF8", "Rar!", "BZh", "abcftyp"):
        assert text_of(f"{start} is a word, too".encode(), "word.txt").startswith(start)


def test_bombs_are_too_large_whatever_they_say_of_themselves() -> None:
    bomb = zoo.bomb()
    assert len(bomb) < 60_000
    assert reason(bomb, "bomb.docx") == "too_large"
    assert reason(zoo.bomb("xl/workbook.xml"), "bomb.xlsx") == "too_large"
    assert reason(zoo.understated(bomb, 100), "liar.docx") == "corrupt"
    assert reason(zoo.understated(zoo.bomb("xl/workbook.xml"), 100), "liar.xlsx") == "corrupt"


def test_each_limit_is_kept() -> None:
    assert reason(b"x" * 2000, "a.txt", Limits(size=1000)) == "too_large"
    assert reason(b"x" * 2000, "a.txt", Limits(characters=1000)) == "too_large"
    assert reason(zoo.large_workbook(2000), "a.xlsx", Limits(rows=1000)) == "too_large"
    assert reason(b"a,b\n" * 2000, "a.csv", Limits(rows=1000)) == "too_large"
    assert reason(zoo.pdf(["a"] * 5), "a.pdf", Limits(pages=4)) == "too_large"
    assert reason(zoo.word(), "a.docx", Limits(members=3)) == "too_large"


def test_each_reason_and_remark_has_words() -> None:
    assert set(REASONS) == set(Reason)
    assert set(ODDITIES) == set(Oddity)
