import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_agent, make_memory
from xiajiao.models import User
from xiajiao.timezones import find_zone


@pytest.mark.parametrize("name", ["Asia/Shanghai", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+8"])
def test_a_zone_is_found_by_its_name(name: str) -> None:
    zone = find_zone(name)
    assert zone is not None
    assert zone.key == name


@pytest.mark.parametrize(
    "name", ["", "Nowhere/Land", "../../etc/passwd", "/etc/passwd", "Asia", "Asia/", "a\0b", "x" * 500]
)
def test_what_names_no_zone_is_none(name: str) -> None:
    assert find_zone(name) is None


@pytest.mark.django_db
@pytest.mark.parametrize(("zone", "shown"), [("Asia/Shanghai", "20:30"), ("Europe/Berlin", "14:30"), ("x/../y", None)])
def test_times_are_shown_in_the_zone_of_the_browser(
    signed_in: Client, user: User, zone: str, shown: str | None
) -> None:
    memory = make_memory(make_agent(owner=user), "The user likes tea", created_at="2026-05-03T12:30:00Z")
    signed_in.cookies["xiajiao_zone"] = zone
    page = signed_in.get(reverse("memories:memory_detail", args=[memory.pk])).content.decode()

    assert "2026-05-03" in page
    assert shown is None or f"2026-05-03 {shown}" in page
