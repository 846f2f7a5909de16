from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memories import changes, reindexing
from memories.drifting import find_drift
from memories.health.indexes import read_reindexing
from memories.health.jobs import Scope
from memories.models import Agent, Memory, Reindexing
from memories.moving import move_in
from memories.recall import recall
from memories.tasks import reindex
from tests.factories import make_agent, make_user
from tests.memories.health.keeping import BY_HAND, keep
from xiajiao import fulltext
from xiajiao.models import StoredVector
from xiajiao.vectorstores import get_store, load_store

pytestmark = pytest.mark.django_db

TEXTS = "用户对花生过敏", "用户养了一只猫", "The user lives in Lyon"


@pytest.fixture
def agent() -> Agent:
    agent = make_agent()
    for text in TEXTS:
        keep(agent, text)
    return agent


@pytest.fixture
def _shelf(settings: Settings) -> Iterator[None]:
    """A second vector store, "shelf"."""
    settings.VECTOR_STORES = {**settings.VECTOR_STORES, "shelf": {"BACKEND": "tests.vector_shelf.VectorShelf"}}
    yield
    load_store.cache_clear()


def space(agent: Agent) -> str:
    return f"memories:{agent.pk}:{agent.owner_id}@e5-384"


def what_is_recalled(agent: Agent, query: str) -> list[str]:
    return [item.memory.content for item in recall(agent, agent.owner_id, query).items]


def test_everything_is_made_anew_from_the_rows(agent: Agent) -> None:
    get_store().drop(space(agent))
    fulltext.drop(space(agent).partition("@")[0])
    Memory.objects.filter(content=TEXTS[1]).update(title="宠物")
    told: list[int] = []
    job = reindexing.ask(agent, is_whole=True)
    reindexing.run(job.pk, tell=lambda job: told.append(job.done))

    job.refresh_from_db()
    assert (job.state, job.done, job.total, told) == ("done", 3, 3, [3])
    assert len(get_store().keys(space(agent))) == 3
    assert what_is_recalled(agent, "我对什么过敏？") == [TEXTS[0]]
    assert fulltext.search([space(agent).partition("@")[0]], "宠物", 3)


