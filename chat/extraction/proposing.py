"""Who proposes what to remember: the agent's model, or rules where there is none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from django.utils import timezone

from chat.extraction.dialogue import Dialogue
from memories.extraction.candidates import Candidate, Reading, ReplyError
from memories.extraction.prompting import make_response_format, render_complaint, render_extraction_prompt
from memories.extraction.reading import MOST, read_reply
from xiajiao.llm import stream_reply
from xiajiao.llm.base import ChatRequest, ModelSource, TextDelta
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


def propose(
    source: ModelSource, dialogue: Dialogue, language: str, pulse: Callable[[], None] = lambda: None
) -> Proposal:
    """Asks a network; `pulse` is called while the model speaks. Raises ModelError, UnreadableReplyError, and whatever
    `pulse` raises."""
    if is_offline(source):
        return Proposal(find_by_rules(dialogue), RULES, summarise(dialogue))
    asking = Asking(source, render_extraction_prompt(dialogue.lines, language), language, pulse)
    reply = asking.ask()
    try:
        reading = asking.read(reply)
    except ReplyError as error:
        return ask_again(asking, reply, Reading(), error.code)
    if reading.is_cut:
        return ask_again(asking, reply, reading, "cut")
    return Proposal(list(reading.candidates), source.model, reading.summary)


@dataclass(frozen=True)
class Asking:
    """A model, what it is asked in which language, and whom its speech is told to."""

    source: ModelSource
    prompt: str
    language: str
    pulse: Callable[[], None]

    def ask(self, *further: dict[str, str]) -> str:
        """`further`: messages behind the prompt. Raises ModelError."""
        messages = [{"role": "user", "content": self.prompt}, *further]
        request = ChatRequest(
            messages, temperature=0, max_tokens=LONGEST_REPLY_TOKENS, response_format=make_response_format()
        )
        texts: list[str] = []
        with closing(stream_reply(self.source, request)) as events:
            for event in events:
                self.pulse()
                texts += [event.text] if isinstance(event, TextDelta) else []
        return "".join(texts)

    def read(self, reply: str) -> Reading:
        """Raises ReplyError. What stands in the instructions is an echo, what stands in the conversation is none."""
        return read_reply(reply, self.prompt.partition("<conversation>")[0])


def ask_again(asking: Asking, reply: str, first: Reading, problem: str) -> Proposal:
    """Once, with what was wrong. What the first reply held is not lost where the second is no better."""
    second = asking.ask(
        {"role": "assistant", "content": reply or "…"},
        {"role": "user", "content": render_complaint(problem, asking.language)},
    )
    model = asking.source.model
    try:
        reading = asking.read(second)
    except ReplyError as error:
        if not first.candidates:
            raise UnreadableReplyError(error.code, second or reply) from None
        return Proposal(list(first.candidates), model, first.summary)
    better = max(first, reading, key=lambda each: len(each.candidates)) if reading.is_cut else reading
    return Proposal(list(better.candidates), model, better.summary)


def find_by_rules(dialogue: Dialogue) -> list[Candidate]:
    """What the person states, message by message; the same rules by which the offline mode remembers at once.

    Of more than MOST the newest.
    """
    candidates = [
        Candidate(found.content, found.category, found.type, found.quote)
        for message in dialogue.said
        for found in find_statements(message.content, timezone.localdate(message.created_at))
    ]
    return candidates[-MOST:]


def summarise(dialogue: Dialogue) -> str:
    """Without a model: what the person asked first, as they said it."""
    first = next((message.content for message in dialogue.said), "")
    return clip(next((line.strip() for line in first.splitlines() if line.strip()), ""), 120)
