"""A memory as a person writes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from memories.drafts import DraftError, clean_content
from memories.forms.secrets import SecretsForm
from memories.models import Agent, Memory, MemoryType
from xiajiao.models import User

WORDS = {"category": Memory.Category, "importance": Memory.Importance}


class TagsField(forms.CharField):
    """Words between commas, of either width."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        words = (super().to_python(value) or "").replace("，", ",").replace("、", ",").split(",")
        return list(dict.fromkeys(word.strip() for word in words if word.strip()))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool((initial or []) != self.to_python(data))


@dataclass(frozen=True)
class Difference:
    """One field of which two versions say different things."""

    label: str
    theirs: str
    yours: str


class MemoryForm(SecretsForm):
    """`version` is the one that the person saw: an edit of an older one is refused."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    tags = TagsField(label=_("tags"), required=False, help_text=_("Separated by commas."))

    class Meta:
        model = Memory
        fields = ["content", "title", "category", "type", "tags", "importance"]
        widgets: ClassVar[dict[str, Any]] = {"content": forms.Textarea(attrs={"rows": 4})}
        help_texts = {"content": _("One fact, event or way of doing things, in words that stand alone.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["type"].empty_label = None  # type: ignore[attr-defined]

    def clean_content(self) -> str:
        try:
            return clean_content(self.cleaned_data["content"])
        except DraftError:
            raise ValidationError(_("Write a sentence: there is nothing in this to be remembered.")) from None

    @property
    def columns(self) -> dict[str, Any]:
        """What `memories.changes.edit` takes."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}

    @property
    def differs(self) -> bool:
        """Whether something else is typed than what the memory says."""
        return bool(set(self.changed_data) - {"version"})

    def compare(self, current: Memory) -> list[Difference]:
        """Where what is typed differs from the row as it stands; for a form that is valid."""
        return [
            Difference(str(self[name].label), self.word(name, getattr(current, name)), self.word(name, value))
            for name, value in self.columns.items()
            if getattr(current, name) != value
        ]

    def word(self, name: str, value: Any) -> str:
        """A field's value as a person reads it."""
        if name == "tags":
            return ", ".join(value)
        return str(WORDS[name](value).label) if name in WORDS else str(value)


class NewMemoryForm(MemoryForm):
    """For one of the agents that the person may talk to."""

    agent = forms.ModelChoiceField(Agent.objects.none(), label=_("agent"), empty_label=None)
    field_order = ["agent", "category", "content"]

    class Meta(MemoryForm.Meta):
        fields = [*MemoryForm.Meta.fields, "pinned"]
        widgets: ClassVar[dict[str, Any]] = {**MemoryForm.Meta.widgets, "category": forms.RadioSelect}
        help_texts = {
            **MemoryForm.Meta.help_texts,
            "pinned": _("Goes into every conversation, whether it fits or not."),
        }

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["agent"].queryset = Agent.objects.for_user(user).unarchived()  # type: ignore[attr-defined]
        self.fields["category"].choices = Memory.Category.choices  # type: ignore[attr-defined]
        self.initial.setdefault("type", MemoryType.objects.filter(key="user").first())
