"""Whose beliefs, and as of when."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models import Agent, Memory
from xiajiao.models import User

FIRST_YEAR = 1970


class AsOfForm(forms.Form):
    """`person` is asked of staff alone; without it, it is about oneself."""

    person = forms.ModelChoiceField(User.objects.none(), label=_("Person"), required=False, empty_label=_("Me"))
    agent = forms.ModelChoiceField(Agent.objects.none(), label=_("Agent"), empty_label=None)
    date = forms.DateField(label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    time = forms.TimeField(
        label=_("Time"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["date"].widget.attrs["max"] = timezone.localdate().isoformat()
        rows = Memory.objects.all() if user.is_staff else Memory.objects.for_user(user)
        agents = Agent.objects.filter(pk__in=rows.order_by().values("agent_id"))
        self.fields["agent"].queryset = agents  # type: ignore[attr-defined]
        if user.is_staff:
            people = User.objects.exclude(pk=user.pk).order_by("username")
            self.fields["person"].queryset = people  # type: ignore[attr-defined]
        else:
            del self.fields["person"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        date = values.get("date")
        if date is not None and date.year < FIRST_YEAR:
            self.add_error("date", ValidationError(_("There were no memories before %(year)s."), params={"year": 1970}))
        elif date is not None and self.read_moment(values) is None:
            self.add_error("date", _("Nobody knows the future: choose a moment that is over."))
        return values

    @property
    def about(self) -> User:
        return self.cleaned_data.get("person") or self.user

    @property
    def moment(self) -> datetime:
        """In the person's time zone; without a time the end of the day, today the present."""
        moment = self.read_moment(self.cleaned_data)
        if moment is None:
            raise ValueError("Ask a form that is valid.")
        return moment

    def read_moment(self, values: dict[str, Any]) -> datetime | None:
        """None for what has not come yet."""
        now, date, at = timezone.now(), values["date"], values.get("time")
        if date > timezone.localdate():
            return None
        moment = timezone.make_aware(datetime.combine(date, at or time.max))
        if moment <= now:
            return moment
        return None if at else now
