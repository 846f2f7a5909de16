"""What the codes of ModelError mean, in a sentence that tells a person what to do."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

SENTENCES = {
    "unauthorized": _("The model provider does not accept the key. Check the key in Settings → Models."),
    "forbidden": _("The model provider does not allow this key to use the model. Choose another model or key."),
    "no_credit": _("The account at the model provider has no credit left. Top it up or choose another provider."),
    "not_found": _("The model provider does not know this model or address. Check both in Settings → Models."),
    "no_model": _("No model is chosen for this provider. Choose one in Settings → Models or in the agent's settings."),
    "rate_limited": _("The model provider is receiving too many requests. Wait a moment and try again."),
    "too_long": _("The conversation is too long for this model. Start a new one or choose a model with more room."),
    "refused": _("The model provider refused to answer this. Word it differently or choose another model."),
    "unreachable": _("The model's server can't be reached. Check that it is running and that its address is right."),
    "timed_out": _("The model did not answer in time. Try again, or choose a faster model."),
    "cut_off": _("The connection to the model broke in the middle of the answer. Try again."),
    "empty": _("The model sent an empty answer. Try again, or choose another model."),
    "bad_reply": _(
        "The server answered with something that is no model's reply. Check the base URL in Settings → Models."
    ),
    "bad_request": _("The model provider could not accept the request. Its own words are in the details."),
    "server_error": _("The model provider has a fault of its own at the moment. Try again in a few minutes."),
    "too_long_reply": _("The model's answer grew beyond all bounds and was cut. What came before is kept."),
    "unreadable_key": _(
        "The stored key can't be read, since SECRET_KEY has changed. Enter the key again in Settings → Models."
    ),
}


# What is mended where providers are set up.
MENDED_IN_SETTINGS = frozenset(
    {"unauthorized", "forbidden", "not_found", "no_model", "unreachable", "bad_reply", "unreadable_key"}
)


def explain(code: str) -> str:
    """The sentence in the active language; an unknown code gets a general one."""
    return str(SENTENCES[code]) if code in SENTENCES else gettext("The model could not answer. Try again.")
