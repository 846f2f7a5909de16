"""What waits for the person, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.messages import SUCCESS, WARNING
from django.utils.translation import gettext, ngettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from memories.approval.many import Decided
from memories.models import PendingWrite
from memories.wording import join_sentences

State = PendingWrite.State
# What approving would do.
FORESEEN: dict[str, Any] = {
    "add": _("It would be added."),
    "supersede": _("It would replace:"),
    "reinforce": _("It says again what is known:"),
    "ignore": _("It is known already, word for word:"),
    "edit": _("It would correct:"),
    "delete": _("It would be forgotten; for ten minutes it can be brought back:"),
}
PROBLEMS: dict[str, Any] = {
    "decided": _("This was decided already, perhaps in another tab."),
    "outdated": _("What it came from was deleted or replaced meanwhile, so nothing of it is kept."),
    "gone": _("The memory that it is about is gone. There is nothing to approve any more."),
    "type_gone": _("The memory type that it was to get is gone."),
    "changed": _("What it is about has changed since it was proposed. Look again before you approve it."),
    "forgotten": _("You had this forgotten for good. It is kept only when you say it anew, or write it yourself."),
    "too_long": _("The file would become too long. Shorten it first."),
    "soul": _("Agents may not change who they are here any more: the setting was switched off."),
    "missing": _("The section is no longer there."),
    "text_missing": _("The text that it would replace is no longer there."),
    "text_ambiguous": _("The text that it would replace stands there more than once by now."),
    "unfit": _("It can't be kept like this: it is empty, too long, or nothing but a secret."),
    "emptied": _("No text is left: write what is to be kept, or reject it instead."),
    "empty": _("There is nothing to write."),
}
DONE: dict[str, Any] = {
    "added": pgettext_lazy("approval", "Remembered."),
    "ignored": _("It was known already: nothing is kept twice."),
    "reinforced": _("It was known in other words: these count now."),
    "superseded": _("Remembered. It takes the place of an older one, which can be brought back."),
    "edited": _("Corrected. Its history has the former text."),
    "deleted": _("Forgotten. For ten minutes it can be brought back."),
}
CHANGES: dict[str, Any] = {
    "added": _("Adds to the section “%(section)s” of %(file)s"),
    "replaced": _("Replaces a piece of the section “%(section)s” of %(file)s"),
    "removed": _("Removes the section “%(section)s” of %(file)s"),
}


# Of many at once, where they were rejected and where they were approved.
DECIDED = (
    ngettext_lazy("%(count)d was rejected.", "%(count)d were rejected.", "count"),
    ngettext_lazy("%(count)d was approved.", "%(count)d were approved.", "count"),
)
LEFT = (
    ngettext_lazy("%(count)d could not be rejected.", "%(count)d could not be rejected.", "count"),
    ngettext_lazy(
        "%(count)d could not be approved and waits on.", "%(count)d could not be approved and wait on.", "count"
    ),
)
# They wait no more.
OVER = {"decided", "outdated"}
TOO_LATE = (
    LEFT[0],
    ngettext_lazy("%(count)d could not be approved.", "%(count)d could not be approved.", "count"),
)
MORE = (
    ngettext_lazy(
        "%(count)d more waits: reject once more.", "%(count)d more wait: reject once more for the next.", "count"
    ),
    ngettext_lazy(
        "%(count)d more waits: approve once more.", "%(count)d more wait: approve once more for the next.", "count"
    ),
)


def foretell(action: str) -> str:
    return str(FORESEEN.get(action, ""))


def explain_problem(code: str) -> str:
    return str(PROBLEMS.get(code, code))


def name_change(pending: PendingWrite) -> str:
    """What would be done to which section of a profile file."""
    draft = pending.draft
    named = {"section": draft["section"] or gettext("before the first heading"), "file": f"{draft['file'].upper()}"}
    return str(CHANGES[draft["action"]]) % named


def say_done(pending: PendingWrite) -> str:
    """What became of it."""
    if pending.state == State.REJECTED:
        return gettext("Rejected: nothing was written.")
    if pending.state == State.OUTDATED:
        return gettext("It waits again when what it came from is back.")
    if pending.is_profile:
        return gettext("The file is changed; its history has the former text.")
    return str(DONE.get(pending.outcome, ""))


def say_many(decided: Decided, is_approved: bool) -> Iterator[tuple[int, str]]:
    """What became of many, and why the others wait on; each with the level of a message."""
    if decided.done:
        yield SUCCESS, say_count(DECIDED[is_approved], decided.done)
    for code, count in decided.left.most_common():
        words = LEFT[is_approved] if code not in OVER else TOO_LATE[is_approved]
        yield WARNING, join_sentences(say_count(words, count), explain_problem(code))
    if decided.more:
        yield WARNING, say_count(MORE[is_approved], decided.more)
    if not (decided.done or decided.left or decided.more):
        yield WARNING, gettext("Nothing was chosen.")


def say_count(words: Any, count: int) -> str:
    return str(words % {"count": count})
