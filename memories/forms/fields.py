"""Fields of a memory's form: tags, metadata, moments, texts as they were typed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import to_current_timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.columns import format_metadata
from memories.drafts import TAG_LENGTH, TAGS
from memories.metadata import MetadataError, parse_metadata
from xiajiao.texts import unify_line_ends

LONGEST_METADATA = 20_000
MOMENT = "%Y-%m-%dT%H:%M"


class PlainTextField(forms.CharField):
    """A text whose line ends are what they were: a browser sends each as two characters."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return unify_line_ends(text) if isinstance(text, str) else text

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Without `maxlength`, at which a browser cuts off what is pasted without a word."""
        attrs = super().widget_attrs(widget)
        attrs.pop("maxlength", None)
        return attrs


class TagsField(forms.CharField):
    """Words between commas, of either width."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        words = (super().to_python(value) or "").replace("，", ",").replace("、", ",").split(",")
        return list(dict.fromkeys(word.strip() for word in words if word.strip()))

    def validate(self, value: Any) -> None:
        super().validate(value)
        long = [tag for tag in value if len(tag) > TAG_LENGTH]
        if long:
            raise ValidationError(
                gettext("A tag may have %(most)d characters; “%(tag)s” has more.")
                % {"most": TAG_LENGTH, "tag": long[0][:TAG_LENGTH]}
            )
        if len(value) > TAGS:
            raise ValidationError(gettext("A memory may have %(most)d tags.") % {"most": TAGS})

    def has_changed(self, initial: Any, data: Any) -> bool:
        """As it was shown, it is unchanged, though a tag that holds a comma reads as two."""
        shown = self.prepare_value(initial or [])
        return bool(shown != (data or "").strip() and (initial or []) != self.to_python(data))


class MetadataField(forms.CharField):
    """A JSON object as text; what is wrong is told with its line and column, and the text stays as it was typed."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "class": "code-field"})
        super().__init__(widget=widget, required=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return format_metadata(value) if isinstance(value, dict) else value

    def to_python(self, value: Any) -> Any:
        text = (super().to_python(value) or "").strip()
        if len(text) > LONGEST_METADATA:
            raise ValidationError(gettext("This may have %(most)d characters.") % {"most": LONGEST_METADATA})
        try:
            return parse_metadata(text) if text else {}
        except MetadataError as error:
            raise ValidationError(str(error)) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool((initial or {}) != self.to_python(data))
        except ValidationError:
            return True

    def validate(self, value: Any) -> None:
        """An empty object is a value like others."""

    def run_validators(self, value: Any) -> None:
        """Those of a text are no concern of an object."""


class MomentField(forms.DateTimeField):
    """A minute in the time zone in which the page was shown."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local", "max": "9999-12-31T23:59"}, format=MOMENT)
        super().__init__(widget=widget, required=False, **kwargs)

    def to_python(self, value: Any) -> datetime | None:
        moment: datetime | None = super().to_python(value)
        if moment is not None and not 1000 <= moment.year <= 9000:
            raise ValidationError(_("Choose a year between 1000 and 9000."))
        return moment

    def show(self, moment: datetime | None) -> str:
        """As the browser shows it and sends it back."""
        return "" if moment is None else to_current_timezone(moment).strftime(MOMENT)

    def prepare_value(self, value: Any) -> Any:
        return self.show(value) if isinstance(value, datetime) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.show(initial) != (data or "")
