"""What taking a change back, or going back to a version, would do: told before it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memories.changes import find_rewound, find_root, find_supersessions, find_twins, known_columns
from memories.columns import ColumnChange, describe_changes, name_types
from memories.models import Memory, MemoryRevision
from memories.revising import QUIET_COLUMNS, read_before

Action = MemoryRevision.Action


@dataclass(frozen=True)
class Plan:
    """`changes`: from what the memory says now to what it will say.

    `deletes`: it goes altogether. `revives`: memories that count again. `splits_off`: a wording that becomes a memory
    of its own. `joins`: memories that become part of it again. `lost`: columns whose former value is gone by now.
    """

    revision: MemoryRevision
    changes: Sequence[ColumnChange]
    deletes: bool = False
    revives: Sequence[Memory] = ()
    splits_off: str = ""
    joins: Sequence[Memory] = ()
    lost: Sequence[str] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.changes or self.deletes)


def plan_undo(revision: MemoryRevision) -> Plan:
    if revision.action == Action.ADDED:
        revives = [change.memory for change in find_supersessions(revision)]
        return Plan(revision, [], deletes=revision.memory.deleted_at is None, revives=revives)
    root, takes_back = find_root(revision)
    former = read_before(revision)
    plan = Plan(revision, tell(revision.memory, known_columns(former)), lost=find_lost(former))
    if "merged" in root.reason:
        others = Memory.objects.kept().filter(pk=root.reason["merged"], superseded_by=revision.memory_id)
        return replace(plan, revives=list(others))
    if root.action != Action.REINFORCED:
        return plan
    return replace(plan, splits_off=root.offered) if takes_back else replace(plan, joins=find_twins(root))


def plan_rewind(revision: MemoryRevision) -> Plan:
    former = find_rewound(revision)
    return Plan(revision, tell(revision.memory, known_columns(former)), lost=find_lost(former))


def tell(memory: Memory, columns: Mapping[str, Any]) -> list[ColumnChange]:
    shown = {name: value for name, value in columns.items() if name not in QUIET_COLUMNS}
    return describe_changes({name: getattr(memory, name) for name in shown}, shown, name_types())


def find_lost(former: Mapping[str, Any]) -> list[str]:
    """Columns that would point to a row that is gone."""
    known = known_columns(former)
    return [name for name, value in former.items() if name not in known or known[name] != value]
