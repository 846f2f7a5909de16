"""A memory as a person writes it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memories.models import Agent, Memory
from xiajiao.models import User


class TagsField(forms.CharField):
    """Words between commas, of either width."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        words = (super().to_python(value) or "").replace("，", ",").replace("、", ",").split(",")
        return list(dict.fromkeys(word.strip() for word in words if word.strip()))


class MemoryForm(forms.ModelForm):
    """`version` is the one that the person saw: an edit of an older one is refused."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    tags = TagsField(label=_("tags"), required=False, help_text=_("Separated by commas."))

    class Meta:
        model = Memory
        fields = ["content", "pinned", "title", "category", "type", "tags", "importance"]
        widgets = {"content": forms.Textarea(attrs={"rows": 4})}
        help_texts = {
            "content": _("One fact, event or way of doing things, in words that stand alone."),
            "pinned": _("Goes into every conversation, whether it fits or not."),
        }

    @property
    def columns(self) -> dict[str, Any]:
        """What `memories.changes.edit` takes."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class NewMemoryForm(MemoryForm):
    """For one of the agents that the person may talk to."""

    agent = forms.ModelChoiceField(Agent.objects.none(), label=_("agent"), empty_label=None)
    field_order = ["agent", *MemoryForm.Meta.fields]

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["agent"].queryset = Agent.objects.for_user(user).unarchived()  # type: ignore[attr-defined]
