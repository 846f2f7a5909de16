"""Which memories a form of the panel means: `selected` ones, or with `scope=all` what the filter `matching` finds."""

from __future__ import annotations

from urllib.parse import parse_qsl

from django.http import QueryDict

from memories.bulk.choosing import Selection
from memories.filtering import read_filter, read_id
from xiajiao.models import User

# Nobody ticks so many one by one.
MOST = 5000


def read_selection(values: QueryDict, user: User) -> Selection:
    """`selected`: a memory's number each time, or several between commas. `matching`: as MemoryFilter.as_query."""
    if values.get("scope") == "all":
        return Selection(wanted=read_filter(dict(parse_qsl(values.get("matching", ""))), user))
    numbers = [read_id(word) for word in ",".join(values.getlist("selected")).split(",")]
    return Selection(list(dict.fromkeys(number for number in numbers if number is not None))[:MOST])
