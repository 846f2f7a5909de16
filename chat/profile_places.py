"""Where the words of profile files lie in the chat: what conversations are told, prompts, and calls of the tools."""

from __future__ import annotations

import re
from functools import reduce
from operator import or_

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from chat.models import Conversation, Message, ToolCall
from chat.places import owned
from chat.scrubbing import ARGUMENTS
from memories.profiles.forgetting import strip_text, wanted_terms
from memories.profiles.tools import PROFILE_TOOLS
from xiajiao.places import Forgotten, Place, register
from xiajiao.texts import read_json

NAMES = [name for each in PROFILE_TOOLS for name in (each.name, *each.aliases)]
# What the files say in a prompt; the rest of it is not theirs.
BLOCK = re.compile(r"<(agent-identity|user-profile|agent-notes|recent-activity)>\n(.*?\n)</\1>", re.DOTALL)


def strip_block(text: str, forgotten: Forgotten) -> str:
    def strip(match: re.Match[str]) -> str:
        return f"<{match[1]}>\n{strip_text(match[2], forgotten).text}</{match[1]}>"

    return BLOCK.sub(strip, text)


def may_say(column: str, forgotten: Forgotten) -> Q:
    """Rows that hold a word of it."""
    words = {term for wording in forgotten.wordings for term in wanted_terms(wording)}
    return reduce(or_, (Q(**{f"{column}__icontains": word}) for word in words), Q(pk__in=[]))


def find_snapshots(forgotten: Forgotten) -> dict[int, str]:
    """What conversations are told, by their keys, as it is without it."""
    rows = Conversation.objects.filter(owned(forgotten, "")).exclude(profile_text=None)
    texts = rows.filter(may_say("profile_text", forgotten)).values_list("pk", "profile_text")
    return {pk: left for pk, text in texts if (left := strip_block(text or "", forgotten)) != text}


def count_snapshots(forgotten: Forgotten) -> int:
    return len(find_snapshots(forgotten))


def scrub_snapshots(forgotten: Forgotten) -> int:
    found = find_snapshots(forgotten)
    for pk, text in found.items():
        Conversation.objects.filter(pk=pk).update(profile_text=text)
    return len(found)


def find_prompts(forgotten: Forgotten) -> dict[int, str]:
    rows = Message.objects.filter(owned(forgotten, "conversation__")).exclude(system_prompt="")
    texts = rows.filter(may_say("system_prompt", forgotten)).values_list("pk", "system_prompt")
    return {pk: left for pk, text in texts if (left := strip_block(text, forgotten)) != text}


def count_prompts(forgotten: Forgotten) -> int:
    return len(find_prompts(forgotten))


def scrub_prompts(forgotten: Forgotten) -> int:
    found = find_prompts(forgotten)
    for pk, text in found.items():
        Message.objects.filter(pk=pk).update(system_prompt=text)
    return len(found)


def find_calls(forgotten: Forgotten) -> list[ToolCall]:
    """Calls of the profile tools, with their texts as they are without it."""
    rows = ToolCall.objects.filter(owned(forgotten, "message__conversation__"), name__in=NAMES)
    found = []
    for call in rows.iterator(200):
        arguments = ARGUMENTS if holds(call.arguments, forgotten) else call.arguments
        result = strip_text(call.result, forgotten).text
        if (arguments, result) != (call.arguments, call.result):
            call.arguments, call.result = arguments, result
            found.append(call)
    return found


def holds(arguments: str, forgotten: Forgotten) -> bool:
    try:
        values = read_json(arguments)
    except ValueError:
        values = {"": arguments}
    texts = [value for value in values.values() if isinstance(value, str)] if isinstance(values, dict) else [arguments]
    return any(strip_text(text, forgotten).text != text for text in texts)


def count_calls(forgotten: Forgotten) -> int:
    return len(find_calls(forgotten))


def scrub_calls(forgotten: Forgotten) -> int:
    found = find_calls(forgotten)
    ToolCall.objects.bulk_update(found, ["arguments", "result"], batch_size=100)
    return len(found)


TOLD, SENT = _("what conversations are told"), _("the agent's files in prompts that were sent")
CALLED = _("what agents read of their files and wrote into them")
register(Place("profile_calls", CALLED, count_calls, scrub_calls, rank=9, strike=scrub_calls))
register(Place("snapshots", TOLD, count_snapshots, scrub_snapshots, rank=17, strike=scrub_snapshots))
register(Place("profile_prompts", SENT, count_prompts, scrub_prompts, rank=18, strike=scrub_prompts))
