"""Bases and documents through their pages; the worker is played by calling its functions."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from knowledge.changing import purge_deleted
from knowledge.indexing import index
from knowledge.models import Chunk, Document, KnowledgeBase
from knowledge.search import search_chunks
from knowledge.storage import file_of
from tests.factories import make_agent, make_user
from tests.knowledge.documents import embed_all, index_now, make_base, make_document
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def base(user: User) -> KnowledgeBase:
    return make_base(owner=user)


def upload(client: Client, base: KnowledgeBase, *files: tuple[str, bytes], **fields: Any) -> Any:
    sent = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(f"/knowledge/{base.pk}/files/", {"file": sent, **fields})


def upload_one(client: Client, base: KnowledgeBase, content: bytes, name: str, **fields: str) -> Any:
    return upload(client, base, ("file", content), name=name, fragment="on", **fields)


def work() -> None:
    due = list(Document.objects.kept().filter(state="queued"))
    while due:
        index(due.pop())
        due = list(Document.objects.kept().filter(state="queued"))


def test_a_base_is_made_with_a_name_and_used_by_all_agents(signed_in: Client, user: User) -> None:
    page = signed_in.get("/knowledge/add/")
    assert page.status_code == 200
    make_agent(owner=user, name="Helper")
    sizes = {"chunk_size": 512, "chunk_overlap": 64, "parent_size": 1536}
    made = signed_in.post("/knowledge/add/", {"name": " My  papers ", "serves_all_agents": "on", **sizes})
    base = KnowledgeBase.objects.get()
    assert made["Location"] == f"/knowledge/{base.pk}/"
    assert (base.name, base.owner, base.serves_all_agents) == ("My papers", user, True)

    again = signed_in.post("/knowledge/add/", {"name": "My papers", **sizes})
    assert again.status_code == 422
    assert "already" in again.content.decode()
    assert "My papers" in signed_in.get("/knowledge/").content.decode()


def test_overlap_is_at_most_half_a_chunk_and_separators_are_read_as_written(
    signed_in: Client, base: KnowledgeBase
) -> None:
    url, sizes = f"/knowledge/{base.pk}/edit/", {"chunk_size": 100, "parent_size": 1536}
    refused = signed_in.post(url, {"name": "x", "chunk_overlap": 51, **sizes})
    assert refused.status_code == 422
    signed_in.post(url, {"name": "x", "chunk_overlap": 50, "separators": "\\n\\n\r\n---\r\na\\\\n", **sizes})
    base.refresh_from_db()
    assert base.separators == ["\n\n", "---", "a\\n"]
    assert "\\n\\n\n---\na\\\\n" in signed_in.get(url).content.decode()


def test_many_files_are_taken_at_once_with_their_names_as_written(signed_in: Client, base: KnowledgeBase) -> None:
    names = ["报告 😀.txt", "שלום.txt", "長" * 85 + ".txt"]
    answer = upload(signed_in, base, *((name, name.encode()) for name in names))
    assert answer["Location"] == f"/knowledge/{base.pk}/"
    assert list(Document.objects.order_by("pk").values_list("name", flat=True)) == names
    assert {document.state for document in Document.objects.all()} == {"queued"}
    work()
    assert {document.state for document in Document.objects.all()} == {"ready"}
    page = signed_in.get(f"/knowledge/{base.pk}/").content.decode()
    assert all(f"<bdi>{name}</bdi>" in page for name in names)


def test_a_name_beside_the_file_is_kept_and_never_a_path(signed_in: Client, base: KnowledgeBase) -> None:
    for name in ("../../etc/passwd", "/absolute/报告.md", "folder/sub/a&amp;b.md", "\u202eevil.md"):
        assert upload_one(signed_in, base, name.encode(), name).status_code == 201
        document = Document.objects.latest("pk")
        assert document.name == name
        assert file_of(document).parent == Path(django_settings.DOCUMENTS_DIR)
        assert file_of(document).read_bytes() == name.encode()


def test_a_large_file_is_moved_and_not_copied(signed_in: Client, base: KnowledgeBase, settings: Settings) -> None:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 10
    assert upload_one(signed_in, base, b"a text of some length", "long.txt").status_code == 201
    assert not list(Path(settings.FILE_UPLOAD_TEMP_DIR).glob("*.upload*"))
    assert file_of(Document.objects.get()).read_bytes() == b"a text of some length"


def test_what_is_too_large_is_refused_with_what_to_do(
    signed_in: Client, base: KnowledgeBase, settings: Settings
) -> None:
    settings.KB_FILE_MAX_MB = settings.KB_BATCH_MAX_MB = 0
    answer = upload_one(signed_in, base, b"text", "a.txt")
    assert answer.status_code == 422
    assert "together" in answer.content.decode()
    settings.KB_BATCH_MAX_MB = 1
    answer = upload_one(signed_in, base, b"text", "a.txt")
    assert "KB_FILE_MAX_MB" in answer.content.decode()
    assert not Document.objects.exists()


def test_the_same_content_twice_is_said_and_added_only_on_demand(signed_in: Client, base: KnowledgeBase) -> None:
    upload_one(signed_in, base, b"rice", "a.txt")
    unchanged = upload_one(signed_in, base, b"rice", "a.txt")
    twin = upload_one(signed_in, base, b"rice", "b.txt")
    assert (unchanged.status_code, twin.status_code, Document.objects.count()) == (409, 409, 1)
    assert "a.txt" in twin.content.decode()
    assert upload_one(signed_in, base, b"rice", "b.txt", twins="on").status_code == 201
    assert sorted(Document.objects.values_list("doc_id", flat=True)) == ["a.txt", "b.txt"]


def test_a_name_that_is_taken_is_asked_about(signed_in: Client, base: KnowledgeBase) -> None:
    upload_one(signed_in, base, b"rice", "a.txt")
    work()
    old = file_of(Document.objects.get())
    assert upload_one(signed_in, base, b"tea", "a.txt").status_code == 409
    upload_one(signed_in, base, b"tea", "a.txt", taken="both")
    assert set(Document.objects.values_list("doc_id", flat=True)) == {"a.txt", "a.txt (2)"}
    upload_one(signed_in, base, b"coffee", "a.txt", taken="replace")
    assert Document.objects.count() == 2
    work()
    replaced = Document.objects.get(doc_id="a.txt")
    assert [chunk.text for chunk in replaced.chunks.all()] == ["coffee"]
    assert file_of(replaced) != old


def test_an_archive_becomes_its_documents(signed_in: Client, base: KnowledgeBase) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("notes/rice.txt", "about rice")
        archive.writestr("茶.txt", "about tea")
    upload_one(signed_in, base, packed.getvalue(), "all.zip")
    work()
    found = Document.objects.order_by("name").values_list("name", "state")
    assert list(found) == [("all.zip/notes/rice.txt", "ready"), ("all.zip/茶.txt", "ready")]


def test_a_web_page_in_a_private_network_fails_with_words(signed_in: Client, base: KnowledgeBase) -> None:
    assert signed_in.post(f"/knowledge/{base.pk}/webpages/", {"url": "no address"}).status_code == 422
    signed_in.post(f"/knowledge/{base.pk}/webpages/", {"url": "http://127.0.0.1:1/secret"})
    assert Document.objects.get().state == "queued"
    work()
    document = Document.objects.get()
    assert (document.state, document.reason) == ("failed", "web_forbidden_address")
    assert "private network" in signed_in.get(f"/knowledge/{base.pk}/").content.decode()


def test_a_web_page_is_read_again_without_its_site_and_fetched_again_on_demand(
    signed_in: Client, base: KnowledgeBase
) -> None:
    document = index_now(make_document(base, "Rice and tea", "menu.txt", url="http://127.0.0.1:1/menu"))
    page, url = f"/knowledge/{base.pk}/", f"/knowledge/documents/{document.pk}"
    assert "Fetch the page again" in signed_in.get(page).content.decode()
    signed_in.post(f"{url}/retry/")
    work()
    document.refresh_from_db()
    assert (document.state, document.chunk_count) == ("ready", 1)

    for act in ("fetch", "retry"):
        signed_in.post(f"{url}/{act}/")
        work()
        document.refresh_from_db()
        assert (document.state, document.reason) == ("failed", "web_forbidden_address")
    assert search_chunks([base], "rice", 3).found
    signed_in.post(f"{url}/retry/")
    signed_in.post(f"{url}/cancel/")
    signed_in.post(f"{url}/retry/")
    work()
    document.refresh_from_db()
    assert document.state == "ready"
    plain = make_document(base, "tea", "plain.txt")
    signed_in.post(f"/knowledge/documents/{plain.pk}/fetch/")
    plain.refresh_from_db()
    assert not plain.wants_fetch


def test_reasons_and_the_next_step_stand_in_the_row(signed_in: Client, base: KnowledgeBase) -> None:
    upload_one(signed_in, base, b"", "nothing.txt")
    upload_one(signed_in, base, b"%PDF-1.7 broken", "broken.pdf")
    work()
    page = signed_in.get(f"/knowledge/{base.pk}/").content.decode()
    assert "There is nothing to read in the file." in page
    assert "damaged" in page
    assert "Retry all failed" in page
    assert Document.objects.get(name="broken.pdf").state == "failed"


def test_another_encoding_reads_it_again(signed_in: Client, base: KnowledgeBase) -> None:
    document = index_now(make_document(base, "第一章，虾饺的做法".encode("gb18030"), "虾饺.txt"))
    signed_in.post(f"/knowledge/documents/{document.pk}/retry/", {"encoding": "utf-8"})
    work()
    assert "虾" not in document.chunks.get().text
    signed_in.post(f"/knowledge/documents/{document.pk}/retry/", {"encoding": "gb18030"})
    work()
    assert "虾饺" in document.chunks.get().text


def test_cancel_stops_what_waits_at_once_and_retry_begins_it_again(signed_in: Client, base: KnowledgeBase) -> None:
    document = make_document(base, "rice")
    signed_in.post(f"/knowledge/documents/{document.pk}/cancel/")
    document.refresh_from_db()
    assert document.state == "cancelled"
    signed_in.post(f"/knowledge/documents/{document.pk}/retry/")
    document.refresh_from_db()
    assert (document.state, document.is_cancelled) == ("queued", False)


def test_what_failed_is_tried_again_all_at_once(signed_in: Client, base: KnowledgeBase) -> None:
    index_now(make_document(base, "rice", "a.md"))
    failed = [index_now(make_document(base, b"%PDF-1.7 broken", f"{number}.pdf")) for number in range(3)]
    assert {document.state for document in failed} == {"failed"}
    signed_in.post(f"/knowledge/{base.pk}/retry/")
    assert Document.objects.filter(state="queued").count() == 3
    assert Document.objects.filter(state="ready").count() == 1


def test_a_document_that_is_switched_off_or_deleted_is_not_found_and_comes_back(
    signed_in: Client, base: KnowledgeBase
) -> None:
    document = index_now(make_document(base, "The kumquat is ripe."))
    url = f"/knowledge/documents/{document.pk}/"
    signed_in.post(f"{url}switch/", {"to": "off"})
    assert not search_chunks([base], "kumquat", 5).found
    signed_in.post(f"{url}switch/", {"to": "on"})
    deleted = signed_in.post(f"{url}delete/", headers={"HX-Request": "true"})
    assert f"{url}restore/" in deleted.content.decode()
    assert deleted["HX-Trigger"] == "documents-changed"
    assert not search_chunks([base], "kumquat", 5).found
    assert signed_in.get(url).status_code == 404
    signed_in.post(f"{url}restore/")
    assert search_chunks([base], "kumquat", 5).found


def test_a_deletion_is_for_good_after_ten_minutes(
    signed_in: Client, base: KnowledgeBase, django_capture_on_commit_callbacks: Any
) -> None:
    document = index_now(make_document(base, "The kumquat is ripe."))
    embed_all()
    path = file_of(document)
    signed_in.post(f"/knowledge/documents/{document.pk}/delete/")
    purge_deleted()
    assert Document.objects.exists()
    Document.objects.update(deleted_at=timezone.now() - timedelta(minutes=11))
    with django_capture_on_commit_callbacks(execute=True):
        purge_deleted()
    assert not Document.objects.exists()
    assert not Chunk.objects.exists()
    assert not path.exists()


def test_a_name_given_away_meanwhile_is_not_taken_back(signed_in: Client, base: KnowledgeBase) -> None:
    document = index_now(make_document(base, "rice", "a.txt"))
    signed_in.post(f"/knowledge/documents/{document.pk}/delete/")
    upload_one(signed_in, base, b"tea", "a.txt")
    signed_in.post(f"/knowledge/documents/{document.pk}/restore/")
    document.refresh_from_db()
    assert (document.deleted_at, document.doc_id) == (None, "a.txt (2)")


def test_a_base_goes_with_its_documents_when_its_name_is_typed(
    signed_in: Client, base: KnowledgeBase, django_capture_on_commit_callbacks: Any
) -> None:
    document = index_now(make_document(base, "rice"))
    path, url = file_of(document), f"/knowledge/{base.pk}/delete/"
    assert "1 document goes with it" in signed_in.get(url).content.decode()
    assert signed_in.post(url, {"name": "handbook"}).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        assert signed_in.post(url, {"name": base.name})["Location"] == "/knowledge/"
    assert not KnowledgeBase.objects.exists()
    assert not path.exists()


def test_the_original_comes_back_as_an_attachment(signed_in: Client, base: KnowledgeBase) -> None:
    document = make_document(base, "<script>alert(1)</script>", "报告.html")
    answer = signed_in.get(f"/knowledge/documents/{document.pk}/file/")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Disposition"].startswith("attachment; filename*=utf-8''")


def test_the_list_is_narrowed_sorted_and_turned_page_by_page(signed_in: Client, base: KnowledgeBase) -> None:
    for number in range(120):
        make_document(base, "x", f"note {number:03}.md", sha256=str(number))
    Document.objects.filter(name="note 007.md").update(state="failed", reason="corrupt")
    url = f"/knowledge/{base.pk}/"

    def names(query: str) -> list[str]:
        return [row.name for row in signed_in.get(f"{url}?{query}").context["page"].documents]

    first = signed_in.get(f"{url}?sort=name").context["page"]
    assert [row.name for row in first.documents][:2] == ["note 000.md", "note 001.md"]
    second = signed_in.get(f"{url}?sort=name&after={first.next}").context["page"]
    assert second.documents[0].name == "note 050.md"
    back = signed_in.get(f"{url}?sort=name&before={second.previous}").context["page"]
    assert (back.documents[0].name, back.previous) == ("note 000.md", None)
    assert names("state=failed") == ["note 007.md"]
    assert names("q=11") == [f"note {number:03}.md" for number in (119, *range(118, 109, -1), 11)]
    assert names("state=off") == []


def test_tags_are_set_and_narrow_the_list(signed_in: Client, base: KnowledgeBase) -> None:
    document = make_document(base, "x")
    signed_in.post(f"/knowledge/documents/{document.pk}/edit/", {"tags": "食谱，tea, tea"})
    assert [each.tag for each in document.tags.all()] == ["tea", "食谱"]
    assert len(signed_in.get(f"/knowledge/{base.pk}/?tag=食谱").context["page"].documents) == 1
    assert not signed_in.get(f"/knowledge/{base.pk}/?tag=rice").context["page"].documents


def test_a_shared_base_is_read_by_others_and_changed_by_its_owner(client: Client) -> None:
    base = make_base(is_shared=True)
    document = index_now(make_document(base, "The kumquat is ripe."))
    client.force_login(make_user())
    assert "The kumquat" in client.get(f"/knowledge/documents/{document.pk}/").content.decode()
    assert client.get(f"/knowledge/{base.pk}/test/?q=kumquat").status_code == 200
    assert client.get(f"/knowledge/{base.pk}/edit/").status_code == 404
    assert client.post(f"/knowledge/documents/{document.pk}/delete/").status_code == 404
    assert 'id="upload"' not in client.get(f"/knowledge/{base.pk}/").content.decode()
