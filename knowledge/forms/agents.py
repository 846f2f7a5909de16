"""Which bases an agent looks into: a part of the agent's form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from knowledge.models import KnowledgeBase
from knowledge.models.bases import KnowledgeBaseQuerySet
from xiajiao.forms.parts import FormPart, offer_part
from xiajiao.forms.rows import RowsField
from xiajiao.models import User


class BaseChoiceField(RowsField):
    """`user_id`: whose own bases need no owner beside their names."""

    user_id: int | None = None

    def label_from_instance(self, obj: Any) -> str:
        name = f"\u2068{obj.name}\u2069"
        if obj.owner_id == self.user_id:
            return name
        return _("%(name)s (shared by %(owner)s)") % {"name": name, "owner": f"\u2068{obj.owner.username}\u2069"}


class AgentBasesForm(FormPart):
    """Offers what the agent may search for the person, of others what they share; any other base keeps its agents."""

    template = "knowledge/_agent_bases.html"
    bases = BaseChoiceField(
        queryset=KnowledgeBase.objects.none(),
        label=_("Knowledge"),
        required=False,
        help_text=_(
            "For each message it looks for passages that fit in the documents of these bases, and says where each"
            " comes from."
        ),
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Mapping[str, Any] | None, user: User, key: int | None = None) -> None:
        super().__init__(data, user, key)
        field = cast(BaseChoiceField, self.fields["bases"])
        field.user_id, field.queryset = user.pk, self.offered
        linked = self.offered.filter(agents=key) if key is not None else self.offered.none()
        self.initial["bases"] = [base.pk for base in linked]

    @property
    def offered(self) -> KnowledgeBaseQuerySet:
        """Where a base serves all agents there is nothing to choose."""
        found = KnowledgeBase.objects.kept().searched_by(self.user).filter(serves_all_agents=False)
        return found.select_related("owner")

    @property
    def others(self) -> KnowledgeBaseQuerySet:
        """What it looks into for this person besides."""
        named = Q(agents=self.key) if self.key is not None else Q(pk__in=[])
        bases = KnowledgeBase.objects.kept().searched_by(self.user).filter(Q(serves_all_agents=True) | named)
        return bases.exclude(pk__in=self.offered.values("pk")).select_related("owner").distinct()

    def save(self, key: int) -> None:
        chosen = {base.pk for base in self.cleaned_data["bases"]}
        for base in self.offered:
            (base.agents.add if base.pk in chosen else base.agents.remove)(key)

    def copy_to(self, key: int) -> None:
        for base in self.offered.filter(agents=self.key):
            base.agents.add(key)


offer_part("agent", AgentBasesForm)
