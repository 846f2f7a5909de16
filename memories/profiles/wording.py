"""What became of profile files that were brought in or taken out, in words."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.profiles.bringing import Outcome
from memories.profiles.editing import LONGEST
from memories.profiles.folders import Written
from memories.profiles.layout import MOST
from memories.profiles.packing import LARGEST_UNPACKED, MOST_PACKED
from memories.redaction.wording import explain_left_out
from memories.wording import join_sentences

FAULTS = {
    "name": _(
        "no profile file is called so; they are SOUL.md, memories/USER.md, memories/MEMORY.md and"
        " memories/daily/2026-05-03.md"
    ),
    "link": _("it is a link or leads through one, and links are not followed"),
    "special": _("it is no file"),
    "unreadable": _("it can't be read"),
    "not_utf8": _("it is not UTF-8: save it so, and try again"),
    "binary": _("it is no text"),
    "too_long": _("it is longer than %(most)s characters"),
    "grown": _("with marks for the secrets that are left out of it, it is longer than %(most)s characters"),
    "too_many": _("there are more than %(files)s files in it; the others were not looked at"),
    "not_yours": _("who the agent is, only its owner changes"),
    "twice": _("it is there twice; the first one counts"),
    "stale": _("it was changed meanwhile: look at it as it is now, and try again"),
    "foreign": _("another text stands there, and is left alone"),
}
PACKAGES = {
    "damaged": _(
        "The zip file can't be read: it is damaged, or packed in an unusual way. Pack it anew, and try again."
    ),
    "encrypted": _("The zip file has a password: pack it without one, and try again."),
    "too_large": _(
        "The files in it are larger than %(megabytes)d MB together; nothing was changed."
        " Bring them in several zip files."
    ),
    "too_many": _("There are more than %(files)s files in it; nothing was changed. Bring them in several zip files."),
    "empty": _("There is no file in the zip file."),
}
VERDICTS = {
    "new": _("new"),
    "changed": _("changed; what stood there is in the history"),
    "same": _("as it is already"),
    "written": _("written"),
    "refused": _("left out"),
}
# Of what is not done yet.
FORECASTS = VERDICTS | {"new": _("would be new"), "changed": _("would change")}


def explain_fault(fault: str, detail: str = "") -> str:
    said = str(FAULTS[fault]) % {"most": f"{LONGEST:,}", "files": f"{MOST:,}"}
    return f"{said} ({detail})" if detail else said


def explain_package(code: str) -> str:
    """Why nothing of a zip file was brought in, and what helps."""
    return str(PACKAGES[code]) % {"megabytes": LARGEST_UNPACKED // 2**20, "files": f"{MOST_PACKED:,}"}


def say_outcome(outcome: Outcome | Written, is_dry: bool = False) -> str:
    """`changed; what stood there is in the history`, or why it was left out."""
    words = FORECASTS if is_dry else VERDICTS
    if outcome.fault:
        return gettext("left out: %(why)s.") % {"why": explain_fault(outcome.fault, outcome.detail)}
    left_out = explain_left_out(outcome.left_out) if isinstance(outcome, Outcome) else ""
    return join_sentences(gettext("%(verdict)s.") % {"verdict": words[outcome.verdict]}, left_out)
