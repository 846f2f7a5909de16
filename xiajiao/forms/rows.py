"""Rows chosen by their keys."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

# Digits: SQLite takes no number of more than 64 bits.
LONGEST_KEY = 18


class RowsField(forms.ModelMultipleChoiceField):
    """Refuses keys that no row could have."""

    def clean(self, value: Any) -> Any:
        if any(len(str(key)) > LONGEST_KEY for key in value or ()):
            raise ValidationError(self.error_messages["invalid_choice"], "invalid_choice", {"value": "…"})
        return super().clean(value)
