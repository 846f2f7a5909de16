"""Take what was forgotten out of the texts of profile files: the sentences that say it, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from memories.drafts import Draft, Origin
from memories.indexing import embed
from memories.judgement import normalise
from memories.models import Memory, MemoryRevision, Tombstone
from memories.quoting import split_sentences, telling_terms
from memories.tombstones import check_buried
from xiajiao.fulltext import terms
from xiajiao.places import Forgotten
from xiajiao.secrets import fingerprint

# Fewer words of a sentence say too little to be known by.
FEWEST = 2
# Sentences of one text that are compared with what was forgotten.
MOST = 40
# What stands before the words of a line: a bullet, a time of day, the number signs of a heading.
HEAD = re.compile(r"[ \t]*(?:[-*+] +|\d+[.)] +|#+ +)?(?:\d{1,2}:\d{2} +)?")


@dataclass(frozen=True)
class Stripped:
    """`gone`: the sentences that were taken out."""

    text: str
    gone: tuple[str, ...] = ()


def strip_text(text: str, forgotten: Forgotten) -> Stripped:
    """Lines of which nothing is left go altogether. What is struck out for another reason leaves its mark."""
    if not text or not (forgotten.wordings or forgotten.lines):
        return Stripped(text)
    if not forgotten.memory_id and not forgotten.is_topic:
        return Stripped(strike(text, forgotten))
    lines, gone = [], []
    for line in text.splitlines(keepends=True):
        left, taken = strip_line(line, forgotten)
        gone += taken
        if not taken or has_words(left):
            lines.append(left)
    return Stripped("".join(lines), tuple(gone))


def strike(text: str, forgotten: Forgotten) -> str:
    for wording in forgotten.telling:
        text = text.replace(wording, forgotten.mark)
    return text


def strip_line(line: str, forgotten: Forgotten) -> tuple[str, list[str]]:
    """What is left of it, and what was taken out."""
    body = read_body(line)
    if body in forgotten.lines:
        return "", [body]
    taken: list[str] = []
    for wording in forgotten.telling:
        if not forgotten.is_topic and wording.strip() in line:
            line, taken = line.replace(wording.strip(), ""), [*taken, body]
    for sentence in split_sentences(read_body(line)):
        if says(sentence, forgotten):
            line, taken = line.replace(sentence, "", 1), [*taken, sentence]
    return line, taken


def read_body(line: str) -> str:
    head = HEAD.match(line)
    return line[head.end() if head else 0 :].strip()


def has_words(line: str) -> bool:
    return any(letter.isalnum() for letter in read_body(line))


def says(sentence: str, forgotten: Forgotten) -> bool:
    """All words of the topic; or of a memory's wording all that tell anything, or nothing but such."""
    return any(matches(sentence, wording, forgotten.is_topic) for wording in forgotten.wordings)


def matches(sentence: str, wording: str, is_topic: bool) -> bool:
    wanted = wanted_terms(wording)
    if not wanted or not any(term in sentence.casefold() for term in wanted):
        return False
    if is_topic:
        folded = sentence.casefold()
        return all(word in folded for word in wording.casefold().split())
    held = telling_terms(sentence)
    return min(len(held), len(wanted)) >= FEWEST and (held <= wanted or wanted <= held)


@lru_cache(maxsize=256)
def wanted_terms(wording: str) -> frozenset[str]:
    """Of a topic that has but small words, these."""
    return frozenset(telling_terms(wording) or terms(wording))


def refuse_forgotten(agent_id: int, user_id: int | None, text: str, message_id: int | None) -> None:
    """Raises ForgottenError where an agent would write what was forgotten, out of nothing newer than that. May ask the
    embedder."""
    newest = message_id or 0
    if not Tombstone.objects.filter(agent=agent_id, user=user_id, last_message_id__gte=newest).exists():
        return
    origin = Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL, user_id, message_ids=[newest])
    said = [read_body(line) for line in text.splitlines()]
    sentences = list(dict.fromkeys([*filter(None, said), *split_sentences("\n".join(said))]))
    for sentence in sentences[:MOST]:
        check_buried(agent_id, user_id, Draft(sentence), origin, embed(sentence))


def bury_sentences(agent_id: int, forgotten: Forgotten, sentences: Iterable[str]) -> None:
    """What was taken out is known again by its very words when an agent would write it anew."""
    if not forgotten.last_message_id:
        return
    for mark in {fingerprint(normalise(sentence)) for sentence in sentences if normalise(sentence)}:
        buried = Tombstone.objects.filter(agent=agent_id, user=forgotten.user_id, fingerprint=mark)
        columns = {"last_message_id": forgotten.last_message_id, "tidied_at": None}
        if not buried.update(**columns):
            Tombstone.objects.create(agent_id=agent_id, user_id=forgotten.user_id, fingerprint=mark, **columns)
