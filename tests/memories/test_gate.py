from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from memories.gate import Decision, Draft, DraftError, Origin, write
from memories.models import Agent, Memory, MemoryRevision, MemoryType
from memories.search import Query, search_memories
from tests.factories import make_agent, make_user
from xiajiao import fulltext
from xiajiao.vectorstores import get_store

pytestmark = pytest.mark.django_db


def say(agent: Agent, content: str, message: int = 1, **columns: object) -> Decision:
    origin = Origin("agent", "tool", agent.owner_id, conversation_id=7, message_ids=[message])
    return write(agent, agent.owner_id, Draft(content, **columns), origin)  # type: ignore[arg-type]


def test_a_new_fact_is_added_with_its_provenance_a_revision_a_vector_and_full_text() -> None:
    agent = make_agent()
    decision = say(agent, "用户对花生过敏", quote="我花生过敏", tags=["健康"])
    memory, namespace = decision.memory, f"memories:{agent.pk}:{agent.owner_id}"

    assert decision.action == "added"
    assert (memory.conversation_id, memory.message_ids, memory.quote) == (7, [1], "我花生过敏")
    assert [revision.action for revision in memory.revisions.all()] == ["added"]
    assert memory.embedded_with == "e5-384"
    assert get_store().count(f"{namespace}@e5-384") == 1
    assert [hit.key for hit in fulltext.search([namespace], "花生", 5)] == [str(memory.pk)]


def test_the_same_text_again_is_ignored_and_counted_as_a_proof() -> None:
    agent = make_agent()
    first = say(agent, "用户住在上海").memory
    again = say(agent, "用户住在上海。", message=2)
    kept = Memory.objects.get()

    assert (again.action, again.memory.pk) == ("ignored", first.pk)
    assert (kept.proof_count, kept.message_ids, kept.content) == (2, [1, 2], "用户住在上海")
    assert kept.revisions.get(action="ignored").offered == "用户住在上海。"
    assert (kept.version, kept.updated_at) == (first.version, first.updated_at)


def test_the_same_message_told_twice_proves_nothing() -> None:
    agent = make_agent()
    say(agent, "用户住在上海")
    say(agent, "用户住在上海")

    assert Memory.objects.get().proof_count == 1
    assert MemoryRevision.objects.count() == 1


def test_the_same_fact_in_other_words_takes_the_newer_wording_and_keeps_the_older_one() -> None:
    agent = make_agent()
    old = say(agent, "用户喜欢 Python", tags=["代码"], pinned=True, importance=3, metadata={"a": 1}).memory
    decision = say(agent, "用户偏好 Python 语言", message=2, tags=["语言"], metadata={"b": 2})
    kept = Memory.objects.get()

    assert (decision.action, kept.pk, kept.content) == ("reinforced", old.pk, "用户偏好 Python 语言")
    assert (kept.proof_count, kept.message_ids, kept.tags) == (2, [1, 2], ["代码", "语言"])
    assert (kept.pinned, kept.importance, kept.metadata) == (True, 3, {"a": 1, "b": 2})
    assert kept.revisions.get(action="reinforced").before["content"] == "用户喜欢 Python"
    assert kept.version == old.version + 1
    assert found(agent, "偏好") == ["用户偏好 Python 语言"]


def test_another_value_of_the_same_attribute_ends_the_old_one_and_destroys_nothing() -> None:
    agent = make_agent()
    old = say(agent, "用户住在北京").memory
    decision = say(agent, "用户住在上海", message=2)
    old.refresh_from_db()

    assert (decision.action, decision.previous) == ("superseded", old)
    assert old.superseded_by == decision.memory
    assert old.valid_to is not None
    assert not old.is_active
    assert [revision.action for revision in old.revisions.all()] == ["superseded", "added"]
    assert decision.memory.revisions.get().reason["supersedes"] == old.pk
    assert found(agent, "用户住在哪里") == ["用户住在上海"]


def test_a_value_that_comes_back_is_kept_again() -> None:
    agent = make_agent()
    for message, city in enumerate(["北京", "上海", "北京"]):
        say(agent, f"用户住在{city}", message=message)

    assert [memory.content for memory in Memory.objects.active()] == ["用户住在北京"]
    assert Memory.objects.count() == 3


def test_what_has_ended_is_not_what_a_new_one_repeats() -> None:
    agent, now = make_agent(), timezone.now()
    say(agent, "用户住在上海", valid_to=now - timedelta(days=1))

    assert say(agent, "用户住在上海", message=2).action == "added"


def test_a_fact_that_is_yet_to_come_is_kept_once_and_again_when_it_holds() -> None:
    agent, later = make_agent(), timezone.now() + timedelta(days=30)
    say(agent, "用户住在上海", valid_from=later)

    assert say(agent, "用户住在上海", message=2, valid_from=later).action == "ignored"
    assert say(agent, "用户住在上海", message=3).action == "added"


