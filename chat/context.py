"""What a model is sent: the system prompt, recalled memories, documents, and the branch above the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format

from chat.models import Message
from chat.transcript import write_transcript
from knowledge.consulting import Consultation, render_document_section
from memories.models import Agent
from memories.recall import Recall, render_memory_section


@dataclass(frozen=True)
class Context:
    """`messages` for the model; `system_prompt` is all that went into system messages, as sent."""

    messages: list[dict[str, Any]]
    system_prompt: str


@dataclass(frozen=True)
class Standing:
    """What holds for the whole conversation: the profile files as it was told them, and whether it remembers."""

    profile: str = ""
    remembers: bool = True


def build_context(
    agent: Agent,
    history: Sequence[Message],
    recall: Recall,
    consultation: Consultation | None = None,
    standing: Standing | None = None,
) -> Context:
    """`history` ends with the message that is to be answered, which is always sent."""
    *earlier, last = history
    standing = standing or Standing()
    transcript = write_transcript(earlier, settings.HISTORY_TOKENS)
    prompt = render_system_prompt(agent, transcript.is_trimmed, standing)
    documents = render_document_section(consultation, agent.language) if consultation else ""
    section = "\n\n".join(filter(None, [render_memory_section(recall, agent.language), documents]))
    asked = [{"role": "user", "content": last.content}]
    if not section or agent.memory_position == Agent.MemoryPosition.SYSTEM_END:
        whole = "\n\n".join(filter(None, [prompt, section]))
        return Context([system(whole), *transcript.messages, *asked], whole)
    messages = [system(prompt), *transcript.messages, system(section), *asked]
    return Context(messages, f"{prompt}\n\n{section}")


def render_system_prompt(agent: Agent, is_trimmed: bool = False, standing: Standing | None = None) -> str:
    """What stays the same for a day; providers cache a prompt from its beginning."""
    standing = standing or Standing()
    today = timezone.localdate()
    with translation.override(agent.language):
        weekday = date_format(today, "l")
    context = {
        "base_prompt": agent.base_prompt.strip(),
        "profile": standing.profile,
        "remembers": standing.remembers and agent.allows("memory_write"),
        "today": today,
        "weekday": weekday,
        "is_trimmed": is_trimmed,
    }
    return render_to_string(f"prompts/chat/system.{agent.language}.txt", context).strip()


def system(text: str) -> dict[str, Any]:
    return {"role": "system", "content": text}
