from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from xiajiao.forms.users import AccountForm
from xiajiao.offers import Offer

OFFLINE = "offline"


class SetupForm(AccountForm):
    """The first account, and which model answers."""

    def __init__(self, *args: Any, offers: Sequence[Offer], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offers = {offer.key: offer for offer in offers}
        choices = [(offer.key, label_of(offer)) for offer in offers]
        # The environment's provider answers wherever no other is chosen: without a model is no choice beside it.
        if self.may_be_offline:
            choices.append((OFFLINE, gettext("None for now: offline mode")))
        self.fields["model"] = forms.ChoiceField(
            label=_("Which model answers?"),
            choices=choices,
            initial=choices[0][0],
            widget=forms.RadioSelect,
            error_messages={"invalid_choice": _("That model is no longer there. Choose again.")},
        )

    @property
    def may_be_offline(self) -> bool:
        return all(offer.server for offer in self.offers.values())

    @property
    def offer(self) -> Offer | None:
        return self.offers.get(self.cleaned_data["model"])


def label_of(offer: Offer) -> str:
    if offer.server:
        return gettext("%(model)s · %(server)s on this machine") % {"model": offer.model, "server": offer.server.name}
    if offer.model:
        return gettext("%(model)s · the provider given in the environment") % {"model": offer.model}
    return gettext("The provider given in the environment")
