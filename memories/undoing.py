"""What taking a change back, or going back to a version, would do: told before it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memories.changes import bring_back
from memories.columns import ColumnChange, describe_changes, name_types
from memories.drafts import DraftError, Origin
from memories.models import Memory, MemoryRevision
from memories.redaction import redact_fields
from memories.reversals import find_rewound, find_root, find_supersessions, find_twins, known_columns
from memories.revising import QUIET_COLUMNS, read_before

Action = MemoryRevision.Action
TRIAL = Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL)
INSISTING = replace(TRIAL, keeps_secrets=True)


@dataclass(frozen=True)
class Plan:
    """`changes`: from what the memory says now to what it will say.

    `deletes`: it goes altogether. `revives`: memories that count again. `splits_off`: a wording that becomes a memory
    of its own. `joins`: memories that become part of it again. `lost`: columns whose former value is gone by now.
    `secrets`: kinds of those that would come back and are left out, unless the person insists. `is_secret`: without
    them nothing would be left of a text, and so it comes back as it is or not at all.
    """

    revision: MemoryRevision
    changes: Sequence[ColumnChange]
    deletes: bool = False
    revives: Sequence[Memory] = ()
    splits_off: str = ""
    joins: Sequence[Memory] = ()
    lost: Sequence[str] = ()
    secrets: Sequence[str] = ()
    is_secret: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.changes or self.deletes)

    def adds(self, after: Memory) -> bool:
        """Whether memories count after it that didn't before: a list of those that do has new rows."""
        return bool(self.revives or self.splits_off) or (after.is_active and not self.revision.memory.is_active)

    @property
    def must_insist(self) -> bool:
        """Nothing is done unless the person insists on the secrets."""
        return bool(self.secrets) and (self.is_secret or self.is_empty)


def plan_undo(revision: MemoryRevision) -> Plan:
    if revision.action == Action.ADDED:
        revives = [change.memory for change in find_supersessions(revision)]
        return Plan(revision, [], deletes=revision.memory.deleted_at is None, revives=revives)
    root, takes_back = find_root(revision)
    plan = plan_return(revision, read_before(revision))
    if "merged" in root.reason:
        others = Memory.objects.kept().filter(pk=root.points_to("merged"), superseded_by=revision.memory_id)
        return replace(plan, revives=list(others))
    if root.action != Action.REINFORCED:
        return plan
    return plan_split(plan, root) if takes_back else replace(plan, joins=find_twins(root))


def plan_rewind(revision: MemoryRevision) -> Plan:
    return plan_return(revision, find_rewound(revision))


def plan_return(revision: MemoryRevision, former: Mapping[str, Any]) -> Plan:
    memory = revision.memory
    back, is_secret = bring_back(memory, former, INSISTING), False
    try:
        told = bring_back(memory, former, TRIAL)
    except DraftError:
        told, is_secret = back, True
    changes = tell(memory, told.fields)
    return Plan(revision, changes, lost=find_lost(former), secrets=back.kinds, is_secret=is_secret)


def plan_split(plan: Plan, root: MemoryRevision) -> Plan:
    offered = {"content": root.offered}
    agent = root.memory.agent
    kinds = [*plan.secrets, *redact_fields(offered, agent, INSISTING).kinds]
    try:
        told = redact_fields(offered, agent, TRIAL)
    except DraftError:
        return replace(plan, splits_off=root.offered, secrets=kinds, is_secret=True)
    return replace(plan, splits_off=told.fields["content"], secrets=kinds)


def tell(memory: Memory, columns: Mapping[str, Any]) -> list[ColumnChange]:
    shown = {name: value for name, value in columns.items() if name not in QUIET_COLUMNS}
    return describe_changes({name: getattr(memory, name) for name in shown}, shown, name_types())


def find_lost(former: Mapping[str, Any]) -> list[str]:
    """Columns that would point to a row that is gone."""
    known = known_columns(former)
    return [name for name, value in former.items() if name not in known or known[name] != value]
