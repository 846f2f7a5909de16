from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from memories.models import Memory, MemoryType
from memories.tasks import finish_type_removals, remove_type
from memories.type_removal import AT_ONCE
from tests.factories import make_agent, make_memory, make_user
from tests.memories.test_types import make_type
from xiajiao.models import User

pytestmark = pytest.mark.django_db

LIST, ADD = "/memories/types/", "/memories/types/add/"


@pytest.fixture
def staff(user: User, signed_in: Client) -> Client:
    user.is_staff = True
    user.save()
    return signed_in


def fields(**changed: Any) -> dict[str, Any]:
    known = {"name": "Pets", "key": "pets", "description": "Animals", "default_category": "episodic"}
    return known | {"icon": "paw-print", "colour": "teal"} | changed


def remove(client: Client, memory_type: MemoryType, target: MemoryType | None, **headers: str) -> Any:
    values = {"target": target.pk} if target else {}
    return client.post(reverse("memories:type_delete", args=[memory_type.pk]), values, headers=headers)


def test_everybody_sees_the_types_and_only_administrators_change_them(signed_in: Client) -> None:
    own = make_type()
    page = signed_in.get(LIST)

    assert page.status_code == 200
    assert "Administrators add and change them." in page.text
    assert "/memories/types/add/" not in page.text
    for address in (ADD, f"{LIST}{own.pk}/", f"{LIST}{own.pk}/delete/"):
        assert signed_in.get(address).status_code == 403
        assert signed_in.post(address, fields()).status_code == 403
    assert MemoryType.objects.filter(is_system=False).get().name == "Pets"


def test_an_administrator_adds_and_changes_a_type(staff: Client) -> None:
    staff.post(ADD, fields())
    own = MemoryType.objects.get(key="pets")
    assert (own.icon, own.colour, own.default_category, own.is_system) == ("paw-print", "teal", "episodic", False)

    staff.post(f"{LIST}{own.pk}/", fields(name="Animals", key="animals", colour="pink"))
    own.refresh_from_db()
    assert (own.key, own.name, own.colour) == ("animals", "Animals", "pink")


def test_a_key_is_made_from_the_name_where_it_can_be(staff: Client) -> None:
    staff.post(ADD, fields(name="Travel plans", key=""))
    assert MemoryType.objects.filter(key="travel-plans").exists()

    refused = staff.post(ADD, fields(name="宠物", key=""))
    assert refused.status_code == 422
    assert "Give it a key of a to z" in refused.text


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"key": "semantic"}, "what a category is called"),
        ({"key": "user"}, "There is a type with this key already."),
        ({"key": "My Pets"}, "letters, numbers, underscores or hyphens"),
        ({"key": "Pets"}, "A key begins with a letter"),
        ({"name": "用户画像"}, "Another type is called so already"),
        ({"icon": "skull"}, "skull"),
        ({"colour": "#ff0000"}, "#ff0000"),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(staff: Client, changed: dict[str, str], says: str) -> None:
    refused = staff.post(ADD, fields(**changed))

    assert refused.status_code == 422
    assert says in refused.text
    assert not MemoryType.objects.filter(is_system=False).exists()


def test_of_a_system_type_everything_but_key_and_name_is_changed(staff: Client) -> None:
    system = MemoryType.objects.get(key="user")
    page = staff.get(f"{LIST}{system.pk}/")
    assert 'name="key"' not in page.text
    staff.post(f"{LIST}{system.pk}/", fields(name="Other", key="other", default_category="semantic"))
    system.refresh_from_db()

    assert (system.key, system.name) == ("user", "User profile")
    assert (system.description, system.icon, system.colour) == ("Animals", "paw-print", "teal")
    assert staff.post(f"{LIST}{system.pk}/delete/").status_code == 403


def test_an_unused_type_is_deleted_without_a_question(staff: Client) -> None:
    own = make_type()
    assert "No memory has this type." in staff.get(f"{LIST}{own.pk}/delete/").text
    remove(staff, own, None)

    assert not MemoryType.objects.filter(pk=own.pk).exists()


