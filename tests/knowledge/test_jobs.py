"""Indexing as a job: whoever works at it, whatever becomes of them, and whatever a person does meanwhile."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from knowledge.changing import cancel, delete, requeue, restore
from knowledge.embedding import claim_next
from knowledge.indexing import CRASHED, NO_ROOM, explain_disk, index
from knowledge.models import Document, SemanticIndex
from knowledge.storage import file_of
from knowledge.tasks import embed_waiting, sweep_documents
from tests.installation import eventually
from tests.knowledge.documents import embed_all, index_now, make_base, make_document
from xiajiao.claims import ATTEMPTS, LostClaimError, claim, find_abandoned, held, record
from xiajiao.runners import name_runner

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "# Tea\n\n" + "Tea is poured in the harbour. " * 40


@pytest.fixture
def document() -> Document:
    return make_document(make_base(), TEXT)


@contextmanager
def being_read(document: Document) -> Iterator[threading.Thread]:
    """By a worker whose child gets no end of the file, for as long as nobody stops it."""
    path = file_of(document)
    path.unlink()
    os.mkfifo(path)
    worker = threading.Thread(target=in_thread, args=(lambda: index(document),))
    worker.start()
    eventually(lambda: bool(readers()) and stage(document) == "starting", "it is being read")
    try:
        yield worker
    finally:
        for reader in readers():
            reader.kill()
        worker.join()


def in_thread(work: Callable[[], object]) -> None:
    try:
        work()
    finally:
        connection.close()


def stage(document: Document) -> str:
    return Document.objects.get(pk=document.pk).stage


def readers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "knowledge.readers" in child.cmdline()]


def rows(document: Document) -> list[tuple[str, str]]:
    return list(Document.objects.filter(pk=document.pk).values_list("state", "reason"))


def let_it_be_read(document: Document) -> None:
    """What is in the way of its file goes."""
    path = file_of(document)
    path.unlink()
    path.write_text(TEXT)


def test_two_workers_do_it_once(document: Document) -> None:
    job = claim(document)
    assert job is not None
    assert index(document) == []
    assert stage(document) == ""
    assert find_abandoned(Document) == []

    Document.objects.update(heartbeat=timezone.now() - Document.SILENCE * 2)
    assert index_now(document).state == "ready"
    with pytest.raises(LostClaimError):
        record(job, stage="saving")


def test_a_dead_process_holds_nothing(document: Document) -> None:
    """Without any wait for its silence."""
    index_now(document)
    machine, pid, _start = name_runner().split(":")
    dead = {"claim": f"{machine}:{pid}:1/beef", "heartbeat": timezone.now()}
    Document.objects.update(state="parsing", **dead)
    SemanticIndex.objects.update(**dead)
    sweep_documents()
    embed_waiting()
    assert rows(document) == [("ready", "")]
    assert SemanticIndex.objects.get().state == "ready"


def test_what_kills_its_workers_again_and_again_is_given_up_and_can_be_retried(document: Document) -> None:
    Document.objects.update(state="parsing", claim="x:1:1/beef", attempts=ATTEMPTS, heartbeat="2020-01-01T00:00Z")
    sweep_documents()
    assert rows(document) == [("failed", CRASHED)]
    assert index_now(requeue(document)).state == "ready"


def test_an_error_leaves_it_to_the_sweep(document: Document) -> None:
    job = claim(document)
    assert job is not None
    with pytest.raises(ZeroDivisionError), held(job):
        raise ZeroDivisionError
    Document.objects.update(heartbeat=timezone.now() - timedelta(minutes=1))
    job.refresh_from_db()
    assert (job.claim, job.attempts) == ("", 1)
    assert find_abandoned(Document) == [document.pk]


def test_one_that_is_cancelled_stops_soon(document: Document) -> None:
    with being_read(document) as worker:
        cancel(document)
        assert rows(document) == [("parsing", "")]
        worker.join(30)
        assert rows(document) == [("cancelled", "")]
        assert readers() == []
    let_it_be_read(document)
    assert index_now(requeue(document)).state == "ready"


def test_one_that_waits_is_cancelled_at_once(document: Document) -> None:
    cancel(document)
    assert rows(document) == [("cancelled", "")]
    assert index_now(document).chunk_count == 0


def test_one_that_is_deleted_stops_and_can_come_back(document: Document) -> None:
    with being_read(document) as worker:
        delete(document)
        worker.join(30)
        assert readers() == []
    sweep_documents()
    assert not document.chunks.exists()
    let_it_be_read(document)
    restore(document, document.doc_id)
    assert index_now(document).state == "ready"


def test_one_that_is_read_anew_meanwhile_is_read_once(document: Document) -> None:
    with being_read(document) as worker:
        fresh = make_document(document.base, TEXT, "other.md")
        requeue(document, stored_as=fresh.stored_as)
        document = index_now(document)
        worker.join(30)
    assert (document.state, document.chunk_count) == ("ready", document.chunks.count())
    embed_all()
    assert SemanticIndex.objects.get(document=document).done == document.chunk_count


def test_a_child_that_the_system_kills_is_a_reason_and_no_end(document: Document) -> None:
    with being_read(document) as worker:
        for reader in readers():
            reader.kill()
        worker.join(30)
    assert rows(document) == [("failed", "stopped")]
    let_it_be_read(document)
    assert index_now(requeue(document)).state == "ready"


def test_a_database_that_is_locked_for_a_while_is_waited_for(document: Document) -> None:
    worker = threading.Thread(target=in_thread, args=(lambda: index(document),))
    with transaction.atomic():
        Document.objects.select_for_update().get(pk=document.pk)
        worker.start()
        time.sleep(0.5)
    worker.join()
    assert rows(document) == [("ready", "")]


def test_a_full_disk_is_said() -> None:
    with pytest.raises(OSError) as caught:
        Path("/dev/full").write_bytes(b"x")
    assert explain_disk(caught.value) == NO_ROOM


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a server's disk is not ours to fill")
def test_a_database_without_room_is_said_and_has_kept_nothing_by_halves(document: Document) -> None:
    with connection.cursor() as cursor:
        # Pages that other tests have left free would be room.
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0] + 8}")
        file_of(document).write_text(TEXT * 200)
        assert (index_now(document).reason, document.chunks.count()) == (NO_ROOM, 0)
        cursor.execute("PRAGMA max_page_count = 1073741823")
    assert index_now(requeue(document)).state == "ready"


def test_workers_that_ask_at_once_leave_one_of_them_for_what_people_wait_for(settings: Settings) -> None:
    settings.WORKER_PROCESSES = 2
    base = make_base()
    for name in ("a.md", "b.md"):
        index_now(make_document(base, f"About {name}.", name))
    assert claim_next() is not None
    assert claim_next() is None
    settings.WORKER_PROCESSES = 3
    assert claim_next() is not None
