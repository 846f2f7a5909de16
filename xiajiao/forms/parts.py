"""Parts of a form about things of another app: the app whose form it is shows, checks and saves them with its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms

from xiajiao.models import User


class FormPart(forms.Form):
    """`key`: of the row that the form is about; None while it is new."""

    # What shows it, as `part`.
    template: ClassVar[str]

    def __init__(self, data: Mapping[str, Any] | None, user: User, key: int | None = None) -> None:
        super().__init__(data)
        self.user = user
        self.key = key

    def save(self, key: int) -> None:
        raise NotImplementedError

    def copy_to(self, key: int) -> None:
        """What was chosen for one row, for its copy, too."""
        raise NotImplementedError


_parts: dict[str, list[type[FormPart]]] = {}


def offer_part(form: str, part: type[FormPart]) -> None:
    """By the app that has it, when it is ready."""
    _parts.setdefault(form, []).append(part)


def make_parts(form: str, data: Mapping[str, Any] | None, user: User, key: int | None = None) -> list[FormPart]:
    return [part(data, user, key) for part in _parts.get(form, ())]
