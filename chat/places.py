"""Where a memory's words lie in the chat: what turns recalled, noted and were sent, and messages that were ticked."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

import redis
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models import Conversation, Message, Recalled, Remembered, ToolCall
from chat.scrubbing import ARGUMENTS, MARK, REMOVED, mentions, scrub_text
from chat.search import index_conversation, unindex_messages
from chat.sending import make_title
from chat.stream import broker, stream_key
from memories.striking import spell, strike_text
from xiajiao.places import Forgotten, Place, register

logger = logging.getLogger(__name__)


def owned(forgotten: Forgotten, path: str) -> Q:
    """Rows of the person's conversations, or of all with the agent where all its users share the memory."""
    person = Q() if forgotten.user_id is None else Q(**{f"{path}user": forgotten.user_id})
    agent = Q(**{f"{path}agent": forgotten.only_agent_id}) if forgotten.only_agent_id else Q()
    return person & agent


def own(forgotten: Forgotten, path: str) -> Q:
    """Rows of the person's conversations; where all users of the agent share the memory, of its owner's with it."""
    person = F(f"{path}agent__owner") if forgotten.user_id is None else forgotten.user_id
    return owned(forgotten, path) & Q(**{f"{path}user": person})


def said(forgotten: Forgotten, column: str, path: str) -> Q:
    """Rows whose text names the memory, or holds one of its wordings. In other people's conversations with a shared
    one it is known by its number alone: what else is said there is not the owner's to search."""
    named = owned(forgotten, path) & Q(**{f"{column}__contains": f"[M{forgotten.memory_id}]"})
    return named | own(forgotten, path) & worded(forgotten, column)


def worded(forgotten: Forgotten, column: str) -> Q:
    variants = (Q(**{f"{column}__contains": variant}) for variant in spell(forgotten.telling))
    return reduce(or_, variants, Q(pk__in=[]))


def find_calls(forgotten: Forgotten) -> list[ToolCall]:
    path = "message__conversation__"
    noted = owned(forgotten, path) & Q(remembered__memory=forgotten.memory_id)
    told = said(forgotten, "arguments", path) | said(forgotten, "result", path)
    found = ToolCall.objects.filter(noted | told).distinct()
    return [call for call in found if call.arguments != ARGUMENTS or not is_clean(call.result, forgotten)]


def is_clean(text: str, forgotten: Forgotten) -> bool:
    return not mentions(text, forgotten.memory_id, forgotten.telling)


def count_calls(forgotten: Forgotten) -> int:
    return len(find_calls(forgotten))


def scrub_calls(forgotten: Forgotten) -> int:
    """What a call that noted it said goes altogether; of others, such as a search, what they say of it."""
    noting = set(Remembered.objects.filter(memory=forgotten.memory_id).values_list("tool_call_id", flat=True))
    calls = find_calls(forgotten)
    for call in calls:
        if call.pk in noting or not is_clean(call.arguments, forgotten):
            call.arguments = ARGUMENTS
        call.result = MARK if call.pk in noting else scrub_text(call.result, forgotten.memory_id, forgotten.telling)
        call.save(update_fields=["arguments", "result"])
    return len(calls)


def find_prompts(forgotten: Forgotten) -> list[Message]:
    rows = Message.objects.filter(said(forgotten, "system_prompt", "conversation__"))
    return [answer for answer in rows if not is_clean(answer.system_prompt, forgotten)]


def count_prompts(forgotten: Forgotten) -> int:
    return len(find_prompts(forgotten))


def scrub_prompts(forgotten: Forgotten) -> int:
    answers = find_prompts(forgotten)
    for answer in answers:
        prompt = scrub_text(answer.system_prompt, forgotten.memory_id, forgotten.telling)
        Message.objects.filter(pk=answer.pk).update(system_prompt=prompt)
    return len(answers)


def find_recalled(forgotten: Forgotten) -> Q:
    lost = own(forgotten, "message__conversation__") & Q(memory__isnull=True, content__in=forgotten.wordings)
    return Q(memory=forgotten.memory_id) | lost


def count_recalled(forgotten: Forgotten) -> int:
    return Recalled.objects.filter(find_recalled(forgotten)).count()


def scrub_recalled(forgotten: Forgotten) -> int:
    return Recalled.objects.filter(find_recalled(forgotten)).delete()[0]


def count_remembered(forgotten: Forgotten) -> int:
    return Remembered.objects.filter(memory=forgotten.memory_id).count()


