from collections.abc import Iterator

import pytest
from django.conf import settings as site
from django.test import Client
from pytest_django import Settings

from tests.openai_stub import OpenAIStub
from xiajiao import health, workersignals
from xiajiao.broker import connect
from xiajiao.celery import app
from xiajiao.consumers import KEY, known_queues, mark_consumer
from xiajiao.embeddings import get_embedder
from xiajiao.models import Provider


@pytest.fixture(autouse=True)
def _asked_afresh() -> Iterator[None]:
    """No finding of an earlier test is believed, and no worker of one is remembered."""
    health.believed_embedder.finding = None
    yield
    health.believed_embedder.finding = None
    with connect() as client:
        client.delete(*[KEY + queue for queue in known_queues(app)])


@pytest.fixture
def _worker() -> None:
    mark_consumer(known_queues(app), "worker@here")


def test_anyone_may_ask_whether_it_lives(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
@pytest.mark.usefixtures("_worker")
def test_anyone_may_ask_whether_it_is_ready(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ok": True,
        "database": {"ok": True, "reason": site.DATABASES["default"]["ENGINE"].rpartition(".")[2].replace("3", "")},
        "broker": {"ok": True, "reason": "built in"},
        "consumers": {"ok": True, "reason": "Every queue has a worker."},
        "embedder": {"ok": True, "reason": f"{get_embedder().name}, {get_embedder().dim}"},
        "chat_model": {"ok": True, "reason": "No model is connected: offline mode."},
    }


@pytest.mark.django_db
def test_a_queue_without_a_worker_is_not_ready(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["consumers"] == {"ok": False, "reason": "No worker takes jobs from celery."}


@pytest.mark.django_db
@pytest.mark.usefixtures("_worker")
def test_a_queue_that_only_a_route_names_is_missed_too(client: Client) -> None:
    app.conf.task_routes = {"x.tasks.*": {"queue": "documents"}}
    try:
        answer = client.get("/readyz")
    finally:
        app.conf.task_routes = None
    assert answer.status_code == 503
    assert answer.json()["consumers"]["reason"] == "No worker takes jobs from documents."


def test_a_worker_is_forgotten_when_it_is_silent() -> None:
    mark_consumer(["celery"], "worker@here")
    with connect() as client:
        assert 0 < int(str(client.ttl(KEY + "celery"))) <= 15


@pytest.mark.django_db
def test_without_a_broker_it_is_not_ready(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["broker"] == {"ok": False, "reason": "ConnectionError"}
    assert answer.json()["consumers"] == {"ok": False, "reason": "The broker does not answer."}


@pytest.mark.django_db
@pytest.mark.usefixtures("_worker")
def test_without_an_embedder_it_is_not_ready(client: Client, settings: Settings) -> None:
    settings.EMBEDDER = "nobody"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["embedder"] == {"ok": False, "reason": "EmbeddingError"}


@pytest.mark.django_db
def test_the_embedder_is_not_asked_at_every_poll(client: Client, settings: Settings) -> None:
    client.get("/readyz")
    settings.EMBEDDER = "nobody"
    assert client.get("/readyz").json()["embedder"]["ok"]


@pytest.mark.django_db
@pytest.mark.usefixtures("_worker")
def test_a_chat_model_that_is_amiss_is_told_and_keeps_it_ready(client: Client) -> None:
    Provider.objects.create(name="Mine", base_url="http://127.0.0.1:1/v1", is_default=True)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert not answer.json()["chat_model"]["ok"]
    assert "No model is chosen" in answer.json()["chat_model"]["reason"]


@pytest.mark.django_db
@pytest.mark.usefixtures("_worker")
def test_no_secret_and_no_address_is_told(client: Client, openai_stub: OpenAIStub, settings: Settings) -> None:
    settings.OPENAI_API_KEY = "sk-very-secret"
    settings.OPENAI_MODEL = "stub-model"
    body = client.get("/readyz").content.decode()
    assert "stub-model" in body
    assert "sk-very-secret" not in body
    assert openai_stub.base_url not in body
    assert openai_stub.requests == []


def test_a_worker_outlives_a_broker_that_is_gone(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    workersignals.mark(app, "worker@here")
    assert "can't show that it lives" in caplog.text
