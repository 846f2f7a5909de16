"""One change of a profile file taken back, whatever else was written since."""

from __future__ import annotations

import pytest
from django.test import Client

from memories.models import Agent, ProfileFile, ProfileRevision
from memories.profiles.editing import ProfileChange, change_file, make_key, read_file
from memories.profiles.tools import profile_add, profile_remove, profile_replace
from memories.profiles.undoing import OverlapError, list_noted, look_at, take_back
from tests.factories import make_agent, make_user
from xiajiao.models import User
from xiajiao.tools import Scope

pytestmark = pytest.mark.django_db

A, B, C = "## A\nfirst\nsecond\n\n", "## B\nthird\n\n", "## C\nfourth\n"


@pytest.mark.parametrize(
    ("before", "after", "current", "left"),
    [
        ("", A, A, ""),
        ("", A, A + B, B),
        (A + C, A + B + C, A + B + C + "fifth\n", A + C + "fifth\n"),
        (A + B + C, A + C, A + C, A + B + C),
        (A + B + C, A + C, "## New\n" + A + C, "## New\n" + A + B + C),
        (A + B, A, A + C, A + B + C),
        (A, "", "", A),
        (A, "", C, A + C),
        (A + B + C, A + C, A + B + C, A + B + C),
        (A + B + C, A + C, A + B.strip() + "\r\nmore\n" + C, A + B.strip() + "\r\nmore\n" + C),
        (A, "", A + C, A + C),
        (A, A.replace("first", "1st"), A.replace("first", "1st") + B, A + B),
        ("- tea", "- tea\n- milk\n", "- tea\n- milk\n- rice\n", "- tea\n- rice\n"),
        ("one\ntwo", "one\n", "one\nthree\n", "one\ntwo\nthree\n"),
    ],
)
def test_what_was_written_since_stays(before: str, after: str, current: str, left: str) -> None:
    assert take_back(before, after, current) == left


@pytest.mark.parametrize(
    ("before", "after", "current"),
    [
        (A, A.replace("first", "1st"), A.replace("first", "1.")),
        (A, A + B, A + B.replace("third", "3rd")),
        ("", A, ""),
        (A, "\n".join(map(str, range(600))), "x"),
    ],
)
def test_what_says_something_else_by_now_is_left_alone(before: str, after: str, current: str) -> None:
    with pytest.raises(OverlapError):
        take_back(before, after, current)


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, may_edit_soul=True)


@pytest.fixture
def scope(agent: Agent, user: User) -> Scope:
    return Scope(agent.pk, user.pk, conversation_id=3, message_id=5, user_message_id=4)


def stored(agent: Agent, kind: str = "user") -> str:
    return read_file(make_key(agent, kind, agent.owner_id)).text


def undo(client: Client, revision: ProfileRevision, status: int = 200, **fields: object) -> str:
    headers = {"HX-Request": "true"}
    response = client.post(f"/agents/files/changes/{revision.pk}/undo/", fields, headers=headers)
    assert response.status_code == status
    return response.content.decode()


def put_back(client: Client, revision: ProfileRevision, **fields: object) -> None:
    shown = ProfileFile.objects.get(pk=revision.file_id).version
    address = f"/agents/files/changes/{revision.pk}/restore/"
    assert client.post(address, fields | {"version": shown}).status_code == 302


