from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories import changes, gate
from memories.as_of import PAGE, Belief, Past
from memories.drafts import Draft, Origin
from memories.models import Agent, Memory, MemoryRevision, MemoryType
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def person(agent: Agent) -> Origin:
    return Origin("person", "manual", agent.owner_id)


def keep(agent: Agent, text: str, **columns: Any) -> Memory:
    return gate.write(agent, agent.owner_id, Draft(text, **columns), Origin("agent", "tool", agent.owner_id)).memory


def shift(days: int) -> None:
    """All that has happened so far happened so many days earlier."""
    for memory in Memory.objects.all():
        columns = {name: getattr(memory, name) for name in ("created_at", "valid_from", "valid_to", "deleted_at")}
        moved = {name: moment - days * DAY for name, moment in columns.items() if moment}
        Memory.objects.filter(pk=memory.pk).update(**moved)
    for revision in MemoryRevision.objects.all():
        MemoryRevision.objects.filter(pk=revision.pk).update(at=revision.at - days * DAY)


def believed(agent: Agent, days_ago: float) -> dict[str, Belief]:
    page = Past(agent, agent.owner, timezone.now() - days_ago * DAY).look()
    return {belief.content: belief for group in page.groups for belief in group.beliefs}


def test_texts_are_those_of_then(agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    shift(10)
    changes.edit(memory, {"content": "The user likes milk", "title": "Drinks", "pinned": True}, person(agent))
    shift(10)
    changes.edit(memory, {"content": "The user likes juice"}, person(agent))

    assert list(believed(agent, 30)) == []
    assert list(believed(agent, 15)) == ["The user likes tea"]
    assert list(believed(agent, 5)) == ["The user likes milk"]
    assert believed(agent, 5)["The user likes milk"].title == "Drinks"
    assert [change.name for change in believed(agent, 15)["The user likes tea"].changes] == [
        "content",
        "title",
        "pinned",
    ]
    assert believed(agent, 0)["The user likes juice"].changes == []


def test_what_was_replaced_counted_until_then(agent: Agent) -> None:
    keep(agent, "用户今年 30 岁")
    shift(10)
    new = keep(agent, "用户今年 31 岁")
    shift(10)

    assert list(believed(agent, 15)) == ["用户今年 30 岁"]
    assert list(believed(agent, 5)) == ["用户今年 31 岁"]
    assert believed(agent, 15)["用户今年 30 岁"].memory.superseded_by == new


def test_what_was_off_deleted_or_taken_back_at_the_time(agent: Agent) -> None:
    off, gone, merged = keep(agent, "The user likes tea"), keep(agent, "用户住在北京"), keep(agent, "用户喜欢 Python")
    shift(10)
    changes.set_enabled(off, False, person(agent))
    changes.delete(gone, person(agent))
    keep(agent, "用户偏好 Python 语言")
    shift(10)
    changes.set_enabled(off, True, person(agent))
    changes.undo(merged.revisions.get(action="reinforced"), person(agent))

    assert set(believed(agent, 15)) == {"The user likes tea", "用户住在北京", "用户喜欢 Python"}
    assert set(believed(agent, 5)) == {"用户偏好 Python 语言"}
    assert set(believed(agent, 0)) == {"The user likes tea", "用户喜欢 Python", "用户偏好 Python 语言"}


def test_validity_counts_as_it_was_known_then(agent: Agent) -> None:
    end = timezone.now() + 3 * DAY
    memory = keep(agent, "The user is on holiday", valid_to=end)
    shift(10)
    # Known since today alone: the holiday had ended long before.
    Memory.objects.filter(pk=memory.pk).update(valid_to=end)
    changes.edit(memory, {"valid_to": timezone.now() - 9.5 * DAY}, person(agent))

    assert set(believed(agent, 5)) == {"The user is on holiday"}
    assert set(believed(agent, 0)) == set()


def test_a_type_that_is_gone_since_breaks_nothing(signed_in: Client, agent: Agent) -> None:
    MemoryType.objects.create(key="gone", name="Gone")
    memory = keep(agent, "The user has a cat", type_key="gone")
    shift(10)
    changes.edit(memory, {"type": MemoryType.objects.get(key="user")}, person(agent))
    MemoryType.objects.filter(key="gone").delete()

    assert believed(agent, 5)["The user has a cat"].type_name == "a type that is gone"
    assert "a type that is gone" in show(signed_in, agent, 5)


def show(client: Client, agent: Agent, days_ago: float, **values: Any) -> str:
    moment = timezone.localtime(timezone.now() - days_ago * DAY)
    query = {"agent": agent.pk, "date": moment.date().isoformat(), "time": moment.strftime("%H:%M")} | values
    response = client.get(f"/memories/as-of/?{urlencode(query)}")
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_says_what_has_become_of_each(signed_in: Client, agent: Agent) -> None:
    edited, gone = keep(agent, "The user likes tea"), keep(agent, "用户住在北京")
    keep(agent, "用户今年 30 岁")
    off = keep(agent, "Keep replies short", category="procedural")
    shift(10)
    changes.edit(edited, {"content": "The user likes milk"}, person(agent))
    changes.delete(gone, person(agent))
    keep(agent, "用户今年 31 岁")
    changes.set_enabled(off, False, person(agent))
    page = show(signed_in, agent, 5)

    for said in (
        "Changed since:",
        "Deleted since.",
        "Replaced since:",
        "用户今年 31 岁",
        "switched off",
        "用户住在北京",
    ):
        assert said in page
    assert f'href="/memories/{gone.pk}/"' not in page
    assert "deleted for good" in page


def test_whole_days_end_at_midnight_of_the_browser(signed_in: Client, agent: Agent) -> None:
    make_memory(agent, "Late", created_at=datetime(2026, 5, 3, 15, 30, tzinfo=UTC))
    address = f"/memories/as-of/?agent={agent.pk}&date=2026-05-03"
    signed_in.cookies["xiajiao_zone"] = "UTC"
    assert "Late" in signed_in.get(address).content.decode()
    signed_in.cookies["xiajiao_zone"] = "Asia/Tokyo"  # there it was half past midnight
    assert "Late" not in signed_in.get(address).content.decode()


def test_words_and_categories_narrow_it_down(signed_in: Client, agent: Agent) -> None:
    make_memory(agent, "The user likes tea", created_at=timezone.now() - 9 * DAY)
    make_memory(agent, "Keep replies short", category="procedural", created_at=timezone.now() - 9 * DAY)

    assert "Keep replies" not in show(signed_in, agent, 5, q="TEA likes")
    assert "likes tea" not in show(signed_in, agent, 5, category="procedural")
    assert "None of them fits" in show(signed_in, agent, 5, q="coffee")
    assert "It knew nothing yet" in show(signed_in, agent, 50)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"date": "2999-01-01"}, "Nobody knows the future"),
        ({"date": "0001-01-01"}, "no memories before 1970"),
        ({"date": "yesterday"}, "Enter a valid date."),
        ({"date": "2026-05-03", "time": "25:00"}, "Enter a valid time."),
        ({"date": "2026-05-03", "agent": "0"}, "Select a valid choice."),
    ],
)
def test_a_moment_that_can_not_be_shown_is_refused(
    signed_in: Client, agent: Agent, values: dict[str, str], said: str
) -> None:
    make_memory(agent, "The user likes tea")
    response = signed_in.get(f"/memories/as-of/?{urlencode({'agent': str(agent.pk)} | values)}")

    assert response.status_code == 422
    assert said in response.content.decode()


