from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from memories import changes
from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory, MemoryTag
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

BY_HAND = Origin("person", "manual")


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


def rows_of(memory: Memory) -> set[str]:
    return set(memory.tag_rows.values_list("tag", flat=True))


def found(client: Client, **values: str) -> set[str]:
    return {row.memory.content for row in client.get("/memories/", values).context["page"].rows}


def test_tags_stand_in_rows_from_the_beginning(agent: Agent) -> None:
    memory = write(agent, agent.owner_id, Draft("用户喜欢喝茶", tags=["茶", "茶", "饮料"]), BY_HAND).memory

    assert rows_of(memory) == {"茶", "饮料"}
    assert memory.tags == ["茶", "饮料"]


def test_an_edit_changes_the_rows_that_differ_alone(agent: Agent) -> None:
    memory = write(agent, agent.owner_id, Draft("用户喜欢喝茶", tags=["茶", "饮料"]), BY_HAND).memory
    kept = memory.tag_rows.get(tag="茶").pk
    changes.edit(memory, {"tags": ["茶", "早上"]}, BY_HAND)

    assert rows_of(memory) == {"茶", "早上"}
    assert memory.tag_rows.get(tag="茶").pk == kept
    changes.undo(memory.revisions.get(action="edited"), BY_HAND)
    assert rows_of(memory) == {"茶", "饮料"}


def test_tags_that_are_heard_later_come_along(agent: Agent) -> None:
    write(agent, agent.owner_id, Draft("用户喜欢 Python", tags=["编程"]), BY_HAND)
    decision = write(agent, agent.owner_id, Draft("用户偏好 Python 语言", tags=["语言"]), BY_HAND)

    assert decision.action == "reinforced"
    assert rows_of(decision.memory) == {"编程", "语言"}


def test_tags_go_with_their_memory(agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea", tags=["tea"])
    memory.delete()

    assert not MemoryTag.objects.exists()


def test_a_tag_finds_exactly_its_memories(signed_in: Client, agent: Agent) -> None:
    make_memory(agent, "Green", tags=["tea", "C++"])
    make_memory(agent, "Black", tags=["tea"])
    make_memory(agent, "Neither", tags=["teapot"])
    make_memory(make_agent(owner=make_user()), "Another's", tags=["tea"])

    assert found(signed_in, tag="tea") == {"Green", "Black"}
    assert found(signed_in, tag="C++") == {"Green"}
    assert found(signed_in, tag="Tea") == set()
    assert found(signed_in, tag="tea", category="episodic") == set()


def test_a_tag_in_a_row_leads_to_those_that_have_it(signed_in: Client, agent: Agent) -> None:
    make_memory(agent, "Green", tags=["tea & more"], category="semantic")
    page = signed_in.get("/memories/?category=semantic").content.decode()

    assert "tag=tea+%26+more" in page
    assert "category=semantic&amp;tag=" in page


def test_the_migration_makes_rows_of_the_lists(agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea", tags=["b", "a", "a", 7, "x" * 80], title="Drinks")
    odd = make_memory(agent, "Odd")
    Memory.objects.filter(pk=odd.pk).update(tags={"no": "list"})
    MemoryTag.objects.all().delete()
    Memory.objects.update(title_key="")
    import_module("memories.migrations.0007_fill_memory_tags").fill(apps, None)

    assert rows_of(memory) == {"a", "b", "7", "x" * 50}
    assert rows_of(odd) == set()
    memory.refresh_from_db()
    assert memory.title_key == b"drinks".hex()
