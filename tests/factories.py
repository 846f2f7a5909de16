"""Rows for tests, with what a test doesn't name filled in."""

from itertools import count
from typing import Any

from chat.models import Conversation, Message
from memories.creating import settle
from memories.models import Agent, Memory, MemoryType
from memories.titles import title_key
from tests.openai_stub import OpenAIStub
from xiajiao.llm.base import ModelSource
from xiajiao.models import Provider, User

numbers = count(1)


def make_user(**columns: Any) -> User:
    number = next(numbers)
    defaults = {"username": f"person{number}", "password": "dumplings-2026"}
    return User.objects.create_user(**(defaults | columns))


def make_agent(**columns: Any) -> Agent:
    if "owner" not in columns:
        columns["owner"] = make_user()
    return Agent.objects.create(**({"name": f"Agent {next(numbers)}"} | columns))


def make_provider(**columns: Any) -> Provider:
    return Provider.objects.create(**({"name": f"Provider {next(numbers)}"} | columns))


def make_source(stub: OpenAIStub, **columns: Any) -> ModelSource:
    """Where `stub` is, as `stream_reply` wants it."""
    defaults = {"backend": "xiajiao.llm.openai.OpenAIChatModel", "provider_name": "stub", "model": "stub-model"}
    return ModelSource(**(defaults | {"base_url": stub.base_url, "api_key": "sk-stub-key-of-tests"} | columns))


def make_memory(agent: Agent, content: str, **columns: Any) -> Memory:
    """A bare row, past the gate: without vector and full text."""
    type_key = columns.pop("type_key", "user")
    columns.setdefault("user", agent.owner)
    columns.setdefault("type", MemoryType.objects.get(key=type_key))
    columns.setdefault("title_key", title_key(columns.get("title", ""), content))
    memory = Memory.objects.create(agent=agent, content=content, **columns)
    settle([memory])
    return memory


def make_conversation(text: str = "", **columns: Any) -> Conversation:
    """A conversation whose branch ends with the user's message `text`, if there is one."""
    agent = columns.pop("agent", None) or make_agent()
    columns.setdefault("user", agent.owner)
    conversation = Conversation.objects.create(agent=agent, **columns)
    if text:
        conversation.leaf = Message.objects.create(conversation=conversation, role=Message.Role.USER, content=text)
        conversation.save(update_fields=["leaf"])
    return conversation
