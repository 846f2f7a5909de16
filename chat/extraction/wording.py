"""What the codes of extractions and of their candidates mean, in words for a person."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memories.wording import join_sentences
from xiajiao.llm.errors import explain

# Codes of failures of our own; the others are a model's.
FAILURES = {
    "no_list": _("The model's answer held no list of facts, twice. Try again, or choose another model for the agent."),
    "silent": _("The model answered with nothing, twice. Try again, or choose another model for the agent."),
    "crashed": _("The worker was stopped at it again and again. Try again; the worker's log says more."),
}
AGAIN = _("It is tried again by itself.")
# Why there was nothing to do.
SKIPPED = {
    "short": _("Too little was said so far; it is read together with what follows."),
    "nothing_said": _("Nothing of yours was left to be read."),
    "deleted": _("The conversation was deleted before it was read."),
    "not_remembering": _("This conversation is not to be remembered."),
    "switched_off": _("The agent does not learn from conversations: it is switched off in its settings."),
    "given_up": _("It failed, and you gave it up. What follows in the conversation is read together with it."),
    "made_up_for": _("It failed, and a later look at the same conversation has made up for it."),
}
# What became of a candidate: its name, and why where that does not speak for itself.
OUTCOMES = {
    "": (pgettext_lazy("candidate", "not looked at yet"), ""),
    "added": (pgettext_lazy("candidate", "remembered"), ""),
    "superseded": (pgettext_lazy("candidate", "remembered"), _("It replaced an older memory.")),
    "reinforced": (pgettext_lazy("candidate", "confirmed"), _("It was known in other words.")),
    "ignored": (pgettext_lazy("candidate", "known already"), _("The same words were known already.")),
    "noted": (pgettext_lazy("candidate", "known already"), _("It was remembered from the same message before.")),
    "asked": (pgettext_lazy("candidate", "waits for you"), _("The agent asks before it keeps anything.")),
    "decided": (pgettext_lazy("candidate", "decided before"), _("You approved or rejected the same before.")),
    "unsaid": (pgettext_lazy("candidate", "left out"), _("You neither said it nor agreed to it.")),
    "gone": (pgettext_lazy("candidate", "left out"), _("What you said was deleted or rewritten meanwhile.")),
    "forgotten": (pgettext_lazy("candidate", "left out"), _("You had it forgotten for good.")),
    "refused": (pgettext_lazy("candidate", "left out"), _("Nothing of it could be kept: it was a secret or too long.")),
}
OTHER = pgettext_lazy("candidate", "passed over"), ""


def explain_reason(state: str, code: str) -> str:
    """Of an extraction: what was the matter and what to do next."""
    if code in SKIPPED:
        return str(SKIPPED[code])
    said = str(FAILURES[code]) if code in FAILURES else explain(code)
    return join_sentences(said, str(AGAIN)) if state == "waiting" else said


def name_outcome(code: str) -> str:
    return str(OUTCOMES.get(code, OTHER)[0])


def explain_outcome(code: str) -> str:
    return str(OUTCOMES.get(code, OTHER)[1])
