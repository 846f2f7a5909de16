import json

import pytest
from django.test import Client

from memories import changes
from memories.drafts import Origin
from memories.models import Agent, Memory
from tests.factories import make_agent, make_memory, make_user
from tests.memories.forming import HTMX, answer_to, form_of, refuse, typed
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def person(agent: Agent) -> Origin:
    return Origin("person", "manual", agent.owner_id)


def test_a_refused_edit_takes_what_they_alone_changed_and_keeps_what_is_typed(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea", tags=["drinks"])
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/") | {
        "content": "The user likes green tea",
        "title": "Tea",
    }
    theirs = {"content": "The user likes black tea", "tags": ["drinks", "morning"], "pinned": True}
    changes.edit(memory, theirs, Origin("person", "manual", make_user(username="admin").pk))
    response = refuse(signed_in, memory.pk, values)
    page, form = response.content.decode(), response.context["form"]

    assert "admin" in page
    assert "both changed" in page
    held = {row.name: row.holds for row in response.context["differences"]}
    assert held == {"content": "yours", "title": "yours", "tags": "theirs", "pinned": "theirs"}
    assert [typed(form, name) for name in ("content", "title", "tags")] == [
        "The user likes green tea",
        "Tea",
        "drinks, morning",
    ]
    signed_in.post(f"/memories/{memory.pk}/edit/", answer_to(response, values), headers=HTMX)
    memory.refresh_from_db()
    assert (memory.content, memory.title) == ("The user likes green tea", "Tea")
    assert (memory.tags, memory.pinned) == (["drinks", "morning"], True)


