"""On which of the person's messages a candidate rests: what nobody said is not remembered, and neither is
what a person pasted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from chat.extraction.dialogue import Dialogue
from chat.models import Message
from memories.extraction.candidates import Candidate
from memories.judgement import normalise
from memories.quoting import find_quote, split_sentences, telling_terms
from xiajiao.statements import own_words

# A yes to whatever was said, and a nod that only takes up what was asked or proposed: "OK" to a fact that the agent
# told is no more than politeness.
YES = re.compile(
    r"\s*(?:(?:yes|yep|yeah|right|correct|exactly|agreed|sounds good|do (?:it|that)|let'?s do|deal)\b"
    r"|(?:对(?!了)|没错|是的|同意)(?=$|\W|[呀啊吧的])|就这样|就这么(?:办|定)|按你说的)",
    re.IGNORECASE,
)
NOD = re.compile(
    r"\s*(?:(?:sure|ok(?:ay)?)\b|(?:好的?|行|可以|嗯+|没问题)(?=$|\W|[呀啊吧的呢嘞]))[\W_]*", re.IGNORECASE
)
PROPOSED = re.compile(
    r"[?？]|吧[。！]?$|建议|推荐|提议|不如|要不"
    r"|\b(?:let'?s|shall|should|could|suggest|recommend|propose|how about|why not|i(?:'d| would))\b",
    re.IGNORECASE,
)


def find_support(candidate: Candidate, dialogue: Dialogue) -> tuple[list[Message], str]:
    """The messages, and the words in them; none where the agent alone said it."""
    said = dialogue.said
    if candidate.quote:
        found = [message for message in said if holds(own_words(message.content), candidate.quote)]
        if found:
            return found[-1:], candidate.quote
    agreed = find_agreement(candidate, dialogue.messages)
    if agreed is None and candidate.quote and is_answered(candidate.quote, dialogue):
        return [], ""
    quoted = [(message, find_quote(candidate.content, find_told(candidate, message))) for message in said]
    held = [(message, quote) for message, quote in quoted if quote]
    if held and agreed is None:
        return [held[-1][0]], held[-1][1]
    return ([agreed], agreed.content) if agreed is not None else ([], "")


def holds(text: str, quote: str) -> bool:
    wanted = normalise(quote)
    return bool(wanted) and wanted in normalise(text)


def is_answered(quote: str, dialogue: Dialogue) -> bool:
    """Whether the agent said it: what it recalled and told is no news of the person's."""
    answers = [message for message in dialogue.messages if message.role == Message.Role.ASSISTANT]
    return any(holds(message.content, quote) for message in answers)


def find_told(candidate: Candidate, message: Message) -> str:
    """What the person says of their own; a question only where it holds all that the candidate says."""
    wanted = telling_terms(candidate.content)
    sentences = split_sentences(own_words(message.content))
    told = [each for each in sentences if not each.endswith(("?", "？")) or wanted <= telling_terms(each)]
    return "\n".join(told)


def find_agreement(candidate: Candidate, messages: Sequence[Message]) -> Message | None:
    """A yes of the person to an answer that says it."""
    for answer, reply in pairwise(messages):
        if (answer.role, reply.role) != (Message.Role.ASSISTANT, Message.Role.USER):
            continue
        quote = find_quote(candidate.quote or candidate.content, answer.content)
        if quote and agrees(reply.content, quote):
            return reply
    return None


def agrees(reply: str, quote: str) -> bool:
    nod = NOD.match(reply)
    if YES.match(reply, nod.end() if nod else 0):
        return True
    return nod is not None and bool(PROPOSED.search(quote))
