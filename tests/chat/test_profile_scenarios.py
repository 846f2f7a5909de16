"""The scenarios by which profile files were asked for (U1–U5); those that other tests hold stand here by their names.

U1, a file: missing reads as empty (test_tools: test_a_section_is_removed), written and read back
(test_files: test_files_go_out_and_come_in_to_the_byte), sections parsed, added, replaced, removed, an empty one
(test_sections), trimmed to its budget (test_budgets).
U2, all files: a folder that is made (test_files), one prompt of all parts (test_snapshot), defaults
(test_agent_views: test_a_new_agent_belongs_to_who_made_it), two days and older ones: below; over the budget
(test_snapshot: test_what_is_over_the_budget_is_not_told_and_stays_stored).
U3, the tools: test_tools. U4, the chat: below, test_modes and tests/chat/extraction. U5, the first words: test_welcome.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from chat.extraction.ends import close
from chat.extraction.running import extract
from chat.models import Conversation, Message
from chat.sending import send_message
from chat.toolbox import allowed_tools
from chat.turns import run_turn
from memories.models import Agent, ProfileFile, ProfileKind
from memories.profiles.daily import note_day
from memories.profiles.editing import ProfileChange, change_file, make_key
from memories.profiles.snapshot import take_snapshot
from memories.starting import make_first_agent
from tests.chat.turning import load
from tests.factories import make_agent, make_conversation
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_first_agent(user, "en")


def say(conversation: Conversation, text: str = "I live in Lisbon.") -> Message:
    """Answered by the offline mode, which calls the same tools."""
    answer = send_message(conversation, text).answer
    list(run_turn(load(answer)))
    return load(answer)


def write(agent: Agent, kind: str, text: str) -> None:
    change_file(make_key(agent, kind, agent.owner_id), lambda _text: text, ProfileChange("edited", "person"))


def test_a_first_chat_is_told_the_default_soul_and_has_the_tools(agent: Agent) -> None:
    answer = say(make_conversation(agent=agent))
    assert "<agent-identity>\n## Identity\nI am Xiajiao" in answer.system_prompt
    names = {tool.name for tool in allowed_tools(agent)}
    assert {"profile_read", "profile_add", "profile_replace", "profile_remove"} <= names


def test_without_files_the_prompt_is_the_agents_own(user: User) -> None:
    bare = make_agent(owner=user, base_prompt="Answer in rhymes.", language="en")
    prompt = say(make_conversation(agent=bare), "Hello").system_prompt
    assert prompt.startswith("Answer in rhymes.")
    assert "<agent-identity>" not in prompt


def test_all_files_are_loaded_into_one_snapshot(agent: Agent) -> None:
    write(agent, ProfileKind.USER, "## Name\nMei")
    write(agent, ProfileKind.MEMORY, "## Project\nXiajiao")
    note_day(agent, agent.owner_id, "Talked of tea", timezone.now())
    snapshot = take_snapshot(agent, agent.owner_id)
    parts = [snapshot.soul.text, snapshot.user.text, snapshot.memory.text, snapshot.days[0][1].text]
    assert all(parts)
    assert snapshot.length == sum(map(len, parts))


def test_a_chat_that_ends_leaves_a_line_and_older_days_stay_readable(signed_in: Client, agent: Agent) -> None:
    today = timezone.now()
    for days in (1, 2):
        note_day(agent, agent.owner_id, f"{days} days ago", today - timedelta(days=days))
    conversation = make_conversation(agent=agent)
    say(conversation)
    conversation.refresh_from_db()
    job = close(conversation)
    assert job is not None
    extract(job)
    told = say(make_conversation(agent=agent), "Hello").system_prompt
    assert "I live in Lisbon." in told
    assert "1 days ago" in told
    assert "2 days ago" not in told
    old = ProfileFile.objects.filter(kind=ProfileKind.DAILY).order_by("day")[0]
    assert "2 days ago" in signed_in.get(f"/agents/{agent.pk}/files/daily/?day={old.day}").content.decode()


def test_a_new_chat_touches_no_file_and_knows_what_the_last_one_left(agent: Agent) -> None:
    write(agent, ProfileKind.USER, "## Name\nMei")
    say(make_conversation(agent=agent), "Hello")
    before = dict(ProfileFile.objects.values_list("pk", "text"))
    answer = say(make_conversation(agent=agent), "Hello again")
    assert dict(ProfileFile.objects.values_list("pk", "text")) == before
    assert "## Name\nMei" in answer.system_prompt
