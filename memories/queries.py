"""What a turn asks its memory: the message, and the one before where it makes sense only with it."""

from __future__ import annotations

import re

from memories.phrasing import in_third_person
from memories.smalltalk import is_small_talk
from xiajiao.texts import clean, estimate_tokens

# Tokens under which a message may need the one before it to be understood.
SHORT = 12
REFERS_BACK = re.compile(
    r"那|这|它|他|她|其中|其他|其它|该|此|上面|前面|刚才|刚刚|之前|上一个|另一个|别的|还有|再|继续|然后|换成|呢[？?]?$"
    r"|\b(?:its?|this|those|these|they|them|he|him|his|she|her|ones|others?|another|again|also|else|instead|same|above"
    r"|previous)\b|^(?:and|but|so|then|what about|how about|that)\b",
    re.IGNORECASE,
)
# Questions that no single memory answers.
OVERVIEW = re.compile(
    r"我是谁"
    r"|(?:关于|了解|认识|记得|记住|记着|知道)[了过]?我的?(?:[吗么？?。]|些?什么|哪些|多少|所有|全部|一切|信息|情况|$)"
    r"|我的(?:所有|全部)(?:记忆|信息)|(?:所有|全部)的?记忆"
    r"|你[都还]?(?:记得|记住|知道)了?(?:些?什么|哪些事?|多少|所有)(?:[吗呢？?。]|$)"
    r"|\bwho am I\b|\byour memories\b"
    r"|\b(?:know|remember(?:ed)?|learn(?:ed|t)?)(?: (?:everything|anything|something|all))?(?: about)? me\b"
    r"|\b(?:everything|all|what)(?: that)?(?: do)? you(?: have)? (?:know|remember(?:ed)?)(?: about me)?\s*(?:[?.!]|$)",
    re.IGNORECASE,
)


def asks_for_everything(message: str) -> bool:
    """ "What do you know about me?": no memory is nearer to that than another."""
    return OVERVIEW.search(message) is not None


def compose_queries(message: str, previous: str = "") -> list[str]:
    """The texts to search for, in the third person and the message itself first; none for small talk.

    A short message, or one that refers back ("and the other one?"), is also searched for together with the one before:
    beside the message and not instead of it, or the old topic would drown a new question.
    """
    message, previous = clean(message).strip(), clean(previous).strip()
    if not message or is_small_talk(message):
        return []
    texts = [message]
    if previous and (estimate_tokens(message) <= SHORT or REFERS_BACK.search(message)):
        texts.append(f"{previous}\n{message}")
    return [in_third_person(text) for text in texts]
