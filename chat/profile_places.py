"""Where the words of profile files lie in the chat: what conversations are told, prompts, and calls of the tools."""

from __future__ import annotations

import re
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from chat.models import Conversation, Message, ToolCall
from chat.places import own
from chat.scrubbing import ARGUMENTS
from memories.models import ProfileKind
from memories.profiles.forgetting import Stripper, may_say, strip_text
from memories.profiles.tools import PROFILE_TOOLS, read_kind
from xiajiao.places import Forgotten, Place, register
from xiajiao.texts import read_json
from xiajiao.tools import ToolError

NAMES = [name for each in PROFILE_TOOLS for name in (each.name, *each.aliases)]
# What the files say in a prompt; the rest of it is not theirs.
BLOCK = re.compile(r"<(agent-identity|user-profile|agent-notes|recent-activity)>\n(.*?\n)</\1>", re.DOTALL)
SOUL_BLOCK = re.compile(r"<(agent-identity)>\n(.*?\n)</\1>", re.DOTALL)


def strip_block(text: str, stripper: Stripper, is_own: bool) -> str:
    """In other people's conversations, who the agent is alone: the rest are their files."""

    def strip(match: re.Match[str]) -> str:
        return f"<{match[1]}>\n{stripper.strip(match[2]).text}</{match[1]}>"

    return (BLOCK if is_own else SOUL_BLOCK).sub(strip, text)


def told(rows: QuerySet[Any], forgotten: Forgotten, path: str) -> QuerySet[Any]:
    """Rows of conversations that are told the files of the person, or who their agents are; `is_own`: the former."""
    owned = Q() if forgotten.user_id is None else Q(**{f"{path}agent__owner": forgotten.user_id})
    if forgotten.only_agent_id:
        owned &= Q(**{f"{path}agent": forgotten.only_agent_id})
    return rows.annotate(is_own=own(forgotten, path)).filter(Q(is_own=True) | owned)


def find_snapshots(forgotten: Forgotten) -> dict[int, str]:
    """What conversations are told, by their keys, as it is without it."""
    rows = told(Conversation.objects.exclude(profile_text=None), forgotten, "")
    return strip_column(rows, "profile_text", forgotten)


def strip_column(rows: QuerySet[Any], column: str, forgotten: Forgotten) -> dict[int, str]:
    texts = rows.filter(may_say([column], forgotten)).values_list("pk", column, "is_own").iterator(200)
    stripper = Stripper(forgotten)
    return {pk: left for pk, text, is_own in texts if (left := strip_block(text, stripper, is_own)) != text}


def count_snapshots(forgotten: Forgotten) -> int:
    return len(find_snapshots(forgotten))


def scrub_snapshots(forgotten: Forgotten) -> int:
    found = find_snapshots(forgotten)
    for pk, text in found.items():
        Conversation.objects.filter(pk=pk).update(profile_text=text)
    return len(found)


def find_prompts(forgotten: Forgotten) -> dict[int, str]:
    rows = told(Message.objects.exclude(system_prompt=""), forgotten, "conversation__")
    return strip_column(rows, "system_prompt", forgotten)


def count_prompts(forgotten: Forgotten) -> int:
    return len(find_prompts(forgotten))


def scrub_prompts(forgotten: Forgotten) -> int:
    found = find_prompts(forgotten)
    for pk, text in found.items():
        Message.objects.filter(pk=pk).update(system_prompt=text)
    return len(found)


def find_calls(forgotten: Forgotten) -> list[ToolCall]:
    """Calls of the profile tools, with their texts as they are without it."""
    rows = told(ToolCall.objects.filter(name__in=NAMES), forgotten, "message__conversation__")
    found = []
    for call in rows.iterator(200):
        if not call.is_own and not is_of_soul(call):
            continue
        arguments = ARGUMENTS if holds(call.arguments, forgotten) else call.arguments
        result = strip_text(call.result, forgotten).text
        if (arguments, result) != (call.arguments, call.result):
            call.arguments, call.result = arguments, result
            found.append(call)
    return found


def is_of_soul(call: ToolCall) -> bool:
    try:
        return read_kind(str(read_json(call.arguments)["file"])) == ProfileKind.SOUL
    except (ValueError, LookupError, TypeError, ToolError):
        return False


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
