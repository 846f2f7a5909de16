import re
from collections.abc import Sequence

import pytest
from django.test import Client

from memories import gate
from memories.diffs import Piece
from memories.models import Agent, Memory, MemoryRevision
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def write(agent: Agent, text: str) -> gate.Decision:
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL, user_id=agent.owner_id)
    return gate.write(agent, agent.owner_id, gate.Draft(text), origin)


def fields(memory: Memory, **others: object) -> dict[str, object]:
    """The form of the drawer as it stands when nobody has typed."""
    shown = {
        "version": memory.version,
        "content": memory.content,
        "title": memory.title,
        "category": memory.category,
        "type": memory.type_id,
        "tags": ", ".join(memory.tags),
        "importance": memory.importance,
    }
    return shown | others


def read(pieces: Sequence[Piece]) -> str:
    """A diff in one line: -removed-, +added+."""
    marks = {"same": "", "removed": "-", "added": "+", "skipped": "…"}
    return "".join(f"{marks[piece.kind]}{piece.text}{marks[piece.kind]}" for piece in pieces)


def test_pinning_is_one_click_and_leaves_a_trace(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "Keep replies short")
    page = signed_in.post(f"/memories/{memory.pk}/pin/", fields(memory), headers=HTMX).content.decode()
    memory.refresh_from_db()

    assert memory.pinned
    assert "It goes into every conversation now." in page
    assert memory.revisions.get().before == {"pinned": False}
    signed_in.post(f"/memories/{memory.pk}/pin/")
    memory.refresh_from_db()
    assert not memory.pinned


@pytest.mark.parametrize(("action", "column"), [("pin", "pinned"), ("switch", "enabled")])
def test_a_button_does_what_it_says_however_often(signed_in: Client, agent: Agent, action: str, column: str) -> None:
    """Clicked twice, or on a page that was opened before somebody else did it."""
    memory = make_memory(agent, "Keep replies short")
    [said] = find_buttons(signed_in.get(f"/memories/{memory.pk}/").content.decode(), f"memory-{memory.pk}-{action}")
    for _ in range(2):
        signed_in.post(f"/memories/{memory.pk}/{action}/", fields(memory, to=said), headers=HTMX)
        memory.refresh_from_db()
        assert getattr(memory, column) is (said == "on")
    assert memory.revisions.count() == 1
    assert find_buttons(signed_in.get(f"/memories/{memory.pk}/").content.decode(), f"memory-{memory.pk}-{action}") != [
        said
    ]


def find_buttons(page: str, name: str) -> list[str]:
    """What the buttons of that name send."""
    return re.findall(rf'<button id="{name}"[^>]* name="to" value="(\w+)"', page)


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_deleting_twice_still_offers_the_way_back(signed_in: Client, agent: Agent, headers: dict[str, str]) -> None:
    memory = make_memory(agent, "The user likes tea")
    for _ in range(2):
        answer = signed_in.post(f"/memories/{memory.pk}/delete/", headers=headers, follow=True)
        assert (answer.status_code, f"/memories/{memory.pk}/restore/" in answer.text) == (200, True)
    assert memory.revisions.count() == 1
    assert signed_in.get(f"/memories/{memory.pk}/").status_code == 404


@pytest.mark.parametrize("action", ["pin", "switch"])
def test_a_click_beside_the_form_loses_nothing_typed(signed_in: Client, agent: Agent, action: str) -> None:
    memory = make_memory(agent, "The user likes tea", tags=["drinks"])
    typed = fields(memory, content="The user likes green tea")
    response = signed_in.post(f"/memories/{memory.pk}/{action}/", typed, headers=HTMX)
    form = response.context["form"]
    memory.refresh_from_db()

    assert memory.content == "The user likes tea"
    assert form["content"].value() == "The user likes green tea"
    saved = signed_in.post(f"/memories/{memory.pk}/edit/", typed | {"version": form["version"].value()}, headers=HTMX)
    assert saved.status_code == 200
    memory.refresh_from_db()
    assert memory.content == "The user likes green tea"


