"""Memories of other systems before the gate: what it would decide, and its decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memories.changes import restore
from memories.drafts import CONTENT_LENGTH, Decision, Draft, DraftError, Origin
from memories.gate import Judgement, Offer, accept, came_late, foresee, settle
from memories.indexing import Embedded, embed_texts
from memories.models import Agent, Import, ImportedText, ImportLine, Memory, MemoryRevision
from memories.tombstones import find_buried
from memories.transfer.entries import EntryError, ForeignEntry
from memories.transfer.targets import Target, Targets
from memories.transfer.verdicts import Finding, settle_line
from memories.transfer.window import Window
from xiajiao.claims import record
from xiajiao.embeddings.base import EmbeddingError
from xiajiao.texts import clean, clip

Outcome = ImportLine.Outcome
FORECASTS = {
    "add": Outcome.ADD,
    "ignore": Outcome.IGNORE,
    "reinforce": Outcome.REINFORCE,
    "supersede": Outcome.SUPERSEDE,
}
Action = MemoryRevision.Action
OUTCOMES = {
    Action.ADDED: Outcome.ADD,
    Action.IGNORED: Outcome.IGNORE,
    Action.REINFORCED: Outcome.REINFORCE,
    Action.SUPERSEDED: Outcome.SUPERSEDE,
}
Placed = tuple[int, ForeignEntry]


class KnownError(Exception):
    """The entry came in by another import meanwhile; what was written for it is taken back."""


@dataclass
class Offered:
    """An entry that can be kept; `known` is what an earlier import of it has become.

    `is_forgotten`: the person had it forgotten for good.
    """

    place: int
    entry: ForeignEntry
    draft: Draft
    target: Target
    known: Memory | None = None
    is_forgotten: bool = False
    embedded: Embedded | None = None


class Gating:
    """Of one import, batch after batch."""

    def __init__(self, job: Import, targets: Targets) -> None:
        self.job = job
        self.targets = targets
        self.window = Window()
        self.origin = Origin(MemoryRevision.Actor.IMPORT, Memory.Source.IMPORT, user_id=job.user_id)

    def look(self, entries: Sequence[Placed]) -> list[ImportLine]:
        """What would become of each, as things stand and as the file goes on; memories are only read."""
        findings: dict[int, Finding] = {}
        offered = self.prepare(entries, findings)
        for each in offered:
            findings[each.place] = self.foresee(each)
            self.window.add(each.target.place, each.entry.spot.line, each.draft, each.embedded)
        return [self.as_line(place, entry, findings[place]) for place, entry in entries]

    def prepare(self, entries: Sequence[Placed], findings: dict[int, Finding]) -> list[Offered]:
        """Cleaned, looked up and embedded together; those that can't be kept are found invalid."""
        offered = []
        for place, entry in entries:
            try:
                target = self.targets.of_names(entry.agent, entry.person)
                draft = accept_draft(target.agent or Agent(), entry.draft, self.origin)
                offered.append(Offered(place, entry, draft, target))
            except EntryError as error:
                findings[place] = Finding(Outcome.INVALID, error.code, error.details)
        self.find_known(offered)
        new = [each for each in offered if each.known is None]
        for each, embedded in zip(new, embed_all([each.draft.content for each in new]), strict=True):
            each.embedded = embedded
        return offered

    def find_known(self, offered: Sequence[Offered]) -> None:
        keys = [each.entry.key for each in offered]
        rows = ImportedText.objects.filter(key__in=keys).select_related("memory", "memory__agent")
        known: dict[tuple[object, ...], Memory] = {(row.agent_id, row.user_id, row.key): row.memory for row in rows}
        for each in offered:
            each.known = known.get((*each.target.place, each.entry.key))
        for place in {each.target.place for each in offered if each.target.agent}:
            texts = {each.draft.content for each in offered if each.target.place == place}
            buried = find_buried(int(place[0]), place[1], texts)
            for each in offered:
                each.is_forgotten |= each.target.place == place and each.draft.content in buried

    def foresee(self, each: Offered) -> Finding:
        if each.known is not None:
            return Finding(Outcome.IGNORE, "deleted_here" if each.known.deleted_at else "imported", memory=each.known)
        if each.is_forgotten:
            return Finding(Outcome.IGNORE, "forgotten_here")
        judgement = None if each.target.agent is None else foresee(self.as_offer(each))
        if judgement is not None and judgement.memory is not None:
            return self.as_finding(each, judgement)
        within = self.window.judge(each.target.place, each.draft, each.embedded)
        if within is not None:
            return Finding(FORECASTS[within[1].action], "same_file", {"line": within[0]})
        return Finding(Outcome.ADD, each.entry.remark)

    def as_finding(self, each: Offered, judgement: Judgement) -> Finding:
        assert judgement.memory is not None
        action = judgement.verdict.action
        if action == "supersede" and came_late(each.draft, judgement.memory):
            return Finding(Outcome.ADD, "came_late", memory=judgement.memory)
        return Finding(FORECASTS[action], "", memory=judgement.memory)

    def as_offer(self, each: Offered) -> Offer:
        assert each.target.agent is not None
        return Offer(each.target.agent, each.target.person_id, each.draft, self.origin, each.embedded)

    def as_line(self, place: int, entry: ForeignEntry, finding: Finding) -> ImportLine:
        return ImportLine(
            transfer=self.job,
            place=place,
            line=entry.spot.line,
            forecast=finding.outcome,
            reason=finding.reason,
            details=finding.details,
            excerpt=clip(clean(entry.draft.title or entry.draft.content).strip(), 200),
            memory=finding.memory,
        )

    def write(self, entries: Sequence[Placed], lines: dict[int, ImportLine]) -> None:
        """Each in a transaction of its own, together with its line of the report and the job's cursor."""
        findings: dict[int, Finding] = {}
        waiting = [each for each in entries if is_waiting(lines.get(each[0]))]
        offered = {each.place: each for each in self.prepare(waiting, findings)}
        for place, _entry in waiting:
            finding = findings.get(place) or self.write_one(offered[place], lines[place])
            if finding is not None:
                settle_line(lines[place], finding)

    def write_one(self, each: Offered, line: ImportLine) -> Finding | None:
        """None where the line was settled together with the memory."""
        if each.known is not None:
            return self.keep_known(each.known)
        if each.is_forgotten and not self.job.brings_back:
            return Finding(Outcome.IGNORE, "forgotten_here")

        def note(decision: Decision) -> None:
            self.note(each, line, decision)

        try:
            settle(self.as_offer(each), note)
        except KnownError:
            return Finding(Outcome.IGNORE, "imported")
        return None

    def keep_known(self, memory: Memory) -> Finding:
        if memory.deleted_at is None:
            return Finding(Outcome.IGNORE, "imported", memory=memory)
        if not self.job.brings_back:
            return Finding(Outcome.IGNORE, "deleted_here", memory=memory)
        return Finding(Outcome.RESTORE, "brought_back", memory=restore(memory, self.origin))

    def note(self, each: Offered, line: ImportLine, decision: Decision) -> None:
        """In the gate's transaction: the report, the cursor and the key stand or fall with the memory.

        Raises LostClaimError, KnownError.
        """
        memory = decision.memory
        _row, is_new = ImportedText.objects.get_or_create(
            agent_id=memory.agent_id, user=memory.user, key=each.entry.key, defaults={"memory": memory}
        )
        if not is_new:
            raise KnownError
        settle_line(line, self.as_outcome(each, decision))
        record(self.job, cursor=each.place, position=each.entry.spot.position)

    def as_outcome(self, each: Offered, decision: Decision) -> Finding:
        reason = "came_late" if decision.reason.get("rule") == "came_late" else each.entry.remark
        return Finding(OUTCOMES[Action(decision.action)], reason, memory=decision.memory)


def is_waiting(line: ImportLine | None) -> bool:
    return line is not None and not line.outcome and line.forecast != Outcome.INVALID


def accept_draft(agent: Agent, draft: Draft, origin: Origin) -> Draft:
    """Without its secrets, as the agent's setting has it. Raises EntryError where it can't be kept."""
    if len(draft.content) > CONTENT_LENGTH:
        raise EntryError("too_long", column="content", most=CONTENT_LENGTH)
    try:
        return accept(agent, draft, origin)
    except DraftError:
        raise EntryError("empty" if is_blank(draft.content) else "refused", column="content") from None


def is_blank(text: str) -> bool:
    return not any(character.isalnum() for character in clean(text))


def embed_all(texts: Sequence[str]) -> list[Any]:
    """None for each where the embedder fails: the words are judged alone, and the sweep makes the vectors."""
    try:
        return list(embed_texts(texts)) if texts else []
    except EmbeddingError:
        return [None] * len(texts)
