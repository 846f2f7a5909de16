"""What a file claims of a memory's past: it leads to no row of somebody else, and breaks no page."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from memories import changes
from memories.drafts import Origin
from memories.merging import merge
from memories.models import Agent, Memory, MemoryRevision
from memories.transfer.targets import uid_for
from tests.factories import make_agent, make_memory, make_user
from tests.memories.transfer.files import bring_in, export, join, lines_of
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, is_shared=True)


@pytest.fixture
def lines(agent: Agent, user: User) -> list[dict[str, Any]]:
    """Header, agent, type and one memory, which is here no more."""
    make_memory(agent, "The user drinks tea")
    lines = lines_of(export(user))
    Memory.objects.all().delete()
    return lines


def revision_with(lines: list[dict[str, Any]], **columns: Any) -> dict[str, Any]:
    plain = {"record": "revision", "uid": str(uuid4()), "memory": lines[-1]["uid"], "user": None}
    plain |= {"action": "edited", "actor": "person", "at": "2026-01-01T00:00:00.000000Z", "before": {}}
    return plain | columns


def by_hand(user: User) -> Origin:
    return Origin("person", "manual", user.pk)


@pytest.mark.parametrize("column", ["user_id", "agent_id", "id", "uid", "content_hash", "embedded_with"])
def test_no_history_moves_a_memory(agent: Agent, user: User, lines: list[dict[str, Any]], column: str) -> None:
    other = make_memory(agent, "The stranger drinks coffee", user=make_user())
    theirs = {"user_id": other.user_id, "agent_id": make_agent().pk, "id": other.pk, "uid": str(uuid4())}
    past = {column: theirs.get(column, "e5-384"), "title": "Tea"}
    bring_in(user, join(*lines, revision_with(lines, before=past)))
    memory = Memory.objects.get(user=user)
    was = Memory.objects.filter(pk=memory.pk).values("id", "uid", "agent_id", "user_id").get()

    changes.undo(memory.revisions.get(action="edited"), by_hand(user))
    assert Memory.objects.filter(pk=memory.pk).values("id", "uid", "agent_id", "user_id").get() == was
    assert Memory.objects.get(pk=memory.pk).title == "Tea"
    other.refresh_from_db()
    assert other.content == "The stranger drinks coffee"


def test_no_history_reaches_into_anothers_memory(agent: Agent, user: User, lines: list[dict[str, Any]]) -> None:
    """Taking back that a merge was taken back has the other memory changed, too."""
    stranger = make_user()
    theirs = make_memory(agent, "The stranger drinks coffee", user=stranger)
    taken = make_memory(agent, "The stranger likes coffee", user=stranger)
    undoing = changes.undo(merge(theirs, taken, by_hand(stranger)), by_hand(stranger)).revisions.order_by("-pk")[0]
    assert undoing.reason["undone"]
    merged = revision_with(lines, action="reinforced", reason={"rule": "merged_by_hand", "merged": taken.pk})
    parted = revision_with(
        lines, action="restored", reason={"undone": merged["uid"]}, before={"title": "Tea"}, at="2026-01-02T00:00:00Z"
    )
    bring_in(user, join(*lines, merged, parted))
    memory = Memory.objects.get(user=user)

    changes.undo(memory.revisions.get(action="restored"), by_hand(user))
    taken.refresh_from_db()
    assert taken.is_active


@pytest.mark.parametrize(
    "reason",
    [
        {"cosine": "near"},
        {"coverage": []},
        {"likelihood": None},
        {"likelihood": 10**400},
        {"rule": ["new"]},
        {"rule": "vetoed", "vetoes": 5},
        {"left_out": 5},
        {"kept_secrets": [[]]},
        {"source_lost": {}},
    ],
)
def test_a_reason_that_no_page_can_word_is_told(
    client: Client, user: User, lines: list[dict[str, Any]], reason: dict[str, Any]
) -> None:
    report = bring_in(user, join(*lines, revision_with(lines, reason=reason)))
    assert report.outcome == {"restore": 1, "invalid": 1}
    assert report.lines.get(outcome="invalid").details == {"column": "reason"}


@pytest.mark.parametrize("name", ["nearest", "supersedes", "merged", "undone", "rewound", "split_from", "into"])
@pytest.mark.parametrize("value", [[1], {}, "x", 10**30, -1, True, "8eba0c84-7e52-4838-9a32-e2d6ae0ef700"])
def test_what_points_nowhere_breaks_no_page(
    client: Client, user: User, lines: list[dict[str, Any]], name: str, value: Any
) -> None:
    client.force_login(user)
    added = revision_with(lines, action="added", reason={"rule": "not_near", name: value})
    edited = revision_with(lines, action="reinforced", reason={name: value}, before={"title": "Tea"})
    report = bring_in(user, join(*lines, added, edited))
    assert report.outcome == {"restore": 1}

    memory = Memory.objects.get()
    assert client.get(reverse("memories:memory_detail", args=[memory.pk])).status_code == 200
    written = export(user)
    assert bring_in(user, written).outcome == {"ignore": 1}
    for revision in memory.revisions.order_by("-pk"):
        for way in ("memory_rewind", "memory_undo"):
            address = reverse(f"memories:{way}", args=[revision.pk])
            assert client.get(address).status_code == 200
            assert client.post(address).status_code in {302, 409, 422}


def test_no_history_says_what_waits_to_be_found(user: User, lines: list[dict[str, Any]]) -> None:
    report = bring_in(user, join(*lines, revision_with(lines, before={"title": "Tea", "superseded_by_uid": [1]})))
    assert (report.state, report.outcome) == ("done", {"restore": 1})
    assert MemoryRevision.objects.get().before == {"title": "Tea"}


@pytest.mark.parametrize("is_gone", [False, True])
def test_what_anothers_agent_tells_everybody_stays_as_it_is(
    agent: Agent, user: User, lines: list[dict[str, Any]], is_gone: bool
) -> None:
    theirs = make_memory(make_agent(is_shared=True), "The office opens at nine", user=None)
    if is_gone:
        changes.delete(theirs, by_hand(theirs.agent.owner))
    told = lines[-1] | {"uid": str(theirs.uid), "user": None, "content": "The office is closed"}
    told |= {"updated_at": "2036-01-01T00:00:00.000000Z"}
    for outcome in ("restore", "ignore"):
        report = bring_in(user, join(*lines[:-1], told), conflicts="file", brings_back=True)
        assert report.outcome == {outcome: 1}

    theirs = Memory.objects.get(pk=theirs.pk)
    assert (theirs.content, theirs.deleted_at is not None) == ("The office opens at nine", is_gone)
    copy = Memory.objects.get(agent=agent)
    assert (copy.content, copy.user) == ("The office is closed", None)
    assert report.lines.get().memory == copy


def test_an_id_that_somebody_took_beforehand_is_not_theirs(agent: Agent, lines: list[dict[str, Any]]) -> None:
    """Whoever knows the file can reckon which ids another person's copies will get."""
    file_uid, late = UUID(lines[-1]["uid"]), make_user()
    make_memory(agent, "The first one's", user=make_user(), uid=file_uid)
    trap = make_memory(agent, "A trap", user=make_user(), uid=uid_for(file_uid, late.pk))

    assert bring_in(late, join(*lines), conflicts="file").outcome == {"restore": 1}
    trap.refresh_from_db()
    assert trap.content == "A trap"
    assert Memory.objects.get(user=late).content == "The user drinks tea"


def test_an_agents_id_that_somebody_took_beforehand_is_not_theirs(agent: Agent, lines: list[dict[str, Any]]) -> None:
    late = make_user()
    Agent.objects.update(is_shared=False)
    trap = make_agent(uid=uid_for(agent.uid, late.pk), is_shared=True)
    assert bring_in(late, join(*lines)).outcome == {"restore": 1}
    assert not trap.memories.exists()
    assert Memory.objects.get(user=late).agent.owner == late


def test_a_merge_by_hand_can_be_taken_back_after_a_round_trip(agent: Agent, user: User) -> None:
    kept, other = make_memory(agent, "The user drinks tea"), make_memory(agent, "The user likes tea")
    merge(kept, other, by_hand(user))
    before = export(user)
    Memory.objects.all().delete()
    make_memory(agent, "Takes a number", user=make_user())
    bring_in(user, before)
    assert export(user) == before

    changes.undo(MemoryRevision.objects.get(action="reinforced"), by_hand(user))
    assert Memory.objects.get(uid=other.uid).is_active
