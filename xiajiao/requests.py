"""What the views read requests by."""

from django.http import HttpRequest, QueryDict
from django_htmx.middleware import HtmxDetails

from xiajiao.models import User


class SignedInRequest(HttpRequest):
    """What a view receives that is not marked `login_not_required`."""

    user: User
    htmx: HtmxDetails


def read_number(values: QueryDict, name: str) -> int | None:
    """An id or count from a query or a form; None for anything that no row could have."""
    value = values.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 19 else None


def read_numbers(values: QueryDict, name: str, most: int) -> list[int]:
    """The first ones of several, without what no row could have."""
    return [int(value) for value in values.getlist(name)[:most] if value.isdecimal() and len(value) < 19]


def read_switch(values: QueryDict, stands: bool) -> bool:
    """What a button of two states asks for: `to` says it, so that a second click, or one on a page that is out of
    date, doesn't do the contrary. Without it, the other of what stands."""
    return {"on": True, "off": False}.get(values.get("to", ""), not stands)
