"""A memory's metadata as a person writes it: a JSON object, and what is wrong with it in a sentence."""

from __future__ import annotations

import json
import math
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from xiajiao.texts import DEEPEST_JSON, clean_json, clip

# What Python's decoder says, in words for a person.
FAULTS = {
    "Expecting property name enclosed in double quotes": _("a name in double quotes is missing here"),
    "Expecting ':' delimiter": _("a colon is missing here"),
    "Expecting ',' delimiter": _("a comma or a closing bracket is missing here"),
    "Expecting value": _("a value is missing here, or a text without double quotes"),
    "Extra data": _("it goes on after its end"),
    "Unterminated string starting at": _("a text begins here and does not end"),
    "Invalid control character at": _("a line break or tab inside a text must be written \\n or \\t"),
    "Invalid \\escape": _("after a backslash inside a text only certain letters may follow"),
    "Invalid \\uXXXX escape": _("after \\u four hexadecimal digits must follow"),
    "Illegal trailing comma before end of object": _("a comma stands before the end"),
    "Illegal trailing comma before end of array": _("a comma stands before the end"),
}


class MetadataError(ValueError):
    """The text is no JSON object that can be kept; the message says what is wrong, to a person, in their language."""


def parse_metadata(text: str) -> dict[str, Any]:
    """Raises MetadataError."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=join_pairs,
            parse_int=parse_integer,
            parse_float=parse_fraction,
            parse_constant=refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise MetadataError(explain(error)) from None
    except RecursionError:
        raise MetadataError(name_depth()) from None
    if not isinstance(value, dict):
        raise MetadataError(gettext('This must be a JSON object, as {"project": "Xiajiao"}.'))
    try:
        return dict(clean_json(value))
    except ValueError:
        raise MetadataError(name_depth()) from None


def explain(error: json.JSONDecodeError) -> str:
    fault = next((words for start, words in FAULTS.items() if error.msg.startswith(start)), None)
    place = {"line": error.lineno, "column": error.colno}
    if fault is None:
        return gettext("This is no JSON: line %(line)d, column %(column)d.") % place
    sentence = gettext("This is no JSON: line %(line)d, column %(column)d: %(fault)s.")
    return sentence % (place | {"fault": fault})


def join_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two entries of one name the first would be lost without a word."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise MetadataError(gettext("The name “%(name)s” is there twice.") % {"name": twice[:80]})
    return entries


def parse_integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise MetadataError(name_size(text)) from None


def parse_fraction(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise MetadataError(name_size(text))
    return number


def name_size(number: str) -> str:
    return gettext("The number %(number)s is too large.") % {"number": clip(number, 40)}


def refuse_constant(name: str) -> float:
    raise MetadataError(gettext("JSON knows no %(name)s; write null, or a number.") % {"name": name})


def name_depth() -> str:
    return gettext("It is nested more than %(most)d levels deep.") % {"most": DEEPEST_JSON}