def test_each_field_can_be_taken_from_either_side_and_back(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    address = f"/memories/{memory.pk}/edit/"
    values = form_of(signed_in, address) | {"content": "The user likes green tea"}
    changes.edit(memory, {"content": "The user likes black tea"}, person(agent))
    sent = answer_to(refuse(signed_in, memory.pk, values), values)

    sent["content"] = "The user likes green tea, mostly"
    response = refuse(signed_in, memory.pk, sent | {"take": "theirs:content"})
    assert typed(response.context["form"], "content") == "The user likes black tea"
    sent = answer_to(response, values)
    response = refuse(signed_in, memory.pk, sent | {"take": "yours:content"})
    assert typed(response.context["form"], "content") == "The user likes green tea, mostly"
    memory.refresh_from_db()
    assert memory.content == "The user likes black tea"


def test_a_third_version_is_shown_against_the_one_that_was_seen(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/") | {
        "content": "The user likes green tea",
        "title": "Mine",
    }
    changes.edit(memory, {"content": "The user likes black tea", "title": "Theirs"}, person(agent))
    sent = answer_to(refuse(signed_in, memory.pk, values), values)
    sent = answer_to(refuse(signed_in, memory.pk, sent | {"take": "theirs:title"}), values)
    changes.edit(memory, {"title": "Third"}, person(agent))
    response = refuse(signed_in, memory.pk, sent)

    # The title was theirs: it follows them; what was typed at first is still there to be taken.
    form = response.context["form"]
    assert (typed(form, "title"), typed(form, "content")) == ("Third", "The user likes green tea")
    assert json.loads(response.context["typed"])["title"] == "Mine"
    signed_in.post(f"/memories/{memory.pk}/edit/", answer_to(response, values))
    memory.refresh_from_db()
    assert (memory.title, memory.content) == ("Third", "The user likes green tea")


def test_a_version_out_of_reach_is_compared_with_the_one_that_stands(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/") | {"content": "The user likes green tea"}
    Memory.objects.filter(pk=memory.pk).update(content="The user likes black tea", version=9)
    [difference] = refuse(signed_in, memory.pk, values).context["differences"]

    assert [(piece.kind, piece.text) for piece in difference.yours] == [
        ("same", "The user likes "),
        ("removed", "black"),
        ("added", "green"),
        ("same", " tea"),
    ]


@pytest.mark.parametrize("yours", ["", "x", "[]", "1", '{"content": 3, "title": {}}', "[" * 5000])
def test_a_forged_note_of_what_was_typed_breaks_nothing(signed_in: Client, agent: Agent, yours: str) -> None:
    memory = make_memory(agent, "The user likes tea")
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/") | {"content": "The user likes green tea"}
    changes.edit(memory, {"content": "The user likes black tea"}, person(agent))
    memory.refresh_from_db()
    forged = values | {"yours": yours, "base": "x" * 40, "version": memory.version}

    for take in ("theirs:content", "yours:content", "yours:agent", "x", ""):
        refuse(signed_in, memory.pk, forged | {"take": take})


def test_a_memory_deleted_meanwhile_comes_back_with_what_is_typed(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea", pinned=True)
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/") | {"content": "The user likes green tea"}
    changes.delete(memory, person(agent))
    response = refuse(signed_in, memory.pk, values)
    assert "was deleted meanwhile" in response.content.decode()
    assert typed(response.context["form"], "content") == "The user likes green tea"

    signed_in.post(f"/memories/{memory.pk}/edit/", answer_to(response, values) | {"bring_back": "1"})
    memory.refresh_from_db()
    assert (memory.is_active, memory.content, memory.pinned) == (True, "The user likes green tea", True)
    assert [revision.action for revision in memory.revisions.all()] == ["edited", "restored", "deleted"]


def test_the_drawer_leads_to_the_dialog_where_the_memory_is_deleted(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea", pinned=True, tags=["a"])
    changes.delete(memory, person(agent))
    values = {"content": "The user likes green tea", "version": memory.version, "zone": "UTC"}
    response = refuse(signed_in, memory.pk, values)
    assert response["HX-Retarget"] == "#dialog-body"

    signed_in.post(f"/memories/{memory.pk}/edit/", answer_to(response, values) | {"bring_back": "1"})
    memory.refresh_from_db()
    assert (memory.content, memory.pinned, memory.tags) == ("The user likes green tea", True, ["a"])


def test_what_was_typed_for_a_memory_that_is_gone_is_offered_as_a_new_one(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user likes tea")
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/")
    values |= {"content": "The user likes green tea", "metadata": '{"a":', "title": "Tea"}
    address = f"/memories/{memory.pk}/edit/"
    memory.delete()
    response = signed_in.post(address, values, headers=HTMX)
    form = response.context["form"]

    assert response.status_code == 410
    assert "gone for good" in response.content.decode()
    assert [typed(form, name) for name in ("content", "metadata", "title")] == [
        "The user likes green tea",
        '{"a":',
        "Tea",
    ]
    assert signed_in.post(address, {}).status_code == 404


def test_what_is_not_yours_answers_like_what_is_not_there(signed_in: Client) -> None:
    theirs = make_memory(make_agent(), "A secret")
    shared = make_memory(make_agent(is_shared=True), "Be kind to everybody", user=None)
    for memory in (theirs, shared):
        address = f"/memories/{memory.pk}/edit/"
        assert signed_in.get(address).status_code == 404
        response = signed_in.post(address, {"content": "Mine", "bring_back": "1", "version": 1})
        assert response.status_code == 410
        assert memory.content not in response.content.decode()
        memory.refresh_from_db()
        assert memory.content != "Mine"


@pytest.mark.parametrize("chosen", ["theirs:content", "yours:type", "theirs:", "nothing"])
def test_a_choice_between_versions_that_nobody_was_offered_is_shown_as_it_stands(
    signed_in: Client, agent: Agent, chosen: str
) -> None:
    memory = make_memory(agent, "The user likes tea")
    values = form_of(signed_in, f"/memories/{memory.pk}/edit/") | {"content": "The user likes milk", "take": chosen}
    response = signed_in.post(f"/memories/{memory.pk}/edit/", values, headers=HTMX)

    assert response.status_code == 409
    memory.refresh_from_db()
    assert memory.content == "The user likes tea"
