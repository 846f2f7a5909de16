"""The responder without a model: it answers from its prompt alone, keeps what is stated, and says what it is."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from xiajiao.llm import list_models, stream_reply
from xiajiao.llm.base import ChatRequest, RequestedCall, StepFinished, TextDelta
from xiajiao.llm.sources import OFFLINE

TOOLS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": name}} for name in ("memory_write", "memory_search")
]
CHINESE = """你是虾饺。

## [MEMORY]
以下是你对这位用户的记忆。
<agent-memories>
### 语义记忆
- [M12] 用户是 Python 后端开发
- [M13] 用户的公司用 AWS
### 程序性记忆
- [M14] 回复要简洁
</agent-memories>"""
DOCUMENTS = """You are Xiajiao.

## [MEMORY]
<agent-memories>
### Semantic memory
- [M3] The user likes dumplings
</agent-memories>

## Documents
Passages from documents that may answer the user.
<agent-documents>
[1] (doc: handbook (2).pdf, p. 3)
The office opens at nine. Holidays must be requested two weeks ahead. Ask your team lead.

[2] (doc: menu.md)
Dumplings are served on Fridays.

</agent-documents>"""
FOOTERS = ("离线模式：尚未连接模型。", "Offline mode: no model is connected.")


def ask(question: str, system: str = "", tools: Sequence[dict[str, Any]] = (), results: Sequence[str] = ()) -> str:
    """The final answer; tool calls of the first step get `results` in their order."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": question})
    text, calls = step(ChatRequest(messages, tools))
    if not calls:
        return text
    made = [{"id": call.id, "function": {"name": call.name, "arguments": call.arguments}} for call in calls]
    messages.append({"role": "assistant", "content": None, "tool_calls": made})
    messages += [
        {"role": "tool", "tool_call_id": call.id, "content": result}
        for call, result in zip(calls, results, strict=True)
    ]
    text, calls = step(ChatRequest(messages, tools))
    assert calls == ()
    return text


def step(request: ChatRequest) -> tuple[str, tuple[RequestedCall, ...]]:
    events = list(stream_reply(OFFLINE, request))
    finished = events[-1]
    assert isinstance(finished, StepFinished)
    assert finished.usage is None
    return "".join(event.text for event in events if isinstance(event, TextDelta)), finished.calls


def calls_for(question: str, tools: Sequence[dict[str, Any]] = TOOLS) -> list[tuple[str, dict[str, Any]]]:
    _text, calls = step(ChatRequest([{"role": "user", "content": question}], tools))
    return [(call.name, json.loads(call.arguments)) for call in calls]


def test_recalled_memories_are_quoted_with_their_numbers() -> None:
    answer = ask("我用什么编程语言？", CHINESE, TOOLS)

    assert "用户是 Python 后端开发 [M12]" in answer
    assert "回复要简洁" not in answer


def test_words_of_the_question_decide_where_they_can() -> None:
    answer = ask("AWS", CHINESE)

    assert "[M13]" in answer
    assert "[M12]" not in answer


def test_how_the_user_wants_answers_is_quoted_when_it_is_asked_for() -> None:
    assert "回复要简洁 [M14]" in ask("回复要怎样？", CHINESE)


def test_passages_are_quoted_from_where_they_fit_and_cited() -> None:
    answer = ask("How far ahead must holidays be requested?", DOCUMENTS)

    assert "Holidays must be requested two weeks ahead. Ask your team lead." in answer
    assert "[1] handbook (2).pdf, p. 3" in answer
    assert "opens at nine" not in answer
    assert "agent-documents" not in ask("On which day are dumplings served?", DOCUMENTS)


@pytest.mark.parametrize(("question", "words"), [("我几岁？", "没有找到"), ("How old am I?", "found nothing")])
def test_without_anything_that_fits_it_says_so(question: str, words: str) -> None:
    assert words in ask(question, "You are Xiajiao.")


def test_statements_are_kept_by_tool_calls() -> None:
    assert calls_for("我是 Python 后端开发，公司用 AWS，回复要简洁") == [
        ("memory_write", {"content": "用户是 Python 后端开发", "category": "semantic", "type": "user"}),
        ("memory_write", {"content": "用户的公司用 AWS", "category": "semantic", "type": "project"}),
        ("memory_write", {"content": "回复要简洁", "category": "procedural", "type": "feedback"}),
    ]


def test_ids_of_calls_are_their_own() -> None:
    request = ChatRequest([{"role": "user", "content": "我住在上海，公司用 AWS"}], TOOLS)
    ids = [call.id for _ in range(2) for call in step(request)[1]]

    assert len(set(ids)) == 4


def test_nothing_is_written_where_the_tool_is_not_offered() -> None:
    text, calls = step(ChatRequest([{"role": "user", "content": "我住在上海"}]))

    assert calls == ()
    assert "记住了" not in text


def test_what_was_kept_known_or_replaced_is_said_in_words() -> None:
    results = [
        "Remembered: [M1] 用户是 Python 后端开发 (semantic, user)",
        "Known already: [M2] 用户的公司用 AWS (semantic, project)",
        "Remembered: [M3] 回复要简洁 (procedural, feedback)\nIt replaces [M9] 回复要（尽量）详细 (procedural, user)",
    ]
    answer = ask("我是 Python 后端开发，公司用 AWS，回复要简洁", CHINESE, TOOLS, results)

    assert "- 记住了：用户是 Python 后端开发 [M1]\n" in answer
    assert "- 这个我已经知道：用户的公司用 AWS [M2]\n" in answer
    assert "- 记住了：回复要简洁 [M3]（取代了“回复要（尽量）详细”）\n" in answer
    assert "我记得" not in answer


