"""A form that warns of secrets before they are left out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext

from memories.drafts import DraftError
from memories.gate import Origin
from memories.models import Agent, MemoryRevision
from memories.models.memories import Memory
from memories.redaction import redact_fields
from memories.redaction.wording import list_kinds

# Where a secret may stand.
SEARCHED = ("content", "title", "description", "tags", "metadata")
TRIAL = Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL)


class SecretsForm(forms.ModelForm):
    """For a memory's form to build on. The first time that a secret is typed the form comes back with a warning.

    Saved again it is left out; with a tick at `keep_secrets` it is kept as it is. What was in the memory before and
    is not changed is not warned of. The boxes stand in `memories/_secrets_warning.html` and are no fields of the form.
    """

    # The words of the warning; empty where nothing was found, or the person knows already.
    secrets_found = ""
    is_nothing_else = False

    @property
    def keeps_secrets(self) -> bool:
        return "keep_secrets" in self.data

    @property
    def was_warned(self) -> bool:
        return "secrets_seen" in self.data

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        typed = {name: values[name] for name in SEARCHED if name in values and name in self.changed_data}
        agent = self.instance.agent if self.instance.pk else values.get("agent")
        if typed and isinstance(agent, Agent) and not self.keeps_secrets:
            self.warn_of_secrets(typed, agent)
        return values

    def warn_of_secrets(self, typed: dict[str, Any], agent: Agent) -> None:
        try:
            kinds = redact_fields(typed, agent, TRIAL).kinds
        except DraftError:
            self.is_nothing_else = True
            self.secrets_found = gettext("This is nothing but a secret. Say in words what it is for.")
            self.add_error("content", self.secrets_found)
            return
        if kinds and not self.was_warned:
            found = {"kinds": list_kinds(kinds)}
            self.secrets_found = gettext("This looks like a secret: %(kinds)s.") % found
            self.add_error(None, self.secrets_found)
