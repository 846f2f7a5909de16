"""Time zones by the names that browsers know them by."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

ZONE_NAME = re.compile(r"[A-Za-z0-9_+-]{1,40}(/[A-Za-z0-9_+-]{1,40}){0,2}")


def find_zone(name: str) -> ZoneInfo | None:
    """None for what names no time zone."""
    try:
        return ZoneInfo(name) if ZONE_NAME.fullmatch(name) else None
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None
