from typing import Any, cast

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from memories.models import Agent
from memories.models.secrets import SecretKind
from xiajiao.models import Provider
from xiajiao.tools import list_offers


def say_range(sentence: Any) -> dict[str, Any]:
    """One sentence (translated when it is shown) that names the range, whatever is wrong with a number."""
    return dict.fromkeys(("invalid", "min_value", "max_value"), sentence)


class AgentForm(forms.ModelForm):
    allowed_tools = forms.MultipleChoiceField(
        label=_("Tools allowed"), required=False, widget=forms.CheckboxSelectMultiple
    )

    redacted_kinds = forms.MultipleChoiceField(
        label=_("Left out of its memories"),
        choices=SecretKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "What looks like one of these is replaced by a mark before anything is remembered, whoever writes it."
            " Messages of your chats stay as they are."
        ),
    )

    class Meta:
        model = Agent
        fields = [
            "name",
            "emoji",
            "language",
            "base_prompt",
            "provider",
            "model_name",
            "temperature",
            "allowed_tools",
            "auto_inject_memory",
            "top_k",
            "relevance_floor",
            "memory_position",
            "when_source_goes",
            "default_mode",
            "extracts",
            "extract_every",
            "idle_minutes",
            "asks_before_writing",
            "may_edit_soul",
            "redacted_kinds",
            "is_shared",
        ]
        widgets = {
            "base_prompt": forms.Textarea(attrs={"rows": 8}),
            "emoji": forms.TextInput(attrs={"list": "emoji-choices"}),
            "model_name": forms.TextInput(attrs={"list": "known-models", "autocomplete": "off"}),
            "temperature": forms.NumberInput(attrs={"step": "0.1", "min": 0, "max": 2}),
            "top_k": forms.NumberInput(attrs={"min": 1, "max": 50}),
            "relevance_floor": forms.NumberInput(attrs={"step": "0.01", "min": 0, "max": 1}),
            "extract_every": forms.NumberInput(attrs={"min": 4, "max": 500}),
            "idle_minutes": forms.NumberInput(attrs={"min": 1, "max": 1440}),
        }
        error_messages = {
            "temperature": say_range(_("A number from 0 to 2, such as 0.7.")),
            "top_k": say_range(_("A whole number from 1 to 50.")),
            "relevance_floor": say_range(_("A number from 0 to 1, such as 0.35.")),
            "extract_every": say_range(_("A whole number from 4 to 500.")),
            "idle_minutes": say_range(_("A whole number from 1 to 1440.")),
        }
        help_texts = {
            "emoji": _("Its face in lists. Empty: the first letter of its name."),
            "language": _("Of the memory section and the guide in its prompt. It answers in your language anyway."),
            "base_prompt": _("Who it is and how it works. What it remembers is added for each message."),
            "provider": _("Empty: the default provider of this installation."),
            "model_name": _("Empty: the provider's default model."),
            "temperature": _("0 keeps to the likely, 2 is wild. Empty: as the provider has it."),
            "auto_inject_memory": _("Off: it knows only what it looks up with its tools."),
            "top_k": _("So many of the best matching memories go into a message, besides the pinned ones and rules."),
            "relevance_floor": _("Memories that match less are left out. Empty: the value measured for the model."),
            "when_source_goes": _(
                "When you edit or delete a message, ask for another answer or delete a conversation. What you said"
                " elsewhere too, wrote yourself or pinned always stays; what had been replaced comes back."
            ),
            "default_mode": _("Each conversation can be set otherwise before its first message."),
            "extracts": _(
                "What you said is looked through once more, by its model or, without one, by rules; what is worth"
                " remembering goes through the write gate, and a line of the day into DAILY."
            ),
            "asks_before_writing": _(
                "What it wants to note, correct or forget, and what is learned from your conversations, waits under the"
                " answer and on the page of memories until you approve, change or reject it. DAILY goes on by itself."
            ),
            "may_edit_soul": _(
                "With its tools, in your own conversations. Each change stands in the history and can be taken back."
            ),
            "is_shared": _("They may talk to it. Memories stay with each person; only you can change the agent."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tools = cast(forms.MultipleChoiceField, self.fields["allowed_tools"])
        tools.choices = [(offer.tool.name, offer.label) for offer in list_offers()]
        if self.instance.allowed_tools is None:
            self.initial["allowed_tools"] = [name for name, _label in tools.choices]
        provider = cast("forms.ModelChoiceField[Provider]", self.fields["provider"])
        provider.queryset = Provider.objects.enabled() | Provider.objects.filter(pk=self.instance.provider_id)
        provider.empty_label = _("Default provider")
        provider.widget.attrs |= {
            "hx-get": reverse("memories:agent_models"),
            "hx-target": "#known-models",
            "hx-swap": "outerHTML",
        }

    def clean_allowed_tools(self) -> list[str] | None:
        """All of them is kept as None, so that tools of later versions are among them."""
        chosen: list[str] = self.cleaned_data["allowed_tools"]
        return None if len(chosen) == len(list_offers()) else chosen
