"""What a chat model says of a pair counts where the guards leave it open, and destroys nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memories.changes import edit, undo
from memories.gate import Decision, Draft, Offer, Origin, settle, write
from memories.indexing import embed
from memories.judgement import Answer
from memories.models import Memory
from memories.opinions import Opinion
from memories.weighing import find_doubtful
from memories.wording import explain_reason
from tests.factories import make_agent

pytestmark = pytest.mark.django_db

ORIGIN = Origin("extraction", "extraction", message_ids=[1])
SAME = "用户喜欢吃饺子", "用户爱吃水饺"
CHANGED = "用户每天步行上班", "用户每天骑车上班"
# The guards tell them apart: figures, names, a denial, another person.
FORBIDDEN = [
    ("The user has three siblings", "The user has no siblings"),
    ("项目每两周一个迭代", "项目每三周一个迭代"),
    ("Dates are stored in UTC", "Dates are stored in local time"),
    ("用户喜欢喝茶", "用户的弟弟喜欢喝茶"),
    ("用户的手机号是 13800001111", "用户的手机号是 13800001112"),
]


def make_offer(old: str, new: str, **columns: object) -> tuple[Memory, Offer]:
    agent = make_agent()
    memory = write(agent, agent.owner_id, Draft(old), ORIGIN).memory
    draft = Draft(new, **columns)  # type: ignore[arg-type]
    return memory, Offer(agent, agent.owner_id, draft, ORIGIN, embed(new))


def settle_with(answer: Answer, memory: Memory, offer: Offer) -> Decision:
    opinion = Opinion(memory.pk, memory.version, answer, "gpt-x")
    return settle(Offer(offer.agent, offer.user_id, offer.draft, offer.origin, offer.embedded, [opinion]))


def test_the_same_in_other_words_becomes_one_and_can_be_parted() -> None:
    memory, offer = make_offer(*SAME)
    assert find_doubtful(offer) == [memory]
    decision = settle_with("same", memory, offer)
    assert (decision.action, decision.memory) == ("reinforced", memory)
    assert {name: decision.reason[name] for name in ("rule", "model", "answer", "judged")} == {
        "rule": "model_same",
        "model": "gpt-x",
        "answer": "same",
        "judged": "not_sure",
    }
    assert "gpt-x" in explain_reason(decision.reason)
    undo(memory.revisions.get(action="reinforced"), ORIGIN)
    assert {each.content for each in Memory.objects.active()} == set(SAME)


def test_a_newer_one_takes_the_place_of_the_older_one_that_stays_in_the_history() -> None:
    memory, offer = make_offer(*CHANGED)
    decision = settle_with("replaces", memory, offer)
    memory.refresh_from_db()
    assert (decision.action, decision.previous) == ("superseded", memory)
    assert (memory.content, memory.superseded_by) == (CHANGED[0], decision.memory)
    assert memory.revisions.get(action="superseded").reason["model"] == "gpt-x"
    assert [each.content for each in Memory.objects.active()] == [CHANGED[1]]


def test_where_both_hold_both_stay_and_the_reason_tells_who_said_so() -> None:
    memory, offer = make_offer(*CHANGED)
    decision = settle_with("both", memory, offer)
    assert (decision.action, decision.reason["rule"]) == ("added", "model_both")
    assert Memory.objects.active().count() == 2


@pytest.mark.parametrize("pair", FORBIDDEN)
def test_a_model_makes_no_one_fact_of_what_a_guard_tells_apart(pair: tuple[str, str]) -> None:
    memory, offer = make_offer(*pair)
    settle_with("same", memory, offer)
    memory.refresh_from_db()
    assert memory.content == pair[0]
    assert Memory.objects.filter(content=pair[1]).count() == 1


def test_what_is_said_of_one_person_never_ends_what_is_said_of_another() -> None:
    memory, offer = make_offer("用户喜欢喝茶", "用户的弟弟喜欢喝茶")
    decision = settle_with("replaces", memory, offer)
    assert (decision.action, decision.reason["rule"]) == ("added", "model_forbidden")
    assert Memory.objects.active().count() == 2


def test_what_once_happened_stays_true() -> None:
    agent = make_agent()
    memory = write(agent, agent.owner_id, Draft("用户去年去了京都", "episodic"), ORIGIN).memory
    new = "用户去年去了大阪"
    decision = settle_with("replaces", memory, Offer(agent, agent.owner_id, Draft(new, "episodic"), ORIGIN, embed(new)))
    assert decision.action == "added"
    assert Memory.objects.active().count() == 2


def test_of_a_memory_that_was_changed_meanwhile_an_opinion_says_nothing() -> None:
    memory, offer = make_offer(*SAME)
    edit(memory, {"content": "用户喜欢吃羊肉饺子"}, ORIGIN)
    decision = settle_with("same", memory, offer)
    assert decision.action == "added"
    assert "model" not in decision.reason
    assert {each.content for each in Memory.objects.active()} == {"用户喜欢吃羊肉饺子", SAME[1]}


def test_what_is_told_late_ends_nothing_newer() -> None:
    memory, offer = make_offer(*CHANGED, said_at=timezone.now() - timedelta(days=3))
    settle_with("replaces", memory, offer)
    assert list(Memory.objects.active()) == [memory]


def test_where_the_gate_is_sure_nobody_is_asked() -> None:
    for old, new in (
        ("用户住在北京", "用户搬到了上海"),
        ("用户喜欢 Python", "用户偏好 Python 语言"),
        ("用户对花生过敏", "团队每周三发版"),
    ):
        assert find_doubtful(make_offer(old, new)[1]) == []
