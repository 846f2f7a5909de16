"""What a person wants to have forgotten."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from memories.models import Agent
from memories.topics import LONGEST_TOPIC, read_topic
from xiajiao.models import User


class TopicForm(forms.Form):
    topic = forms.CharField(
        label=_("What shall be forgotten?"),
        max_length=LONGEST_TOPIC,
        help_text=_("A name, a thing, a subject: “Milo”, “my old job”. You see what there is before anything goes."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}),
    )
    agent = forms.ModelChoiceField(
        label=_("By whom?"), queryset=Agent.objects.none(), required=False, empty_label=_("All agents")
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        agent = cast("forms.ModelChoiceField[Agent]", self.fields["agent"])
        agent.queryset = Agent.objects.for_user(user).order_by("name", "pk")

    def clean_topic(self) -> str:
        topic = read_topic(self.cleaned_data["topic"])
        if not topic:
            raise forms.ValidationError(_("Say what it is about."))
        return topic
