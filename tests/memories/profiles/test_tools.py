"""Profile files as a model reads and writes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memories.models import Agent, ProfileFile, ProfileRevision
from memories.profiles.editing import make_key, read_file
from memories.profiles.tools import profile_add, profile_read, profile_remove, profile_replace
from tests.factories import make_agent, make_user
from xiajiao.models import User
from xiajiao.tools import Scope, ToolError

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


@pytest.fixture
def scope(agent: Agent, user: User) -> Scope:
    return Scope(agent.pk, user.pk, conversation_id=3, message_id=5, user_message_id=4)


def stored(agent: Agent, kind: str) -> str:
    return read_file(make_key(agent, kind, agent.owner_id)).text


def test_a_section_is_made_and_then_added_to(scope: Scope, agent: Agent) -> None:
    said = profile_add.call(scope, {"file": "user", "section": "偏好", "content": "喜欢喝茶"})
    assert stored(agent, "user") == "## 偏好\n喜欢喝茶\n"
    assert said == "user has 10 of 1400 characters, in the sections:\n- 偏好"
    profile_add.call(scope, {"file": "USER.md", "section": "## 偏好", "content": "不吃香菜"})
    assert stored(agent, "user") == "## 偏好\n喜欢喝茶\n不吃香菜\n"


def test_text_is_replaced_word_for_word(scope: Scope, agent: Agent) -> None:
    profile_add.call(scope, {"content": "Deploy on Friday", "section": "Work"})
    profile_replace.call(scope, {"file": "memory", "section": "work", "old_text": "Friday", "new_text": "Monday"})
    assert stored(agent, "memory") == "## Work\nDeploy on Monday\n"


def test_what_cannot_be_replaced_says_what_there_is(scope: Scope, agent: Agent) -> None:
    profile_add.call(scope, {"content": "tea and tea", "section": "Work"})
    before = stored(agent, "memory")
    arguments = {"file": "memory", "section": "Work", "old_text": "coffee", "new_text": "x"}
    for changed, words in (
        ({}, "word for word"),
        ({"old_text": "tea"}, "stands there 2 times"),
        ({"section": "Home"}, "There is no section 'Home' in memory. It has: Work."),
        ({"file": "notes"}, "soul, user, memory, daily"),
    ):
        with pytest.raises(ToolError, match=words):
            profile_replace.call(scope, arguments | changed)
    assert stored(agent, "memory") == before


def test_a_section_is_removed(scope: Scope, agent: Agent) -> None:
    profile_add.call(scope, {"content": "one", "section": "A"})
    profile_add.call(scope, {"content": "two", "section": "B"})
    profile_remove.call(scope, {"file": "memory", "section": "A"})
    assert profile_read.call(scope, {"file": "memory"}) == "## B\ntwo\n"
    assert profile_read.call(scope, {"file": "user"}) == "user is empty."


def test_soul_is_read_only_unless_its_owner_allows_it(scope: Scope, agent: Agent) -> None:
    change = {"file": "soul", "section": "Name", "content": "Dumpling"}
    with pytest.raises(ToolError, match="read-only"):
        profile_add.call(scope, change)
    agent.may_edit_soul = True
    agent.save()
    profile_add.call(scope, change)
    assert stored(agent, "soul") == "## Name\nDumpling\n"


def test_nobody_but_its_owner_changes_by_tool_who_a_shared_agent_is(scope: Scope, agent: Agent) -> None:
    Agent.objects.update(may_edit_soul=True, is_shared=True)
    with pytest.raises(ToolError, match="read-only"):
        profile_add.call(
            replace(scope, user_id=make_user().pk), {"file": "soul", "section": "Name", "content": "Dumpling"}
        )
    assert stored(agent, "soul") == ""


def test_what_exceeds_the_budget_is_kept_and_said(scope: Scope, agent: Agent) -> None:
    profile_add.call(scope, {"file": "daily", "section": "Morning", "content": "walked"})
    said = profile_add.call(scope, {"file": "daily", "section": "Noon", "content": "x" * 1200})
    assert "Too long: later conversations are not shown its oldest lines." in said
    profile_add.call(scope, {"section": "A", "content": "short"})
    said = profile_add.call(scope, {"section": "B", "content": "x" * 2300})
    assert "Too long: later conversations are not shown B." in said
    assert len(stored(agent, "daily")) > 1200


def test_secrets_are_left_out_of_what_an_agent_writes_and_of_nothing_else(scope: Scope, agent: Agent) -> None:
    ProfileFile.objects.create(
        agent=agent, user_id=scope.user_id, kind="memory", text="## Mine\npassword: hunter2old\n"
    )
    said = profile_add.call(
        scope, {"section": "Keys", "content": "The key is sk-proj-abcdefghijklmnopqrstuvwx12345678"}
    )
    text = stored(agent, "memory")
    assert "sk-proj" not in text
    assert "hunter2old" in text
    assert "an API key was left out" in said
    assert ProfileRevision.objects.get().reason == {"left_out": ["api_key"]}


def test_nor_does_a_heading_keep_one(scope: Scope, agent: Agent) -> None:
    said = profile_add.call(scope, {"section": "sk-proj-abcdefghijklmnopqrstuvwx12345678", "content": "Mine"})
    assert "sk-proj" not in stored(agent, "memory") + said + ProfileRevision.objects.get().section
    assert ProfileRevision.objects.get().reason == {"left_out": ["api_key"]}


def test_each_change_has_a_revision_that_says_in_which_answer(scope: Scope, agent: Agent) -> None:
    profile_add.call(scope, {"content": "one", "section": "A"})
    profile_add.call(scope, {"content": "two", "section": "A"})
    last, first = ProfileRevision.objects.all()
    assert (first.version, first.before, last.before, last.after) == (1, "", "## A\none\n", "## A\none\ntwo\n")
    assert (last.action, last.actor, last.section) == ("added", "agent", "A")
    assert (last.conversation_id, last.message_id, last.answer_id) == (3, 4, 5)


def test_each_person_has_their_own_files_of_a_shared_agent(scope: Scope, agent: Agent) -> None:
    other = Scope(agent.pk, make_user().pk)
    profile_add.call(scope, {"file": "user", "section": "Name", "content": "Mei"})
    assert profile_read.call(other, {"file": "user"}) == "user is empty."


def test_names_of_other_systems_are_answered(scope: Scope, agent: Agent) -> None:
    assert [each.aliases for each in (profile_read, profile_add, profile_replace, profile_remove)] == [
        ("memory_read",),
        ("memory_add",),
        ("memory_replace",),
        ("memory_remove",),
    ]
    profile_add.call(scope, {"content": "kept where nothing else is said"})
    assert stored(agent, "memory") == "kept where nothing else is said\n"
