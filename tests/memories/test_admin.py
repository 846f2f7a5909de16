import pytest
from django.test import Client

from memories.models import MemoryType
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

LIST = "/admin/memories/memorytype/"


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    return client


def fields(memory_type: MemoryType, **changed: str) -> dict[str, str]:
    names = ("key", "name", "description", "icon", "colour", "default_category")
    return {name: getattr(memory_type, name) for name in names} | changed


def test_an_admin_adds_and_removes_a_type_of_their_own(staff: Client) -> None:
    added = {
        "key": "environment",
        "name": "环境信息",
        "default_category": "semantic",
        "icon": "server",
        "colour": "teal",
    }
    assert "<svg" in staff.get(f"{LIST}add/").text
    assert staff.post(f"{LIST}add/", added).status_code == 302
    own = MemoryType.objects.get(key="environment")
    assert (own.display_name, own.is_system) == ("环境信息", False)
    assert staff.post(f"{LIST}{own.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not MemoryType.objects.filter(key="environment").exists()


def test_the_list_of_types_speaks_the_language_of_its_reader(staff: Client) -> None:
    User.objects.update(language="zh-hans")
    page = staff.get(LIST).text

    assert "用户画像" in page
    assert "名称" in page
    assert "isplay name" not in page


def test_system_types_keep_their_key_and_can_not_be_deleted(staff: Client) -> None:
    system = MemoryType.objects.get(key="user")
    staff.post(f"{LIST}{system.pk}/change/", fields(system, key="other", name="Other", description="Said anew"))
    assert staff.post(f"{LIST}{system.pk}/delete/", {"post": "yes"}).status_code == 403
    selected = {"action": "delete_selected", "_selected_action": [system.pk], "post": "yes"}
    staff.post(LIST, selected)

    kept = MemoryType.objects.get(pk=system.pk)
    assert (kept.key, kept.name, kept.description) == ("user", system.name, "Said anew")


def test_a_type_that_memories_have_is_deleted_where_it_is_asked_what_they_become(staff: Client) -> None:
    used = MemoryType.objects.create(key="used", name="Used")
    unused = MemoryType.objects.create(key="unused", name="Unused")
    make_memory(make_agent(), "a fact", type_key="used")
    sent = staff.post(f"{LIST}{used.pk}/delete/", {"post": "yes"})
    assert (sent.status_code, sent["Location"]) == (302, f"/memories/types/{used.pk}/delete/")
    staff.post(LIST, {"action": "delete_selected", "_selected_action": [used.pk], "post": "yes"})
    staff.post(LIST, {"action": "delete_selected", "_selected_action": [unused.pk], "post": "yes"})

    assert set(MemoryType.objects.filter(is_system=False)) == {used}


def test_a_type_that_is_going_is_left_alone(staff: Client) -> None:
    going = MemoryType.objects.create(key="going", name="Going", moves_to=MemoryType.objects.get(key="user"))

    assert staff.post(f"{LIST}{going.pk}/change/", fields(going, name="Other")).status_code == 403
    assert staff.post(f"{LIST}{going.pk}/delete/", {"post": "yes"}).status_code == 403
