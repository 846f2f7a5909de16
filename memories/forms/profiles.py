"""A profile file as its page sends it: whole, or a section of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from memories.forms.fields import PlainTextField
from memories.models import Agent
from memories.profiles.editing import LONGEST, leave_secrets_out
from memories.profiles.merging import SectionEdit
from xiajiao.texts import clean

LARGEST_UPLOAD = 20 * 2**20


class WholeForm(forms.Form):
    """`version`: the one that was edited."""

    text = PlainTextField(
        label=_("Text"), required=False, strip=False, max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 18})
    )
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def clean_text(self) -> str:
        return clean(self.cleaned_data["text"])


class SectionForm(forms.Form):
    """`number` is its place from 0, empty: a new one at the end."""

    heading = forms.CharField(label=_("Heading"), required=False, max_length=200)
    body = PlainTextField(
        label=_("Text"), required=False, strip=False, max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 4})
    )
    number = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        fields["heading"] = clean(fields.get("heading", ""))
        fields["body"] = clean(fields.get("body", ""))
        if fields.get("number") is None and not fields["body"].strip():
            self.add_error("body", _("Write what the section says."))
        return fields

    @property
    def place(self) -> int | None:
        """Of the section that it is about, in a form that may be wrong."""
        said = str(self["number"].value())
        return int(said) if said.isdecimal() and len(said) < 19 else None

    def make_edit(self, agent: Agent) -> tuple[SectionEdit, list[str]]:
        """And the kinds of secrets that were left out of it."""
        fields = self.cleaned_data
        heading, of_heading = leave_secrets_out(fields["heading"], agent)
        body, of_body = leave_secrets_out(fields["body"], agent)
        edit = SectionEdit(fields["number"], fields["version"], heading, body, "remove" in self.data)
        return edit, sorted({*of_heading, *of_body})


class UploadForm(forms.Form):
    """`seen`: the newest change of any of the files that the page knew of."""

    file = forms.FileField(label=_("File"), allow_empty_file=True)
    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if file.size is None or file.size > LARGEST_UPLOAD:
            raise ValidationError(_("The file is too large: at most %(most)d MB.") % {"most": LARGEST_UPLOAD // 2**20})
        return file
