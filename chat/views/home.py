"""The way into a chat: the list of conversations, and the place where a new one begins."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from chat.asking import list_questions
from chat.listing import list_conversations
from chat.models import Conversation
from chat.modes import list_choices, read_mode
from chat.sending import LONGEST_MESSAGE
from memories.models import Agent
from xiajiao.llm.sources import source_for
from xiajiao.requests import SignedInRequest, read_number


def home(request: SignedInRequest) -> HttpResponse:
    """On a phone the list, unless there is none yet or `?agent=` asks for a new conversation."""
    return render(request, "chat/home.html", describe_home(request))


def describe_home(request: SignedInRequest, text: str = "") -> dict[str, Any]:
    """`text`: what the composer holds, where a send was refused."""
    agents = list(Agent.objects.for_user(request.user).unarchived().order_by("pk"))
    asked = read_number(request.POST, "agent") or read_number(request.GET, "agent")
    agent = choose_agent(request, agents, asked)
    page = list_conversations(request.user)
    lost = find_lost(request)
    return {
        "agents": agents,
        "agent": agent,
        "source": source_for(agent.provider, agent.model_name) if agent else None,
        "modes": list_choices(read_mode(request.POST.get("mode", "")) or agent.default_mode) if agent else None,
        "list": page,
        "conversation_lost": lost,
        "questions": list_questions(request.user, lost) if lost else None,
        "shows": "main" if page.is_empty or asked or text or lost else "list",
        "most": settings.KB_FILE_MAX_MB,
        "text": text,
        "token": uuid4(),
        "longest": LONGEST_MESSAGE,
        "draft": f"new-{agent.pk}" if agent else "new",
    }


def find_lost(request: SignedInRequest) -> Conversation | None:
    """The conversation that was just deleted, where something is to be asked about it."""
    lost = read_number(request.GET, "lost")
    deleted = Conversation.objects.filter(user=request.user, deleted_at__isnull=False)
    return None if lost is None else deleted.filter(pk=lost).first()


def choose_agent(request: SignedInRequest, agents: list[Agent], asked: int | None) -> Agent | None:
    """The one that is asked for, else the one talked to last, else the first."""
    by_id = {agent.pk: agent for agent in agents}
    if asked in by_id:
        return by_id[asked]
    recent = Conversation.objects.for_user(request.user).filter(agent__in=agents).select_related("agent").first()
    if recent is not None:
        return recent.agent
    return agents[0] if agents else None
