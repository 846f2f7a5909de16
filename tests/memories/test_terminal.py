"""`manage.py memories list | search | show | stats | forget`; export and import stand in tests/memories/transfer."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory
from memories.tools import MEMORY_TOOLS
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User
from xiajiao.tools import Scope

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    agent = make_agent(owner=user, name="Helper")
    make_memory(agent, "The user likes tea")
    make_memory(agent, "Keep replies\nshort", category="procedural", type_key="feedback", title="Style")
    make_memory(make_agent(name="Another"), "用户喜欢咖啡")
    return agent


def run(*arguments: Any) -> list[str]:
    told = StringIO()
    call_command("memories", *map(str, arguments), stdout=told)
    return told.getvalue().splitlines()


def test_everybodys_are_listed_and_narrowed_down(agent: Agent, user: User) -> None:
    assert len(run("list")) == 3
    assert len(run("list", "--limit", 1)) == 1
    [line] = run("list", "--agent", "Helper", "--category", "procedural", "--type", "feedback")
    assert line.endswith(f"procedural  feedback  Helper  {user.username}  Style Keep replies short")
    assert [json.loads(line)["content"] for line in run("list", "--user", user.username, "--json")] == [
        "Keep replies\nshort",
        "The user likes tea",
    ]
    assert not run("list", "--state", "superseded")


def test_search_says_why(agent: Agent, user: User) -> None:
    write(agent, user.pk, Draft("The user plays the cello"), Origin("agent", "tool", user.pk))
    line, why = run("search", "which", "instrument", "--agent", "Helper")
    assert "The user plays the cello" in line
    assert "nearness in meaning" in why
    assert json.loads(run("search", "咖啡", "--json")[0])["parts"]


def test_one_is_shown_with_its_history(agent: Agent) -> None:
    memory = Memory.objects.get(content="The user likes tea")
    memory.revisions.create(action="added", actor="agent")
    lines = run("show", f"M{memory.pk}")
    assert "content: The user likes tea" in lines
    assert lines[-1].endswith("agent")
    told = json.loads(run("show", memory.pk, "--json")[0])
    assert (told["id"], [each["action"] for each in told["revisions"]]) == (memory.pk, ["added"])


def test_the_terminal_the_model_and_the_page_count_the_same(agent: Agent, user: User) -> None:
    make_memory(agent, "Was so", enabled=False)
    [tool] = [each for each in MEMORY_TOOLS if each.name == "memory_stats"]
    said = tool.call(Scope(agent.pk, user.pk), {}).splitlines()
    assert run("stats", "--agent", "Helper")[:3] == said
    assert said == ["total: 2", "by category: procedural 1, semantic 1", "by type: feedback 1, user 1"]
    client = Client()
    client.force_login(user)
    told = client.get(reverse("memories:memory_stats"), {"agent": agent.pk}).json()
    assert told == {
        "total": 2,
        "categories": {"procedural": 1, "semantic": 1},
        "types": {"feedback": 1, "user": 1},
        "agents": [{"id": agent.pk, "name": "Helper", "count": 2}],
    }
    assert json.loads(run("stats", "--user", user.username, "--json")[0]) == told


def test_the_page_counts_what_its_filters_leave_and_nobody_elses(agent: Agent, user: User) -> None:
    client = Client()
    client.force_login(user)
    address = reverse("memories:memory_stats")
    assert client.get(address, {"category": "procedural"}).json()["total"] == 1
    assert client.get(address, {"q": "tea"}).json()["total"] == 1
    assert client.get(address, {"person": "all"}).json()["total"] == 2
    client.force_login(make_user(is_staff=True))
    assert client.get(address, {"person": "all"}).json()["total"] == 3


@pytest.mark.django_db(transaction=True)
def test_forgetting_shows_what_would_go_and_then_does_it(agent: Agent, user: User) -> None:
    make_memory(agent, "The user drinks tea at five", category="episodic")
    preview = run("forget", "tea", "--user", user.username)
    assert "2 memories would be forgotten for good; 0 messages say it." in preview
    assert Memory.objects.count() == 4

    receipt = run("forget", "tea", "--user", user.username, "--category", "semantic", "--yes")
    assert "the memory itself: 1" in receipt
    assert "Backups can't be reached from here" in receipt[-1]
    assert set(Memory.objects.values_list("category", flat=True)) == {"procedural", "episodic", "semantic"}
    assert not Memory.objects.filter(content="The user likes tea").exists()


@pytest.mark.django_db(transaction=True)
def test_forgetting_by_number_takes_nobody_elses(agent: Agent, user: User) -> None:
    theirs = Memory.objects.get(content="用户喜欢咖啡")
    mine = Memory.objects.get(content="The user likes tea")
    told = json.loads(run("forget", theirs.pk, f"M{mine.pk}", "--user", user.username, "--yes", "--json")[0])
    assert told["forgotten"] is True
    assert Memory.objects.filter(pk=theirs.pk).exists()
    assert not Memory.objects.filter(pk=mine.pk).exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list", "--type", "nonsense"], "There is no type 'nonsense': .*feedback"),
        (["list", "--user", "nobody"], "There is no user"),
        (["list", "--agent", "Nobody"], "There is no agent"),
        (["show", "12345"], "There is no memory"),
        (["show", "x"], "There is no memory"),
        (["forget", "tea", "--user", "nobody"], "There is no user"),
    ],
)
def test_what_can_not_be_is_said(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        run(*arguments)
