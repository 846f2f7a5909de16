"""The zoo, from the upload to what a search finds: the state, the reason and the text that come out of each animal."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from knowledge.models import Document
from knowledge.search import search_chunks
from knowledge.storage import file_of
from tests.knowledge import zoo
from tests.knowledge.documents import index_now, make_base
from tests.knowledge.test_pages import upload_one
from xiajiao.models import User

pytestmark = pytest.mark.django_db
TEA = "台灣的天氣非常好，我們一起去喝茶吧"
QUOTED = 'name,note\n"Tea, green","first line\nsecond | line"\n"He said ""rice""",3\n'

# Name and content: what is asked for, and a text that the chunk that is found must hold.
READ = {
    "two characters of GBK.txt": ("虾饺".encode("gbk"), "虾饺", "虾饺"),
    "GBK late.csv": (b"number,name\n" * 90_000 + "1,联通公司\n".encode("gbk"), "联通公司", "| 1 | 联通公司 |"),
    "GB18030.txt": ("𠮷野家的㐀字，今天天气很好".encode("gb18030"), "今天天气", "𠮷野家的㐀字"),
    "Big5.txt": (TEA.encode("big5"), "喝茶", TEA),
    "UTF-16 with a mark.txt": (TEA.encode("utf-16"), "喝茶", TEA),
    "UTF-16 without.txt": ("hello 世界, this is UTF-16".encode("utf-16-le"), "世界", "hello 世界"),
    "UTF-8 with a mark.txt": (TEA.encode("utf-8-sig"), "喝茶", TEA),
    "UTF-8 cut off.txt": (TEA.encode()[:-1], "喝茶", TEA[:-1]),
    "NUL.txt": (b"tea\0 is poured in the har\0bour", "harbour", "tea is poured in the harbour"),
    "1 byte.txt": (b"x", "x", "x"),
    "owner's password.pdf": (zoo.locked_pdf("", "owner"), "dumplings", "Secret dumplings"),
    "HTML.pdf": (b"<!doctype html><html><body><h1>Menu</h1><p>Rice and tea</p></body></html>", "rice", "Rice and tea"),
    "merged cells.xlsx": (zoo.workbook(), "华南", "| 华南 | 二 | 4.5 |"),
    "quotes.csv": (QUOTED.encode(), "green tea", "| Tea, green | first line second \\| line |"),
    "book.epub": (zoo.book(), "甄士隐", "甄士隐梦幻识通灵"),
    "notes.pptx": (zoo.slides(), "记得微笑", "记得微笑"),
}
REFUSED = {
    "zero bytes.txt": (b"", "empty", "empty"),
    "user's password.pdf": (zoo.locked_pdf("secret", "owner"), "failed", "encrypted"),
    "pictures.pdf": (zoo.scanned_pdf(), "empty", "no_text_layer"),
    "truncated.pdf": (zoo.pdf(["text"])[:400], "failed", "corrupt"),
    "bomb.docx": (zoo.bomb(), "failed", "too_large"),
}
NAMES = ("../../x", "/etc/passwd", "虾" * 100 + ".txt", "😀\u202e\u0007שלום.txt")


def take(client: Client, user: User, name: str, content: bytes) -> Document:
    base = make_base(owner=user, name=f"Base of {len(content)} bytes, {name[:50]}")
    assert upload_one(client, base, content, name).status_code == 201
    return index_now(Document.objects.get(base=base))


@pytest.mark.parametrize("name", READ)
def test_what_can_be_read_is_found(signed_in: Client, user: User, name: str) -> None:
    content, asked, text = READ[name]
    document = take(signed_in, user, name, content)
    assert (document.state, document.reason, document.name) == ("ready", "", name)
    assert any(text in found.chunk.text for found in search_chunks([document.base], asked, 3).found)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_says_why(signed_in: Client, user: User, name: str) -> None:
    content, state, reason = REFUSED[name]
    document = take(signed_in, user, name, content)
    assert (document.state, document.reason, document.chunk_count) == (state, reason, 0)
    assert not document.chunks.exists()


def test_a_name_is_a_name(signed_in: Client, user: User) -> None:
    for name in NAMES:
        document = take(signed_in, user, name, b"Rice and tea.")
        assert (document.state, document.name) == ("ready", name.replace("\a", ""))
        assert file_of(document).parent == Path(settings.DOCUMENTS_DIR)
