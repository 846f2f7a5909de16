"""A memory as a person writes it."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from memories.drafts import DraftError, clean_content
from memories.forms.fields import MetadataField, MomentField, PlainTextField, TagsField
from memories.forms.secrets import SecretsForm
from memories.models import Agent, Memory, MemoryType
from xiajiao.models import User
from xiajiao.timezones import find_zone

FOR_ME, FOR_ALL = "me", "all"


class MemoryForm(SecretsForm):
    """`version` is the one that the person saw: an edit of an older one is refused.

    Where some fields alone were asked (the text, in the drawer), the others are what the memory says. A page that
    asks for all says so with a field `whole`, since a box that is not ticked is not sent.
    """

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    content = PlainTextField(
        label=capfirst(_("content")),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto", "data-dialog-start": ""}),
        help_text=_("One fact, event or way of doing things, in words that stand alone."),
        max_length=10_000,
    )
    title = PlainTextField(
        label=capfirst(_("title")), required=False, max_length=200, widget=forms.TextInput(attrs={"dir": "auto"})
    )
    description = PlainTextField(
        label=capfirst(_("description")),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text=_("Where it comes from or when it matters; for you, and found by search."),
    )
    tags = TagsField(label=capfirst(_("tags")), required=False, help_text=_("Separated by commas."))
    metadata = MetadataField(label=capfirst(_("metadata")), help_text=_('JSON, for programs: {"project": "Xiajiao"}'))
    valid_from = MomentField(label=capfirst(_("valid from")), help_text=_("Empty: since ever."))
    valid_to = MomentField(label=capfirst(_("valid to")), help_text=_("Empty: until further notice."))

    class Meta:
        model = Memory
        fields = [
            *("content", "title", "category", "type", "tags", "importance"),
            *("pinned", "description", "valid_from", "valid_to", "metadata"),
        ]
        widgets: ClassVar[dict[str, Any]] = {"category": forms.RadioSelect, "type": forms.RadioSelect}
        help_texts = {"pinned": _("Goes into every conversation, whether it fits or not.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["type"].empty_label = None  # type: ignore[attr-defined]
        self.fields["category"].choices = Memory.Category.choices  # type: ignore[attr-defined]
        if self.is_bound and "whole" not in self.data:
            self.data = self.complete(cast(QueryDict, self.data).copy())

    def complete(self, typed: QueryDict) -> QueryDict:
        for name in self.Meta.fields:
            known = None if name in typed else write(self.fields[name], getattr(self.instance, column_of(name)))
            if known is not None and name != "content":
                typed[name] = known
        return typed

    def full_clean(self) -> None:
        with timezone.override(find_zone(self.zone) or timezone.get_current_timezone()):
            super().full_clean()

    def clean_content(self) -> str:
        try:
            return clean_content(self.cleaned_data["content"])
        except DraftError:
            raise ValidationError(_("Write a sentence: there is nothing in this to be remembered.")) from None

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        start = values.get("valid_from", self.instance.valid_from)
        end = values.get("valid_to", self.instance.valid_to)
        if start and end and end <= start and {"valid_from", "valid_to"} & set(self.changed_data):
            self.add_error("valid_to", _("It must end after it begins."))
        return values

    @property
    def columns(self) -> dict[str, Any]:
        """What `memories.changes.edit` takes: what nobody typed over stays as it is, seconds and all."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields if name in self.changed_data}

    @property
    def differs(self) -> bool:
        """Whether something else is typed than what the memory says."""
        return bool(set(self.changed_data) - {"version"})

    @property
    def zone(self) -> str:
        """The time zone in which moments are shown and read; a form sends back the one in which it was shown."""
        shown = find_zone(self.data.get("zone", ""))
        return shown.key if shown else timezone.get_current_timezone_name()

    @property
    def has_more(self) -> bool:
        """Whether there is something among the fields that are folded away."""
        rest = ("description", "valid_from", "valid_to", "metadata")
        return any(self[name].value() or self[name].errors for name in rest)


class NewMemoryForm(MemoryForm):
    """For one of the agents that the person may talk to, about themselves, or for all users of an agent of theirs.

    Staff may write for everybody, with every agent: what they may correct, they may add.
    """

    agent = forms.ModelChoiceField(Agent.objects.none(), label=capfirst(_("agent")), empty_label=None)
    audience = forms.ChoiceField(label=capfirst(_("whom it is about")), required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        agents = Agent.objects.unarchived().select_related("owner")
        mine = agents.filter(Q(owner=user) | Q(is_shared=True))
        self.fields["agent"].queryset = agents if user.is_staff else mine  # type: ignore[attr-defined]
        self.fields["agent"].label_from_instance = self.name_agent  # type: ignore[attr-defined]
        self.fields["audience"].choices = self.list_audiences()  # type: ignore[attr-defined]
        self.initial.setdefault("type", MemoryType.objects.filter(key="user").first())

    def name_agent(self, agent: Agent) -> str:
        return agent.name if agent.owner_id == self.user.pk else f"{agent.name} ({agent.owner.username})"

    def list_audiences(self) -> list[tuple[str, Any]]:
        choices = [(FOR_ME, _("Me"))]
        if self.user.is_staff or self.user.agents.exists():
            choices.append((FOR_ALL, _("All users of the agent")))
        people = User.objects.exclude(pk=self.user.pk).filter(is_active=True) if self.user.is_staff else []
        return [*choices, *((str(person.pk), person.username) for person in people)]

    def clean_audience(self) -> User | None:
        """The person; None: all users of the agent."""
        chosen = self.cleaned_data["audience"] or FOR_ME
        if chosen == FOR_ALL:
            return None
        return self.user if chosen == FOR_ME else User.objects.get(pk=chosen)

    @property
    def columns(self) -> dict[str, Any]:
        """What a draft takes."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        agent, person = values.get("agent"), values.get("audience")
        if agent is None or "audience" not in values:
            return values
        if person is None and not (self.user.is_staff or agent.owner_id == self.user.pk):
            self.add_error("audience", _("Only the agent's owner writes for all of its users."))
        elif person is not None and not (agent.is_shared or agent.owner_id == person.pk):
            self.add_error("audience", _("This person does not use this agent."))
        return values


def write(field: forms.Field, value: Any) -> str | None:
    """A column's value as a browser would send it; None: not at all."""
    if isinstance(field, forms.BooleanField):
        return "on" if value else None
    return "" if value is None else str(field.prepare_value(value))


def column_of(name: str) -> str:
    """The column of a field."""
    return "type_id" if name == "type" else name
