"""What a person says of an import and of an export."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from memories.models import Agent, Import
from memories.transfer.plans import JSONLINES, MARKDOWN
from memories.transfer.wording import FORMATS
from xiajiao.models import User

AS_FILE = ""


class TargetForm(forms.Form):
    """Of what format a file is, and where its memories go. Staff alone choose the person."""

    format = forms.ChoiceField(
        label=_("Format"), required=False, choices=[(AS_FILE, _("Recognise it")), *FORMATS.items()]
    )
    agent = forms.ModelChoiceField(
        Agent.objects.none(),
        label=_("Into the memory of"),
        required=False,
        empty_label=_("The agents that the file names (missing ones are made)"),
    )
    person = forms.ChoiceField(label=_("For whom"), required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        usable = Agent.objects.all() if user.is_staff else Agent.objects.for_user(user)
        self.fields["agent"].queryset = usable.unarchived()  # type: ignore[attr-defined]
        if not user.is_staff:
            del self.fields["person"]
            return
        others = User.objects.exclude(pk=user.pk).order_by("username").values_list("pk", "username")
        me = (str(user.pk), pgettext("whose memories an import brings", "Me"))
        people = [me, *((str(pk), name) for pk, name in others)]
        person = self.fields["person"]
        person.choices = [*people, (AS_FILE, _("The persons that the file names"))]  # type: ignore[attr-defined]
        person.initial = str(user.pk)

    @property
    def columns(self) -> dict[str, Any]:
        """Those of an Import; `person` None: as the file says."""
        chosen = self.cleaned_data
        person = chosen.get("person", str(self.user.pk))
        found = User.objects.filter(pk=person).first() if person else None
        return {"format": chosen["format"], "agent": chosen["agent"], "person": found}


class ImportForm(TargetForm):
    file = forms.FileField(label=_("File"))
    field_order = ["file", "agent", "person", "format"]

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        most = settings.IMPORT_MAX_MB * 1024 * 1024
        if file.size > most:
            raise ValidationError(_("The file is larger than %(size)s."), params={"size": filesizeformat(most)})
        return file


class AgreementForm(forms.Form):
    conflicts = forms.ChoiceField(
        label=_("Where both differ"),
        choices=Import.Conflicts.choices,
        initial=Import.Conflicts.KEEP,
        widget=forms.RadioSelect,
        required=False,
    )
    brings_back = forms.BooleanField(label=_("Bring back what was deleted or forgotten here"), required=False)

    def clean_conflicts(self) -> str:
        return self.cleaned_data["conflicts"] or Import.Conflicts.KEEP


class ExportForm(forms.Form):
    """`query` is the address of the list's filters, `ids` the memories that were selected there."""

    ALL, EVERYBODY, AGENT, LISTED, SELECTED = "all", "everybody", "agent", "listed", "selected"

    what = forms.ChoiceField(label=_("What"), widget=forms.RadioSelect)
    agent = forms.ModelChoiceField(Agent.objects.none(), label=_("Agent"), required=False)
    format = forms.ChoiceField(
        label=_("Format"),
        widget=forms.RadioSelect,
        initial=JSONLINES,
        choices=[
            (JSONLINES, _("JSON Lines: everything, with history, to be imported again")),
            (MARKDOWN, _("Markdown: to be read")),
        ],
    )
    query = forms.CharField(required=False, max_length=2000, widget=forms.HiddenInput)
    ids = forms.CharField(required=False, max_length=100_000, widget=forms.HiddenInput)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["agent"].queryset = Agent.objects.for_user(user)  # type: ignore[attr-defined]
        self.fields["agent"].empty_label = None  # type: ignore[attr-defined]
        choices = [(self.ALL, _("Everything of mine")), (self.AGENT, _("What one agent knows"))]
        if self.said("query") or self.LISTED in {self.data.get("what"), self.initial.get("what")}:
            choices.insert(0, (self.LISTED, _("What the list shows")))
        if self.said("ids"):
            choices.insert(0, (self.SELECTED, _("What is selected")))
        if user.is_staff:
            choices.append((self.EVERYBODY, _("Everybody's memories")))
        self.fields["what"].choices = choices  # type: ignore[attr-defined]
        self.initial.setdefault("what", choices[0][0])

    def said(self, name: str) -> bool:
        return bool(self.data.get(name) or self.initial.get(name))

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("what") == self.AGENT and not values.get("agent"):
            raise ValidationError(_("Choose an agent."))
        return values

    @property
    def keys(self) -> list[int]:
        words = self.cleaned_data["ids"].split(",")
        return [int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 19]
