"""A whole bulk change taken back, for ten minutes."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memories.changes import delete, edit
from memories.gate import Origin
from memories.models import Agent, BulkChange, Memory, MemoryType
from memories.recall import recall
from memories.tasks import purge_deleted, run_bulk_change
from tests.factories import make_agent, make_memory
from tests.memories.bulk import HTMX, ask, fill, keep
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def take_back(client: Client, change: BulkChange) -> BulkChange:
    client.post(f"/memories/changes/{change.pk}/undo/", headers=HTMX)
    return change.undoings.get()


def columns(agent: Agent) -> list[dict[str, Any]]:
    names = ("pk", "enabled", "pinned", "category", "type_id", "deleted_at", "content")
    return list(agent.memories.order_by("pk").values(*names))


@pytest.mark.parametrize("action", ["disable", "delete", "pin", "category:procedural", "type:feedback"])
def test_every_kind_of_change_is_taken_back_exactly(signed_in: Client, agent: Agent, action: str) -> None:
    keep(agent, "用户对花生过敏")
    make_memory(agent, "Pinned before", pinned=True, category="episodic")
    make_memory(agent, "Off before", enabled=False, type_key="reference")
    before = columns(agent)
    undoing = take_back(signed_in, ask(signed_in, action, *agent.memories.all()))

    assert undoing.state == "done"
    assert columns(agent) == before
    assert recall(agent, agent.owner_id, "花生").items[-1].memory.content == "用户对花生过敏"
    for revision in undoing.revisions.all():
        assert revision.action == "restored"
        assert revision.memory.revisions.filter(pk=revision.reason["undone"], bulk=undoing.undoes).exists()


def test_deleted_memories_come_back_without_an_embedder(signed_in: Client, agent: Agent, settings: Settings) -> None:
    memory = keep(agent, "The user's sister lives in Berlin")
    change = ask(signed_in, "delete", memory)
    settings.EMBEDDER = "openai"  # without a key
    take_back(signed_in, change)
    settings.EMBEDDER = "e5"

    assert [item.memory for item in recall(agent, agent.owner_id, "Where does her sibling live?").items] == [memory]


def test_what_was_changed_since_is_left_and_counted(signed_in: Client, agent: Agent) -> None:
    kept, edited, gone = (make_memory(agent, f"Fact {number}") for number in range(3))
    change = ask(signed_in, "disable", kept, edited, gone)
    origin = Origin("person", "manual", agent.owner_id)
    edit(edited, {"title": "Edited since"}, origin)
    delete(gone, origin)
    page = signed_in.post(f"/memories/changes/{change.pk}/undo/", headers=HTMX).content.decode()

    undoing = change.undoings.get()
    assert (undoing.done, undoing.skipped["changed"]["some"]) == (1, sorted([edited.pk, gone.pk]))
    assert "2 were left: they were changed again since." in page
    edited.refresh_from_db()
    assert (edited.enabled, edited.title) == (False, "Edited since")


def test_hearing_the_same_again_is_no_change_since(signed_in: Client, agent: Agent) -> None:
    memory = keep(agent, "用户对花生过敏")
    change = ask(signed_in, "pin", memory)
    keep(agent, "用户对花生过敏")
    Memory.objects.filter(pk=memory.pk).count_recall()
    take_back(signed_in, change)

    memory.refresh_from_db()
    assert not memory.pinned


def test_a_second_click_undoes_nothing_twice(signed_in: Client, agent: Agent) -> None:
    change = ask(signed_in, "pin", make_memory(agent, "A fact"))
    first, second = take_back(signed_in, change), take_back(signed_in, change)

    assert first == second
    assert not first.can_undo


def test_after_ten_minutes_it_is_too_late(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "A fact")
    change = ask(signed_in, "pin", memory)
    BulkChange.objects.update(finished_at=timezone.now() - timedelta(minutes=11))

    response = signed_in.post(f"/memories/changes/{change.pk}/undo/", headers=HTMX)
    assert response.status_code == 422
    assert "too late" in response.content.decode()
    assert f"/memories/changes/{change.pk}/undo/" not in signed_in.get("/memories/changes/").content.decode()
    memory.refresh_from_db()
    assert memory.pinned


def test_what_was_stopped_half_way_is_taken_back_as_far_as_it_came(signed_in: Client, agent: Agent) -> None:
    memories = fill(agent)
    change = ask(signed_in, "disable", scope="all")
    # The first batch was reached, the second not.
    batch = change.batches.last()
    assert batch is not None
    kept = {"change": change, "agent_id": agent.pk, "user_id": agent.owner_id, "memory_ids": batch.memory_ids}
    batch.delete()
    run_bulk_change(change.pk)
    change.batches.create(**kept)
    BulkChange.objects.update(state="cancelled")
    undoing = take_back(signed_in, change)
    run_bulk_change(undoing.pk)

    undoing.refresh_from_db()
    assert undoing.done == 250
    assert Memory.objects.active().count() == len(memories)
    assert "Do the rest" not in signed_in.get(f"/memories/changes/{change.pk}/").content.decode()


def test_the_ten_minutes_of_a_long_deletion_begin_at_its_end(signed_in: Client, agent: Agent) -> None:
    alone, together = make_memory(agent, "Alone"), make_memory(agent, "Together")
    delete(alone, Origin("person", "manual", agent.owner_id))
    change = ask(signed_in, "delete", together)
    now = timezone.now()
    Memory.objects.update(deleted_at=now - timedelta(hours=1))

    BulkChange.objects.update(state="running", finished_at=None, heartbeat=now)
    purge_deleted()
    assert list(Memory.objects.all()) == [together]
    BulkChange.objects.update(state="done", finished_at=now - timedelta(minutes=9))
    purge_deleted()
    assert list(Memory.objects.all()) == [together]

    # An undo that is not over holds them too.
    undoing = BulkChange.objects.create(user=agent.owner, action="undo", undoes=change)
    BulkChange.objects.filter(pk=change.pk).update(finished_at=now - timedelta(minutes=11))
    purge_deleted()
    assert list(Memory.objects.all()) == [together]
    undoing.delete()
    purge_deleted()
    assert not Memory.objects.exists()


def test_an_undone_type_that_is_gone_meanwhile_leaves_the_memory(signed_in: Client, agent: Agent) -> None:
    recipe = MemoryType.objects.create(key="recipe", name="Recipe")
    memory = make_memory(agent, "A fact", type_key="recipe")
    change = ask(signed_in, "type:user", memory)
    recipe.delete()
    undoing = take_back(signed_in, change)

    memory.refresh_from_db()
    assert memory.type.key == "user"
    assert (undoing.state, undoing.done) == ("done", 0)
