"""How documents are called, and what is one and the same."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from knowledge.indexing import index
from knowledge.models import Document, KnowledgeBase
from tests.knowledge import zoo
from tests.knowledge.documents import make_base, make_document
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def base(user: User) -> KnowledgeBase:
    return make_base(owner=user)


def upload(client: Client, base: KnowledgeBase, name: str, content: bytes, **fields: str) -> Any:
    sent = {"file": SimpleUploadedFile("file", content), "name": name, "fragment": "on"}
    return client.post(f"/knowledge/{base.pk}/files/", sent | fields)


def test_a_name_in_pieces_and_in_one_are_one_document(signed_in: Client, base: KnowledgeBase) -> None:
    assert upload(signed_in, base, "re\u0301sume\u0301.md", b"as macOS writes it").status_code == 201
    assert upload(signed_in, base, "r\u00e9sum\u00e9.md", b"as all others do").status_code == 409
    document = Document.objects.get()
    assert (document.name, document.doc_id) == ("re\u0301sume\u0301.md", "r\u00e9sum\u00e9.md")
    assert "re\u0301sume\u0301" in signed_in.get(f"/knowledge/{base.pk}/?q=r\u00e9s").text
    assert upload(signed_in, base, "RE\u0301SUME\u0301.md", b"another").status_code == 201


def test_a_name_steers_no_terminal_and_stops_no_upload(signed_in: Client, base: KnowledgeBase) -> None:
    names = {"nul\0.md": "nul.md", "red\x1b[31m\x07.md": "red[31m.md", "two\r\nlines.md": "two lines.md"}
    for name, kept in names.items():
        assert upload(signed_in, base, name, name.encode()).status_code == 201
        assert Document.objects.latest("pk").name == kept
    assert "<" not in upload(signed_in, base, "x" * 4001, b"long").context["fault"]


def test_an_address_holds_no_password_and_is_one_of_the_web(signed_in: Client, base: KnowledgeBase) -> None:
    for url, words in (("https://mei:secret@example.com/", "Leave out the name"), ("ftp://example.com/a", "https://")):
        refused = signed_in.post(f"/knowledge/{base.pk}/webpages/", {"url": url})
        assert refused.status_code == 422
        assert words in refused.text
    assert not Document.objects.exists()


def test_what_lies_twice_in_an_archive_by_one_name_becomes_two_documents_again_and_again(base: KnowledgeBase) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("a.txt", "the first text")
        with pytest.warns(UserWarning, match="Duplicate"):
            package.writestr("a.txt", "the second text")
    for _time in range(2):
        for member in index(make_document(base, file.getvalue(), "two.zip")):
            index(Document.objects.get(pk=member))
        rows = Document.objects.order_by("doc_id").values_list("doc_id", "chunks__text")
        assert list(rows) == [("two.zip/a.txt", "the first text"), ("two.zip/a.txt (2)", "the second text")]


def test_what_office_leaves_beside_an_open_file_is_passed_over(base: KnowledgeBase) -> None:
    archive = zoo.zipped({"plan/~$plan.docx": b"\x05mei", "plan/.~lock.plan.ods#": b"mei", "plan/plan.md": b"July."})
    index(make_document(base, archive, "plan.zip"))
    assert [document.doc_id for document in Document.objects.all()] == ["plan.zip/plan/plan.md"]
