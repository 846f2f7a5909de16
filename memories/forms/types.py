"""Memory types as an administrator makes them."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import MemoryType
from memories.models.type_looks import Colour, Icon
from memories.models.types import KEY_SHAPE, LOCKED_FIELDS
from xiajiao.templatetags.icons import icon


def show_icons() -> list[tuple[str, SafeString]]:
    return [
        (name, format_html('{}<span class="visually-hidden">{}</span>', icon(name), label))
        for name, label in Icon.choices
    ]


def show_colours() -> list[tuple[str, SafeString]]:
    return [
        (name, format_html('<span class="swatch tint-{}"></span>{}', name, label)) for name, label in Colour.choices
    ]


class MemoryTypeForm(forms.ModelForm):
    """The key may be left out where the name makes one. Of a system type, key and name are not asked."""

    icon = forms.ChoiceField(label=capfirst(_("icon")), choices=show_icons, widget=forms.RadioSelect)
    colour = forms.ChoiceField(label=capfirst(_("colour")), choices=show_colours, widget=forms.RadioSelect)

    class Meta:
        model = MemoryType
        fields = ["name", "key", "description", "default_category", "icon", "colour"]
        widgets: ClassVar[dict[str, Any]] = {"description": forms.Textarea(attrs={"rows": 2})}
        help_texts = {"default_category": _("What a new memory of this type is, unless somebody chooses otherwise.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["icon"], self.initial["colour"] = self.instance.icon_name, self.instance.tint
        if self.instance.is_system:
            for name in set(LOCKED_FIELDS) & set(self.fields):
                del self.fields[name]
        if "key" in self.fields:
            self.fields["key"].required = False
            self.fields["key"].widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"].strip() or slugify(self.data.get(self.add_prefix("name"), ""))[:50]
        if not key:
            raise ValidationError(gettext("Give it a key of a to z, such as “travel”: agents call the type by it."))
        KEY_SHAPE(key)
        return key


class TypeRemovalForm(forms.Form):
    """Where the memories of a type go that is deleted."""

    target = forms.ModelChoiceField(
        MemoryType.objects.none(),
        label=_("Its memories become"),
        widget=forms.RadioSelect,
        empty_label=None,
        error_messages={"required": _("Choose what its memories become.")},
    )

    def __init__(self, *args: Any, memory_type: MemoryType, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["target"]
        field.queryset = MemoryType.objects.usable().exclude(pk=memory_type.pk)
        field.required = memory_type.memories.exists()
