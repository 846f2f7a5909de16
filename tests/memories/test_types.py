import pytest
from django.conf import settings
from django.template.loader import render_to_string

from memories.models import MemoryType
from memories.models.types import ICONS, Colour
from xiajiao.templatetags.icons import icon

pytestmark = pytest.mark.django_db


def test_each_icon_and_colour_that_a_type_may_have_is_there() -> None:
    styles = (settings.BASE_DIR / "static" / "css" / "types.css").read_text(encoding="utf-8")

    assert all("<svg" in icon(name) for name in ICONS)
    assert all(f".tint-{colour} " in styles and f"--tint-{colour}:" in styles for colour in Colour.values)


def test_a_type_is_shown_with_its_icon_and_colour() -> None:
    own = MemoryType(key="pets", name="宠物", icon="paw-print", colour="teal")
    tag = render_to_string("memories/_type_tag.html", {"type": own})

    assert "tint-teal" in tag
    assert icon("paw-print") in tag
    assert "宠物" in tag


def test_an_icon_or_colour_that_is_none_is_shown_as_the_plain_one() -> None:
    own = MemoryType(key="pets", name="Pets", icon="../../settings", colour='red" onclick="x')
    tag = render_to_string("memories/_type_tag.html", {"type": own})

    assert "tint-grey" in tag
    assert icon("tag") in tag


def test_the_system_types_have_icons_and_colours_of_their_own() -> None:
    system = MemoryType.objects.filter(is_system=True)

    assert {each.icon for each in system} <= set(ICONS)
    assert len({each.tint for each in system}) == 4