def test_the_memories_of_a_deleted_type_become_another_with_a_revision_each(staff: Client, user: User) -> None:
    own, other = make_type(), MemoryType.objects.get(key="project")
    agent, someone = make_agent(is_shared=True), make_user()
    memories = [
        make_memory(agent, "mine", type_key="pets", user=user),
        make_memory(agent, "somebody else's", type_key="pets", user=someone),
        make_memory(agent, "everybody's", type_key="pets", user=None),
        make_memory(agent, "off", type_key="pets", enabled=False),
    ]
    kept = make_memory(agent, "of another type")
    page = staff.get(f"{LIST}{own.pk}/delete/")
    assert "4 memories have this type" in page.text
    assert remove(staff, own, None).status_code == 422
    assert remove(staff, own, own).status_code == 422
    remove(staff, own, other)

    assert not MemoryType.objects.filter(pk=own.pk).exists()
    assert {memory.type.key for memory in Memory.objects.filter(pk__in=[each.pk for each in memories])} == {"project"}
    for memory in memories:
        revision = memory.revisions.get()
        assert (revision.action, revision.actor, revision.user) == ("edited", "person", user)
        assert (revision.before, revision.reason) == ({"type_id": own.pk}, {"type_deleted": "Pets"})
    assert not kept.revisions.exists()


def test_many_memories_move_in_the_background_and_nobody_chooses_the_type_meanwhile(
    staff: Client, user: User, django_capture_on_commit_callbacks: Any
) -> None:
    own, other = make_type(), MemoryType.objects.get(key="project")
    agent = make_agent(owner=user)
    for number in range(AT_ONCE + 5):
        make_memory(agent, f"fact {number}", type_key="pets")
    with django_capture_on_commit_callbacks() as queued:
        remove(staff, own, other)

    assert len(queued) == 1
    own.refresh_from_db()
    assert own.memories.count() == 5
    assert "Being deleted" in staff.get(LIST).text
    assert staff.get(f"{LIST}{own.pk}/").status_code == 404
    refused = remove(staff, make_type("animals"), own)
    assert refused.status_code in {302, 422}
    remove_type(own.pk)
    assert not MemoryType.objects.filter(pk=own.pk).exists()
    assert other.memories.count() == AT_ONCE + 5
    remove_type(own.pk)


def test_the_sweep_finishes_what_a_lost_message_left(staff: Client, user: User) -> None:
    own, other = make_type(), MemoryType.objects.get(key="project")
    make_memory(make_agent(owner=user), "a fact", type_key="pets")
    MemoryType.objects.filter(pk=own.pk).update(moves_to=other, moved_by=user)
    finish_type_removals()

    assert not MemoryType.objects.filter(pk=own.pk).exists()
    assert Memory.objects.get().type == other


@contextmanager
def another_administrator(does: Callable[[], object]) -> Iterator[None]:
    """At the moment when a request begins to write."""
    is_due = True

    def meddle(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal is_due
        if is_due and sql.startswith("SAVEPOINT"):
            is_due = False
            does()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(meddle):
        yield


def test_two_administrators_that_delete_the_same_or_the_goal_are_told(staff: Client, user: User) -> None:
    pets, other, goal = make_type("pets"), make_type("other"), make_type("goal")
    for key in ("pets", "other"):
        make_memory(make_agent(owner=user), f"a fact {key}", type_key=key)
    with another_administrator(lambda: MemoryType.objects.filter(pk=pets.pk).update(moves_to=goal)):
        assert remove(staff, pets, goal).status_code == 404
    with another_administrator(lambda: MemoryType.objects.filter(pk=goal.pk).update(moves_to=1)):
        response = remove(staff, other, goal)
    assert response.status_code == 422
    assert "Choose once more" in response.text
    assert MemoryType.objects.get(pk=other.pk).moves_to is None


def test_types_that_go_one_into_the_other_all_go(staff: Client, user: User) -> None:
    first, second, last = make_type("first"), make_type("second"), make_type("last")
    make_memory(make_agent(owner=user), "a fact", type_key="first")
    MemoryType.objects.filter(pk=second.pk).update(moves_to=last)
    MemoryType.objects.filter(pk=first.pk).update(moves_to=second)
    finish_type_removals()
    finish_type_removals()

    assert set(MemoryType.objects.filter(is_system=False)) == {last}
    assert Memory.objects.get().type == last


def test_in_the_dialog_the_list_comes_back_with_a_message(staff: Client) -> None:
    added = staff.post(ADD, fields(), headers={"HX-Request": "true"})

    assert added.status_code == 200
    assert "<html" not in added.text
    assert "is there." in added.text
    assert added["HX-Trigger"] == "memory-changed"
