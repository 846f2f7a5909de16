"""Columns of a row as JSON and back, by what the model says of them: a column that is added later travels along."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import models

from memories.transfer.entries import EntryError
from memories.transfer.moments import read_moment, write_moment
from xiajiao.texts import clean, clean_json

# Characters of a text whose column names no limit.
LONGEST_TEXT = 1_000_000
LARGEST_FLOAT = sys.float_info.max
# Of those that count there is room left to count on, or PostgreSQL refuses the next change.
LARGEST = {"PositiveSmallIntegerField": 2**15 - 1, "PositiveIntegerField": 10**9, "BigIntegerField": 2**63 - 1}


def plain_fields(model: type[models.Model], without: Collection[str]) -> Iterator[models.Field[Any, Any]]:
    """Columns that mean the same everywhere: no key, nothing that points to another row."""
    for field in model._meta.concrete_fields:
        points = field.is_relation or field.primary_key or isinstance(field, models.BigIntegerField)
        if not points and field.attname not in without:
            yield field


def number_fields(model: type[models.Model]) -> list[str]:
    """Columns with the number of a conversation, message or job: rows of a floor above, kept as plain integers."""
    fields = model._meta.concrete_fields
    return [f.attname for f in fields if isinstance(f, models.BigIntegerField) and not f.primary_key]


def short_name(attname: str) -> str:
    """As the file calls it: `conversation` of `conversation_id`."""
    return attname.removesuffix("_id")


def write_columns(row: models.Model, without: Collection[str]) -> dict[str, Any]:
    return {field.attname: write_value(getattr(row, field.attname)) for field in plain_fields(type(row), without)}


def write_value(value: Any) -> Any:
    return write_moment(value) if isinstance(value, datetime) else sort_keys(value)


def sort_keys(value: Any) -> Any:
    """JSON data in one order: databases keep that of objects each in their own way."""
    if isinstance(value, dict):
        return {key: sort_keys(value[key]) for key in sorted(value)}
    return [sort_keys(item) for item in value] if isinstance(value, list) else value


def read_columns(model: type[models.Model], values: Mapping[str, Any], without: Collection[str]) -> dict[str, Any]:
    """What is not said has its default. Raises EntryError."""
    return {
        field.attname: read_value(field, values[field.attname]) if field.attname in values else field.get_default()
        for field in plain_fields(model, without)
    }


def read_value(field: models.Field[Any, Any], value: Any) -> Any:
    """Raises EntryError where the column can't hold it."""
    if value is None and field.null:
        return None
    match field:
        case models.JSONField():
            return read_data(field, value)
        case models.BooleanField():
            return expect(field, value, bool)
        case models.DateTimeField():
            return read_date(field, value)
        case models.FloatField():
            return read_float(field, value)
        case models.IntegerField():
            return read_integer(field, value)
        case models.CharField() | models.TextField():
            return read_text(field, value)
    raise EntryError("wrong_type", column=field.attname)


def expect(field: models.Field[Any, Any], value: Any, wanted: type | tuple[type, ...]) -> Any:
    if not isinstance(value, wanted):
        raise EntryError("wrong_type", column=field.attname)
    return value


def read_text(field: models.Field[Any, Any], value: Any) -> str:
    text = clean(expect(field, value, str))
    most = field.max_length or LONGEST_TEXT
    if len(text) > most:
        raise EntryError("too_long", column=field.attname, most=most)
    return check_choice(field, text)


def read_integer(field: models.Field[Any, Any], value: Any) -> int:
    number = expect(field, value, int)
    if isinstance(value, bool) or not 0 <= number <= LARGEST.get(field.get_internal_type(), 2**31 - 1):
        raise EntryError("wrong_type", column=field.attname)
    return check_choice(field, number)


def read_float(field: models.Field[Any, Any], value: Any) -> float:
    number = expect(field, value, (int, float))
    # Whole numbers may be larger than any fraction.
    if isinstance(value, bool) or not abs(number) <= LARGEST_FLOAT:
        raise EntryError("wrong_type", column=field.attname)
    return float(number)


def read_date(field: models.Field[Any, Any], value: Any) -> datetime:
    try:
        return read_moment(value)
    except ValueError:
        raise EntryError("bad_date", column=field.attname) from None


def read_data(field: models.Field[Any, Any], value: Any) -> Any:
    default = field.get_default()
    expect(field, value, list if default is None else type(default))
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        raise EntryError("wrong_type", column=field.attname)
    try:
        return clean_json(value)
    except ValueError:
        raise EntryError("too_deep", column=field.attname) from None


def check_choice(field: models.Field[Any, Any], value: Any) -> Any:
    if field.choices and value not in {choice for choice, _label in field.flatchoices}:
        raise EntryError("unknown_choice", column=field.attname, value=str(value)[:60])
    return value
