"""A bad line of our own format never stops the good ones, and is told with its number and why."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings

from memories.models import Agent, Memory, MemoryRevision
from memories.transfer.lines import LONGEST
from tests.factories import make_agent, make_memory
from tests.memories.transfer.files import bring_in, check, export, join, lines_of
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


@pytest.fixture
def good(agent: Agent, user: User) -> list[dict[str, Any]]:
    """Header, agent, type and eighteen memories, of which nothing is here any more."""
    for number in range(18):
        make_memory(agent, f"Fact {number}")
    lines = lines_of(export(user))
    Memory.objects.all().delete()
    return lines


def memory_with(good: list[dict[str, Any]], **columns: Any) -> dict[str, Any]:
    return deepcopy(good[-1]) | {"uid": str(uuid4())} | columns


@pytest.mark.parametrize(
    ("columns", "reason", "details"),
    [
        ({"content": ""}, "empty", {"column": "content"}),
        ({"content": "…!"}, "empty", {"column": "content"}),
        ({"content": "x" * 10_001}, "too_long", {"column": "content", "most": 10_000}),
        ({"content": 5}, "wrong_type", {"column": "content"}),
        ({"title": "x" * 201}, "too_long", {"column": "title", "most": 200}),
        ({"category": "kept"}, "unknown_choice", {"column": "category", "value": "kept"}),
        ({"type": "nobody-knows"}, "unknown_choice", {"column": "type", "value": "nobody-knows"}),
        ({"type": None}, "wrong_type", {"column": "type"}),
        ({"importance": 9}, "unknown_choice", {"column": "importance", "value": "9"}),
        ({"importance": True}, "wrong_type", {"column": "importance"}),
        ({"version": 2**40}, "wrong_type", {"column": "version"}),
        ({"version": 2**31 - 1}, "wrong_type", {"column": "version"}),
        ({"proof_count": 2**31 - 1}, "wrong_type", {"column": "proof_count"}),
        ({"recall_count": -1}, "wrong_type", {"column": "recall_count"}),
        ({"pinned": "yes"}, "wrong_type", {"column": "pinned"}),
        ({"tags": "tea"}, "wrong_type", {"column": "tags"}),
        ({"tags": [1]}, "wrong_type", {"column": "tags"}),
        ({"metadata": []}, "wrong_type", {"column": "metadata"}),
        ({"created_at": "yesterday"}, "bad_date", {"column": "created_at"}),
        ({"created_at": "2026-02-30T00:00:00Z"}, "bad_date", {"column": "created_at"}),
        ({"created_at": "2026-02-20"}, "bad_date", {"column": "created_at"}),
        ({"valid_to": "0001-01-01T00:00:00+14:00"}, "bad_date", {"column": "valid_to"}),
        ({"valid_to": "9999-12-31T23:59:59Z"}, "bad_date", {"column": "valid_to"}),
        ({"created_at": "0001-01-01T00:00:00Z"}, "bad_date", {"column": "created_at"}),
        ({"created_at": 5}, "bad_date", {"column": "created_at"}),
        ({"uid": "12"}, "no_uid", {"column": "uid"}),
        ({"agent": None}, "no_uid", {"column": "agent"}),
        ({"agent": "00000000-0000-4000-8000-000000000000"}, "no_agent", {}),
        ({"user": 7}, "wrong_type", {"column": "user"}),
        ({"conversation": 12}, "wrong_type", {"column": "conversation"}),
        ({"messages": ["12"]}, "wrong_type", {"column": "messages"}),
        ({"messages": "12"}, "wrong_type", {"column": "messages"}),
        ({"job": "x" * 36 + "/1"}, "wrong_type", {"column": "job"}),
    ],
)
def test_a_memory_that_can_not_be_kept_is_told(
    user: User, good: list[dict[str, Any]], columns: dict[str, Any], reason: str, details: dict[str, Any]
) -> None:
    content = join(*good[:10], memory_with(good, **columns), *good[10:])

    report = bring_in(user, content)
    assert report.outcome == {"restore": 18, "invalid": 1}
    line = report.lines.get(outcome="invalid")
    assert (line.line, line.reason, line.details) == (11, reason, details)
    assert Memory.objects.count() == 18


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"record": "memory", "uid":', "not_json"),
        ("nonsense", "not_json"),
        ("[" * 5000, "not_json"),
        ("[1]", "not_an_object"),
        ("null", "not_an_object"),
        ('{"record": "spell"}', "unknown_record"),
        ('{"metadata": NaN}', "unknown_record"),
        ('{"record": "revision", "uid": "x"}', "no_uid"),
        ('{"record": "agent", "uid": "x", "name": "X"}', "no_uid"),
        (
            '{"record": "agent", "uid": "00000000-0000-4000-8000-000000000000", "name": "X", "top_k": 9999}',
            "wrong_type",
        ),
        (
            '{"record": "agent", "uid": "00000000-0000-4000-8000-000000000000", "name": "X", "temperature": 1%s}'
            % ("0" * 400),
            "wrong_type",
        ),
        ('{"record": "type", "key": "no blanks", "name": "X"}', "wrong_type"),
        (json.dumps({"record": "memory"}), "no_uid"),
        ("9" * 5000, "not_json"),
    ],
)
def test_a_line_that_is_no_memory_is_told(user: User, good: list[dict[str, Any]], line: str, reason: str) -> None:
    report = bring_in(user, join(*good[:10], line, *good[10:]))
    assert report.outcome == {"restore": 18, "invalid": 1}
    assert report.lines.get(outcome="invalid").reason == reason


def test_marks_line_ends_and_half_characters_are_no_faults(user: User, good: list[dict[str, Any]]) -> None:
    odd = memory_with(good, content="half \ud83d and nul \0 gone")
    content = b"\xef\xbb\xbf" + join(*good, "", json.dumps(odd)).replace(b"\n", b"\r\n").rstrip(b"\r\n")

    assert bring_in(user, content).outcome == {"restore": 19}
    assert Memory.objects.get(uid=odd["uid"]).content == "half  and nul  gone"


def test_a_line_that_is_no_utf8_is_told(user: User, good: list[dict[str, Any]]) -> None:
    content = join(*good[:10]) + '{"record": "memory", "content": "花生"}\n'.encode("gbk") + join(*good[10:])
    report = bring_in(user, content)
    assert (report.outcome, report.lines.get(outcome="invalid").reason) == ({"restore": 18, "invalid": 1}, "not_utf8")


def test_a_line_of_fifty_megabytes_is_stepped_over(user: User, good: list[dict[str, Any]]) -> None:
    path = settings.DATA_DIR / "huge"
    with path.open("wb") as file:
        file.write(join(*good[:10]))
        file.write(b'{"record": "memory", "content": "')
        for _megabyte in range(50):
            file.write(b"x" * 1024**2)
        file.write(b'"}\n' + join(*good[10:]))

    report = bring_in(user, path)
    assert LONGEST < 50 * 1024**2
    assert report.outcome == {"restore": 18, "invalid": 1}
    line = report.lines.get(outcome="invalid")
    assert (line.line, line.reason) == (11, "line_too_long")
    path.unlink()


def test_an_id_that_the_file_has_twice_counts_once(user: User, good: list[dict[str, Any]]) -> None:
    twice = good[-1] | {"content": "Another fact"}
    report = bring_in(user, join(*good, twice))
    line = report.lines.get(outcome="invalid")
    assert (line.reason, line.details) == ("same_uid", {"line": len(good)})
    assert Memory.objects.get(uid=twice["uid"]).content == "Fact 17"


def test_memories_that_replace_each_other_in_a_circle_come_in_without(user: User, good: list[dict[str, Any]]) -> None:
    circle = [memory_with(good, content=f"Circle {number}") for number in range(3)]
    for number, memory in enumerate(circle):
        memory["superseded_by"] = circle[(number + 1) % 3]["uid"]
    itself = memory_with(good, content="Itself")
    itself["superseded_by"] = itself["uid"]
    lost = memory_with(good, content="Lost", superseded_by=str(uuid4()))
    content = join(*good, *circle, itself, lost)

    report = check(user, content)
    assert report.lines.filter(reason="circle").count() == 4
    bring_in(user, content)
    assert Memory.objects.filter(superseded_by__isnull=False).count() == 2  # the third would close the circle
    assert Memory.objects.count() == 23


def test_a_successor_that_is_somebody_elses_is_none(user: User, good: list[dict[str, Any]]) -> None:
    theirs = make_memory(make_agent(), "The successor of nobody")
    bring_in(user, join(*good[:-1], good[-1] | {"superseded_by": str(theirs.uid)}))
    assert Memory.objects.get(uid=good[-1]["uid"]).superseded_by is None


def test_a_bad_revision_leaves_its_memory_and_the_other_revisions(user: User, good: list[dict[str, Any]]) -> None:
    base = {"record": "revision", "memory": good[-1]["uid"], "user": None, "action": "edited", "actor": "person"}
    base |= {"at": "2026-01-01T00:00:00.000000Z", "before": {"content": "Former fact"}}
    lines = [
        base | {"uid": str(uuid4())},
        base | {"uid": str(uuid4()), "action": "burnt"},
        base | {"uid": str(uuid4()), "before": {"valid_to": "never"}},
        base | {"uid": str(uuid4()), "before": []},
        base | {"uid": str(uuid4()), "memory": str(uuid4())},
    ]
    report = bring_in(user, join(*good, *lines))
    assert report.outcome == {"restore": 18, "invalid": 4}
    assert MemoryRevision.objects.get().before == {"content": "Former fact"}


def test_a_file_of_a_newer_version_is_refused_whole(user: User, good: list[dict[str, Any]]) -> None:
    report = check(user, join(good[0] | {"version": 2}, *good[1:]))
    assert (report.state, report.error) == ("failed", "newer_version")


def test_a_file_makes_no_more_types_than_anybody_needs(user: User, good: list[dict[str, Any]]) -> None:
    types = [{"record": "type", "key": f"made-{number}", "name": f"Made {number}"} for number in range(60)]
    memories = [memory_with(good, type=f"made-{number}") for number in range(60)]
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.refresh_from_db()
    report = bring_in(user, join(*good, *types, *memories))
    assert report.outcome == {"restore": 68, "invalid": 10}
    assert set(report.lines.filter(outcome="invalid").values_list("reason", flat=True)) == {"too_many_new"}
