"""What was decided is kept for a while, so that it can be looked at, and is not proposed again."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memories.models import PendingWrite

KEPT = timedelta(days=30)


def drop_decided() -> int:
    """Those whose time is over, and those that went with what they came from; how many they were."""
    rows = PendingWrite.objects.exclude(state=PendingWrite.State.WAITING)
    return rows.filter(decided_at__lt=timezone.now() - KEPT).delete()[1].get("memories.PendingWrite", 0)
