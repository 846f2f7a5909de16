from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from memories.changes import delete, restore
from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory
from memories.recall import recall
from memories.tasks import embed_missing, purge_deleted
from tests.factories import make_agent
from xiajiao.vectorstores import get_store

pytestmark = pytest.mark.django_db


def keep(agent: Agent, content: str) -> Memory:
    return write(agent, agent.owner_id, Draft(content), Origin("agent", "tool", agent.owner_id)).memory


def test_deleted_memories_are_removed_when_they_can_no_longer_be_brought_back() -> None:
    agent = make_agent()
    old, recent, kept = keep(agent, "The user has a cat"), keep(agent, "用户对花生过敏"), keep(agent, "公司用 AWS")
    for memory in (old, recent):
        delete(memory, Origin("person", "manual"))
    Memory.objects.filter(pk=old.pk).update(deleted_at=timezone.now() - timedelta(minutes=11))
    purge_deleted()
    purge_deleted()

    assert set(Memory.objects.all()) == {recent, kept}
    restore(Memory.objects.get(pk=recent.pk), Origin("person", "manual"))
    assert Memory.objects.active().count() == 2


def test_a_purged_successor_leaves_the_memory_that_it_replaced_ended() -> None:
    agent = make_agent()
    old, new = keep(agent, "用户住在北京"), keep(agent, "用户住在上海")
    delete(new, Origin("person", "manual"))
    Memory.objects.filter(pk=new.pk).update(deleted_at=timezone.now() - timedelta(hours=1))
    purge_deleted()

    assert not Memory.objects.get(pk=old.pk).is_active


def test_memories_kept_while_the_embedder_was_down_get_their_vectors(settings: Settings) -> None:
    settings.EMBEDDER = "openai"  # without a key
    agent = make_agent()
    memory = keep(agent, "用户是 Python 后端开发")
    embed_missing()  # still down: nothing breaks
    assert Memory.objects.get().embedded_with == ""

    settings.EMBEDDER = "e5"
    embed_missing()
    memory.refresh_from_db()
    assert memory.embedded_with == "e5-384"
    assert memory.version == 1
    assert [item.memory for item in recall(agent, agent.owner_id, "我用什么编程语言？").items] == [memory]


def test_another_embedder_gets_its_own_vectors_and_the_old_ones_go(settings: Settings) -> None:
    agent = make_agent()
    keep(agent, "用户对花生过敏")
    namespace = f"memories:{agent.pk}:{agent.owner_id}"
    settings.EMBEDDER = "use"

    assert [item.memory.content for item in recall(agent, agent.owner_id, "花生过敏").items] == ["用户对花生过敏"]
    embed_missing()
    assert Memory.objects.get().embedded_with == "use-512"
    assert (get_store().count(f"{namespace}@use-512"), get_store().count(f"{namespace}@e5-384")) == (1, 0)


def test_what_is_disabled_deleted_or_superseded_waits_for_no_vector(settings: Settings) -> None:
    agent = make_agent()
    keep(agent, "用户住在北京")
    keep(agent, "用户住在上海")
    delete(keep(agent, "The user has a cat"), Origin("person", "manual"))

    assert list(Memory.objects.unembedded("e5-384")) == []
    assert [memory.content for memory in Memory.objects.unembedded("other-1")] == ["用户住在上海"]


def test_looking_for_missing_vectors_reads_an_index_and_not_the_table() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL plans by statistics; a table this small is read whole")
    plan = Memory.objects.unembedded("e5-384").order_by().explain()
    assert plan.count("USING INDEX memory_embedded_with") == 2
    assert "SCAN memories_memory" not in plan
