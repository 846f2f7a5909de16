"""What rules find in a person's words."""

import threading
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.xiajiao.statement_cases import EVENTS, FACTS, INSTRUCTIONS, NOTHING
from xiajiao.statements import find_statements

MONDAY = date(2026, 11, 30)


@pytest.mark.parametrize(("message", "content"), FACTS)
def test_a_fact_is_kept_in_the_third_person(message: str, content: str) -> None:
    assert [(found.content, found.category) for found in find_statements(message)] == [(content, "semantic")]


@pytest.mark.parametrize(("message", "content"), INSTRUCTIONS)
def test_an_instruction_is_procedural(message: str, content: str) -> None:
    found = [(found.content, found.category, found.type) for found in find_statements(message)]
    assert found == [(content, "procedural", "feedback")]


@pytest.mark.parametrize(("message", "content"), EVENTS)
def test_an_event_is_episodic_and_has_its_day(message: str, content: str) -> None:
    assert [(found.content, found.category) for found in find_statements(message, MONDAY)] == [(content, "episodic")]


@pytest.mark.parametrize("message", NOTHING)
def test_what_is_no_statement_is_not_kept(message: str) -> None:
    assert find_statements(message) == []


@pytest.mark.parametrize(
    ("message", "contents"),
    [
        ("我是 Python 后端开发，公司用 AWS，回复要简洁", ["用户是 Python 后端开发", "用户的公司用 AWS", "回复要简洁"]),
        (
            "I'm a Python backend developer, my company uses AWS, keep replies short",
            ["The user is a Python backend developer", "The user's company uses AWS", "Keep replies short"],
        ),
        ("我喜欢咖啡，但不喜欢拿铁。", ["用户喜欢咖啡", "用户不喜欢拿铁"]),
        ("我是 Python 后端开发，帮我写一个接口", ["用户是 Python 后端开发"]),
        ("我是素食者，今晚吃什么好？", ["用户是素食者"]),
        ("我叫李雷，住在上海，你呢？", ["用户叫李雷", "用户住在上海"]),
        ("I live in Rome but I work in Milan.", ["The user lives in Rome", "The user works in Milan"]),
        ("I'm vegan, what should I cook?", ["The user is vegan"]),
        ("我住在上海。我住在上海。", ["用户住在上海"]),
    ],
)
def test_a_message_may_hold_several(message: str, contents: list[str]) -> None:
    assert [found.content for found in find_statements(message)] == contents


def test_a_statement_keeps_the_words_it_was_found_in() -> None:
    assert [found.quote for found in find_statements("另外，我妻子对花生过敏，公司用 AWS")] == [
        "我妻子对花生过敏",
        "公司用 AWS",
    ]


def test_types_tell_the_person_from_the_project_and_links() -> None:
    messages = ("我住在上海", "公司用 AWS", "记住：文档在 https://example.com/doc", "We use Kafka", "回复要简洁")
    assert [find_statements(message)[0].type for message in messages] == [
        "user",
        "project",
        "reference",
        "project",
        "feedback",
    ]


def test_without_a_date_at_hand_relative_days_stay_words() -> None:
    assert find_statements("我明天去北京出差")[0].content == "用户明天去北京出差"


def test_a_pasted_text_is_nobody_s_statement() -> None:
    assert find_statements("我住在上海。" * 400) == []


@pytest.mark.parametrize(
    "word", ["whenever ", "我是", "my wife and i ", "always never ", "记住", "我最近在", "but ", "“", "from now on, "]
)
def test_a_word_said_a_thousand_times_is_read_as_quickly_as_any_other(word: str) -> None:
    message = (word * 2000)[:1990]
    reading = threading.Thread(target=find_statements, args=(message,), daemon=True)
    reading.start()
    reading.join(60)

    assert not reading.is_alive()


@given(st.text(max_size=300))
def test_no_text_makes_it_fail(text: str) -> None:
    for found in find_statements(f"我{text}，I like {text}", MONDAY):
        assert found.content.strip()
