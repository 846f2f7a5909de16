"""A broker that is down, or that hangs: what was asked for waits for a sweep, and no page fails or hangs with it."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from memories.models import Agent, Export, Import, Memory, MemoryType, Reindexing
from memories.tasks import finish_type_removals, reindex, run_bulk_change, run_export, run_import
from memories.type_removal import AT_ONCE
from tests.factories import make_agent, make_memory, make_user

# What is queued goes out when the row is committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=["down", "hanging"])
def broken_broker(request: pytest.FixtureRequest) -> Iterator[None]:
    """Nobody listens where messages are sent to, or somebody who never answers."""
    app, kept = run_bulk_change.app, run_bulk_change.app.conf.broker_url
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        hanging = f"redis://127.0.0.1:{deaf.getsockname()[1]}/0"
        app.conf.broker_url = hanging if request.param == "hanging" else "redis+socket:///nowhere.sock"
        app._after_fork()
        yield
        app.conf.broker_url = kept
        app._after_fork()


@pytest.fixture
def agent() -> Agent:
    return make_agent(owner=make_user(is_staff=True))


@pytest.fixture
def signed_in(client: Client, agent: Agent) -> Client:
    client.force_login(agent.owner)
    return client


def ask(client: Client, name: str, values: dict[str, object], *arguments: int) -> None:
    """And look at the page that it leads to."""
    response = client.post(reverse(f"memories:{name}", args=arguments), values)
    assert response.status_code == 302
    assert client.get(response["Location"]).status_code == 200


# Five messages of it: one of the two ways to fail is enough.
@pytest.mark.parametrize("broken_broker", ["down"], indirect=True)
def test_an_import_waits(signed_in: Client, agent: Agent, broken_broker: None) -> None:
    file = SimpleUploadedFile("MEMORY.md", b"## Habits\n- The user drinks tea\n")
    ask(signed_in, "import_create", {"file": file, "agent": agent.pk})
    job = Import.objects.get()
    assert job.state == "checking"
    Import.objects.update(state="checked")
    ask(signed_in, "import_start", {}, job.pk)
    ask(signed_in, "import_cancel", {}, job.pk)
    for _slice in range(2):
        run_import(job.pk)
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_an_export_waits(signed_in: Client, agent: Agent, broken_broker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.views.exports.AT_ONCE", 0)
    make_memory(agent, "The user drinks tea")
    ask(signed_in, "export_create", {"format": "jsonlines", "what": "all"})
    job = Export.objects.get()
    assert job.state == "writing"
    run_export(job.pk)
    job.refresh_from_db()
    assert job.state == "ready"


def test_the_deletion_of_a_type_waits(signed_in: Client, agent: Agent, broken_broker: None) -> None:
    recipe, other = MemoryType.objects.create(key="recipe", name="Recipe"), MemoryType.objects.get(key="reference")
    for number in range(AT_ONCE + 1):
        make_memory(agent, f"Recipe {number}", type=recipe)
    ask(signed_in, "type_delete", {"target": other.pk}, recipe.pk)
    finish_type_removals()
    assert not MemoryType.objects.filter(key="recipe").exists()
    assert Memory.objects.filter(type=other).count() == AT_ONCE + 1


def test_a_reindexing_waits(signed_in: Client, agent: Agent, broken_broker: None) -> None:
    make_memory(agent, "The user drinks tea")
    ask(signed_in, "health_reindex", {})
    assert Reindexing.objects.unfinished().exists()
    reindex()
    assert not Reindexing.objects.unfinished().exists()


def test_doubts_are_looked_for_later(signed_in: Client, agent: Agent, broken_broker: None) -> None:
    ask(signed_in, "health_look", {})
