import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from memories import gate
from memories.drafts import Draft, Origin
from memories.models import Agent, Memory, MemoryType
from memories.recall import recall
from tests.factories import make_agent, make_memory, make_user
from tests.memories.forming import HTMX, form_of, typed
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def keep(agent: Agent, text: str, **columns: Any) -> Memory:
    return gate.write(agent, agent.owner_id, Draft(text, **columns), Origin("agent", "tool", agent.owner_id)).memory


def test_all_fields_are_written(signed_in: Client, agent: Agent) -> None:
    values = form_of(signed_in, "/memories/add/") | {
        "agent": agent.pk,
        "content": "The user works on Xiajiao",
        "title": "Work",
        "description": "Told on the phone",
        "type": MemoryType.objects.get(key="project").pk,
        "category": "episodic",
        "tags": "work，python、 web",
        "importance": 3,
        "pinned": "on",
        "metadata": '{"项目": {"since": 2026}}',
        "valid_from": "2026-05-03T08:30",
        "valid_to": "2036-05-03T08:30",
        "zone": "Asia/Shanghai",
    }
    response = signed_in.post("/memories/add/", values, headers=HTMX)
    memory = Memory.objects.get()

    assert "Remembered." in response.content.decode()
    assert response["HX-Trigger"] == f"memory-changed, memory-{memory.pk}-changed, memory-added"
    assert (memory.title, memory.description, memory.type.key) == ("Work", "Told on the phone", "project")
    assert (memory.category, memory.importance, memory.pinned) == ("episodic", 3, True)
    assert (memory.tags, memory.metadata) == (["work", "python", "web"], {"项目": {"since": 2026}})
    assert (memory.valid_from, memory.user) == (datetime(2026, 5, 3, 0, 30, tzinfo=UTC), agent.owner)
    assert memory.revisions.get().user == agent.owner


@pytest.mark.parametrize(
    ("first", "then", "buttons"),
    [
        ("", "用户喜欢喝茶", ["Undo"]),
        ("用户喜欢喝茶", "用户喜欢喝茶", []),
        ("用户对花生过敏", "用户花生过敏", ["Keep both wordings apart"]),
        ("用户今年 30 岁", "用户今年 31 岁", ["Undo", "Keep both"]),
    ],
)
def test_what_the_gate_did_can_be_taken_back_at_once(
    signed_in: Client, agent: Agent, first: str, then: str, buttons: list[str]
) -> None:
    if first:
        keep(agent, first)
    values = form_of(signed_in, "/memories/add/") | {"content": then}
    page = signed_in.post("/memories/add/", values, headers=HTMX).content.decode()
    ways = re.findall(r'hx-post="(/memories/revisions/\d+/undo/)".*?</svg>([^<]+)</button>', page, re.DOTALL)

    assert [label for _address, label in ways] == buttons
    for address, _label in ways[:1]:
        signed_in.post(address, headers=HTMX)
    active = set(Memory.objects.active().values_list("content", flat=True))
    assert active == ({first, then} if buttons == ["Keep both wordings apart"] else {first} - {""})


def test_both_stay_where_one_says_so(signed_in: Client, agent: Agent) -> None:
    keep(agent, "用户今年 30 岁")
    values = form_of(signed_in, "/memories/add/") | {"content": "用户今年 31 岁"}
    page = signed_in.post("/memories/add/", values, headers=HTMX).content.decode()
    signed_in.post(re.findall(r"/memories/revisions/\d+/undo/", page)[-1], headers=HTMX)

    assert Memory.objects.active().count() == 2


def test_without_scripts_the_list_tells_what_the_gate_did_with_the_way_back(signed_in: Client, agent: Agent) -> None:
    values = form_of(signed_in, "/memories/add/") | {"content": "用户喜欢喝茶"}
    page = signed_in.post("/memories/add/", values, follow=True).content.decode()
    [address] = re.findall(r'action="(/memories/revisions/\d+/undo/)"', page)

    assert "Remembered." in page
    page = signed_in.post(address, follow=True).content.decode()
    assert "It is taken back." in page
    assert not Memory.objects.active().exists()


def test_the_owner_writes_for_all_users_of_an_agent(signed_in: Client, agent: Agent) -> None:
    values = form_of(signed_in, "/memories/add/") | {"content": "Be kind to everybody", "audience": "all"}
    signed_in.post("/memories/add/", values, headers=HTMX)

    assert Memory.objects.get().user is None


def test_who_does_not_own_the_agent_writes_for_themselves_alone(signed_in: Client, agent: Agent) -> None:
    shared, private = make_agent(is_shared=True), make_agent()
    values = form_of(signed_in, "/memories/add/") | {"content": "Be kind to everybody", "agent": shared.pk}

    refused = signed_in.post("/memories/add/", values | {"audience": "all"}, headers=HTMX)
    assert refused.status_code == 422
    assert "owner writes for all" in refused.content.decode()
    assert signed_in.post("/memories/add/", values | {"audience": make_user().pk}).status_code == 422
    assert signed_in.post("/memories/add/", values | {"agent": private.pk}).status_code == 422
    assert not Memory.objects.exists()
    signed_in.post("/memories/add/", values)
    assert Memory.objects.get().agent == shared


