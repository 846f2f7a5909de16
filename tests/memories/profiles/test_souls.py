"""Who an agent is when it is made."""

from __future__ import annotations

import pytest

from memories.models import ProfileFile, ProfileKind
from memories.profiles.editing import ProfileKey, read_file
from memories.profiles.introducing import introduce
from memories.profiles.sections import name_sections, read_section, split_sections
from memories.profiles.snapshot import BUDGETS
from memories.profiles.souls import Persona, SoulTemplate, give_soul, render_soul
from tests.factories import make_agent

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("template", SoulTemplate.values)
def test_each_template_names_the_agent_and_fits_its_budget(template: str, language: str) -> None:
    text = render_soul(Persona(template), "<Bob & Mei>", language)
    assert "<Bob & Mei>" in text
    assert len(name_sections(split_sections(text))) >= 3
    assert len(text) < BUDGETS[ProfileKind.SOUL]


def test_what_the_owner_says_takes_the_place_of_the_templates_words() -> None:
    text = render_soul(Persona(character="Dry & witty", speech=" "), "Ada", "en")
    assert read_section(text, "Character") == "Dry & witty"
    assert read_section(text, "Way of speaking").startswith("Clear and brief")


def test_a_soul_is_given_once() -> None:
    agent = make_agent(name="小王", language="zh-hans")
    introduce(agent, Persona(speech="爱用比喻"), "")
    give_soul(agent)
    text = read_file(ProfileKey(agent, ProfileKind.SOUL)).text
    assert read_section(text, "说话方式") == "爱用比喻"
    assert read_section(text, "身份").startswith("我是小王")
    assert ProfileFile.objects.get().version == 1
