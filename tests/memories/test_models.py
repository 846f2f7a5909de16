from datetime import timedelta

import pytest
from django.utils import timezone

from memories.models import Memory, MemoryType
from tests.factories import make_agent, make_memory, make_user

pytestmark = pytest.mark.django_db


def test_the_four_system_types_exist_after_migrating() -> None:
    assert set(MemoryType.objects.filter(is_system=True).values_list("key", flat=True)) == {
        "user",
        "project",
        "feedback",
        "reference",
    }


def test_what_has_not_begun_has_ended_is_disabled_or_deleted_is_not_active() -> None:
    agent, now = make_agent(), timezone.now()
    kept = make_memory(agent, "kept", valid_from=now - timedelta(days=1), valid_to=now + timedelta(days=1))
    make_memory(agent, "not yet", valid_from=now + timedelta(days=1))
    make_memory(agent, "no more", valid_to=now - timedelta(days=1))
    make_memory(agent, "disabled", enabled=False)
    make_memory(agent, "deleted", deleted_at=now)

    assert list(Memory.objects.active()) == [kept]
    assert [memory.content for memory in Memory.objects.all() if memory.is_active] == ["kept"]


def test_a_person_sees_their_own_memories_and_shared_ones_of_agents_they_may_use() -> None:
    mine, theirs = make_user(), make_user()
    agent = make_agent(owner=theirs, is_shared=True)
    private = make_agent(owner=theirs)
    make_memory(agent, "theirs", user=theirs)
    make_memory(private, "shared in a private agent", user=None)
    visible = {make_memory(agent, "mine", user=mine), make_memory(agent, "shared", user=None)}

    assert set(Memory.objects.for_user(mine)) == visible


def test_counting_a_recall_makes_no_edit_stale() -> None:
    memory = make_memory(make_agent(), "The user likes dumplings")
    Memory.objects.filter(pk=memory.pk).count_recall()
    counted = Memory.objects.get(pk=memory.pk)

    assert counted.recall_count == 1
    assert counted.last_recalled_at is not None
    assert (counted.version, counted.updated_at) == (memory.version, memory.updated_at)
