"""Rules that find statements in English clauses."""

from __future__ import annotations

import re

from xiajiao.statements.base import Found
from xiajiao.statements.english_words import (
    ASKING,
    DURABLE,
    EVENT,
    EXPLICIT,
    INSTRUCTION,
    LEAD,
    ORDER,
    ORGANISATION,
    OWN,
    POINTING,
    SELF_STATE,
    TASK,
    TASK_ABOUT_TEXT,
    TIME,
    UNCERTAIN,
    WE,
)
from xiajiao.statements.persons import in_third_person

DECIDED = re.compile(
    r"\b(?:decided|agreed|plan(?:s|ned|ning)? to|going to|yesterday|tomorrow|ago|(?:last|next) \w+)\b", re.IGNORECASE
)
# "Now I work" is "I now work"; of a verb that is short the adverb goes behind it.
NOW_FIRST = re.compile(r"^now,? (?P<who>(?:i|we)(?:'m|'re|'ve| am| are| have)?)\b", re.IGNORECASE)
# "Last month I moved" is "I moved last month".
TIME_FIRST = re.compile(rf"^(?P<time>{TIME}),? (?P<rest>(?:i|we|my|our)\b.+)", re.IGNORECASE)
# "Show a command before you explain it" says itself what it is about.
OF_ITSELF = re.compile(r"\b(?:before|after|when|while)\b.*\bit\b", re.IGNORECASE)
YOU = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
# "I am a big fan" leaves open of what.
UNFINISHED = re.compile(r"\b(?:fan|one|too|as well|kid)$", re.IGNORECASE)


class EnglishReader:
    """Reads the clauses of one sentence in order: later ones may lean on the subject of earlier ones."""

    def __init__(self, has_task: bool) -> None:
        self.has_task = has_task
        self.is_explicit = self.is_hypothetical = False
        self.may_order = True

    def read(self, clause: str, is_question: bool) -> Found | None:
        clause = straighten(clause)
        explicit = EXPLICIT.match(clause)
        if explicit:
            self.is_explicit = True
            is_question = is_question and not explicit["polite"]
            clause = straighten(clause[explicit.end() :])
        if UNCERTAIN.search(clause):
            self.is_hypothetical = True
        if is_question or self.is_hypothetical or ASKING.search(clause) or len(clause) < 4:
            return None
        found = self.instruction(clause) or self.fact(clause) or self.told(clause)
        self.may_order = found is not None
        return found

    def instruction(self, clause: str) -> Found | None:
        durable = bool(DURABLE.search(clause))
        pointed = OF_ITSELF.sub("", clause) if durable else clause
        if POINTING.search(pointed) or (TASK.match(clause) and not durable):
            return None
        if not self.may_order and re.match(r"(?:always|never)\b", clause, re.IGNORECASE):
            return None  # "they cheer us up and always make us smile"
        fits = INSTRUCTION.match(clause) or (durable and ORDER.match(clause))
        if not fits or (self.has_task and not (durable or self.is_explicit)):
            return None
        clause = re.sub(r"^please,? ", "", clause, flags=re.IGNORECASE)
        clause = re.sub(r"^i(?:'d| would)? (?:want|like|need|prefer|expect) you to ", "", clause, flags=re.IGNORECASE)
        return Found(in_third_person(clause, "them" if not durable else "the user"), "procedural", "feedback")

    def fact(self, clause: str) -> Found | None:
        if TASK.match(clause) or POINTING.search(clause) or YOU.search(clause) or UNFINISHED.search(clause):
            return None
        for pattern, kind in ((WE, "project"), (ORGANISATION, "project"), (OWN, "user"), (SELF_STATE, "user")):
            if pattern.match(clause):
                category = "episodic" if DECIDED.search(clause) else "semantic"
                return Found(in_third_person(clause), category, kind)
        if EVENT.match(clause):
            return Found(in_third_person(clause), "episodic", "user")
        return None

    def told(self, clause: str) -> Found | None:
        """What the person asks to be remembered is kept in their own words."""
        is_other = POINTING.search(clause) or TASK.match(clause) or YOU.search(clause)
        if not self.is_explicit or is_other or len(clause.split()) < 3:
            return None
        return Found(in_third_person(clause), "semantic", "reference" if "://" in clause else "user")


def straighten(clause: str) -> str:
    """With straight apostrophes, the subject first, and without what only leads over from the clause before."""
    clause = LEAD.sub("", clause.replace("’", "'").strip(" ,:-")).strip()
    clause = TIME_FIRST.sub(r"\g<rest> \g<time>", clause)
    return NOW_FIRST.sub(r"\g<who> now", clause)


def is_task(clause: str) -> bool:
    clause = straighten(clause)
    return bool(TASK.match(clause)) and not DURABLE.search(clause) and not EXPLICIT.match(clause)


def is_about_text(clause: str) -> bool:
    """A task whose text stands in the message itself: to translate, to proofread."""
    return bool(TASK_ABOUT_TEXT.search(clause))
