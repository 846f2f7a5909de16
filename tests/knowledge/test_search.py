"""Chunks are found by meaning and by words, of the documents that count."""

from __future__ import annotations

import pytest

from knowledge.models import Chunk, Document, KnowledgeBase
from knowledge.search import Wanted, search_chunks
from tests.knowledge.documents import embed_all, index_now, make_base, make_document

pytestmark = pytest.mark.django_db

PARROT = "# Pets\n\nThe office parrot is called Quillimax and eats trout every Friday."
LEAVE = "# 休假\n\n员工每年有十五天带薪年假，需要提前两周向主管申请。"
DOCKER = "# Deployment\n\nThe service is deployed with Docker on two machines behind a proxy."


@pytest.fixture
def base() -> KnowledgeBase:
    base = make_base()
    for name, text in {"pets.md": PARROT, "leave.md": LEAVE, "docker.md": DOCKER}.items():
        index_now(make_document(base, text, name))
    return base


def names(base: KnowledgeBase, query: str, wanted: Wanted | None = None) -> list[str]:
    return [each.chunk.document.name for each in search_chunks([base], query, 5, wanted).relevant]


def test_words_find_before_there_is_any_vector_and_meaning_after(base: KnowledgeBase) -> None:
    assert names(base, "Quillimax") == ["pets.md"]
    assert names(base, "how many days off do I get") == []
    embed_all()
    assert names(base, "how many days off do I get")[0] == "leave.md"
    assert names(base, "一年能休几天假")[0] == "leave.md"
    assert names(base, "谢谢你！") == []


def test_what_is_switched_off_or_deleted_is_not_found(base: KnowledgeBase) -> None:
    embed_all()
    document = Document.objects.get(name="pets.md")
    Chunk.objects.filter(document=document).update(enabled=False)
    assert "pets.md" not in names(base, "Quillimax the parrot")
    Chunk.objects.filter(document=document).update(enabled=True)
    Document.objects.filter(pk=document.pk).update(enabled=False)
    assert "pets.md" not in names(base, "Quillimax the parrot")


def test_documents_are_chosen_by_id_and_by_tag(base: KnowledgeBase) -> None:
    document = Document.objects.get(name="docker.md")
    document.tags.create(tag="work")
    assert names(base, "Quillimax", Wanted(doc_ids=["docker.md"])) == []
    assert names(base, "Docker Quillimax", Wanted(tags=["work"])) == ["docker.md"]
    assert names(base, "Docker", Wanted(tags=["work", "home"])) == []


def test_other_bases_are_left_alone(base: KnowledgeBase) -> None:
    other = make_base(name="Other")
    index_now(make_document(other, PARROT, "copy.md"))
    assert names(other, "Quillimax") == ["copy.md"]
    found = search_chunks([base, other], "Quillimax", 5).relevant
    assert {each.chunk.document.name for each in found} == {"pets.md", "copy.md"}