def test_a_click_does_not_hide_that_somebody_else_edited(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    typed = fields(memory, content="The user likes green tea")
    signed_in.post(f"/memories/{memory.pk}/edit/", fields(memory, content="The user likes red tea"))
    form = signed_in.post(f"/memories/{memory.pk}/pin/", typed, headers=HTMX).context["form"]

    saved = signed_in.post(f"/memories/{memory.pk}/edit/", typed | {"version": form["version"].value()}, headers=HTMX)
    assert saved.status_code == 409


def test_an_untouched_form_shows_what_was_undone(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    signed_in.post(f"/memories/{memory.pk}/edit/", fields(memory, content="The user likes milk"))
    memory.refresh_from_db()
    undo = f"/memories/revisions/{memory.revisions.get().pk}/undo/"
    response = signed_in.post(undo, fields(memory), headers=HTMX)

    assert response.context["form"]["content"].value() == "The user likes tea"
    assert "taken back" in response.content.decode()
    assert undo not in response.content.decode()


def test_a_stale_edit_shows_every_field_that_differs(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    signed_in.post(f"/memories/{memory.pk}/edit/", fields(memory, title="Drinks", importance=3))
    typed = fields(memory, content="The user likes green tea", category="episodic")
    response = signed_in.post(f"/memories/{memory.pk}/edit/", typed, headers=HTMX)

    assert response.status_code == 409
    shown = {row.label: (read(row.theirs), read(row.yours), row.holds) for row in response.context["differences"]}
    assert shown == {
        "Content": ("The user likes tea", "The user likes +green +tea", "yours"),
        "Title": ("+Drinks+", "", "theirs"),
        "Category": ("semantic", "-semantic-+episodic+", "yours"),
        "Importance": ("-medium-+high+", "medium", "theirs"),
    }


def test_a_replaced_memory_comes_back_from_either_side(signed_in: Client, agent: Agent) -> None:
    old = write(agent, "用户今年 30 岁").memory
    new = write(agent, "用户今年 31 岁").memory
    revision = old.revisions.get(action="superseded")
    undo = f"/memories/revisions/{revision.pk}/undo/"

    assert undo in signed_in.get(f"/memories/{old.pk}/").content.decode()
    assert undo in signed_in.get(f"/memories/{new.pk}/").content.decode()
    signed_in.post(undo, headers=HTMX)
    assert {memory.pk for memory in Memory.objects.active()} == {old.pk, new.pk}
    assert undo not in signed_in.get(f"/memories/{new.pk}/").content.decode()


def test_a_merge_is_split_again(signed_in: Client, agent: Agent) -> None:
    memory = write(agent, "用户对花生过敏").memory
    write(agent, "用户花生过敏")
    page = signed_in.get(f"/memories/{memory.pk}/").content.decode()
    assert "Keep both wordings apart" in page
    assert "用户花生过敏" in page

    signed_in.post(f"/memories/revisions/{memory.revisions.get(action='reinforced').pk}/undo/", headers=HTMX)
    twin = Memory.objects.exclude(pk=memory.pk).get()
    assert {*Memory.objects.active().values_list("content", flat=True)} == {"用户对花生过敏", "用户花生过敏"}
    assert f"Split off from M{memory.pk}" in signed_in.get(f"/memories/{twin.pk}/").content.decode()


def test_a_deleted_memory_offers_to_come_back(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    response = signed_in.post(f"/memories/{memory.pk}/delete/", fields(memory), headers=HTMX)

    assert f"/memories/{memory.pk}/restore/" in response.content.decode()
    assert response["HX-Trigger"] == f"memory-changed, memory-{memory.pk}-changed"
    row = signed_in.get(f"/memories/{memory.pk}/row/", headers=HTMX).content.decode()
    assert f"/memories/{memory.pk}/restore/" in row


def test_without_scripts_every_click_leads_to_a_page_that_tells(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    for action, said in [("pin", "every conversation now"), ("switch", "no longer used"), ("delete", "It is deleted")]:
        page = signed_in.post(f"/memories/{memory.pk}/{action}/", fields(memory), follow=True).content.decode()
        assert "<html" in page
        assert said in page
    assert f'action="/memories/{memory.pk}/restore/"' in page
    page = signed_in.post(f"/memories/{memory.pk}/restore/", follow=True).content.decode()
    assert "It is back." in page


def test_a_long_history_is_folded(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    for _time in range(25):
        MemoryRevision.objects.create(memory=memory, action="ignored", actor="agent")
    page = signed_in.get(f"/memories/{memory.pk}/").content.decode()

    assert page.count("Heard again, word for word") == 20
    assert "5 older entries" in page
    whole = signed_in.get(f"/memories/{memory.pk}/?history=all").content.decode()
    assert whole.count("Heard again, word for word") == 25


def test_what_all_users_share_can_be_read_but_not_edited(signed_in: Client, user: User) -> None:
    shared = make_memory(make_agent(is_shared=True), "Be kind to everybody", user=None)
    page = signed_in.get(f"/memories/{shared.pk}/").content.decode()

    assert "Be kind to everybody" in page
    assert f"/memories/{shared.pk}/edit/" not in page
    assert signed_in.post(f"/memories/{shared.pk}/pin/").status_code == 404


def test_staff_are_told_whose_memory_it_is(client: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    client.force_login(make_user(is_staff=True, username="admin"))
    client.post(f"/memories/{memory.pk}/pin/")
    page = client.get(f"/memories/{memory.pk}/").content.decode()

    assert f"This is a memory of {memory.user}." in page
    client.force_login(agent.owner)
    assert re.search(r"admin\s+·", client.get(f"/memories/{memory.pk}/").content.decode())


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        ("", "用户喜欢喝茶", "Remembered."),
        ("用户喜欢喝茶", "用户喜欢喝茶", "This was known already, word for word"),
        ("用户对花生过敏", "用户花生过敏", "the newer wording counts now"),
        ("用户今年 30 岁", "用户今年 31 岁", "It takes the place of “用户今年 30 岁”"),
        ("The user has 2 cats", "The user has 2 dogs", "both stay"),
    ],
)
def test_a_memory_by_hand_is_told_what_the_gate_decided(
    signed_in: Client, agent: Agent, first: str, then: str, said: str
) -> None:
    if first:
        write(agent, first)
    form = {"agent": agent.pk, "content": then, "category": "semantic", "type": 1, "importance": 2}
    page = signed_in.post("/memories/add/", form, follow=True).content.decode()

    assert said in page


def test_a_refused_memory_by_hand_keeps_what_was_typed(signed_in: Client, agent: Agent) -> None:
    form = {"agent": agent.pk, "content": " ", "title": "Drinks", "category": "episodic", "type": 1, "importance": 3}
    response = signed_in.post("/memories/add/", form)

    assert response.status_code == 422
    assert response.context["form"]["title"].value() == "Drinks"
    assert not Memory.objects.exists()
