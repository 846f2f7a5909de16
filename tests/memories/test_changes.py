from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from memories.changes import StaleError, delete, edit, restore, rewind, set_enabled, undo
from memories.gate import Draft, DraftError, Origin, write
from memories.models import Agent, Memory, MemoryType
from memories.recall import recall
from memories.tasks import embed_missing
from tests.factories import make_agent
from xiajiao.vectorstores import get_store

pytestmark = pytest.mark.django_db


def keep(agent: Agent, content: str, **columns: object) -> Memory:
    origin = Origin("agent", "tool", agent.owner_id, 7, [len(content)])
    return write(agent, agent.owner_id, Draft(content, **columns), origin).memory  # type: ignore[arg-type]


def known(agent: Agent, question: str) -> list[str]:
    return [item.memory.content for item in recall(agent, agent.owner_id, question).items]


def person(agent: Agent) -> Origin:
    return Origin("person", "manual", agent.owner_id)


def test_an_edit_writes_a_revision_of_what_changed_and_is_found_by_its_new_text() -> None:
    agent = make_agent()
    memory = keep(agent, "用户养了一只猫")
    project = MemoryType.objects.get(key="project")
    edited = edit(memory, {"content": " 用户养了一只柯基犬\x00 ", "type": project}, person(agent), memory.version)
    revision = edited.revisions.get(action="edited")

    assert (edited.content, edited.type, edited.version) == ("用户养了一只柯基犬", project, memory.version + 1)
    assert revision.before == {"content": "用户养了一只猫", "type_id": memory.type_id}
    assert (revision.actor, revision.user) == ("person", agent.owner)
    assert known(agent, "我的狗是什么品种？") == ["用户养了一只柯基犬"]
    assert get_store().count(f"memories:{agent.pk}:{agent.owner_id}@e5-384") == 1


def test_a_stale_edit_is_refused_with_the_row_as_it_stands_and_changes_nothing() -> None:
    agent = make_agent()
    memory = keep(agent, "The user has a cat")
    edit(memory, {"content": "The user has a cat named Milo"}, person(agent), memory.version)

    with pytest.raises(StaleError) as caught:
        edit(memory, {"content": "The user has a dog"}, person(agent), memory.version)
    assert caught.value.current.content == "The user has a cat named Milo"
    assert Memory.objects.get().content == "The user has a cat named Milo"


def test_hearing_the_same_again_makes_no_edit_stale() -> None:
    agent = make_agent()
    memory = keep(agent, "The user has a cat")
    write(agent, agent.owner_id, Draft("The user has a cat"), Origin("agent", "tool", message_ids=[99]))

    assert edit(memory, {"title": "Cat"}, person(agent), memory.version).title == "Cat"


def test_an_edit_without_a_change_leaves_no_trace() -> None:
    agent = make_agent()
    memory = keep(agent, "The user has a cat")

    assert edit(memory, {"content": "The user has a cat", "tags": []}, person(agent)).version == memory.version
    assert memory.revisions.count() == 1


def test_content_that_can_not_be_kept_is_refused() -> None:
    agent = make_agent()
    with pytest.raises(DraftError):
        edit(keep(agent, "The user has a cat"), {"content": " "}, person(agent))


def test_disabled_is_not_recalled_and_enabled_is_again() -> None:
    agent = make_agent()
    memory = keep(agent, "用户对花生过敏")

    set_enabled(memory, False, person(agent))
    assert known(agent, "我对什么过敏？") == []
    set_enabled(memory, True, person(agent))
    assert known(agent, "我对什么过敏？") == ["用户对花生过敏"]
    assert [revision.action for revision in memory.revisions.all()] == ["enabled", "disabled", "added"]


def test_deleted_is_gone_from_both_indexes_and_can_be_brought_back() -> None:
    agent = make_agent()
    memory = keep(agent, "用户对花生过敏")
    deleted = delete(memory, person(agent))

    assert deleted.deleted_at is not None
    assert get_store().count(f"memories:{agent.pk}:{agent.owner_id}@e5-384") == 0
    assert known(agent, "我对什么过敏？花生") == []
    assert restore(deleted, person(agent)).deleted_at is None
    assert known(agent, "我对什么过敏？") == ["用户对花生过敏"]
    assert [revision.action for revision in memory.revisions.all()] == ["restored", "deleted", "added"]


