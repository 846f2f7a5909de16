import pytest

from memories import changes
from memories.history import Entry, find_taken_back, rewind_to
from memories.merging import merge
from memories.models import Agent, Memory, MemoryRevision, MemoryType
from tests.factories import make_agent
from tests.memories.histories import entries_of, keep, person
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def tell(entry: Entry) -> dict[str, str]:
    marks = {"same": "", "removed": "-", "added": "+", "skipped": "…"}
    return {
        change.name: "".join(f"{marks[piece.kind]}{piece.text}{marks[piece.kind]}" for piece in change.pieces)
        for change in entry.changes
    }


def test_each_change_tells_every_column_that_it_changed(agent: Agent) -> None:
    memory = keep(agent, "The user likes tea", tags=["drinks", "morning"])
    project = MemoryType.objects.get(key="project")
    columns = {
        "content": "The user likes green tea",
        "title": "Tea",
        "tags": ["drinks", "evening"],
        "type": project,
        "category": "episodic",
        "importance": 3,
        "pinned": True,
        "metadata": {"a": 1},
    }
    changes.edit(memory, columns, person(agent))
    changes.edit(memory, {"content": "The user likes black tea"}, person(agent))
    newest, edited, added = entries_of(memory)

    assert tell(newest) == {"content": "The user likes -green-+black+ tea"}
    assert tell(edited) == {
        "content": "The user likes +green +tea",
        "title": "+Tea+",
        "category": "-semantic-+episodic+",
        "type_id": "-User profile-+Project knowledge+",
        "tags": "-morning-drinks+evening+",
        "importance": "-medium-+high+",
        "pinned": "-no-+yes+",
        "metadata": '+{\n  "a": 1\n}+',
    }
    assert tell(added) == {}


def test_a_type_that_is_gone_since_is_said_to_be_so(agent: Agent) -> None:
    MemoryType.objects.create(key="gone", name="Gone")
    memory = keep(agent, "The user has a cat", type_key="gone")
    changes.edit(memory, {"type": MemoryType.objects.get(key="user")}, person(agent))
    MemoryType.objects.filter(key="gone").delete()

    assert tell(entries_of(memory)[0]) == {"type_id": "-a type that is gone-+User profile+"}


def test_an_undo_that_was_undone_lets_the_change_count_again(agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    changes.edit(memory, {"content": "The user likes milk"}, person(agent))
    edit = memory.revisions.get(action="edited")
    changes.undo(edit, person(agent))
    undone, edited, _added = entries_of(memory)
    assert (edited.was_undone, edited.can_undo) == (True, False)
    assert undone.undone == edit

    memory = changes.undo(undone.revision, person(agent))
    again, undone, edited, _added = entries_of(memory)
    assert memory.content == "The user likes milk"
    assert (edited.was_undone, undone.was_undone, again.was_undone) == (False, True, False)
    assert edited.can_undo
    assert changes.undo(edited.revision, person(agent)).content == "The user likes tea"


def test_an_undone_merge_is_split_and_joined_again_as_often_as_one_likes(agent: Agent) -> None:
    memory = keep(agent, "用户喜欢 Python")
    keep(agent, "用户偏好 Python 语言")
    both = {"用户喜欢 Python", "用户偏好 Python 语言"}
    for _round in range(2):
        changes.undo(entries_of(memory)[0].revision, person(agent))
        assert set(Memory.objects.active().values_list("content", flat=True)) == both
        changes.undo(entries_of(memory)[0].revision, person(agent))
        assert list(Memory.objects.active().values_list("content", flat=True)) == ["用户偏好 Python 语言"]


def test_what_was_split_off_and_edited_since_stays(agent: Agent) -> None:
    memory = keep(agent, "用户喜欢 Python")
    keep(agent, "用户偏好 Python 语言")
    changes.undo(entries_of(memory)[0].revision, person(agent))
    twin = Memory.objects.exclude(pk=memory.pk).get()
    changes.edit(twin, {"pinned": True}, person(agent))
    changes.undo(entries_of(memory)[0].revision, person(agent))

    assert Memory.objects.active().count() == 2


def test_only_what_differs_from_now_can_be_put_back(agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    changes.edit(memory, {"content": "The user likes milk"}, person(agent))
    keep(agent, "The user likes milk")
    heard, edited, added = entries_of(memory)

    assert (heard.can_rewind, edited.can_rewind, added.can_rewind) == (False, False, True)
    assert (heard.can_undo, edited.can_undo, added.can_undo) == (False, True, False)


def test_an_earlier_version_is_made_out_of_the_revisions(agent: Agent) -> None:
    memory = keep(agent, "One")
    for word in ("Two", "Three"):
        changes.edit(memory, {"content": word}, person(agent))
        keep(agent, word)
    memory.refresh_from_db()

    contents = [(rewind_to(memory, version) or {}).get("content") for version in range(5)]
    assert contents == [None, "One", "Two", "Three", None]


def test_two_made_one_by_hand_stand_apart_and_become_one_as_often_as_one_likes(agent: Agent) -> None:
    kept, other = keep(agent, "用户喜欢吃饺子", tags=["a"]), keep(agent, "用户养了一只猫", tags=["b"])
    merge(kept, other, person(agent))
    for _round in range(2):
        assert list(Memory.objects.active()) == [kept]
        changes.undo(entries_of(kept)[0].revision, person(agent))
        assert set(Memory.objects.active()) == {kept, other}
        kept.refresh_from_db()
        assert kept.tags == ["a"]
        changes.undo(entries_of(kept)[0].revision, person(agent))
        kept.refresh_from_db()
        assert kept.tags == ["a", "b"]


def test_a_thousand_changes_of_mind_are_read(agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    first = memory.revisions.get()
    for _time in range(1001):
        last = memory.revisions.order_by("-pk").values_list("pk", flat=True)[0]
        MemoryRevision.objects.create(memory=memory, action="undone", actor="person", reason={"undone": last})

    assert first.pk in find_taken_back(memory)
