"""What is too much is refused at once, and what is left out is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client

from knowledge.models import Document
from knowledge.parsing import Limits, is_too_much_text
from tests.knowledge import zoo
from tests.knowledge.documents import make_base
from tests.knowledge.reading import parsed, reason, text_of
from tests.knowledge.test_pages import upload_one
from xiajiao.models import User

FEW = Limits(characters=1000)


@pytest.mark.parametrize(
    ("content", "name", "is_too_much"),
    [
        (b"x" * 1001, "long.txt", True),
        (b"x" * 1000, "just.txt", False),
        ("虾饺".encode() * 400, "chinese.md", False),
        ("虾饺".encode() * 501, "chinese.md", True),
        ("虾饺".encode("gb18030") * 900, "other.txt", False),
        (b"<p>x</p>" * 900, "page.HTML", False),
        (b"%PDF-1.7\n\xe2\xe3" + b"x" * 3000, "print.pdf", False),
    ],
)
def test_a_text_is_weighed_by_its_characters(content: bytes, name: str, is_too_much: bool, tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(content)
    assert is_too_much_text(path, name, FEW) == is_too_much


@pytest.mark.django_db
def test_a_text_that_is_too_long_is_refused_at_once(signed_in: Client, user: User) -> None:
    answer = upload_one(signed_in, make_base(owner=user), b"tea and rice " * 2_400_000, "long.txt")
    assert answer.status_code == 422
    assert "more than 30 million characters" in answer.content.decode()
    assert not Document.objects.exists()


def test_a_child_that_finds_too_much_says_so_too() -> None:
    assert reason(b"<p>tea</p>" * 900, "page.html", FEW) == "too_large"


def test_no_cell_row_or_heading_is_cut() -> None:
    cell, head, title = "rice " * 4000 + "end of cell", "tea " * 2000 + "end of head", "lamp " * 90 + "end of title"
    assert "end of cell" in text_of(f"a,b\n1,{cell}\n".encode(), "long.csv")
    assert "end of head" in text_of(f"{head},b\n1,2\n".encode(), "head.csv")
    assert "end of title" in text_of(f"# {title}\n\nwords\n".encode(), "title.md")


def test_an_output_that_is_cut_is_said() -> None:
    notebook = json.loads(zoo.notebook())
    notebook["cells"][1]["outputs"][0]["text"] = ["42\n" * 9000]
    found = parsed(json.dumps(notebook).encode(), "long.ipynb")
    assert [(remark.oddity, remark.detail) for remark in found.remarks] == [("output_cut", "1")]
