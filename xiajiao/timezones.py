"""Time zones by the names that browsers know them by."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

if TYPE_CHECKING:
    from xiajiao.models import User

ZONE_NAME = re.compile(r"[A-Za-z0-9_+-]{1,40}(/[A-Za-z0-9_+-]{1,40}){0,2}")


def find_zone(name: str) -> ZoneInfo | None:
    """None for what names no time zone."""
    try:
        return ZoneInfo(name) if ZONE_NAME.fullmatch(name) else None
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None


def clock_of(user: User) -> AbstractContextManager[None]:
    """Days begin and end where this person is; where they never came with a browser that says it, at the server's."""
    return timezone.override(find_zone(user.zone))