def test_what_is_there_serves_until_its_successor_stands(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH", 1)
    seen: list[int] = []
    job = reindexing.ask(None, is_whole=True)
    reindexing.run(job.pk, tell=lambda _job: seen.append(len(get_store().keys(space(agent)))))

    assert seen == [3, 3, 3]


def test_one_agent_alone_is_made_anew_where_one_is_named(agent: Agent) -> None:
    other = make_agent()
    keep(other, TEXTS[0])
    get_store().drop(space(other))
    reindexing.run(reindexing.ask(agent, is_whole=True).pk)

    assert not get_store().keys(space(other))


def test_a_job_goes_on_where_it_was_left(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH", 1)
    job = reindexing.ask(None, is_whole=True)
    reindexing.run(job.pk, seconds=0.0)
    job.refresh_from_db()
    assert job.state == "waiting"
    Reindexing.objects.filter(pk=job.pk).update(cursor=Memory.objects.order_by("pk")[0].pk, done=1)
    reindex()

    job.refresh_from_db()
    assert (job.state, job.done, job.total) == ("done", 3, 3)


def test_a_long_job_lets_others_go_first(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    job = reindexing.ask(None, is_whole=True)
    monkeypatch.setattr("memories.tasks.A_SLICE", 0.0)
    with django_capture_on_commit_callbacks() as nudges:
        reindex()
    job.refresh_from_db()
    assert (job.state, len(nudges)) == ("waiting", 1)

    monkeypatch.undo()
    with django_capture_on_commit_callbacks() as nudges:
        reindex()
    job.refresh_from_db()
    assert (job.state, nudges) == ("done", [])


def test_a_job_is_done_by_one_worker_unless_that_has_died(agent: Agent) -> None:
    job = reindexing.ask(None, is_whole=True)
    assert reindexing.ask(None, is_whole=True) == job
    Reindexing.objects.update(state="running", claim="elsewhere:1:1/cafe", heartbeat=timezone.now())
    reindexing.run(job.pk)
    job.refresh_from_db()
    assert job.state == "running"
    Reindexing.objects.update(heartbeat=timezone.now() - Reindexing.SILENCE * 2)
    reindexing.run(job.pk)

    job.refresh_from_db()
    assert job.state == "done"


def test_a_failure_is_told_and_tried_again(agent: Agent, settings: Settings, client: Client) -> None:
    settings.EMBEDDER = "no-such-embedder"
    reindexing.run(reindexing.ask(agent, is_whole=True).pk)
    state = read_reindexing(Scope(agent.owner))
    assert (state.waiting, state.stuck) == (3, 1)
    assert "no-such-embedder" in state.error
    assert read_reindexing(Scope(make_user())).waiting == 0
    assert len(get_store().keys(space(agent))) == 3

    settings.EMBEDDER = "e5"
    client.force_login(agent.owner)
    client.post("/memories/health/retry/", {"job": "reindexing"})
    reindex()
    assert Reindexing.objects.get().state == "done"


@pytest.mark.usefixtures("_shelf")
def test_vectors_move_to_the_store_that_the_agent_names(agent: Agent) -> None:
    off = Memory.objects.get(content=TEXTS[2])
    changes.set_enabled(off, False, BY_HAND)
    Agent.objects.filter(pk=agent.pk).update(vector_store="shelf")
    agent.refresh_from_db()
    assert what_is_recalled(agent, "我对什么过敏？") == [TEXTS[0]]
    reindex()

    agent.refresh_from_db()
    assert (agent.vectors_in, agent.is_moving) == ("shelf", False)
    assert len(get_store("shelf").keys(space(agent))) == 2
    assert not StoredVector.objects.filter(vector__isnull=False)
    assert what_is_recalled(agent, "我对什么过敏？") == [TEXTS[0]]
    changes.set_enabled(off, True, BY_HAND)
    assert what_is_recalled(agent, "Where do I live?")[0] == TEXTS[2]
    drift = find_drift((agent.pk, agent.owner_id))
    assert (drift.lacking, drift.too_much) == (0, 0)


@pytest.mark.usefixtures("_shelf")
def test_what_is_written_during_a_move_is_in_both_stores(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH", 1)
    Agent.objects.filter(pk=agent.pk).update(vector_store="shelf")

    def write(job: Any) -> None:
        moving = Agent.objects.get(pk=agent.pk)
        if job.done == 2:
            changes.edit(Memory.objects.get(content=TEXTS[0]), {"content": "用户对虾过敏"}, BY_HAND)
            changes.delete(Memory.objects.get(content=TEXTS[1]), BY_HAND)
            keep(moving, "用户在学日语")
            assert what_is_recalled(moving, "我对什么过敏？")[0] == "用户对虾过敏"

    reindexing.ask_for_moves()
    reindexing.run(Reindexing.objects.get().pk, tell=write)

    agent.refresh_from_db()
    assert agent.vectors_in == "shelf"
    assert what_is_recalled(agent, "我对什么过敏？")[0] == "用户对虾过敏"
    assert what_is_recalled(agent, "我在学什么语言？")[0] == "用户在学日语"
    drift = find_drift((agent.pk, agent.owner_id))
    assert (drift.lacking, drift.too_much) == (0, 0)


@pytest.mark.usefixtures("_shelf")
@pytest.mark.parametrize("named_since", ["shelf", "default"], ids=["done by another run", "named otherwise"])
def test_a_move_that_is_none_any_more_loses_no_vector(agent: Agent, named_since: str) -> None:
    Agent.objects.filter(pk=agent.pk).update(vector_store="shelf")
    late = Agent.objects.get(pk=agent.pk)
    reindex()
    Agent.objects.filter(pk=agent.pk).update(vector_store=named_since)
    reindex()
    move_in(late, [(agent.pk, agent.owner_id)])

    agent.refresh_from_db()
    assert agent.vectors_in == named_since
    assert len(get_store(named_since).keys(space(agent))) == len(TEXTS)
    assert what_is_recalled(agent, "我对什么过敏？") == [TEXTS[0]]


def test_two_names_of_one_store_lose_no_vector(agent: Agent, settings: Settings) -> None:
    settings.VECTOR_STORES = {**settings.VECTOR_STORES, "twin": settings.VECTOR_STORES["default"]}
    Agent.objects.filter(pk=agent.pk).update(vector_store="twin")
    reindex()
    load_store.cache_clear()

    agent.refresh_from_db()
    assert agent.vectors_in == "twin"
    assert what_is_recalled(agent, "我对什么过敏？") == [TEXTS[0]]


def test_a_copy_of_an_agent_has_its_vectors_where_it_says(agent: Agent, client: Client) -> None:
    Agent.objects.filter(pk=agent.pk).update(vector_store="elsewhere", vectors_in="default")
    client.force_login(agent.owner)
    client.post(f"/agents/{agent.pk}/copy/")

    assert Agent.objects.get(vectors_in="elsewhere").vector_store == "elsewhere"


def test_the_command_makes_all_indexes_anew_and_says_how_far_it_is(agent: Agent) -> None:
    get_store().drop(space(agent))
    said = StringIO()
    call_command("reindex", stdout=said)

    assert "3 of 3 memories" in said.getvalue()
    assert "The indexes of 3 memories agree with their rows." in said.getvalue()
    assert len(get_store().keys(space(agent))) == 3


def test_the_command_for_one_agent_or_only_for_what_lacks(agent: Agent) -> None:
    with pytest.raises(CommandError, match="no agent 999999"):
        call_command("reindex", agent=999999)
    fulltext.drop(space(agent).partition("@")[0])
    call_command("reindex", agent=agent.pk, only_drift=True, stdout=StringIO())
    assert len(fulltext.list_keys(space(agent).partition("@")[0])) == 3

    call_command("reindex", background=True, stdout=StringIO())
    assert Reindexing.objects.unfinished().count() == 1


def test_staff_alone_have_everything_made_anew_from_the_page(client: Client, agent: Agent) -> None:
    client.force_login(agent.owner)
    assert "reindex" not in client.get("/memories/health/?kind=jobs").content.decode()
    client.post("/memories/health/reindex/")
    assert not Reindexing.objects.exists()

    client.force_login(make_user(is_staff=True))
    assert "/memories/health/reindex/" in client.get("/memories/health/?kind=jobs&person=all").content.decode()
    client.post("/memories/health/reindex/")
    assert Reindexing.objects.get().is_whole
