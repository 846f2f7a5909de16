"""Where a file of a conversation is kept for good."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from knowledge.models import KnowledgeBase
from xiajiao.models import User
from xiajiao.texts import clean


class KeepForm(forms.Form):
    """A base that the person may change, or a new one of that name."""

    base = forms.ModelChoiceField(
        label=_("Base"), queryset=KnowledgeBase.objects.none(), required=False, empty_label=_("A new base")
    )
    name = forms.CharField(label=_("Name of the new base"), required=False, max_length=100)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        field = cast("forms.ModelChoiceField[KnowledgeBase]", self.fields["base"])
        field.queryset = KnowledgeBase.objects.kept().editable_by(user).searched_by(user)
        field.initial = field.queryset.first()
        if field.initial is None:
            del self.fields["base"]

    def clean_name(self) -> str:
        return " ".join(clean(self.cleaned_data["name"]).split())

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not values.get("base") and not values.get("name") and not self.errors:
            self.add_error("name", _("Choose a base, or give the new one a name."))
        own = KnowledgeBase.objects.kept().filter(owner=self.user)
        if not values.get("base") and values.get("name") and own.filter(name=values["name"]).exists():
            self.add_error("name", ValidationError(_("There is a base of this name already.")))
        return values

    def find_base(self) -> KnowledgeBase:
        """A new one is used by all agents, as one that is made by hand is at first."""
        chosen: KnowledgeBase | None = self.cleaned_data.get("base")
        return (
            chosen
            or KnowledgeBase.objects.get_or_create(
                owner=self.user,
                name=self.cleaned_data["name"],
                conversation_id=None,
                defaults={"serves_all_agents": True},
            )[0]
        )
