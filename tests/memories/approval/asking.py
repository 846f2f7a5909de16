"""An agent that asks first, and what it asks."""

from typing import Any

from django.test import Client
from django.urls import reverse

from memories.models import Agent, PendingWrite
from memories.profiles.tools import PROFILE_TOOLS
from memories.tools import MEMORY_TOOLS
from tests.factories import make_agent, make_user
from xiajiao.tools import Scope

LIST = reverse("memories:pending_list")
TOOLS = {tool.name: tool for tool in (*MEMORY_TOOLS, *PROFILE_TOOLS)}


def make_asking_agent(**columns: Any) -> Agent:
    return make_agent(**{"owner": make_user(), "asks_before_writing": True} | columns)


def call(agent: Agent, name: str, message_id: int = 5, **arguments: Any) -> str:
    """What the tool says, called in the answer that follows a message."""
    scope = Scope(agent.pk, agent.owner_id, 3, message_id + 1, message_id)
    return TOOLS[name].call(scope, arguments)


def ask(agent: Agent, content: str, message_id: int = 5, **arguments: Any) -> PendingWrite:
    call(agent, "memory_write", message_id, content=content, **arguments)
    return PendingWrite.objects.latest("pk")


def post(client: Client, name: str, row: PendingWrite | None = None, **data: Any) -> Any:
    return client.post(reverse(f"memories:pending_{name}", args=[row.pk] if row else []), data)


def repeat(pending: PendingWrite, times: int) -> None:
    """So many in all, each with other words."""
    rows = []
    for number in range(times - 1):
        row = PendingWrite.objects.get(pk=pending.pk)
        row.pk, row.draft = None, row.draft | {"content": f"{row.text} {number}"}
        rows.append(row)
    PendingWrite.objects.bulk_create(rows)
