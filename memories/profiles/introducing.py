"""Who an agent and its person are to each other, as the person says it when the two meet."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction
from django.template.loader import render_to_string

from memories.languages import as_agent_language
from memories.models import Agent, MemoryRevision, ProfileKind, ProfileRevision
from memories.profiles.editing import ProfileChange, ProfileKey, change_file, leave_secrets_out, make_key, read_file
from memories.profiles.sections import add_to_section
from memories.profiles.souls import Persona, put_soul, render_soul


def is_untouched(agent: Agent) -> bool:
    """Whether its SOUL is still the one that it was made with."""
    return read_file(ProfileKey(agent, ProfileKind.SOUL)).version <= 1


@transaction.atomic
def introduce(agent: Agent, persona: Persona, called: str) -> list[str]:
    """Its SOUL as its owner says, and how the owner is called in their USER; its name is the agent's row.

    Returns the kinds of secrets that were left out.
    """
    change = ProfileChange(ProfileRevision.Action.CREATED, MemoryRevision.Actor.PERSON, user_id=agent.owner_id)
    of_soul = put_soul(agent, render_soul(persona, agent.name, agent.language), change)
    called, of_user = leave_secrets_out(" ".join(called.split()), agent)
    if called:
        heading = render_to_string(f"prompts/memories/called.{as_agent_language(agent.language)}.txt").strip()
        key, change = make_key(agent, ProfileKind.USER, agent.owner_id), replace(change, left_out=of_user)
        change_file(key, lambda standing: standing or add_to_section("", heading, called), change)
    return [*of_soul, *of_user]
