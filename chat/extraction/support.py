"""On which of the person's messages a candidate rests: what nobody said is not remembered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from chat.extraction.dialogue import Dialogue
from chat.models import Message
from memories.extraction.candidates import Candidate
from memories.judgement import normalise
from memories.quoting import find_quote

AGREEMENT = re.compile(
    r"\s*(?:yes|yep|yeah|sure|ok(?:ay)?|right|correct|exactly|agreed|sounds good|do (?:it|that)|let'?s do|deal"
    r"|好的?|行|可以|对|没错|是的|嗯|同意|就这样|就这么(?:办|定)|没问题|按你说的)",
    re.IGNORECASE,
)


def find_support(candidate: Candidate, dialogue: Dialogue) -> tuple[list[Message], str]:
    """The messages, and the words in them; none where the agent alone said it."""
    said = dialogue.said
    if candidate.quote:
        wanted = normalise(candidate.quote)
        found = [message for message in said if wanted and wanted in normalise(message.content)]
        if found:
            return found[-1:], candidate.quote
    agreed = find_agreement(candidate, dialogue.messages)
    quoted = [(message, find_quote(candidate.content, message.content)) for message in said]
    held = [(message, quote) for message, quote in quoted if quote]
    if held and agreed is None:
        return [held[-1][0]], held[-1][1]
    return ([agreed], agreed.content) if agreed is not None else ([], "")


def find_agreement(candidate: Candidate, messages: Sequence[Message]) -> Message | None:
    """A yes of the person to an answer that says it."""
    for answer, reply in pairwise(messages):
        is_answer = answer.role == Message.Role.ASSISTANT and reply.role == Message.Role.USER
        if (
            is_answer
            and AGREEMENT.match(reply.content)
            and find_quote(candidate.quote or candidate.content, answer.content)
        ):
            return reply
    return None
