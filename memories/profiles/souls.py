"""Who an agent is when it is made: from a few words of its owner, or from a template."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db import models
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from memories.languages import as_agent_language
from memories.models import Agent, MemoryRevision, ProfileKind, ProfileRevision
from memories.profiles.editing import (
    ProfileChange,
    ProfileKey,
    ProfileTooLongError,
    change_file,
    leave_secrets_out,
    read_file,
)


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


def put_soul(agent: Agent, text: str, change: ProfileChange) -> list[str]:
    """In the place of the one it has. Returns the kinds of secrets that were left out. Where their marks make it too
    long to be kept, an agent that has none is given the default one."""
    text, kinds = leave_secrets_out(text, agent)
    try:
        change_file(ProfileKey(agent, ProfileKind.SOUL), lambda _text: text, replace(change, left_out=kinds))
    except ProfileTooLongError:
        give_soul(agent)
    return kinds


def give_soul(agent: Agent) -> None:
    """The default one, to an agent that has none."""
    change = ProfileChange(ProfileRevision.Action.CREATED, MemoryRevision.Actor.SYSTEM, user_id=agent.owner_id)
    if not read_file(ProfileKey(agent, ProfileKind.SOUL)).version:
        put_soul(agent, render_soul(Persona(), agent.name, agent.language), change)
