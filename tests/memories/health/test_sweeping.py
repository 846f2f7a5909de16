from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from memories import changes, gate
from memories.health.jobs import Scope
from memories.health.overview import read_looked
from memories.health.settling import settle
from memories.health.sweeping import SILENT, sweep
from memories.models import Finding, HealthState, Memory
from memories.tasks import embed_missing, look_for_doubts, look_for_doubts_now
from tests.factories import make_agent, make_memory, make_user
from tests.memories.health.keeping import BY_HAND, keep, open_findings

pytestmark = pytest.mark.django_db


def test_pairs_that_may_be_one_fact_are_found_with_the_older_one_first() -> None:
    agent = make_agent()
    older = keep(agent, "用户在小区门口开了一家面馆")
    newer = keep(agent, "用户在小区门口经营面馆")
    keep(agent, "用户对花生过敏")
    look_for_doubts()

    [finding] = open_findings("duplicate")
    assert (finding.memory, finding.other) == (older, newer)
    assert (finding.agent_id, finding.user_id) == (agent.pk, agent.owner_id)
    assert finding.details["rule"] == "not_sure"
    assert not Finding.objects.exclude(pk=finding.pk)


def test_facts_that_can_hardly_both_hold_are_found() -> None:
    agent = make_agent()
    old, new = keep(agent, "用户住在北京"), keep(agent, "用户住在上海")
    sweep(60)

    [finding] = open_findings("contradiction")
    assert (finding.memory, finding.other, finding.details["rule"]) == (old, new, "other_value")


def test_memories_of_other_people_and_agents_are_never_put_side_by_side() -> None:
    agent = make_agent()
    keep(agent, "用户对花生过敏")
    keep(agent, "用户对花生过敏", user_id=make_user().pk)
    keep(agent, "用户对花生过敏", user_id=None)
    keep(make_agent(owner=agent.owner), "用户对花生过敏")
    sweep(60)

    assert not Finding.objects.exists()


def test_only_what_changed_is_looked_at_again() -> None:
    agent = make_agent()
    first = keep(agent, "用户对花生过敏")
    keep(agent, "用户养了一只猫")
    assert sweep(60).looked == 2
    assert sweep(60).looked == 0

    changes.edit(first, {"content": "用户家里有一只猫"}, BY_HAND)
    assert sweep(60).looked == 1
    assert open_findings("duplicate")


def test_hearing_the_same_again_is_no_reason_to_look_again() -> None:
    agent = make_agent()
    keep(agent, "用户对花生过敏")
    sweep(60)
    gate.write(agent, agent.owner_id, gate.Draft("用户对花生过敏"), BY_HAND)

    assert sweep(60).looked == 0


def test_a_finding_goes_when_a_memory_of_it_says_something_else_or_counts_no_longer() -> None:
    agent = make_agent()
    first, second = keep(agent, "用户对花生过敏"), keep(agent, "用户吃花生会过敏")
    sweep(60)
    assert open_findings("duplicate")
    changes.edit(second, {"content": "用户喜欢爬山"}, BY_HAND)
    assert not open_findings("duplicate")

    changes.edit(second, {"content": "用户吃花生会过敏"}, BY_HAND)
    sweep(60)
    assert open_findings("duplicate")
    changes.set_enabled(first, False, BY_HAND)
    assert not open_findings("duplicate")


def test_what_a_person_settled_is_not_asked_again_unless_the_text_changes() -> None:
    agent = make_agent()
    keep(agent, "用户喜欢吃饺子")
    second = keep(agent, "用户爱吃水饺")
    sweep(60)
    [finding] = open_findings("duplicate")
    settle(finding, "keep", BY_HAND)
    changes.edit(second, {"importance": 3}, BY_HAND)
    assert sweep(60).looked == 1
    assert not open_findings("duplicate")

    changes.edit(second, {"content": "用户很爱吃水饺"}, BY_HAND)
    sweep(60)
    assert open_findings("duplicate")


def test_what_somebody_took_apart_again_is_not_put_side_by_side() -> None:
    agent = make_agent()
    gate.write(agent, agent.owner_id, gate.Draft("用户对花生过敏"), BY_HAND)
    merged = gate.write(agent, agent.owner_id, gate.Draft("用户吃花生会过敏"), BY_HAND)
    gate.write(agent, agent.owner_id, gate.Draft("用户住在北京"), BY_HAND)
    replaced = gate.write(agent, agent.owner_id, gate.Draft("用户住在上海"), BY_HAND)
    assert (merged.action, replaced.action) == ("reinforced", "superseded")
    assert replaced.previous is not None
    for memory, action in ((merged.memory, "reinforced"), (replaced.previous, "superseded")):
        changes.undo(memory.revisions.get(action=action), BY_HAND)
    sweep(60)

    assert Memory.objects.active().count() == 4
    assert not Finding.objects.exists()


def test_new_rules_have_everything_looked_at_again() -> None:
    keep(make_agent(), "用户对花生过敏")
    sweep(60)
    HealthState.objects.update(edition=0)

    assert sweep(60).looked == 1


def test_a_run_beside_another_one_does_nothing_until_that_has_died() -> None:
    keep(make_agent(), "用户对花生过敏")
    HealthState.objects.create(pk=1, heartbeat_at=timezone.now())
    assert sweep(60).is_busy
    HealthState.objects.update(heartbeat_at=timezone.now() - SILENT)

    assert sweep(60).looked == 1


def test_how_far_it_has_come_is_told_and_a_memory_without_a_vector_is_still_to_be_looked_at(
    settings: Settings,
) -> None:
    agent = make_agent()
    keep(agent, "用户对花生过敏")
    make_memory(agent, "用户养了一只猫")
    make_memory(make_agent(), "用户养了一只猫")
    scope = Scope(agent.owner)
    assert (read_looked(scope).left, read_looked(scope).finished_at) == (2, None)
    sweep(60)
    assert (read_looked(scope).left, read_looked(scope).finished_at) == (1, None)

    embed_missing()
    look_for_doubts_now()
    assert read_looked(scope).left == 0
    assert read_looked(scope).finished_at is not None


def test_a_long_look_lets_others_go_first_and_is_still_asked_for(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    agent = make_agent()
    keep(agent, "用户对花生过敏")
    monkeypatch.setattr("memories.tasks.A_SLICE", 0.0)
    with django_capture_on_commit_callbacks() as nudges:
        look_for_doubts_now()
    assert len(nudges) == 1
    assert read_looked(Scope(agent.owner)).is_asked

    monkeypatch.undo()
    with django_capture_on_commit_callbacks() as nudges:
        look_for_doubts_now()
    assert nudges == []
    assert not read_looked(Scope(agent.owner)).is_asked


def test_the_embedder_being_down_is_said_and_breaks_nothing(settings: Settings) -> None:
    agent = make_agent()
    keep(agent, "用户对花生过敏")
    settings.EMBEDDER = "no-such-embedder"
    look_for_doubts()

    looked = read_looked(Scope(agent.owner))
    assert "no-such-embedder" in looked.error
    assert not looked.is_running