def test_a_change_is_shown_taken_back_and_brought_back(signed_in: Client, scope: Scope, agent: Agent) -> None:
    profile_add.call(scope, {"file": "user", "section": "Tea", "content": "likes green tea"})
    profile_replace.call(scope, {"file": "user", "section": "Tea", "old_text": "green", "new_text": "black"})
    profile_add.call(scope, {"file": "user", "section": "Work", "content": "a nurse"})
    added, replaced, _last = ProfileRevision.objects.order_by("pk")
    page = signed_in.get(f"/agents/files/changes/{replaced.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "black" in page.partition("<ins>")[2].partition("</ins>")[0]
    assert "Take it back" in page

    page = undo(signed_in, replaced)
    assert stored(agent) == "## Tea\nlikes green tea\n\n## Work\na nurse\n"
    assert f'id="profile-chip-{replaced.pk}" class="chip chip-undone"' in page
    undoing = look_at(replaced).undoing
    assert undoing is not None
    assert (undoing.actor, undoing.user_id, undoing.reason) == ("person", agent.owner_id, {"undone": 2})

    page = undo(signed_in, undoing, shown=replaced.pk)
    assert "It is there again." in page
    assert f'id="profile-chip-{replaced.pk}" class="chip"' in page
    assert "black" in stored(agent)
    assert look_at(replaced).undoing is None

    page = undo(signed_in, added, status=409)
    assert "can&#x27;t be taken back alone" in page or "can't be taken back alone" in page
    assert "black" in stored(agent)


def test_without_scripts_there_are_pages(signed_in: Client, scope: Scope, agent: Agent) -> None:
    ProfileFile.objects.create(agent=agent, user_id=agent.owner_id, kind="memory", text=A + B)
    profile_remove.call(scope, {"file": "memory", "section": "A"})
    revision = ProfileRevision.objects.get()
    response = signed_in.post(f"/agents/files/changes/{revision.pk}/undo/", follow=True)
    assert response.redirect_chain == [(f"/agents/files/changes/{revision.pk}/", 302)]
    assert "This change is taken back." in response.content.decode()
    assert stored(agent, "memory") == A + B


def test_a_second_click_changes_nothing_and_says_so(signed_in: Client, scope: Scope, agent: Agent) -> None:
    key = make_key(agent, "user", agent.owner_id)
    change_file(key, lambda _text: A + B + C, ProfileChange("edited", "person", agent.owner_id))
    profile_remove.call(scope, {"file": "user", "section": "B"})
    removal = ProfileRevision.objects.get(action="removed")
    undo(signed_in, removal)
    assert "Nothing was changed: it is so already." in undo(signed_in, removal)
    assert stored(agent) == A + B + C
    undoing = look_at(removal).undoing
    assert undoing is not None
    undo(signed_in, undoing, shown=removal.pk)
    assert "Nothing was changed" in undo(signed_in, undoing, shown=removal.pk)
    assert stored(agent) == A + C

    put_back(signed_in, undoing)
    assert "Bring it back" in undo(signed_in, removal)
    put_back(signed_in, removal)
    assert look_at(removal).undoing is None
    undo(signed_in, removal)
    assert stored(agent) == A + B + C
    put_back(signed_in, removal)
    put_back(signed_in, removal, before=1)
    undo(signed_in, removal)
    assert stored(agent) == A + B + C


def test_nobody_looks_at_or_undoes_another_persons_change(signed_in: Client, scope: Scope, agent: Agent) -> None:
    agent.is_shared = True
    agent.save()
    other = make_user()
    theirs = Scope(agent.pk, other.pk, conversation_id=9, message_id=8, user_message_id=7)
    profile_add.call(theirs, {"file": "user", "section": "Tea", "content": "likes milk"})
    profile_add.call(scope, {"file": "soul", "section": "Tone", "content": "gruff"})
    private, shared = ProfileRevision.objects.order_by("pk")
    assert signed_in.get(f"/agents/files/changes/{private.pk}/").status_code == 404
    undo(signed_in, private, status=404)
    third = Client()
    third.force_login(make_user())
    undo(third, shared, status=404)
    assert signed_in.get(f"/agents/files/changes/{shared.pk}/").status_code == 200
    undo(signed_in, shared)
    assert stored(agent, "soul") == ""


def test_what_a_turn_did_is_found_by_its_answer(scope: Scope, user: User) -> None:
    assert list_noted([5, 6]) == {}
    profile_add.call(scope, {"file": "user", "section": "Tea", "content": "likes green tea"})
    profile_add.call(scope, {"file": "memory", "section": "Work", "content": "a nurse"})
    [(answer_id, changes)] = list_noted([5, 6]).items()
    assert answer_id == 5
    assert [str(change.revision.file) for change in changes] == ["USER", "MEMORY"]
