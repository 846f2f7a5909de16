"""What waits goes out of sight with the messages that it came from, and comes back with them; what was decided goes
after a while."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from memories.models import PendingWrite

State = PendingWrite.State
# What was decided can be looked at so long, and is not proposed again.
KEPT = timedelta(days=30)


def follow_standing(conversation_id: int, standing: Collection[int]) -> None:
    """In the transaction that changed which messages of the conversation stand; the same again changes nothing."""
    rows = PendingWrite.objects.filter(conversation_id=conversation_id)
    undone = list(rows.exclude(state=State.APPROVED))
    there = rows.filter(pk__in=[row.pk for row in undone if stands(row, standing)])
    gone = rows.filter(pk__in=[row.pk for row in undone if not stands(row, standing)])
    there.update(is_standing=True)
    there.filter(state=State.OUTDATED).update(state=State.WAITING, decided_at=None)
    gone.update(is_standing=False)
    gone.filter(state=State.WAITING).update(state=State.OUTDATED, decided_at=timezone.now())


def stands(pending: PendingWrite, standing: Collection[int]) -> bool:
    """Its answer does, and one of the messages that were heard."""
    if pending.answer_id is not None and pending.answer_id not in standing:
        return False
    return not pending.message_ids or any(pk in standing for pk in pending.message_ids)


def drop_of_conversation(conversation_id: int) -> None:
    """When it goes for good."""
    PendingWrite.objects.filter(conversation_id=conversation_id).delete()


def drop_of_message(message_id: int) -> None:
    PendingWrite.objects.filter(Q(answer_id=message_id) | Q(message_id=message_id)).delete()


def drop_decided() -> int:
    """Those whose time is over, and those that went with what they came from; how many they were."""
    rows = PendingWrite.objects.exclude(state=State.WAITING)
    return rows.filter(decided_at__lt=timezone.now() - KEPT).delete()[1].get("memories.PendingWrite", 0)
