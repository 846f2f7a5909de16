"""What a person sets off: a message, an edit, another try. Each commits the rows from which a turn is run."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from chat.losses import note_losses
from chat.models import Conversation, Message, SourceLoss
from chat.search import index_conversation, index_message
from chat.standing import find_standing
from chat.waiting import follow
from memories.models import Agent
from xiajiao.models import User
from xiajiao.texts import clean, clip

LONGEST_MESSAGE = 200_000  # characters
TITLE_LENGTH = 60


class SendError(Exception):
    """For the person who sends; `code` is worded by chat/wording.py."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Sent:
    """`is_repeat`: the form had come before, and this is what it made then."""

    message: Message
    answer: Message
    is_repeat: bool = False


def start_conversation(user: User, agent: Agent, text: str, token: UUID | None = None, mode: str = "") -> Sent:
    """A new conversation with its first message, in the agent's default mode where none is named.

    The same token again gives the same conversation. Raises SendError.
    """
    text = check_text(text)
    repeated = find_repeat(user, token)
    if repeated is not None:
        return repeated
    if agent.is_archived:
        raise SendError("archived")
    try:
        return create_conversation(user, agent, text, token, mode)
    except IntegrityError:
        # The same form, twice at once: the other one was first.
        repeated = find_repeat(user, token)
        if repeated is None:
            raise
        return repeated


@transaction.atomic
def create_conversation(user: User, agent: Agent, text: str, token: UUID | None, mode: str) -> Sent:
    columns = {"mode": mode or agent.default_mode, "title": make_title(text)}
    conversation = Conversation.objects.create(user=user, agent=agent, **columns)
    index_conversation(conversation)
    return add_message(conversation, None, text, token)


def open_conversation(user: User, agent: Agent, mode: str = "") -> Conversation:
    """One in which nothing is said yet. Raises SendError."""
    if agent.is_archived:
        raise SendError("archived")
    conversation = Conversation.objects.create(user=user, agent=agent, mode=mode or agent.default_mode)
    index_conversation(conversation)
    return conversation


def send_message(conversation: Conversation, text: str, token: UUID | None = None, mode: str = "") -> Sent:
    """A message at the end of the branch that is read. `mode` counts for the first one alone.

    Raises SendError, "busy" while an answer is being written.
    """
    text = check_text(text)
    with transaction.atomic():
        conversation = lock(conversation)
        repeated = find_repeat(conversation.user, token)
        if repeated is not None:
            return repeated
        check_idle(conversation)
        if mode and not has_begun(conversation):
            conversation.mode = mode
        if not conversation.title:
            conversation.title = make_title(text)
            index_conversation(conversation)
        return add_message(conversation, conversation.leaf_id, text, token)


def has_begun(conversation: Conversation) -> bool:
    """Whether something was said in it, be it deleted since: what it knows and keeps is settled then."""
    return conversation.messages.exists()


def edit_message(message: Message, text: str, token: UUID | None = None) -> Sent:
    """Another wording beside the person's message, with an answer of its own; nothing is overwritten."""
    text = check_text(text)
    with transaction.atomic():
        conversation = lock(message.conversation)
        repeated = find_repeat(conversation.user, token)
        if repeated is not None:
            return repeated
        check_idle(conversation)
        check_kept(message)
        standing = find_standing(conversation)
        put_aside(message)
        sent = add_message(conversation, message.parent_id, text, token)
        follow(conversation)
        note_losses(conversation, standing, SourceLoss.Cause.EDITED, message)
        return sent


def regenerate_answer(answer: Message) -> Message:
    """Another answer beside this one, be it finished, stopped, failed or interrupted. Raises SendError."""
    with transaction.atomic():
        conversation = lock(answer.conversation)
        check_idle(conversation)
        check_kept(answer)
        standing = find_standing(conversation)
        put_aside(answer)
        other = add_answer(conversation, answer.parent_id)
        follow(conversation)
        note_losses(conversation, standing, SourceLoss.Cause.REGENERATED, answer)
        return other


def check_kept(message: Message) -> None:
    """It may have been deleted in another tab."""
    if not Message.objects.kept().filter(pk=message.pk).exists():
        raise SendError("deleted")


def answer_message(message: Message) -> Message:
    """An answer to a person's message whose answers were deleted. Raises SendError."""
    with transaction.atomic():
        conversation = lock(message.conversation)
        check_idle(conversation)
        check_kept(message)
        return add_answer(conversation, message.pk)


def put_aside(message: Message) -> None:
    """Something else takes its place; it can still be read, and stands again where one turns to it."""
    Message.objects.filter(pk=message.pk, put_aside_at__isnull=True).update(put_aside_at=timezone.now())


def check_text(text: str) -> str:
    text = clean(text).replace("\r\n", "\n").strip()
    if not text:
        raise SendError("no_text")
    if len(text) > LONGEST_MESSAGE:
        raise SendError("long_text")
    return text


def find_repeat(user: User, token: UUID | None) -> Sent | None:
    if token is None:
        return None
    messages = Message.objects.select_related("conversation")
    message = messages.filter(submit_token=token, conversation__user=user).first()
    if message is None:
        return None
    return Sent(message, message.children.all()[0], is_repeat=True)


def lock(conversation: Conversation) -> Conversation:
    """One sender at a time; SQLite's transactions are so from their begin."""
    rows = Conversation.objects.select_for_update(of=("self",)).select_related("user", "agent")
    return rows.get(pk=conversation.pk)


def check_idle(conversation: Conversation) -> None:
    if conversation.agent.is_archived:
        raise SendError("archived")
    if not Agent.objects.for_user(conversation.user).filter(pk=conversation.agent_id).exists():
        raise SendError("withdrawn")
    if conversation.messages.unfinished().exists():
        raise SendError("busy")


def add_message(conversation: Conversation, parent_id: int | None, text: str, token: UUID | None) -> Sent:
    message = Message.objects.create(
        conversation=conversation, parent_id=parent_id, role=Message.Role.USER, content=text, submit_token=token
    )
    index_message(message)
    return Sent(message, add_answer(conversation, message.pk))


def add_answer(conversation: Conversation, parent_id: int | None) -> Message:
    """Pending, at the end of the branch that is read now. A closed conversation is open again."""
    answer = Message.objects.create(
        conversation=conversation,
        parent_id=parent_id,
        role=Message.Role.ASSISTANT,
        status=Message.Status.PENDING,
        heartbeat_at=timezone.now(),
    )
    conversation.leaf = answer
    conversation.updated_at = timezone.now()
    conversation.closed_at = None
    conversation.save(update_fields=["leaf", "title", "mode", "updated_at", "closed_at"])
    return answer


def make_title(text: str) -> str:
    """The first line that says something."""
    lines = (line.strip(" \t#>*-`") for line in clean(text).splitlines())
    return clip(" ".join(next((line for line in lines if line), text.strip()).split()), TITLE_LENGTH)
