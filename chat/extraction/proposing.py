"""Who proposes what to remember: the agent's model, or rules where there is none."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from chat.extraction.dialogue import Dialogue
from memories.extraction.candidates import Candidate, Reading, ReplyError
from memories.extraction.prompting import make_response_format, render_extraction_prompt
from memories.extraction.reading import read_reply
from xiajiao.llm import complete
from xiajiao.llm.base import ChatRequest, ModelSource
from xiajiao.llm.sources import OFFLINE
from xiajiao.statements import find_statements
from xiajiao.texts import clip

LONGEST_REPLY_TOKENS = 2000
RULES = "rules"


class UnreadableReplyError(Exception):
    """Twice. `reply` is what the model said."""

    def __init__(self, code: str, reply: str) -> None:
        super().__init__(code)
        self.code = code
        self.reply = reply


@dataclass(frozen=True)
class Proposal:
    """`summary`: the conversation in a line."""

    candidates: list[Candidate]
    model_name: str
    summary: str = ""


def is_offline(source: ModelSource) -> bool:
    return source.backend == OFFLINE.backend


def propose(source: ModelSource, dialogue: Dialogue, language: str) -> Proposal:
    """Asks a network. Raises ModelError, UnreadableReplyError."""
    if is_offline(source):
        return Proposal(find_by_rules(dialogue), RULES, summarise(dialogue))
    prompt = render_extraction_prompt(dialogue.lines, language)
    reply = ask(source, [{"role": "user", "content": prompt}])
    try:
        reading = read(reply, prompt)
    except ReplyError:
        reading = Reading(is_cut=True)
    if reading.is_cut:
        return ask_again(source, prompt, reply, reading)
    return Proposal(list(reading.candidates), source.model, reading.summary)


def ask_again(source: ModelSource, prompt: str, reply: str, first: Reading) -> Proposal:
    """Once, with what was wrong. What the first reply held is not lost where the second is no better."""
    complaint = "That was no complete JSON object. Answer with the JSON object alone, shorter if need be."
    messages = [
        {"role": "user", "content": prompt},
        {"role": "assistant", "content": reply or "…"},
        {"role": "user", "content": complaint},
    ]
    second = ask(source, messages)
    try:
        reading = read(second, prompt)
    except ReplyError as error:
        if not first.candidates:
            raise UnreadableReplyError(error.code, second or reply) from None
        return Proposal(list(first.candidates), source.model, first.summary)
    better = max(first, reading, key=lambda each: len(each.candidates)) if reading.is_cut else reading
    return Proposal(list(better.candidates), source.model, better.summary)


def ask(source: ModelSource, messages: list[dict[str, str]]) -> str:
    request = ChatRequest(
        messages, temperature=0, max_tokens=LONGEST_REPLY_TOKENS, response_format=make_response_format()
    )
    return complete(source, request)


def read(reply: str, prompt: str) -> Reading:
    """Raises ReplyError. What stands in the instructions is an echo, what stands in the conversation is none."""
    return read_reply(reply, prompt.partition("<conversation>")[0])


def find_by_rules(dialogue: Dialogue) -> list[Candidate]:
    """What the person states, message by message; the same rules by which the offline mode remembers at once."""
    return [
        Candidate(found.content, found.category, found.type, found.quote)
        for message in dialogue.said
        for found in find_statements(message.content, timezone.localdate(message.created_at))
    ]


def summarise(dialogue: Dialogue) -> str:
    """Without a model: what the person asked first, as they said it."""
    first = next((message.content for message in dialogue.said), "")
    return clip(next((line.strip() for line in first.splitlines() if line.strip()), ""), 120)