def scrub_remembered(forgotten: Forgotten) -> int:
    return Remembered.objects.filter(memory=forgotten.memory_id).delete()[0]


def find_ticked(forgotten: Forgotten) -> list[Message]:
    rows = Message.objects.filter(pk__in=forgotten.message_ids, removed_at__isnull=True)
    return list(rows.filter(conversation__user=forgotten.user_id).select_related("conversation"))


def count_messages(forgotten: Forgotten) -> int:
    return len(find_ticked(forgotten))


def scrub_messages(forgotten: Forgotten) -> int:
    """A mark stands in their place; titles that were made of them go too."""
    messages = find_ticked(forgotten)
    for message in messages:
        title = make_title(message.content) if message.content.strip() else ""
        Message.objects.filter(pk=message.pk).update(
            content=REMOVED, reasoning="", error_detail="", removed_at=timezone.now()
        )
        # What an agent looked up for it, or wrote of it, was in its words.
        calls = ToolCall.objects.filter(Q(message=message) | Q(message__parent=message))
        calls.update(arguments=ARGUMENTS, result=MARK)
        ToolCall.objects.filter(message=message).update(offset=0)
        rename(message.conversation, title, forgotten)
    if forgotten.user_id is not None:
        unindex_messages(forgotten.user_id, [message.pk for message in messages])
    return len(messages)


def rename(conversation: Conversation, title: str, forgotten: Forgotten) -> None:
    if conversation.title == title or not is_clean(conversation.title, forgotten):
        Conversation.objects.filter(pk=conversation.pk).update(title="")
        conversation.title = ""
        index_conversation(conversation)


def find_streams(forgotten: Forgotten) -> list[str]:
    """Of the answers that were written so lately that the broker still holds them."""
    rows = Message.objects.filter(owned(forgotten, "conversation__"), role=Message.Role.ASSISTANT)
    return [stream_key(pk) for pk in rows.order_by("-pk").values_list("pk", flat=True)[:RECENT]]


RECENT = 1_000


def count_streams(forgotten: Forgotten) -> int:
    try:
        return int(broker().exists(*find_streams(forgotten) or [""]))
    except redis.RedisError:
        return 0


def scrub_streams(forgotten: Forgotten) -> int:
    """A page that follows one of them is shown the row instead."""
    try:
        return int(broker().delete(*find_streams(forgotten) or [""]))
    except redis.RedisError as error:
        logger.warning("Streams of turns stay until they expire: %s", error)
        return 0


def strike(rows: QuerySet[Any], columns: Sequence[str], forgotten: Forgotten) -> int:
    """Put the mark in the place of the wordings in these columns; in how many rows."""
    count = 0
    for row in rows.filter(reduce(or_, (worded(forgotten, column) for column in columns))):
        texts = {name: strike_text(getattr(row, name), forgotten.telling, forgotten.mark) for name in columns}
        count += any(texts[name] != getattr(row, name) for name in columns)
        type(row).objects.filter(pk=row.pk).update(**texts)
    return count


def strike_calls(forgotten: Forgotten) -> int:
    rows = ToolCall.objects.filter(owned(forgotten, "message__conversation__"))
    return strike(rows, ["arguments", "result"], forgotten)


def strike_prompts(forgotten: Forgotten) -> int:
    return strike(Message.objects.filter(owned(forgotten, "conversation__")), ["system_prompt"], forgotten)


def strike_recalled(forgotten: Forgotten) -> int:
    return strike(Recalled.objects.filter(owned(forgotten, "message__conversation__")), ["content"], forgotten)


def strike_remembered(forgotten: Forgotten) -> int:
    return strike(Remembered.objects.filter(owned(forgotten, "message__conversation__")), ["content"], forgotten)


register(Place("tool_calls", _("tool calls of answers"), count_calls, scrub_calls, rank=10, strike=strike_calls))
register(Place("prompts", _("prompts that were sent"), count_prompts, scrub_prompts, rank=20, strike=strike_prompts))
register(
    Place("recalled", _("what answers had recalled"), count_recalled, scrub_recalled, rank=30, strike=strike_recalled)
)
register(
    Place(
        "remembered", _("what answers had noted"), count_remembered, scrub_remembered, rank=40, strike=strike_remembered
    )
)
register(Place("messages", _("messages that you ticked"), count_messages, scrub_messages, rank=50))
register(Place("streams", _("streams of recent answers"), count_streams, scrub_streams, is_outside=True))
