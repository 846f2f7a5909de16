"""Moments as files write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Numbers above these are milliseconds and microseconds; seconds reach the first in the year 5138.
MILLISECONDS, MICROSECONDS = 10**11, 10**14


def write_moment(moment: datetime) -> str:
    """`2026-01-31T23:59:59.000001Z`: always UTC, always with microseconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def read_moment(text: Any) -> datetime:
    """Of our own format. Raises ValueError for what has no time zone, or is no moment at all."""
    if not isinstance(text, str):
        raise ValueError("A moment is a text.")
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("A moment has a time zone.")
    return check_year(as_utc(moment))


def guess_moment(value: Any) -> datetime | None:
    """Of other systems: seconds, milliseconds or microseconds since 1970, or a date as ISO 8601 or SQLite writes it.

    UTC where none is named; a clock that went ahead counts as now. None where there is nothing.
    Raises ValueError for what is no moment.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        value = value.strip()
        moment = from_number(float(value)) if is_number(value) else datetime.fromisoformat(value.replace("/", "-"))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        moment = from_number(value)
    else:
        raise ValueError("A moment is a number or a text.")
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return check_year(min(as_utc(moment), timezone.now()))


def is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal() and len(text) not in {4, 8}


def from_number(number: float) -> datetime:
    if number >= MICROSECONDS:
        number /= 10**6
    elif number >= MILLISECONDS:
        number /= 10**3
    try:
        return EPOCH + timedelta(seconds=number)
    except OverflowError:
        raise ValueError("That is no moment.") from None


def check_year(moment: datetime) -> datetime:
    """As in the form of a memory; at the ends of the calendar, some time zones have no such moment to show."""
    if not 1000 <= moment.year <= 9000:
        raise ValueError("That is too far away.")
    return moment


def as_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("That is no moment.") from None