def test_a_value_that_held_earlier_does_not_win_by_arriving_last() -> None:
    agent, now = make_agent(), timezone.now()
    current = say(agent, "用户住在上海", valid_from=now - timedelta(days=10)).memory
    late = say(agent, "用户住在北京", message=2, valid_from=now - timedelta(days=400)).memory

    assert list(Memory.objects.active()) == [current]
    assert (late.superseded_by, late.valid_to) == (current, current.valid_from)


def test_what_was_said_earlier_and_is_told_late_becomes_history() -> None:
    agent = make_agent()
    current = say(agent, "用户住在上海").memory
    before = timezone.now() - timedelta(days=400)
    former = say(agent, "用户住在北京", message=2, said_at=before).memory
    former.refresh_from_db()

    assert (former.created_at, former.superseded_by_id, former.valid_to) == (before, current.pk, current.created_at)
    assert list(Memory.objects.active()) == [current]


def test_an_older_wording_told_late_is_a_proof_and_rewords_nothing() -> None:
    agent = make_agent()
    say(agent, "用户喜欢 Python")
    before = timezone.now() - timedelta(days=400)
    decision = say(agent, "用户偏好 Python 语言", message=2, tags=["语言"], said_at=before)

    assert decision.action == "reinforced"
    kept = Memory.objects.get()
    assert (kept.content, kept.proof_count, kept.tags) == ("用户喜欢 Python", 2, ["语言"])


def test_what_is_over_ends_nothing_that_holds() -> None:
    agent, now = make_agent(), timezone.now()
    current = say(agent, "用户住在上海").memory
    say(agent, "用户住在北京", message=2, valid_to=now - timedelta(days=400))

    assert list(Memory.objects.active()) == [current]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("用户的手机号是 13812345678", "用户妈妈的手机号是 13812345679"),
        ("The user is allergic to peanuts", "The user's daughter starts school in September"),
        ("用户对花生过敏", "用户的女儿九月上小学"),
    ],
)
def test_facts_that_only_look_alike_both_stay(one: str, other: str) -> None:
    agent = make_agent()
    say(agent, one)

    assert say(agent, other, message=2).action == "added"
    assert set(Memory.objects.active().values_list("content", flat=True)) == {one, other}


def test_memories_of_others_and_of_other_agents_are_no_candidates() -> None:
    agent = make_agent()
    say(agent, "用户喜欢 Python")
    someone = make_user()
    elsewhere = write(agent, someone.pk, Draft("用户喜欢 Python"), Origin("agent", "tool"))

    assert elsewhere.action == "added"
    assert say(make_agent(owner=agent.owner), "用户喜欢 Python").action == "added"
    assert write(agent, None, Draft("用户喜欢 Python"), Origin("person", "manual")).action == "added"
    assert write(agent, None, Draft("用户喜欢 Python"), Origin("person", "manual")).action == "ignored"


def test_a_disabled_memory_is_not_what_a_new_one_repeats() -> None:
    agent = make_agent()
    first = say(agent, "用户住在上海").memory
    Memory.objects.filter(pk=first.pk).update(enabled=False)

    assert say(agent, "用户住在上海", message=2).action == "added"


def test_half_characters_and_nul_never_reach_the_database() -> None:
    memory = say(
        make_agent(),
        "用户\x00喜欢\ud83d\ude00和\ud83d茶",
        title="a\x00b",
        quote="\udc00茶",
        tags=["t\x00", "", "t"],
        metadata={"k\x00": ["v\ud800", float("nan")]},
    ).memory
    memory.refresh_from_db()

    assert (memory.content, memory.title, memory.quote) == ("用户喜欢😀和茶", "ab", "茶")
    assert (memory.tags, memory.metadata) == (["t"], {"k": ["v", None]})


@pytest.mark.parametrize("content", ["", " \n ", "\x00", "。", "x" * 10_001])
def test_what_can_not_be_kept_is_refused_and_leaves_nothing(content: str) -> None:
    with pytest.raises(DraftError):
        say(make_agent(), content)
    assert not Memory.objects.exists()


def test_an_unknown_type_or_category_is_refused() -> None:
    with pytest.raises(DraftError, match="nonsense"):
        say(make_agent(), "The user likes tea", type_key="nonsense")
    with pytest.raises(DraftError, match="semantic, episodic, procedural"):
        say(make_agent(), "The user likes tea", category="nonsense")


def test_without_an_embedder_a_fact_is_kept_and_recognised_by_its_words(settings: Settings) -> None:
    settings.EMBEDDER = "openai"  # without a key
    agent = make_agent()
    memory = say(agent, "The user works at Google").memory

    assert memory.embedded_with == ""
    assert say(agent, "the user works at google", message=2).action == "ignored"
    assert say(agent, "The user has two cats", message=3).action == "added"
    assert found(agent, "google") == ["The user works at Google"]


def test_admins_types_can_be_used() -> None:
    MemoryType.objects.create(key="environment", name="环境信息")

    assert say(make_agent(), "服务器有 64 GB 内存", type_key="environment").memory.type.key == "environment"


def found(agent: Agent, text: str) -> list[str]:
    return [each.memory.content for each in search_memories(agent, agent.owner_id, Query(text), 5)]
