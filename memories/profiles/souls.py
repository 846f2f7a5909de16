"""Who an agent is when it is made: from a few words of its owner, or from a template."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import models
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from memories.languages import as_agent_language
from memories.models import Agent, MemoryRevision, ProfileKind, ProfileRevision
from memories.profiles.editing import ProfileChange, ProfileKey, change_file, read_file


class SoulTemplate(models.TextChoices):
    DEFAULT = "default", _("Assistant")
    CODER = "coder", _("Code assistant")
    TRANSLATOR = "translator", _("Translator")
    NOVELIST = "novelist", _("Novelist")
    BUTLER = "butler", _("Butler")
    EDITOR = "editor", _("Editor")


@dataclass(frozen=True)
class Persona:
    """What an owner says of an agent; what is left empty is as the template has it."""

    template: str = SoulTemplate.DEFAULT
    character: str = ""
    speech: str = ""


def render_soul(persona: Persona, name: str, language: str) -> str:
    """A whole SOUL, in the agent's language."""
    template = persona.template if persona.template in SoulTemplate.values else SoulTemplate.DEFAULT
    said = {"name": name, "character": persona.character, "speech": persona.speech}
    context = {key: " ".join(text.split()) for key, text in said.items()}
    return (
        render_to_string(f"prompts/memories/souls/{template}.{as_agent_language(language)}.txt", context).strip() + "\n"
    )


def read_soul(agent: Agent) -> str:
    return read_file(ProfileKey(agent, ProfileKind.SOUL)).text


def put_soul(agent: Agent, text: str, action: str = ProfileRevision.Action.CREATED) -> None:
    """Of a new agent, as it was elsewhere."""
    actor = MemoryRevision.Actor.SYSTEM if action == ProfileRevision.Action.CREATED else MemoryRevision.Actor.IMPORT
    change_file(ProfileKey(agent, ProfileKind.SOUL), lambda _text: text, ProfileChange(action, actor))


def give_soul(agent: Agent, persona: Persona | None = None) -> None:
    """Unless it has one."""
    text = render_soul(persona or Persona(), agent.name, agent.language)
    change = ProfileChange(ProfileRevision.Action.CREATED, MemoryRevision.Actor.SYSTEM, user_id=agent.owner_id)
    key = ProfileKey(agent, ProfileKind.SOUL)
    if not read_file(key).version:
        change_file(key, lambda standing: standing or text, change)
