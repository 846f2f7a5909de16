"""Memories of other systems, through the gate, from files of which every tenth entry is broken."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from memories import changes
from memories.gate import Draft, Origin, write
from memories.models import Agent, ImportedText, Memory, MemoryRevision
from tests.factories import make_agent, make_memory, make_user
from tests.memories.transfer.files import bring_in, check
from xiajiao.models import User

pytestmark = pytest.mark.django_db

FACTS = [
    "用户对花生过敏",
    "The user's sister lives in Berlin",
    "公司用 AWS",
    "The user has a parrot called Kiwi",
    "项目使用 PostgreSQL",
    "The user plays the cello on Sundays",
    "用户每天早上六点起床",
    "The office is on the ninth floor",
    "用户的车是蓝色的",
]


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


def item(number: int, memory: Any, **columns: Any) -> dict[str, Any]:
    return {
        "id": f"id-{number}",
        "memory": memory,
        "hash": "abc",
        "metadata": None,
        "created_at": "2024-07-20T01:30:36.275141-07:00",
        "updated_at": None,
        "user_id": "alice",
    } | columns


def mem0(*items: Any, is_wrapped: bool = True, indent: int | None = 2) -> bytes:
    whole = {"results": list(items), "relations": [{"source": "x", "target": "y"}]} if is_wrapped else list(items)
    return json.dumps(whole, ensure_ascii=False, indent=indent).encode()


@pytest.mark.parametrize("is_wrapped", [True, False])
@pytest.mark.parametrize("indent", [None, 2])
def test_mem0_comes_in_whole_but_for_the_broken_items(
    user: User, agent: Agent, is_wrapped: bool, indent: int | None
) -> None:
    items = [item(number, fact) for number, fact in enumerate(FACTS)]
    content = mem0(*items[:5], item(99, {"not": "text"}), *items[5:], is_wrapped=is_wrapped, indent=indent)

    report = bring_in(user, content, agent)
    assert (report.format, report.outcome) == ("mem0", {"add": 9, "invalid": 1})
    assert report.forecast == report.outcome
    assert set(Memory.objects.values_list("content", flat=True)) == set(FACTS)
    memory = Memory.objects.get(content=FACTS[0])
    assert memory.created_at == datetime(2024, 7, 20, 8, 30, 36, 275141, tzinfo=UTC)
    assert (memory.source, memory.user, memory.agent) == ("import", user, agent)
    assert memory.revisions.get().actor == "import"
    assert memory.metadata["mem0"]["id"] == "id-0"
    assert memory.embedded_with == "e5-384"


def test_text_that_is_broken_in_the_middle_of_json_swallows_no_neighbour(user: User, agent: Agent) -> None:
    lines = [json.dumps(item(number, fact), ensure_ascii=False) for number, fact in enumerate(FACTS)]
    lines[2] = lines[2].replace('"公司用 AWS"', '"公司用 AWS')
    lines[5] = lines[5][:40]
    content = "[\n" + ",\n".join(lines) + "\n]"

    report = bring_in(user, content.encode(), agent)
    assert report.outcome == {"add": 7, "invalid": 2}
    assert list(report.lines.filter(outcome="invalid").values_list("line", "reason")) == [
        (4, "not_json"),
        (7, "not_json"),
    ]


def test_agents_and_categories_of_mem0_are_understood(user: User) -> None:
    mine = make_agent(owner=user, name="Coder")
    content = mem0(
        item(1, FACTS[0], agent_id="coder", categories=["健康", "语义记忆"], metadata={"topic": "food"}),
        item(2, "Keep replies short", agent_id="Writer", categories=["procedural"]),
        item(3, FACTS[1]),
    )
    report = check(user, content)
    assert report.makes["agents"] == ["Writer"]
    assert report.lines.get(forecast="invalid").reason == "no_agent"
    bring_in(user, content)
    memory = mine.memories.get()
    assert (memory.tags, memory.metadata["topic"]) == (["健康"], "food")
    rule = Agent.objects.get(name="Writer", owner=user).memories.get()
    assert (rule.category, rule.type.key) == ("procedural", "feedback")


def test_the_dry_run_tells_what_the_gate_will_do(user: User, agent: Agent) -> None:
    origin = Origin("agent", "tool", user.pk)
    for text in ("用户喜欢 Python", "用户今年 30 岁", "用户对花生过敏"):
        write(agent, user.pk, Draft(text, said_at=datetime(2020, 1, 1, tzinfo=UTC)), origin)
    texts = ["用户偏好 Python 语言", "用户今年 31 岁", "用户对花生过敏。", "公司用 AWS", "用户今年 32 岁", "公司用 AWS"]
    before = list(Memory.objects.order_by("pk").values())
    content = mem0(*(item(number, text) for number, text in enumerate(texts)))

    job = check(user, content, agent)
    forecast = list(job.lines.values_list("forecast", flat=True))
    assert forecast == ["reinforce", "supersede", "ignore", "add", "supersede", "ignore"]
    assert list(Memory.objects.order_by("pk").values()) == before
    assert not ImportedText.objects.exists()
    report = bring_in(user, content, agent)
    assert list(report.lines.values_list("outcome", flat=True)) == forecast


def test_importing_the_same_file_again_changes_nothing(user: User, agent: Agent) -> None:
    texts = [*FACTS, "用户今年 30 岁", "用户今年 31 岁", "用户喜欢 Python", "用户偏好 Python 语言", FACTS[0]]
    content = mem0(*(item(number, text) for number, text in enumerate(texts)))
    bring_in(user, content, agent)
    before = list(Memory.objects.order_by("pk").values())
    revisions = MemoryRevision.objects.count()

    report = bring_in(user, content, agent)
    assert report.forecast == report.outcome == {"ignore": len(texts)}
    assert list(Memory.objects.order_by("pk").values()) == before
    assert MemoryRevision.objects.count() == revisions


def test_an_old_file_unsays_nothing_newer(user: User, agent: Agent) -> None:
    current = write(agent, user.pk, Draft("用户住在上海"), Origin("agent", "tool", user.pk)).memory
    report = bring_in(user, mem0(item(1, "用户住在北京")), agent)

    assert report.lines.get().reason == "came_late"
    former = Memory.objects.get(content="用户住在北京")
    assert (former.is_active, former.superseded_by) == (False, current)
    assert Memory.objects.get(pk=current.pk).is_active


def test_what_came_in_and_was_deleted_comes_back_only_if_chosen(user: User, agent: Agent) -> None:
    content = mem0(item(1, FACTS[0]))
    bring_in(user, content, agent)
    changes.delete(Memory.objects.get(), Origin("person", "manual", user.pk))

    assert bring_in(user, content, agent).lines.get().reason == "deleted_here"
    assert bring_in(user, content, agent, brings_back=True).outcome == {"restore": 1}
    assert Memory.objects.kept().count() == 1


def test_staff_import_for_others_and_by_the_names_in_the_file(agent: Agent) -> None:
    admin, alice = make_user(is_staff=True), make_user(username="alice")
    content = mem0(item(1, FACTS[0]), item(2, FACTS[1], user_id="nobody"))
    assert bring_in(admin, content, agent, person=None).outcome == {"add": 1, "invalid": 1}
    assert Memory.objects.get().user == alice
    bring_in(admin, content, agent, person=agent.owner)
    assert Memory.objects.filter(user=agent.owner).count() == 2


def test_a_plain_person_imports_for_nobody_else(user: User, agent: Agent) -> None:
    make_user(username="alice")
    job = check(user, mem0(item(1, FACTS[0])), agent, person=make_user())
    assert job.person == user
    bring_in(user, mem0(item(1, FACTS[0])), agent, person=None)
    assert Memory.objects.get().user == user


def test_without_an_embedder_memories_come_in_and_get_their_vectors_later(
    user: User, agent: Agent, settings: Settings
) -> None:
    settings.EMBEDDER = "openai"  # without a key
    assert bring_in(user, mem0(item(1, FACTS[0])), agent).outcome == {"add": 1}
    assert Memory.objects.get().embedded_with == ""


def test_without_an_embedder_the_dry_run_still_sees_what_the_file_says_anew(
    user: User, agent: Agent, settings: Settings
) -> None:
    settings.EMBEDDER = "openai"  # without a key
    told = [item(1, "用户今年 30 岁"), item(2, "The user lives in Berlin"), item(3, "用户今年 31 岁")]
    told.append(item(4, "The user drinks green tea in the morning"))
    report = bring_in(user, mem0(*told), agent)
    assert report.forecast == report.outcome == {"add": 3, "supersede": 1}
    assert report.lines.get(forecast="supersede").line == report.lines.get(outcome="supersede").line


MEMORY_MD = """\
---
updated: 2026-01-01
---
# MEMORY

