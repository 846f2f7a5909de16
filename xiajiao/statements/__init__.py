"""Find by rules what a person states about themselves, their work and how they want to be answered, zh and en.

Precision before recall: what is asked, supposed, quoted, hearsay, code or the text of a task is no statement.
"""

from __future__ import annotations

from datetime import date

from xiajiao.statements import chinese, english
from xiajiao.statements.base import Found, Statement
from xiajiao.statements.chinese import ChineseReader
from xiajiao.statements.clauses import CJK, Sentence, Speech, own_words, read_speech
from xiajiao.statements.dates import resolve_dates
from xiajiao.statements.english import EnglishReader

__all__ = ["Statement", "find_statements", "own_words"]

# Characters; longer messages are pasted texts, not things that a person says of themselves.
LONGEST_MESSAGE = 2000
LONGEST_CONTENT = 200
MOST = 10


def find_statements(text: str, now: date | None = None) -> list[Statement]:
    """At most ten statements in the text's order and language, each standing alone, in the third person.

    With `now`, words like "tomorrow" become the day that they mean.
    """
    if len(text) > LONGEST_MESSAGE:
        return []
    speech = read_speech(text)
    sentences = own_sentences(speech.sentences())
    has_task = any(is_task(clause) for sentence in sentences for clause in sentence.clauses)
    found: dict[str, Statement] = {}
    for sentence in sentences:
        for statement in read_sentence(sentence, has_task, speech, now):
            found.setdefault(statement.content, statement)
    return list(found.values())[:MOST]


def own_sentences(sentences: list[Sentence]) -> list[Sentence]:
    """Without the text that a task is about: "translate this: I am a doctor" says nothing of the person."""
    for sentence in sentences:
        if any(is_task(clause) and is_about_text(clause) for clause in sentence.clauses):
            return []
    return sentences


def read_sentence(sentence: Sentence, has_task: bool, speech: Speech, now: date | None) -> list[Statement]:
    is_chinese = any(CJK.search(clause) for clause in sentence.clauses)
    reader = ChineseReader(has_task) if is_chinese else EnglishReader(has_task)
    statements = []
    for number, clause in enumerate(sentence.clauses, 1):
        if len(clause) > LONGEST_CONTENT:
            continue
        found = reader.read(clause, sentence.is_question and number == len(sentence.clauses))
        statement = finish(found, clause, speech, now) if found else None
        if statement:
            statements.append(statement)
    return statements


def finish(found: Found, clause: str, speech: Speech, now: date | None) -> Statement | None:
    content = speech.restore(found.content)
    content = resolve_dates(content, now) if now else content
    if len(content) > LONGEST_CONTENT:
        return None
    return Statement(content, found.category, found.type, speech.restore(clause))


def is_task(clause: str) -> bool:
    return chinese.is_task(clause) if CJK.search(clause) else english.is_task(clause)


def is_about_text(clause: str) -> bool:
    return chinese.is_about_text(clause) if CJK.search(clause) else english.is_about_text(clause)
