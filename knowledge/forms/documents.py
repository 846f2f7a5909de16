"""What a person says when they add a document, and of one that is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.utils.translation import gettext_lazy as _

from knowledge.adding import Taken, Wish
from knowledge.changing import LONGEST_TAG, MOST_TAGS
from knowledge.parsing import ENCODINGS, Limits, is_too_much_text
from knowledge.webpages.failures import WORDS, Failure
from knowledge.wording import name_encoding
from xiajiao.fulltext import terms
from xiajiao.texts import clean

MEGABYTE = 1024 * 1024


class NameField(forms.CharField):
    def to_python(self, value: Any) -> str:
        return clean(super().to_python(value) or "")


class UploadForm(forms.Form):
    """`name`: the file's own, where a script sends it: that of a form's part comes mangled."""

    name = NameField(required=False, max_length=4000, strip=False)
    twins = forms.BooleanField(label=_("Also files whose content is here already"), required=False)
    taken = forms.ChoiceField(
        label=_("Where a name is taken"),
        required=False,
        choices=[
            (Taken.ASK, _("Leave it out and say so")),
            (Taken.REPLACE, _("Put the new file in its place")),
            (Taken.BOTH, _("Keep both")),
        ],
    )

    @property
    def wish(self) -> Wish:
        return Wish(self.cleaned_data["twins"], Taken(self.cleaned_data["taken"]))


class WebpageForm(forms.Form):
    url = forms.URLField(
        label=_("Address of a web page"),
        max_length=2000,
        assume_scheme="https",
        widget=forms.URLInput(attrs={"placeholder": "https://", "class": "input"}),
    )

    def clean_url(self) -> str:
        """What stands here is shown to all who read the base."""
        url: str = self.cleaned_data["url"]
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"}:
            raise ValidationError(str(WORDS[Failure.BAD_ADDRESS]))
        if parts.username is not None:
            raise ValidationError(_("Leave out the name and the password: everybody who uses the base would see them."))
        return url


class DocumentForm(forms.Form):
    tags = forms.CharField(
        label=_("Tags"),
        required=False,
        max_length=4000,
        help_text=_("Divided by commas; a search can be narrowed to them."),
    )
    encoding = forms.ChoiceField(
        label=_("Encoding"), required=False, help_text=_("Another choice reads the file again.")
    )

    def __init__(self, *args: Any, is_text: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["encoding"].choices = list_encodings()  # type: ignore[attr-defined]
        if not is_text:
            del self.fields["encoding"]

    def clean_tags(self) -> list[str]:
        """Each once. Raises ValidationError where some would be lost."""
        parts = re.split(r"[,，、;；\n]", clean(self.cleaned_data["tags"]))
        tags = list(dict.fromkeys(tag for part in parts if (tag := part.strip())))
        if len(tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in tags):
            bounds = {"most": MOST_TAGS, "longest": LONGEST_TAG}
            raise ValidationError(_("At most %(most)d tags of at most %(longest)d characters."), params=bounds)
        return tags


class EncodingForm(forms.Form):
    encoding = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["encoding"].choices = list_encodings()  # type: ignore[attr-defined]


class ChunkTextForm(forms.Form):
    text = forms.CharField(label=_("Text"), max_length=20_000, widget=forms.Textarea(attrs={"rows": 10, "dir": "auto"}))

    def clean_text(self) -> str:
        text = clean(self.cleaned_data["text"]).strip()
        if not terms(text):
            raise ValidationError(_("Write words: without any, it is never found."))
        return text


class ChunkForm(ChunkTextForm):
    heading = forms.CharField(label=_("Heading"), required=False, max_length=300)
    field_order = ("heading", "text")


class ChunkEditForm(ChunkTextForm):
    """`seen`: what the chunk said when the form was made."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)


def list_encodings() -> list[tuple[str, Any]]:
    return [("", _("Find it out")), *((name, name_encoding(name)) for name in ENCODINGS)]


def find_fault(file: UploadedFile) -> str:
    """What is wrong with an upload, with what to do about it; empty where nothing is."""
    most = settings.KB_FILE_MAX_MB
    if (file.size or 0) > most * MEGABYTE:
        return str(_("The file is larger than %(most)s MB. Split it, or raise KB_FILE_MAX_MB.") % {"most": most})
    return ""


def find_fault_of_text(file: UploadedFile, name: str) -> str:
    """Of a large text, that it is more than one document may hold: nobody waits for that to be found out."""
    if not isinstance(file, TemporaryUploadedFile) or not is_too_much_text(Path(file.temporary_file_path()), name):
        return ""
    most = Limits().characters // 1_000_000
    said = _("The file holds more than %(most)s million characters, which is more than one document may. Split it.")
    return str(said % {"most": most})


def find_fault_of_all(files: list[UploadedFile]) -> str:
    most = settings.KB_BATCH_MAX_MB
    if not files:
        return str(_("Choose a file first."))
    if sum(file.size or 0 for file in files) > most * MEGABYTE:
        return str(_("These are more than %(most)s MB together. Upload them in several goes.") % {"most": most})
    return ""
