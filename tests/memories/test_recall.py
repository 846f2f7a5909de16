from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from memories.changes import delete, set_enabled
from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory
from memories.recall import Recall, recall
from tests.factories import make_agent, make_user

pytestmark = pytest.mark.django_db

FACTS = [
    "用户是 Python 后端开发",
    "用户公司用 AWS",
    "The user likes dumplings",
    "用户对花生过敏",
    "用户的女儿下个月上小学",
    "The user's sister lives in Berlin",
    "用户的手机号是 13812345678",
]


def keep(agent: Agent, *contents: str, **columns: object) -> list[Memory]:
    user_id = agent.owner_id
    drafts = [Draft(content, **columns) for content in contents]  # type: ignore[arg-type]
    return [write(agent, user_id, draft, Origin("agent", "tool", user_id)).memory for draft in drafts]


def texts(result: Recall) -> list[str]:
    return [item.memory.content for item in result.items]


QUESTIONS = {
    "我用什么编程语言？": "用户是 Python 后端开发",
    "What do I like?": "The user likes dumplings",
    "我能吃花生酱吗": "用户对花生过敏",
    "Where does my sister live?": "The user's sister lives in Berlin",
    "我姐姐住在哪里？": "The user's sister lives in Berlin",
    "What am I allergic to?": "用户对花生过敏",
    "我的职业": "用户是 Python 后端开发",
    "What do I do for a living?": "用户是 Python 后端开发",
    "我的电话是多少": "用户的手机号是 13812345678",
    "13812345678": "用户的手机号是 13812345678",
}
SMALL_TALK = [
    "你好",
    "早上好！",
    "谢谢啦",
    "好的，谢谢。",
    "Hi there!",
    "thank you so much :)",
    "OK",
    "晚安",
    "",
    "？？",
    "👍",
]
OTHER_TOPICS = ["今天天气怎么样", "1+1等于几", "讲个笑话", "What is the capital of France?"]


def test_a_question_in_either_language_finds_the_fact_first() -> None:
    agent = make_agent()
    keep(agent, *FACTS)
    results = {question: recall(agent, agent.owner_id, question) for question in QUESTIONS}

    assert {question: texts(result)[0] for question, result in results.items()} == QUESTIONS
    assert {(result.items[0].reason, result.degraded) for result in results.values()} == {("relevant", "")}


def test_small_talk_and_what_no_memory_answers_recall_nothing() -> None:
    agent = make_agent()
    keep(agent, *FACTS, "The user's husband is a nurse who works night shifts")

    for message in [*SMALL_TALK, *OTHER_TOPICS]:
        assert (message, texts(recall(agent, agent.owner_id, message))) == (message, [])
    assert texts(recall(agent, agent.owner_id, "谢谢", previous="我用什么编程语言？")) == []


def test_pinned_and_procedural_memories_come_with_any_message() -> None:
    agent = make_agent()
    keep(agent, "回复要简洁", "不要用 emoji", category="procedural", type_key="feedback")
    keep(agent, "用户对花生过敏", pinned=True)
    keep(agent, "The user likes dumplings")
    result = recall(agent, agent.owner_id, "你好")

    assert {(item.memory.content, item.reason, item.score) for item in result.items} == {
        ("用户对花生过敏", "pinned", None),
        ("回复要简洁", "procedural", None),
        ("不要用 emoji", "procedural", None),
    }


def test_what_is_superseded_disabled_deleted_over_or_yet_to_come_is_never_recalled() -> None:
    agent, now = make_agent(), timezone.now()
    keep(agent, "用户住在北京", "用户住在上海")
    set_enabled(keep(agent, "用户住在一套老房子里")[0], False, Origin("person", "manual"))
    delete(keep(agent, "用户住在六楼")[0], Origin("person", "manual"))
    keep(agent, "用户住过成都", valid_to=now - timedelta(days=1))
    keep(agent, "用户将住在杭州", valid_from=now + timedelta(days=1))

    assert texts(recall(agent, agent.owner_id, "用户住在哪个城市？")) == ["用户住在上海"]


def test_who_asks_for_everything_gets_the_foremost_memories() -> None:
    agent = make_agent(top_k=3)
    keep(agent, *FACTS)
    keep(agent, "用户是左撇子", importance=3)

    for question in ("列出你记住的关于我的所有信息", "What do you know about me?"):
        recalled = texts(recall(agent, agent.owner_id, question))
        assert len(recalled) == 3
        assert "用户是左撇子" in recalled


def test_many_past_memories_hide_no_present_one() -> None:
    agent, past = make_agent(top_k=3), timezone.now() - timedelta(days=1)
    drafts = [Draft(f"用户第 {n} 周的体重是 {60 + n} 公斤", "episodic", valid_to=past) for n in range(50)]
    for draft in drafts:
        write(agent, agent.owner_id, draft, Origin("agent", "tool"))
    keep(agent, "用户的目标是减到五十八公斤，每周称一次体重")

    assert texts(recall(agent, agent.owner_id, "我的体重是多少公斤？")) == [
        "用户的目标是减到五十八公斤，每周称一次体重"
    ]