def test_without_a_day_it_asks_for_one(signed_in: Client, agent: Agent) -> None:
    assert "no past to look at" in signed_in.get("/memories/as-of/").content.decode()
    make_memory(agent, "The user likes tea")
    assert "Which day?" in signed_in.get("/memories/as-of/").content.decode()


def test_nobody_sees_what_was_known_of_another(client: Client, agent: Agent) -> None:
    Agent.objects.filter(pk=agent.pk).update(is_shared=True)
    make_memory(agent, "A secret", created_at=timezone.now() - 9 * DAY)
    make_memory(agent, "Be kind", user=None, created_at=timezone.now() - 9 * DAY)
    client.force_login(make_user())
    page = show(client, agent, 5, person=agent.owner_id)
    assert "Be kind" in page
    assert "A secret" not in page

    client.force_login(make_user(is_staff=True))
    assert "A secret" in show(client, agent, 5, person=agent.owner_id)


def test_many_memories_take_as_many_queries_as_few(signed_in: Client, agent: Agent) -> None:
    counts = []
    for number in (3, 300):
        for _each in range(number):
            memory = make_memory(agent, f"Fact {number} {_each}", created_at=timezone.now() - 9 * DAY)
            MemoryRevision.objects.create(memory=memory, action="edited", actor="person", before={"title": "Then"})
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page = show(signed_in, agent, 5)
        counts.append(len(queries))

    assert counts[0] == counts[1]
    assert page.count('class="belief"') == PAGE
    assert "Page 1 of 4" in page
    assert show(signed_in, agent, 5, page=4).count('class="belief"') == 3