def test_staff_write_for_others_and_leave_a_trace(client: Client, agent: Agent) -> None:
    staff = make_user(is_staff=True)
    client.force_login(staff)
    values = form_of(client, "/memories/add/") | {"content": "The user likes tea", "agent": agent.pk}

    assert client.post("/memories/add/", values).status_code == 422  # their own memory, of an agent that is not theirs
    client.post("/memories/add/", values | {"audience": agent.owner_id})
    memory = Memory.objects.get()
    assert (memory.user, memory.revisions.get().user) == (agent.owner, staff)


def test_an_untouched_form_changes_nothing(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(
        agent,
        "One line\nand another",
        tags=["a,b", "c"],
        metadata={"n": [1, {"deep": "\u202e مرحبا 👩‍👩‍👧"}]},
        pinned=True,
        valid_to=datetime(2036, 5, 3, 12, 30, 15, 123456, tzinfo=UTC),
    )
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/")
    values["content"] = values["content"].replace("\n", "\r\n")
    signed_in.post(f"/memories/{memory.pk}/edit/", values)

    assert not memory.revisions.exists()
    signed_in.post(f"/memories/{memory.pk}/edit/", values | {"title": "Lines"})
    assert memory.revisions.get().before == {"title": ""}


def test_an_edit_is_found_by_its_new_text(signed_in: Client, agent: Agent) -> None:
    memory = keep(agent, "用户养了一只猫")
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/") | {"content": "用户养了一只柯基犬"}
    response = signed_in.post(f"/memories/{memory.pk}/edit/", values, headers=HTMX)

    assert f"memory-{memory.pk}-edited" in response["HX-Trigger"]
    found = recall(agent, agent.owner_id, "我的狗是什么品种？").items
    assert [item.memory.content for item in found] == ["用户养了一只柯基犬"]


WRONG = [
    ("content", "。", "nothing in this to be remembered"),
    ("content", "x" * 10_001, "10"),
    ("title", "x" * 201, "200"),
    ("tags", "x" * 51, "A tag may have 50 characters"),
    ("tags", ",".join(map(str, range(31))), "A memory may have 30 tags"),
    ("metadata", '{"a": 1\n"b": 2}', "line 2, column 1: a comma or a closing bracket is missing here"),
    ("metadata", "x" * 20_001, "20000 characters"),
    ("valid_to", "2026-05-02T08:30", "It must end after it begins."),
    ("valid_to", "0001-01-01T00:00", "between 1000 and 9000"),
    ("valid_to", "soon", "Enter a valid date/time."),
    ("type", "999", "Select a valid choice"),
    ("category", "x", "Select a valid choice"),
]


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    signed_in: Client, agent: Agent, name: str, value: str, said: str
) -> None:
    memory = make_memory(agent, "The user likes tea", valid_from=datetime(2026, 5, 3, 0, 0, tzinfo=UTC))
    for address in ("/memories/add/", f"/memories/{memory.pk}/edit/"):
        values = form_of(signed_in, address) | {"content": "The user likes milk", "description": "Heard at lunch"}
        values |= {"valid_from": "2026-05-03T08:00", name: value}
        for headers in ({}, HTMX):
            response = signed_in.post(address, values, headers=headers)
            form = response.context["form"]
            assert response.status_code == 422
            assert said in response.content.decode()
            assert {each: typed(form, each) for each in values if each in form.fields} == {
                each: value for each, value in values.items() if each in form.fields
            }
    assert Memory.objects.get().content == "The user likes tea"


def test_moments_are_read_in_the_zone_in_which_they_were_shown(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea", valid_from=datetime(2026, 5, 3, 12, 30, tzinfo=UTC))
    signed_in.cookies["xiajiao_zone"] = "Asia/Shanghai"
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/")
    assert (values["valid_from"], values["zone"]) == ("2026-05-03T20:30", "Asia/Shanghai")

    signed_in.cookies["xiajiao_zone"] = "America/New_York"
    signed_in.post(f"/memories/{memory.pk}/edit/", values | {"valid_to": "2026-05-04T20:30"})
    memory.refresh_from_db()
    assert memory.valid_from == datetime(2026, 5, 3, 12, 30, tzinfo=UTC)
    assert memory.valid_to == datetime(2026, 5, 4, 12, 30, tzinfo=UTC)


def test_staff_are_told_beforehand_that_a_correction_is_noted(client: Client, agent: Agent) -> None:
    memory, shared = make_memory(agent, "The user likes tea"), make_memory(agent, "Be kind", user=None)
    client.force_login(make_user(is_staff=True))

    assert "noted with your name" in client.get(f"/memories/{memory.pk}/edit/").content.decode()
    assert "share this memory" in client.get(f"/memories/{shared.pk}/edit/").content.decode()


def test_the_form_leads_to_its_page_without_scripts(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    page = signed_in.get(f"/memories/{memory.pk}/edit/").content.decode()
    assert "<html" in page
    assert "hx-post" not in page[page.index("memory-whole-form") :].split(">")[0]

    values = form_of(signed_in, f"/memories/{memory.pk}/edit/") | {"title": "Tea"}
    page = signed_in.post(f"/memories/{memory.pk}/edit/", values, follow=True).content.decode()
    assert "Saved." in page
