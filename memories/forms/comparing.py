"""A refused edit: what somebody else made of the memory meanwhile, beside what is typed, field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from memories.columns import TEXTS, TypeNames, describe_change, name_types, word_value
from memories.diffs import Piece, diff_words
from memories.forms.memories import MemoryForm, column_of, write
from memories.models import Memory
from xiajiao.texts import read_json

Side = Literal["theirs", "yours"]


@dataclass(frozen=True)
class Difference:
    """One field of which two versions say different things, each as what it changed in the version before both.

    `changed_by_both`: there is something to decide. `holds`: whose value stands in the form now.
    """

    name: str
    label: str
    theirs: Sequence[Piece]
    yours: Sequence[Piece]
    changed_by_both: bool
    holds: Side

    @property
    def is_text(self) -> bool:
        """Read as a text with changes in it, not as values."""
        return self.name in TEXTS


class Merge:
    """Three versions: the one from which the person started, the one that stands there now, and what is typed.

    `base` are the columns of the first, None where the revisions don't reach back so far.
    """

    def __init__(self, form: MemoryForm, current: Memory, base: Mapping[str, Any] | None) -> None:
        self.names = list(form.Meta.fields)
        self.fields: dict[str, forms.Field] = {name: form.fields[name] for name in self.names}
        self.theirs = {name: getattr(current, column_of(name)) for name in self.names}
        self.base = None if base is None else {name: base[column_of(name)] for name in self.names}
        self.posted = cast(QueryDict, form.data).copy()
        self.posted["whole"], self.posted["version"] = "1", str(current.version)

    def settle(self) -> None:
        """Take over what they alone changed; the person's own changes stay. What was ever typed is noted."""
        before, noted = self.read_typed(), {}
        for name in self.names:
            is_left_alone = self.base is not None and self.is_same(name, self.base[name], self.posted.get(name))
            noted[name] = before.get(name) if is_left_alone else self.posted.get(name)
            if is_left_alone:
                self.put(name, write(self.fields[name], self.theirs[name]))
        self.posted["yours"] = json.dumps(noted)

    def take(self, name: str, side: str) -> None:
        """Put their value or the typed one into a field; what was typed there since is noted before it goes."""
        if name not in self.names:
            return
        typed = self.read_typed()
        if not self.holds_theirs(name):
            typed[name] = self.posted.get(name)
            self.posted["yours"] = json.dumps(typed)
        self.put(name, write(self.fields[name], self.theirs[name]) if side == "theirs" else typed.get(name))

    def compare(self) -> Iterator[Difference]:
        types = name_types()
        for name in self.names:
            if self.is_same(name, self.theirs[name], self.read_typed().get(name)):
                continue
            theirs, yours = self.tell(name, types)
            both = self.base is not None and self.is_changed_by_you(name) and self.is_changed_by_them(name)
            label = str(self.fields[name].label)
            yield Difference(name, label, theirs, yours, both, "theirs" if self.holds_theirs(name) else "yours")

    def tell(self, name: str, types: TypeNames) -> tuple[Sequence[Piece], Sequence[Piece]]:
        """What each side says, as changes of the version before both where that is known."""
        column = column_of(name)
        theirs, yours = self.theirs[name], self.parse(name)
        if self.base is None:
            words = [word_value(column, value, types) for value in (theirs, yours)]
            return [Piece("same", words[0])], diff_words(*words)
        sides = [describe_side(column, self.base[name], value, types) for value in (theirs, yours)]
        return sides[0], sides[1]

    def is_changed_by_you(self, name: str) -> bool:
        return self.base is None or not self.is_same(name, self.base[name], self.read_typed().get(name))

    def is_changed_by_them(self, name: str) -> bool:
        return self.base is None or self.base[name] != self.theirs[name]

    def holds_theirs(self, name: str) -> bool:
        return self.is_same(name, self.theirs[name], self.posted.get(name))

    def is_same(self, name: str, value: Any, typed: str | None) -> bool:
        return not self.fields[name].has_changed(value, typed)

    def read_typed(self) -> dict[str, str | None]:
        """What the person had typed when the edit was refused."""
        try:
            typed = read_json(self.posted.get("yours", ""))
        except ValueError:
            typed = None
        texts = typed if isinstance(typed, dict) else {}
        texts = {name: text for name, text in texts.items() if text is None or isinstance(text, str)}
        return {name: texts.get(name, self.posted.get(name)) for name in self.names}

    def parse(self, name: str) -> Any:
        """The typed value as the memory would hold it; the text itself where it can't be read."""
        typed = self.read_typed().get(name)
        try:
            value = self.fields[name].clean(typed)
        except ValidationError:
            return typed or ""
        return getattr(value, "pk", value)

    def put(self, name: str, typed: str | None) -> None:
        if typed is None:
            self.posted.pop(name, None)
        else:
            self.posted[name] = typed


def describe_side(column: str, base: Any, value: Any, types: TypeNames) -> Sequence[Piece]:
    """What one side made of a column; as it was where it left it alone."""
    if base == value:
        return [Piece("same", word_value(column, value, types))]
    return describe_change(column, base, value, types).pieces
