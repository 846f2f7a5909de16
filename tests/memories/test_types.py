import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.template.loader import render_to_string

from memories import gate
from memories.models import Memory, MemoryRevision, MemoryType
from memories.models.type_looks import Colour, Icon
from memories.models.types import LockedTypeError
from tests.factories import make_agent, make_memory
from xiajiao.templatetags.icons import icon

pytestmark = pytest.mark.django_db


def make_type(key: str = "pets", **columns: str) -> MemoryType:
    return MemoryType.objects.create(key=key, **({"name": key.title()} | columns))


def test_each_icon_and_colour_that_a_type_may_have_is_there() -> None:
    styles = (settings.BASE_DIR / "static" / "css" / "types.css").read_text(encoding="utf-8")

    assert all("<svg" in icon(name) for name in Icon.values)
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

    assert {each.icon for each in system} <= set(Icon.values)
    assert len({each.tint for each in system}) == 4


def test_system_types_can_not_be_deleted_by_whatever_way() -> None:
    system = MemoryType.objects.get(key="user")
    own = make_type()
    for rows in (
        MemoryType.objects.all(),
        MemoryType.objects.filter(is_system=True),
        MemoryType.objects.filter(key="user"),
    ):
        with pytest.raises(LockedTypeError), transaction.atomic():
            rows.delete()
    with pytest.raises(LockedTypeError), transaction.atomic():
        system.delete()

    assert MemoryType.objects.filter(is_system=True).count() == 4
    own.delete()
    assert not MemoryType.objects.filter(is_system=False).exists()


def test_system_types_keep_their_key_name_and_lock_by_whatever_way() -> None:
    system = MemoryType.objects.get(key="user")
    for change in ({"key": "people"}, {"name": "People"}, {"is_system": False}):
        with pytest.raises(LockedTypeError), transaction.atomic():
            MemoryType.objects.filter(key="user").update(**change)
        row = MemoryType.objects.get(pk=system.pk)
        for name, value in change.items():
            setattr(row, name, value)
        with pytest.raises(LockedTypeError), transaction.atomic():
            row.save()
        with pytest.raises(LockedTypeError), transaction.atomic():
            MemoryType.objects.bulk_update([row], list(change))
    MemoryType.objects.filter(key="user").update(description="Said anew", icon="heart", colour="pink")
    system.refresh_from_db()

    assert (system.key, system.name, system.is_system) == ("user", "User profile", True)
    assert (system.description, system.icon, system.colour) == ("Said anew", "heart", "pink")


@pytest.mark.parametrize("key", ["semantic", "Pets", "2pets", "my pets", "宠物", "pets\n", "", "a" * 51, "category"])
def test_a_key_is_a_plain_word_that_means_nothing_else(key: str) -> None:
    with pytest.raises(ValidationError):
        MemoryType(key=key, name="Animals").full_clean()


@pytest.mark.parametrize("name", ["Semantic", "语义", "语义记忆", "user", "User Profile", "用户画像", "feedback"])
def test_a_name_that_means_a_category_or_another_type_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        MemoryType(key="animals", name=name).full_clean()


def test_a_key_that_is_taken_is_refused_with_a_sentence() -> None:
    make_type()
    with pytest.raises(ValidationError) as caught:
        MemoryType(key="pets", name="Animals").full_clean()
    assert "There is a type with this key already." in str(caught.value)


def test_what_is_written_to_a_type_that_goes_is_kept_where_its_memories_go() -> None:
    agent = make_agent()
    own, other = make_type(), make_type("animals")
    MemoryType.objects.filter(pk=other.pk).update(moves_to=MemoryType.objects.get(key="project"))
    MemoryType.objects.filter(pk=own.pk).update(moves_to=other)
    origin = gate.Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL)

    decision = gate.write(agent, agent.owner_id, gate.Draft("The user has a cat", type_key="pets"), origin)
    assert decision.memory.type.key == "project"
    assert make_memory(agent, "x").type.key == "user"
