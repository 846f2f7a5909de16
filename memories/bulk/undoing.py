"""Taking a whole bulk change back: a change of its own, with progress, cancel and retry like any other."""

from __future__ import annotations

from django.db import transaction

from memories.bulk.choosing import write_down
from memories.models import BulkChange
from xiajiao.models import User


class TooLateError(Exception):
    """Its time is over, or there is nothing that could be taken back."""


@transaction.atomic
def begin_undo(change: BulkChange, user: User) -> BulkChange:
    """The change that takes this one back; the same one where it was asked for before. Raises TooLateError."""
    change = BulkChange.objects.select_for_update().get(pk=change.pk)
    begun = change.undoings.first()
    if begun is not None:
        return begun
    if not change.can_undo:
        raise TooLateError
    rows = change.revisions.order_by("memory__agent_id", "memory__user_id", "memory_id")
    keys = list(rows.values_list("memory__agent_id", "memory__user_id", "memory_id"))
    undoing = BulkChange(user=user, action=BulkChange.Action.UNDO, undoes=change, total=len(keys))
    return write_down(undoing, keys)
