"""Documents that can't be read and vectors that can't be made, on the page of health."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from knowledge.models import Document, SemanticIndex
from knowledge.tasks import sweep_documents
from tests.factories import make_user
from tests.knowledge.documents import index_now, make_base, make_document
from xiajiao.models import User

pytestmark = pytest.mark.django_db
PAGE = "/memories/health/?kind=jobs"


@pytest.fixture
def document(user: User) -> Document:
    return make_document(make_base(owner=user), "Tea is poured in the harbour.")


def read(client: Client, address: str = PAGE) -> str:
    return " ".join(client.get(address).content.decode().split())


def post(client: Client, act: str, job: str) -> None:
    assert client.post(f"/memories/health/{act}/", {"job": job}).status_code == 302


def test_a_document_that_failed_is_told_with_its_reason_and_tried_again(signed_in: Client, document: Document) -> None:
    Document.objects.update(state="failed", reason="timed_out", created_at=timezone.now() - timedelta(minutes=1))
    text = read(signed_in)
    assert "Documents being read" in text
    assert "1 waits · 1 stuck" in text
    assert "Reading the file took too long" in text

    post(signed_in, "retry", "documents")
    sweep_documents()
    document.refresh_from_db()
    assert (document.state, document.semantic_index.state) == ("ready", "ready")
    assert "Documents being read" not in read(signed_in)
    assert "Vectors of documents" not in read(signed_in)


def test_one_that_waits_is_stuck_only_when_it_waits_too_long(signed_in: Client, document: Document) -> None:
    assert "1 stuck" not in read(signed_in)
    long_ago = timezone.now() - timedelta(hours=2)
    Document.objects.update(created_at=long_ago)
    assert "1 waits · 1 stuck" in read(signed_in)
    Document.objects.update(claim="x:1:1/beef", state="parsing", heartbeat=timezone.now())
    assert "1 stuck" not in read(signed_in)
    Document.objects.update(heartbeat=long_ago)
    post(signed_in, "cancel", "documents")
    document.refresh_from_db()
    assert (document.state, document.claim) == ("cancelled", "")
    assert "Documents being read" not in read(signed_in)


def test_vectors_that_failed_are_told_and_made_again(signed_in: Client, document: Document) -> None:
    index_now(document)
    SemanticIndex.objects.update(state="failed", failures=8, error="429: slow down")
    text = read(signed_in)
    assert "Vectors of documents" in text
    assert "429: slow down" in text
    post(signed_in, "retry", "semantic_indexes")
    sweep_documents()
    assert SemanticIndex.objects.get().state == "ready"


def test_others_hear_of_it_only_as_staff(client: Client, document: Document) -> None:
    Document.objects.update(state="failed", reason="corrupt")
    client.force_login(make_user())
    assert "Documents being read" not in read(client)
    client.force_login(make_user(is_staff=True))
    assert "Documents being read" in read(client, f"{PAGE}&person=all")
