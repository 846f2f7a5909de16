"""Take what was forgotten out of the texts of profile files: the sentences that say it, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_

from django.db.models import Q

from memories.judgement import normalise
from memories.quoting import split_sentences, telling_terms
from memories.striking import strike_text
from memories.tombstones import ForgottenError, bury_texts, find_forgotten
from xiajiao.fulltext import terms
from xiajiao.fulltext.terms import CJK, fold
from xiajiao.places import Forgotten, Kind

# Fewer words of a sentence say too little to be known by.
FEWEST = 2
# What stands before the words of a line: a bullet, a time of day, the number signs of a heading.
HEAD = re.compile(r"[ \t]*(?:[-*+] +|\d+[.)] +|#+ +)?(?:\d{1,2}:\d{2} +)?")
UNSPACED = re.compile(f"[{CJK}]{{2,}}")


@dataclass(frozen=True)
class Stripped:
    """`gone`: the sentences that were taken out."""

    text: str
    gone: tuple[str, ...] = ()


class Stripper:
    """For many texts, such as the versions of a file: each line is read once."""

    def __init__(self, forgotten: Forgotten) -> None:
        self.forgotten = forgotten
        self.lines: dict[str, tuple[str, tuple[str, ...]]] = {}

    def strip(self, text: str) -> Stripped:
        """Lines of which nothing is left go altogether. What is struck out leaves its mark."""
        forgotten = self.forgotten
        if not text or not (forgotten.wordings or forgotten.lines):
            return Stripped(text)
        if forgotten.kind == Kind.STRUCK:
            return Stripped(strike_text(text, forgotten.telling, forgotten.mark))
        lines: list[str] = []
        gone: list[str] = []
        for line in text.splitlines(keepends=True):
            if line not in self.lines:
                self.lines[line] = strip_line(line, forgotten)
            left, taken = self.lines[line]
            gone += taken
            if not taken or has_words(left):
                lines.append(left)
        return Stripped("".join(lines), tuple(gone))


def strip_text(text: str, forgotten: Forgotten) -> Stripped:
    return Stripper(forgotten).strip(text)


def strip_line(line: str, forgotten: Forgotten) -> tuple[str, tuple[str, ...]]:
    """What is left of it, and what was taken out."""
    body = read_body(line)
    if body in forgotten.lines:
        return "", (body,)
    taken: list[str] = []
    for sentence in split_sentences(body):
        if says(sentence, forgotten):
            line, taken = line.replace(sentence, "", 1), [*taken, sentence]
    return line, tuple(taken)


def read_body(line: str) -> str:
    head = HEAD.match(line)
    return line[head.end() if head else 0 :].strip()


def has_words(line: str) -> bool:
    return any(letter.isalnum() for letter in read_body(line))


def says(sentence: str, forgotten: Forgotten) -> bool:
    matches = holds_topic if forgotten.kind == Kind.TOPIC else tells_memory
    return any(matches(sentence, wording) for wording in forgotten.wordings)


def holds_topic(sentence: str, topic: str) -> bool:
    """All its words, and none as a piece of another word; but Chinese, which has no blanks, wherever two characters of
    it or more stand together."""
    folded, held = fold(sentence), frozenset(terms(sentence))
    telling = [word for word in topic.split() if telling_terms(word)]
    return bool(telling) and all(
        fold(word) in folded if UNSPACED.fullmatch(word) else telling_terms(word) <= held for word in telling
    )


def tells_memory(sentence: str, wording: str) -> bool:
    """All words of the memory that tell anything, or nothing but such."""
    wanted, folded = wanted_terms(wording), fold(sentence)
    if not any(term in folded for term in wanted):
        return False
    if len(wanted) < FEWEST:
        return normalise(sentence) == normalise(wording)
    held = telling_terms(sentence)
    return len(held) >= FEWEST and (held <= wanted or wanted <= held)


@lru_cache(maxsize=256)
def wanted_terms(wording: str) -> frozenset[str]:
    """Of a memory that has but small words, these."""
    return frozenset(telling_terms(wording) or terms(wording))


def may_say(columns: Iterable[str], forgotten: Forgotten) -> Q:
    """Rows of which `strip_text` may change one of the columns. Words are told apart by their folded forms, which no
    database knows: then all of them."""
    if forgotten.kind != Kind.STRUCK:
        return Q()
    tests = (Q(**{f"{column}__contains": text}) for column in columns for text in forgotten.telling)
    return reduce(or_, tests, Q(pk__in=[]))


def refuse_forgotten(agent_id: int, user_id: int | None, text: str, message_id: int | None) -> None:
    """Raises ForgottenError where an agent would write what was forgotten, out of nothing newer than that. May ask the
    embedder."""
    if find_forgotten(agent_id, user_id, list_sayings(text), message_id or 0):
        raise ForgottenError


def leave_forgotten_out(agent_id: int, user_id: int | None, text: str, message_id: int) -> str:
    """Without the sentences that `refuse_forgotten` refuses."""
    for saying in find_forgotten(agent_id, user_id, list_sayings(text), message_id):
        text = text.replace(saying, "")
    return text.strip()


def list_sayings(text: str) -> list[str]:
    """Its lines and their sentences, each once."""
    said = [read_body(line) for line in text.splitlines()]
    return list(dict.fromkeys([*filter(None, said), *split_sentences("\n".join(said))]))


def bury_sentences(agent_id: int, forgotten: Forgotten, sentences: Iterable[str]) -> None:
    """What was taken out is known again by its very words when an agent would write it anew."""
    if forgotten.last_message_id:
        vectors = dict.fromkeys(sentence for sentence in sentences if normalise(sentence))
        bury_texts(agent_id, forgotten.user_id, vectors, forgotten.last_message_id)
