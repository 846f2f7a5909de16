"""What a turn asks its memory: the message, and the one before where it makes sense only with it."""

from __future__ import annotations

import re

from memories.smalltalk import is_small_talk
from xiajiao.texts import clean, estimate_tokens

# Tokens under which a message may need the one before it to be understood.
SHORT = 12
REFERS_BACK = re.compile(
    r"那|这|它|他|她|其中|其他|其它|该|此|上面|前面|刚才|刚刚|之前|上一个|另一个|别的|还有|再|继续|然后|换成|呢[？?]?$"
    r"|\b(?:its?|that|this|those|these|they|them|he|him|his|she|her|there|ones?|others?|another|again|also|too|more|else"
    r"|instead|same|above|previous)\b",
    re.IGNORECASE,
)


def compose_queries(message: str, previous: str = "") -> list[str]:
    """The texts to search for, the message itself first; none for small talk.

    A short message, or one that refers back ("and the other one?"), is also searched for together with the one before:
    beside the message and not instead of it, or the old topic would drown a new question.
    """
    message, previous = clean(message).strip(), clean(previous).strip()
    if not message or is_small_talk(message):
        return []
    if not previous or not (estimate_tokens(message) <= SHORT or REFERS_BACK.search(message)):
        return [message]
    return [message, f"{previous}\n{message}"]
