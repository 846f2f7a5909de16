"""Who a new agent is, in a few words of its owner; all of it may be left as it is."""

from django import forms
from django.utils.translation import gettext_lazy as _

from memories.profiles.souls import Persona, SoulTemplate


class PersonaForm(forms.Form):
    template = forms.ChoiceField(label=_("It begins as"), choices=SoulTemplate.choices, required=False)
    character = forms.CharField(
        label=_("Character"), required=False, max_length=300, help_text=_("Such as: dry, exact, never in a hurry.")
    )
    speech = forms.CharField(
        label=_("Way of speaking"), required=False, max_length=300, help_text=_("Such as: short sentences, no praise.")
    )

    @property
    def persona(self) -> Persona:
        fields = self.cleaned_data
        return Persona(fields["template"] or SoulTemplate.DEFAULT, fields["character"], fields["speech"])