def test_a_write_that_failed_is_not_called_remembered() -> None:
    answer = ask("I'm vegan", "", TOOLS, ["content must not hold a key."])

    assert "Not remembered: content must not hold a key." in answer
    assert "- Remembered" not in answer


def test_a_statement_with_a_question_gets_both() -> None:
    answer = ask(
        "公司用 AWS，我用什么编程语言？", CHINESE, TOOLS, ["Known already: [M13] 用户的公司用 AWS (semantic, project)"]
    )

    assert "这个我已经知道" in answer
    assert "用户是 Python 后端开发 [M12]" in answer


@pytest.mark.parametrize(
    "question", ["列出你记住的关于我的所有信息", "你记住了我什么？", "What do you remember about me?"]
)
def test_all_that_is_remembered_is_looked_up_and_listed(question: str) -> None:
    assert calls_for(question) == [("memory_search", {"query": "", "top_k": 50})]

    found = "[M1] 用户住在上海 (semantic, user)\n[M2] a (b) c (procedural, feedback, title: x)\n"
    answer = ask(question, "", TOOLS, [found + "Page 1 of 2, 57 memories in all; page=2 goes on."])
    assert "- 用户住在上海 [M1]\n- a (b) c [M2]\n" in answer
    assert "57" in answer


def test_an_empty_memory_is_said_to_be_empty() -> None:
    assert "还没有记住" in ask("列出你记住的", "", TOOLS, ["Nothing is remembered yet."])


@pytest.mark.parametrize("question", ["忘记我住在上海这件事", "Forget that I live in Shanghai"])
def test_forgetting_shows_what_fits_and_where_to_delete_it(question: str) -> None:
    name, arguments = calls_for(question)[0]
    assert name == "memory_search"
    assert "上海" in str(arguments["query"]) or "Shanghai" in str(arguments["query"])

    answer = ask(question, "", TOOLS, ["[M1] 用户住在上海 (semantic, user, 0.87)"])
    assert "用户住在上海 [M1]" in answer
    assert "记忆”页面" in answer or "Memories page" in answer


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Forget everything about Milo", "Milo"),
        ("please delete all you know about my old job.", "my old job"),
        ("忘掉关于糯米的一切", "糯米"),
        ("请忘记与我的旧工作有关的所有事", "我的旧工作"),
    ],
)
def test_to_forget_everything_about_something_is_proposed(question: str, subject: str) -> None:
    tools = [*TOOLS, {"type": "function", "function": {"name": "memory_forget"}}]
    assert calls_for(question, tools) == [("memory_forget", {"about": subject})]
    found = ask(question, "", tools, ["The user is asked to confirm:\n[M1] 用户的猫叫糯米 (semantic, user)"])
    nothing = ask(question, "", tools, ["No memory holds these words."])

    assert "under this answer" in found or "这条回答下方" in found
    assert "under this answer" not in nothing
    assert "这条回答下方" not in nothing


@pytest.mark.parametrize(
    ("question", "words"), [("你好！", "我会记住"), ("hello", "I will remember"), ("谢谢", "不客气")]
)
def test_a_greeting_gets_a_short_answer_without_memories(question: str, words: str) -> None:
    answer = ask(question, CHINESE, TOOLS)

    assert words in answer
    assert "[M1" not in answer


@pytest.mark.parametrize("question", ["我用什么语言？", "你好", "Write a poem", "谢谢", "列出你记住的", "我住在上海"])
def test_every_answer_says_once_at_its_end_that_no_model_is_connected(question: str) -> None:
    answer = ask(question, CHINESE)

    assert answer.endswith(FOOTERS)
    assert sum(answer.count(footer) for footer in FOOTERS) == 1


def test_an_earlier_turn_s_tool_results_are_not_this_turn_s() -> None:
    call = {"id": "c1", "function": {"name": "memory_write", "arguments": "{}"}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "我住在上海"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "Remembered: [M1] 用户住在上海 (semantic, user)"},
        {"role": "assistant", "content": "记住了。"},
        {"role": "user", "content": "我喜欢虾饺"},
    ]
    text, calls = step(ChatRequest(messages, TOOLS))

    assert text == ""
    assert [json.loads(call.arguments)["content"] for call in calls] == ["用户喜欢虾饺"]


def test_answers_come_in_small_deltas() -> None:
    events = list(stream_reply(OFFLINE, ChatRequest([{"role": "user", "content": "How old am I?"}])))

    assert len(events) > 10


def test_the_memory_section_may_stand_in_a_second_system_message() -> None:
    messages = [
        {"role": "system", "content": "You are Xiajiao."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "Hello!"},
        {"role": "system", "content": CHINESE},
        {"role": "user", "content": "公司用什么云？"},
    ]

    assert "[M13]" in step(ChatRequest(messages, TOOLS))[0]


def test_it_is_a_model_of_its_own_name() -> None:
    assert list_models(OFFLINE) == ["offline"]
