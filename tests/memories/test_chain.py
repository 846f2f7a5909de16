import pytest
from django.test import Client

from memories import changes, gate
from memories.chain import trace_chain
from memories.drafts import Draft, Origin
from memories.models import Agent, Memory
from tests.factories import make_agent, make_memory
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def keep(agent: Agent, text: str) -> Memory:
    return gate.write(agent, agent.owner_id, Draft(text), Origin("agent", "tool", agent.owner_id)).memory


def shown(memory: Memory) -> list[str]:
    memory.refresh_from_db()
    return [link.memory.content if link.memory else f"({link.gone})" for link in trace_chain(memory)]


def ages(agent: Agent) -> list[Memory]:
    return [keep(agent, f"用户今年 {age} 岁") for age in (29, 30, 31)]


def test_the_chain_is_the_same_from_each_of_its_links(agent: Agent) -> None:
    for memory in ages(agent):
        assert shown(memory) == ["用户今年 29 岁", "用户今年 30 岁", "用户今年 31 岁"]


def test_several_olds_of_one_memory_stand_in_the_order_of_time(agent: Agent) -> None:
    new = make_memory(agent, "new")
    for number in (2, 3, 1):
        make_memory(agent, f"old {number}", superseded_by=new, created_at=f"2026-05-0{number}T00:00:00Z")

    assert shown(new) == ["old 1", "old 2", "old 3", "new"]


def test_who_stands_alone_has_no_chain(agent: Agent) -> None:
    assert trace_chain(keep(agent, "The user likes tea")) == []


def test_a_circle_ends(agent: Agent) -> None:
    first, second = make_memory(agent, "first"), make_memory(agent, "second")
    Memory.objects.filter(pk=first.pk).update(superseded_by=second)
    Memory.objects.filter(pk=second.pk).update(superseded_by=first)

    assert "first" in shown(first)


def test_a_deleted_link_says_so_and_shows_no_text(signed_in: Client, agent: Agent) -> None:
    first, second, third = ages(agent)
    changes.delete(second, Origin("person", "manual", agent.owner_id))

    assert shown(third) == ["用户今年 29 岁", "(deleted)", "用户今年 31 岁"]
    page = signed_in.get(f"/memories/{first.pk}/").content.decode()
    assert "A memory that was deleted." in page
    assert "30 岁" not in page[page.index("What replaced what") : page.index("History</h3>")]


def test_what_is_gone_for_good_is_said_on_either_side(agent: Agent) -> None:
    first, second, third = ages(agent)
    second.delete()

    assert shown(third) == ["(removed)", "用户今年 31 岁"]
    assert shown(first) == ["用户今年 29 岁", "(removed)"]


def test_what_was_brought_back_belongs_to_no_chain(agent: Agent) -> None:
    old, new = keep(agent, "用户今年 30 岁"), keep(agent, "用户今年 31 岁")
    changes.undo(old.revisions.get(action="superseded"), Origin("person", "manual", agent.owner_id))
    assert shown(old) == []

    new.delete()
    assert shown(old) == []
