"""Turns in which an agent notes what was said: one line makes a message, its answer and the memories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chat.models import Conversation, Message, Remembered
from chat.sending import edit_message, regenerate_answer, send_message
from chat.turns import run_turn
from memories.models import Agent, Memory
from tests.chat.turning import load
from tests.factories import make_conversation
from tests.openai_stub import OpenAIStub, Reply, calls


@dataclass
class Talk:
    """A conversation with the scripted model."""

    stub: OpenAIStub
    conversation: Conversation

    def say(self, text: str, *facts: str, **arguments: Any) -> Message:
        """The person's message; its answer notes these facts."""
        sent = send_message(self.conversation, text)
        self.answer(sent.answer, *facts, **arguments)
        return sent.message

    def edit(self, message: Message, text: str, *facts: str) -> Message:
        sent = edit_message(load(message), text)
        self.answer(sent.answer, *facts)
        return sent.message

    def regenerate(self, answer: Message, *facts: str) -> Message:
        other = regenerate_answer(load(answer))
        self.answer(other, *facts)
        return other

    def answer(self, answer: Message, *facts: str, **arguments: Any) -> None:
        named = [("memory_write", {"content": fact} | arguments) for fact in facts]
        self.stub.answers(*([calls(*named)] if named else []), Reply(text="Noted."))
        list(run_turn(load(answer)))
        self.conversation.refresh_from_db()


def begin_talk(stub: OpenAIStub, agent: Agent) -> Talk:
    return Talk(stub, make_conversation(agent=agent))


def answer_to(message: Message) -> Message:
    """The newest one."""
    return message.children.order_by("-pk")[0]


def memory_of(message: Message) -> Memory:
    """The last one that was noted at this message."""
    return Remembered.objects.filter(message__parent=message).latest("pk").memory


def find(content: str) -> Memory:
    return Memory.objects.get(content=content)