def test_undoing_a_merge_leaves_both_wordings_as_memories_of_their_own() -> None:
    agent = make_agent()
    memory = keep(agent, "用户喜欢 Python")
    keep(agent, "用户偏好 Python 语言")
    revision = memory.revisions.get(action="reinforced")
    restored = undo(revision, person(agent))

    assert (restored.content, restored.proof_count) == ("用户喜欢 Python", 1)
    assert set(Memory.objects.active().values_list("content", flat=True)) == {"用户喜欢 Python", "用户偏好 Python 语言"}
    split = Memory.objects.get(content="用户偏好 Python 语言")
    assert (split.conversation_id, split.message_ids) == (7, [revision.message_id])
    assert set(known(agent, "我喜欢什么语言？")) == {"用户喜欢 Python", "用户偏好 Python 语言"}

    undo(revision, person(agent))
    assert Memory.objects.count() == 2


def test_undoing_a_supersession_revives_the_old_one_and_keeps_the_new_one() -> None:
    agent = make_agent()
    old = keep(agent, "用户住在北京")
    keep(agent, "用户住在上海")
    revived = undo(old.revisions.get(action="superseded"), person(agent))

    assert (revived.valid_to, revived.superseded_by) == (None, None)
    assert set(known(agent, "我住在哪个城市？")) == {"用户住在北京", "用户住在上海"}
    assert revived.revisions.all()[0].action == "revived"


def test_undoing_an_addition_that_changed_meanwhile_revives_nothing() -> None:
    agent = make_agent()
    old = keep(agent, "用户住在北京")
    new = keep(agent, "用户住在上海")
    edit(new, {"pinned": True}, person(agent))
    with pytest.raises(StaleError):
        undo(new.revisions.get(action="added"), person(agent), new.version)
    assert Memory.objects.get(pk=old.pk).superseded_by == new

    undo(new.revisions.get(action="added"), person(agent), new.version + 1)
    assert list(Memory.objects.active()) == [old]


def test_undoing_one_change_keeps_later_changes_of_other_columns() -> None:
    agent = make_agent()
    memory = keep(agent, "The user has a cat")
    edit(memory, {"content": "The user has a dog"}, person(agent))
    edit(memory, {"pinned": True}, person(agent))
    first = memory.revisions.filter(action="edited").earliest("pk")

    undone = undo(first, person(agent))
    assert (undone.content, undone.pinned) == ("The user has a cat", True)


def test_a_memory_can_be_taken_back_to_any_of_its_revisions() -> None:
    agent, end = make_agent(), timezone.now() + timedelta(days=3)
    memory = keep(agent, "The user has a cat")
    edit(memory, {"content": "The user has a dog", "valid_to": end}, person(agent))
    second = memory.revisions.get(action="edited")
    edit(memory, {"content": "The user has a parrot", "valid_to": None, "title": "Pet"}, person(agent))

    rewound = rewind(second, person(agent))
    assert (rewound.content, rewound.valid_to, rewound.title) == ("The user has a dog", end, "")
    first = rewind(memory.revisions.get(action="added"), person(agent))
    assert (first.content, first.valid_to) == ("The user has a cat", None)


def test_going_back_skips_what_no_longer_exists() -> None:
    agent = make_agent()
    gone = MemoryType.objects.create(key="gone", name="Gone")
    memory = keep(agent, "The user has a cat", type_key="gone")
    edit(memory, {"type": MemoryType.objects.get(key="user"), "content": "The user has a dog"}, person(agent))
    gone.delete()

    undone = undo(memory.revisions.get(action="edited"), person(agent))
    assert (undone.content, undone.type.key) == ("The user has a cat", "user")


def test_an_edit_while_the_embedder_is_down_is_kept_and_its_vector_made_later(settings: Settings) -> None:
    agent = make_agent()
    memory = keep(agent, "用户养了一只猫")
    settings.EMBEDDER = "openai"  # without a key
    edited = edit(memory, {"content": "用户养了一只柯基犬"}, person(agent))

    assert edited.embedded_with == ""
    assert get_store().count(f"memories:{agent.pk}:{agent.owner_id}@e5-384") == 0
    settings.EMBEDDER = "e5"
    embed_missing()
    assert known(agent, "我的狗是什么品种？") == ["用户养了一只柯基犬"]
