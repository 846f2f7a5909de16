"""Who a new agent is, in a few words of its owner; all of it may be left as it is."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memories.models import Agent
from memories.profiles.souls import Persona, SoulTemplate
from xiajiao.texts import clean


class PersonaForm(forms.Form):
    template = forms.ChoiceField(label=_("It begins as"), choices=SoulTemplate.choices, required=False)
    character = forms.CharField(
        label=_("Character"), required=False, max_length=300, help_text=_("Such as: dry, exact, never in a hurry.")
    )
    speech = forms.CharField(
        label=_("Way of speaking"), required=False, max_length=300, help_text=_("Such as: short sentences, no praise.")
    )
    called = forms.CharField(
        label=_("What shall it call you?"),
        required=False,
        max_length=80,
        help_text=_("It stands in USER, which each of its conversations is told."),
    )

    def clean(self) -> dict[str, Any]:
        return {name: clean(text) for name, text in (super().clean() or {}).items()}

    @property
    def persona(self) -> Persona:
        fields = self.cleaned_data
        return Persona(fields["template"] or SoulTemplate.DEFAULT, fields["character"], fields["speech"])


class WelcomeForm(PersonaForm):
    """The same of an agent that there is already, and its name."""

    name = forms.CharField(label=_("Its name"), max_length=Agent._meta.get_field("name").max_length)
    field_order = ["name", "template", "character", "speech", "called"]

    def clean_name(self) -> str:
        name = clean(self.cleaned_data["name"]).strip()
        if not name:
            raise forms.ValidationError(_("Give it a name."))
        return name
