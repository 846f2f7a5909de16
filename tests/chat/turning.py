"""Turns for tests: a pending answer to a person's message, as the view commits it."""

import time
from collections.abc import Callable
from typing import Any

from chat.models import Conversation, Message
from chat.sending import send_message
from tests.factories import make_conversation


def make_answer(text: str, **columns: Any) -> Message:
    """The pending answer to `text`, the only message of its conversation or of the given one."""
    conversation = columns.pop("conversation", None) or make_conversation(**columns)
    return load(send_message(conversation, text).answer)


def finish(answer: Message, text: str = "Dumplings.", **columns: Any) -> Message:
    """As if a turn had ended."""
    values = {"content": text, "status": Message.Status.DONE} | columns
    Message.objects.filter(pk=answer.pk).update(**values)
    return load(answer)


def make_branch(conversation: Conversation, length: int) -> list[Message]:
    """So many messages in a row, in bulk."""
    parent, made = conversation.leaf_id, []
    for number in range(length):
        role = Message.Role.ASSISTANT if number % 2 else Message.Role.USER
        message = Message.objects.create(
            conversation=conversation, parent_id=parent, role=role, content=f"Message {number}"
        )
        parent = message.pk
        made.append(message)
    conversation.leaf_id = parent
    conversation.save(update_fields=["leaf"])
    return made


def load(message: Message) -> Message:
    return Message.objects.select_related("conversation__agent", "conversation__user", "parent").get(pk=message.pk)


def wait_for(condition: Callable[[], Any]) -> None:
    """Fails where it stays false for a minute."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)
