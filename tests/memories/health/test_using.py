from typing import Any

import pytest

from chat.models import Conversation, Message, Recalled
from memories import changes
from memories.health.settling import settle
from memories.health.sweeping import ask, sweep
from memories.models import Agent, Memory
from tests.factories import make_agent, make_user
from tests.memories.health.keeping import BY_HAND, days_ago, keep, open_findings

pytestmark = pytest.mark.django_db


def answer(agent: Agent, times: int, **recalled: Any) -> None:
    """So many answers, each of which knew this memory (`memory`, `relevance`, and any column of Recalled)."""
    conversation = Conversation.objects.create(agent=agent, user=agent.owner)
    memory, relevance = recalled.pop("memory", None), recalled.pop("relevance", None)
    for _number in range(times):
        message = Message.objects.create(conversation=conversation, role=Message.Role.ASSISTANT)
        if memory is not None:
            parts = {} if relevance is None else {"relevance": relevance}
            columns = {"content": memory.content, "rank": 1, "reason": "relevant", "score_parts": parts} | recalled
            Recalled.objects.create(message=message, memory=memory, **columns)


def look() -> None:
    ask()
    sweep(60)


def contents(kind: str) -> list[str]:
    return [finding.memory.content for finding in open_findings(kind)]


def test_what_is_old_and_was_in_none_of_enough_answers_is_found() -> None:
    agent = make_agent()
    keep(agent, "用户有过一台诺基亚手机", created_at=days_ago(61))
    keep(agent, "用户对花生过敏", created_at=days_ago(61), recall_count=1)
    keep(agent, "用户养了一只猫", created_at=days_ago(59))
    keep(agent, "用户住在上海", created_at=days_ago(61), pinned=True)
    keep(agent, "回答要简短", created_at=days_ago(61), category="procedural")
    keep(agent, "用户以前住在北京", created_at=days_ago(61), enabled=False)
    answer(agent, 20)
    look()

    assert contents("unused") == ["用户有过一台诺基亚手机"]


def test_the_oldest_comes_first() -> None:
    agent = make_agent()
    keep(agent, "用户养了一只猫", created_at=days_ago(70))
    keep(agent, "用户对花生过敏", created_at=days_ago(90))
    answer(agent, 20)
    look()

    assert contents("unused") == ["用户对花生过敏", "用户养了一只猫"]


def test_an_agent_that_hardly_answered_or_recalls_nothing_says_nothing_about_use() -> None:
    quiet, forgetful = make_agent(), make_agent(auto_inject_memory=False)
    for agent, answers in ((quiet, 19), (forgetful, 40)):
        keep(agent, "用户对花生过敏", created_at=days_ago(90))
        answer(agent, answers)
    look()

    assert not open_findings("unused")


def test_what_was_recalled_or_pinned_since_is_found_no_longer() -> None:
    agent = make_agent()
    first = keep(agent, "用户对花生过敏", created_at=days_ago(90))
    second = keep(agent, "用户养了一只猫", created_at=days_ago(90))
    answer(agent, 20)
    look()
    assert len(open_findings("unused")) == 2
    changes.edit(second, {"pinned": True}, BY_HAND)
    assert contents("unused") == ["用户对花生过敏"]
    Memory.objects.filter(pk=first.pk).count_recall()
    look()

    assert not open_findings("unused")


def test_what_comes_along_all_the_time_and_hardly_fits_is_found() -> None:
    agent = make_agent()
    faint, fitting = keep(agent, "用户喜欢用空格缩进"), keep(agent, "项目的数据库是 PostgreSQL")
    seldom, pinned = keep(agent, "用户对花生过敏"), keep(agent, "用户养了一只猫")
    answer(agent, 20, memory=seldom, relevance=0.2)
    answer(agent, 30, memory=faint, relevance=0.2)
    for memory, columns in ((fitting, {"relevance": 0.5}), (pinned, {"reason": "pinned"})):
        for message in Message.objects.all():
            values = {"rank": 2, "reason": "relevant"} | columns
            parts = {"relevance": values.pop("relevance")} if "relevance" in values else {}
            Recalled.objects.create(message=message, memory=memory, score_parts=parts, content="", **values)
    look()

    [finding] = open_findings("overused")
    assert finding.memory == faint
    assert finding.details == {"answers": 50, "times": 30, "relevance": 0.2, "floor": 0.18}


def test_the_agents_own_floor_counts_and_the_latest_answers_alone() -> None:
    agent = make_agent(relevance_floor=0.3)
    memory = keep(agent, "用户喜欢用空格缩进")
    answer(agent, 150, memory=memory, relevance=0.5)
    look()
    assert open_findings("overused")

    answer(agent, 100)
    look()
    assert not open_findings("overused")


def test_what_a_person_keeps_is_not_shown_again() -> None:
    agent = make_agent()
    memory = keep(agent, "用户喜欢用空格缩进")
    answer(agent, 30, memory=memory, relevance=0.2)
    look()
    settle(open_findings("overused")[0], "keep", BY_HAND)
    answer(agent, 30, memory=memory, relevance=0.2)
    look()

    assert not open_findings("overused")


def test_memories_that_all_users_share_are_judged_by_the_answers_to_all_of_them() -> None:
    agent = make_agent(is_shared=True)
    shared = keep(agent, "公司的假期有二十天", user_id=None)
    answer(agent, 10, memory=shared, relevance=0.2)
    conversation = Conversation.objects.create(agent=agent, user=make_user())
    for _number in range(15):
        Message.objects.create(conversation=conversation, role=Message.Role.ASSISTANT)
    look()

    assert not open_findings("overused")
    answer(agent, 30, memory=shared, relevance=0.2)
    look()
    assert [finding.user_id for finding in open_findings("overused")] == [None]
