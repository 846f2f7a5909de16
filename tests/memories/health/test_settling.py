import pytest

from memories import changes, gate
from memories.chain import trace_chain
from memories.health.settling import SettledError, settle, take_back
from memories.health.sweeping import sweep
from memories.models import Finding, Memory
from memories.recall import recall
from tests.factories import make_agent
from tests.memories.health.keeping import BY_HAND, keep, open_findings

pytestmark = pytest.mark.django_db

DECLINED = "用户喜欢吃饺子", "用户爱吃水饺"
MOVED = "用户住在北京", "用户住在上海"


def find_pair(kind: str, texts: tuple[str, str]) -> tuple[Finding, Memory, Memory]:
    agent = make_agent()
    first = keep(agent, texts[0], tags=["a"], importance=3, message_ids=[1, 2], proof_count=2)
    second = keep(agent, texts[1], tags=["b"], pinned=True, message_ids=[2, 3], title="T", metadata={"k": 1})
    sweep(60)
    [finding] = open_findings(kind)
    assert (finding.memory, finding.other) == (first, second)
    return finding, first, second


def active() -> list[str]:
    return sorted(Memory.objects.active().values_list("content", flat=True))


def columns(memory: Memory) -> tuple[object, ...]:
    row = Memory.objects.get(pk=memory.pk)
    return row.content, row.tags, row.importance, row.pinned, row.message_ids, row.proof_count, row.title, row.metadata


@pytest.mark.parametrize(("decision", "kept"), [("first", 0), ("second", 1)])
def test_merged_memories_keep_one_wording_and_all_that_both_had(decision: str, kept: int) -> None:
    finding, *pair = find_pair("duplicate", DECLINED)
    settle(finding, decision, BY_HAND)

    assert active() == [DECLINED[kept]]
    memory = Memory.objects.get(content=DECLINED[kept])
    assert memory.pk == pair[kept].pk
    assert (set(memory.tags), memory.importance, memory.pinned) == ({"a", "b"}, 3, True)
    assert (set(memory.message_ids), memory.proof_count) == ({1, 2, 3}, 3)
    assert (memory.title, memory.metadata) == ("T", {"k": 1})
    revision = memory.revisions.get(action="reinforced")
    assert revision.offered == DECLINED[1 - kept]
    gone = Memory.objects.get(content=DECLINED[1 - kept])
    assert gone.superseded_by == memory
    assert [link.memory for link in trace_chain(memory)] == [gone, memory]


def test_the_wording_that_was_merged_is_found_no_more() -> None:
    finding, first, _second = find_pair("duplicate", DECLINED)
    settle(finding, "second", BY_HAND)

    found = recall(first.agent, first.agent.owner_id, "用户喜欢吃什么？").items
    assert [item.memory.content for item in found] == [DECLINED[1]]


@pytest.mark.parametrize("decision", ["first", "second"])
def test_a_merge_taken_back_leaves_both_as_they_were_and_asks_again(decision: str) -> None:
    finding, first, second = find_pair("duplicate", DECLINED)
    before = columns(first), columns(second)
    settle(finding, decision, BY_HAND)
    take_back(Finding.objects.get(pk=finding.pk), BY_HAND)

    assert (columns(first), columns(second)) == before
    assert active() == sorted(DECLINED)
    assert open_findings("duplicate") == [finding]
    sweep(60)
    assert open_findings("duplicate") == [finding]
    assert {m.content for m in Memory.objects.all()} == set(DECLINED)
    assert not Memory.objects.filter(embedded_with="").exists()


def test_a_merge_can_be_taken_back_from_the_memorys_own_history_too() -> None:
    finding, first, second = find_pair("duplicate", DECLINED)
    settle(finding, "first", BY_HAND)
    changes.undo(first.revisions.get(action="reinforced"), BY_HAND)

    assert active() == sorted(DECLINED)
    assert Memory.objects.count() == 2
    assert second.revisions.filter(action="revived").exists()


@pytest.mark.parametrize(("decision", "winner"), [("first", 0), ("second", 1)])
def test_of_two_that_contradict_each_other_one_takes_the_others_place(decision: str, winner: int) -> None:
    finding, *pair = find_pair("contradiction", MOVED)
    settle(finding, decision, BY_HAND)

    assert active() == [MOVED[winner]]
    loser = Memory.objects.get(pk=pair[1 - winner].pk)
    assert loser.superseded_by_id == pair[winner].pk
    assert loser.valid_to is not None
    take_back(Finding.objects.get(pk=finding.pk), BY_HAND)
    assert active() == sorted(MOVED)
    sweep(60)
    assert open_findings("contradiction") == [finding]


def test_what_both_hold_stays() -> None:
    finding, *_pair = find_pair("contradiction", MOVED)
    settle(finding, "keep", BY_HAND)
    assert active() == sorted(MOVED)
    assert not open_findings("contradiction")

    take_back(Finding.objects.get(pk=finding.pk), BY_HAND)
    assert open_findings("contradiction") == [finding]


def test_it_is_noted_who_decided_what() -> None:
    finding, first, _second = find_pair("duplicate", DECLINED)
    settle(finding, "first", gate.Origin("person", "manual", user_id=first.agent.owner_id))

    settled = Finding.objects.get(pk=finding.pk)
    assert (settled.settled_by, settled.decision) == (first.agent.owner, "first")
    assert first.revisions.get(action="reinforced").user == first.agent.owner


def test_nobody_settles_what_is_settled_or_has_changed() -> None:
    finding, first, _second = find_pair("duplicate", DECLINED)
    settle(finding, "keep", BY_HAND)
    with pytest.raises(SettledError):
        settle(finding, "first", BY_HAND)

    take_back(Finding.objects.get(pk=finding.pk), BY_HAND)
    Memory.objects.filter(pk=first.pk).update(enabled=False)
    with pytest.raises(SettledError):
        settle(finding, "first", BY_HAND)
    assert not Finding.objects.exists()
    assert active() == [DECLINED[1]]


def test_three_that_say_the_same_become_one() -> None:
    agent = make_agent()
    for text in ("用户对花生过敏", "用户吃花生会过敏", "用户对花生是过敏的"):
        keep(agent, text)
    sweep(60)
    while findings := open_findings("duplicate"):
        settle(findings[0], "first", BY_HAND)

    assert len(active()) == 1
    assert Memory.objects.active().get().proof_count == 3