def test_no_other_person_and_no_other_agent_is_recalled_but_what_all_users_share_is() -> None:
    agent, someone = make_agent(is_shared=True), make_user()
    keep(agent, "用户对花生过敏")
    keep(make_agent(owner=someone), "用户对芒果过敏")
    write(agent, someone.pk, Draft("用户对牛奶过敏"), Origin("agent", "tool"))
    write(agent, None, Draft("食堂的菜里常有花生，过敏的人要问厨师"), Origin("person", "manual"))

    assert set(texts(recall(agent, someone.pk, "我对什么过敏？"))) == {
        "用户对牛奶过敏",
        "食堂的菜里常有花生，过敏的人要问厨师",
    }


def test_a_message_that_refers_back_is_understood_with_the_one_before() -> None:
    agent = make_agent()
    keep(agent, *FACTS, "The user's sister is allergic to cats")

    assert "用户的女儿下个月上小学" in texts(
        recall(agent, agent.owner_id, "那她呢？", previous="我儿子在上初中，我女儿多大了？")
    )


def test_a_new_question_is_not_drowned_by_the_topic_before_it() -> None:
    agent = make_agent()
    keep(agent, *FACTS)
    result = recall(agent, agent.owner_id, "What do I like?", previous="我女儿的学校什么时候开学？")

    assert texts(result)[0] == "The user likes dumplings"


def test_at_most_top_k_are_relevant() -> None:
    agent = make_agent(top_k=2)
    keep(agent, "用户喜欢苹果", "用户爱喝龙井茶", "用户喜欢爬山", "用户爱看科幻小说")

    assert len(recall(agent, agent.owner_id, "我喜欢什么？").items) == 2


def test_what_exceeds_the_budget_is_marked_and_leaves_room_for_what_was_asked() -> None:
    agent = make_agent()
    rules = [f"规则{n}：" + "回答里每一段都要先给结论再给理由，" * 12 for n in range(12)]
    for n, rule in enumerate(rules):
        Memory.objects.create(agent=agent, user=agent.owner, content=f"{rule}{n}", category="procedural", type_id=1)
    keep(agent, "用户对花生过敏")
    items = recall(agent, agent.owner_id, "我对什么过敏？").items

    assert {item.was_cut for item in items if item.reason == "procedural"} == {True, False}
    assert [(item.memory.content, item.was_cut) for item in items if item.reason == "relevant"] == [
        ("用户对花生过敏", False)
    ]


def test_only_what_goes_into_the_prompt_counts_as_recalled() -> None:
    agent = make_agent()
    keep(agent, *FACTS)
    recall(agent, agent.owner_id, "我对什么过敏？")

    assert Memory.objects.get(content="用户对花生过敏").recall_count == 1
    assert Memory.objects.get(content="用户公司用 AWS").recall_count == 0


def test_an_agent_may_have_a_floor_of_its_own() -> None:
    agent = make_agent()
    keep(agent, *FACTS)
    agent.relevance_floor = 0.99

    assert texts(recall(agent, agent.owner_id, "我用什么编程语言？")) == []


def test_without_an_embedder_words_alone_are_searched_and_it_is_said(settings: Settings) -> None:
    agent = make_agent()
    keep(agent, *FACTS)
    settings.EMBEDDER = "openai"  # without a key
    result = recall(agent, agent.owner_id, "花生过敏严重吗")

    assert result.degraded == "failed"
    assert "用户对花生过敏" in texts(result)


def test_a_slow_embedder_is_not_waited_for(settings: Settings) -> None:
    agent = make_agent()
    keep(agent, *FACTS)
    settings.RECALL_DEADLINE = 0.0
    result = recall(agent, agent.owner_id, "花生过敏严重吗，能不能吃一点")

    assert result.degraded == "slow"
    assert "用户对花生过敏" in texts(result)


@pytest.mark.django_db(transaction=True)
def test_fifty_turns_at_once_all_recall_by_meaning(settings: Settings) -> None:
    # A busy machine may stretch one call; what is tried here is the line of fifty before it.
    settings.RECALL_DEADLINE = 8.0
    agent = make_agent()
    keep(agent, *FACTS)

    def turn(number: int) -> Recall:
        try:
            return recall(agent, agent.owner_id, f"写第 {number} 个项目我用什么编程语言？")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(50) as threads:
        results = list(threads.map(turn, range(50)))

    assert {result.degraded for result in results} == {""}
    assert all("用户是 Python 后端开发" in texts(result) for result in results)
