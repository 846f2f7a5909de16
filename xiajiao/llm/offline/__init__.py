"""The backend without a model: it answers only from the prompt that it is given, and says so."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Generator, Iterator
from typing import Any

from django.utils import timezone

from xiajiao.llm.base import ChatRequest, ModelEvent, ModelSource, RequestedCall, StepFinished, TextDelta
from xiajiao.llm.offline.answers import compose
from xiajiao.llm.offline.prompt import Prompt, read_prompt
from xiajiao.llm.offline.wishes import find_forgotten, find_forgotten_subject, wants_list
from xiajiao.statements import find_statements

# A word with the blanks after it, or two characters of a script without blanks.
DELTA = re.compile(r"[\u2e80-\uffef]{1,2}\s*|[^\s\u2e80-\uffef]+\s*|\s+")
LISTED = 50


class OfflineChatModel:
    """Speaks the protocol of messages and tools like any other model; it never touches the network."""

    def __init__(self, source: ModelSource) -> None:
        self.source = source

    def stream(self, request: ChatRequest) -> Generator[ModelEvent, None, None]:
        prompt = read_prompt(request.messages)
        offered = {tool["function"]["name"] for tool in request.tools}
        calls = () if prompt.results else tuple(choose_calls(prompt, offered))
        if not calls:
            for piece in DELTA.findall(compose(prompt, keeps="memory_write" in offered)):
                yield TextDelta(piece)
        yield StepFinished(calls, None, "tool_calls" if calls else "stop")

    def list_models(self) -> list[str]:
        return [self.source.model]


def choose_calls(prompt: Prompt, offered: set[str]) -> Iterator[RequestedCall]:
    """What to do before answering: look up what is asked for by name, and keep what was stated."""
    forgotten, subject = find_forgotten(prompt.question), find_forgotten_subject(prompt.question)
    if "memory_forget" in offered and subject:
        yield make_call("memory_forget", {"about": subject})
    elif "memory_search" in offered and (forgotten or wants_list(prompt.question)):
        query = {"query": forgotten} if forgotten else {"query": "", "top_k": LISTED}
        yield make_call("memory_search", query)
    elif "memory_write" in offered:
        for found in find_statements(prompt.question, timezone.localdate()):
            kept = {"content": found.content, "category": found.category, "type": found.type}
            yield make_call("memory_write", kept)


def make_call(name: str, arguments: dict[str, Any]) -> RequestedCall:
    return RequestedCall(f"call_{secrets.token_hex(8)}", name, json.dumps(arguments, ensure_ascii=False))