## 用户画像
- 用户是后端开发
  - 主要用 Python
- [x] 用户住在上海

## 回复规则
1. 回复要简洁
2) 不要用 emoji

## Project knowledge

The project uses PostgreSQL
and runs on AWS.

Deploy it with:
```sh
# not a heading

make deploy
```

<!-- a note
## for programs -->

## Recent

* Last Friday we fixed the login bug together
***
- !!!

## Links
"""


def test_sections_of_markdown_become_memories(user: User, agent: Agent) -> None:
    report = bring_in(user, MEMORY_MD.encode(), agent)
    assert (report.format, report.outcome) == ("sections", {"add": 7, "invalid": 1})
    rows = {
        memory.content: (memory.category, memory.type.key, memory.tags)
        for memory in Memory.objects.select_related("type")
    }
    assert rows == {
        "用户是后端开发\n  - 主要用 Python": ("semantic", "user", ["用户画像"]),
        "用户住在上海": ("semantic", "user", ["用户画像"]),
        "回复要简洁": ("procedural", "feedback", ["回复规则"]),
        "不要用 emoji": ("procedural", "feedback", ["回复规则"]),
        "The project uses PostgreSQL\nand runs on AWS.": ("semantic", "project", ["Project knowledge"]),
        "Deploy it with:\n```sh\n# not a heading\n\nmake deploy\n```": ("semantic", "project", ["Project knowledge"]),
        "Last Friday we fixed the login bug together": ("episodic", "user", ["Recent"]),
    }
    assert list(report.lines.values_list("line", flat=True)) == [7, 9, 12, 13, 17, 20, 32, 34]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_markdown_is_read_in_the_encodings_that_people_have(user: User, agent: Agent, encoding: str, end: str) -> None:
    text = f"## 用户画像{end}- 用户对花生过敏{end}- 用户住在上海"
    assert bring_in(user, text.encode(encoding), agent).outcome == {"add": 2}
    assert set(Memory.objects.values_list("content", flat=True)) == {"用户对花生过敏", "用户住在上海"}
    assert not Memory.objects.exclude(tags=["用户画像"]).exists()


def test_markdown_with_broken_lines_comes_in_but_for_those(user: User, agent: Agent) -> None:
    lines = [f"- {fact}".encode() for fact in FACTS]
    content = b"\n".join([b"# M", *lines[:4], b"- " + b"x" * 10_001, *lines[4:], b"- nul \0 inside", b"y" * 2_000_000])
    report = bring_in(user, content, agent)
    assert report.outcome == {"add": 10, "invalid": 2}
    assert set(report.lines.filter(outcome="invalid").values_list("reason", flat=True)) == {"too_long", "line_too_long"}
    assert Memory.objects.filter(content="nul  inside").exists()


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "empty_file"),
        (b"  \n ", "empty_file"),
        (b"just words", "unknown_format"),
        ("## 用户".encode("utf-16"), "utf16"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "unknown_format"),
        (b'{"a": 1}', "unknown_format"),
        (b"PK\x03\x04" + bytes(60), "packed"),
        (b"\x1f\x8b\x08" + bytes(60), "packed"),
        ("## User\n- The user likes tea".encode("utf-16-le"), "utf16"),
        ("## User\n- The user likes tea".encode("utf-16-be"), "utf16"),
        (bytes(4096), "unknown_format"),
    ],
)
def test_a_file_that_is_none_of_these_is_refused_with_the_reason(
    user: User, agent: Agent, content: bytes, error: str
) -> None:
    job = check(user, content, agent)
    assert (job.state, job.error) == ("failed", error)


def test_a_date_that_can_not_be_read_counts_as_none(user: User, agent: Agent) -> None:
    start = timezone.now()
    told = [item(1, FACTS[0], created_at="some day"), item(2, FACTS[1], created_at="0001-01-01")]
    report = bring_in(user, mem0(*told), agent)
    assert set(report.lines.values_list("reason", flat=True)) == {"no_date"}
    assert Memory.objects.filter(created_at__gte=start - timedelta(seconds=1)).count() == 2


def test_memories_of_others_are_no_candidates(user: User, agent: Agent) -> None:
    make_memory(agent, FACTS[0], user=make_user())
    assert check(user, mem0(item(1, FACTS[0])), agent).forecast == {"add": 1}


def test_objects_that_are_nested_without_end_are_stepped_over(user: User, agent: Agent) -> None:
    content = b"[" + b'{"id":' * 3000 + b"\n" + json.dumps(item(1, FACTS[0])).encode() + b"]"
    report = bring_in(user, content, agent)
    assert report.outcome["add"] == 1
    assert Memory.objects.get().content == FACTS[0]


def test_a_file_of_nothing_but_bad_lines_is_given_up(user: User, agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.transfer.importing.MOST_BAD", 200)
    job = check(user, mem0(*[item(number, 5) for number in range(700)]), agent)
    assert (job.state, job.error) == ("failed", "mostly_bad")
    assert job.lines.count() < 700


def test_code_that_is_never_closed_is_one_bad_block(user: User, agent: Agent) -> None:
    content = b"## A\n- " + FACTS[0].encode() + b"\n\n```\n" + b"a line of code\n" * 20_000
    report = bring_in(user, content, agent)
    assert report.outcome == {"add": 1, "invalid": 1}
    assert report.lines.get(outcome="invalid").reason == "too_long"
