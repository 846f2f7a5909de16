"""What pages say of documents is so."""

from __future__ import annotations

import pytest
from django.test import Client

from knowledge.models import KnowledgeBase
from tests.knowledge.documents import index_now, make_base, make_document
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def base(user: User) -> KnowledgeBase:
    return make_base(owner=user)


@pytest.mark.parametrize("content", ["---\n***\n", "\u200b\u200b", "！！！。。。", "😀😀", ",,,\n;;;\n"])
def test_a_file_without_a_word_is_empty_and_not_ready(content: str) -> None:
    document = index_now(make_document(make_base(), content, "odd.txt"))
    assert (document.state, document.reason, document.chunk_count) == ("empty", "empty", 0)


def test_tags_that_would_be_cut_or_left_out_are_refused(signed_in: Client, base: KnowledgeBase) -> None:
    document = make_document(base, "x")
    address = f"/knowledge/documents/{document.pk}/edit/"
    for tags in ("x" * 51, ",".join(f"tag {number}" for number in range(21))):
        refused = signed_in.post(address, {"tags": tags})
        assert refused.status_code == 422
        assert "At most 20 tags of at most 50 characters." in refused.text
    assert not document.tags.exists()
    signed_in.post(address, {"tags": ", ".join(["x" * 50, *map(str, range(19)), "x" * 50])})
    assert document.tags.count() == 20


def test_a_base_with_something_cancelled_is_not_all_ready(signed_in: Client, base: KnowledgeBase) -> None:
    index_now(make_document(base, "text", "a.md"))
    assert "all ready" in signed_in.get("/knowledge/").text
    make_document(base, "text", "b.md", state="cancelled")
    page = signed_in.get("/knowledge/").text
    assert "all ready" not in page
    assert "1 cancelled" in page


def test_a_document_of_too_many_chunks_says_what_to_change(signed_in: Client, base: KnowledgeBase) -> None:
    KnowledgeBase.objects.filter(pk=base.pk).update(separators=[" "])
    document = index_now(make_document(base, "a " * 52_000, "words.txt"))
    assert (document.state, document.reason, document.chunk_count) == ("failed", "too_many_chunks", 0)
    assert "fewer separators" in signed_in.get(f"/knowledge/{base.pk}/").text
    wanted = f"document={document.pk}&chunk_size=64&chunk_overlap=0&parent_size=64&separators=+"
    preview = signed_in.get(f"/knowledge/{base.pk}/preview/?{wanted}")
    assert "fewer separators" in preview.text
