"""What the page of health says about each kind of finding and each decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from memories.models import Finding
from memories.redaction.wording import list_kinds
from memories.wording import RULES, VETOES, explain_scores

Kind = Finding.Kind
# A translated text that is made when it is read.
Text = Promise | str


@dataclass(frozen=True)
class KindWords:
    icon: str
    name: Text
    meaning: Text
    nothing: Text


KINDS: dict[str, KindWords] = {
    Kind.DUPLICATE: KindWords(
        "copy",
        _("Likely duplicates"),
        _("Two memories that may say the same. Merged, one wording counts and the other stays in its history."),
        _("No two memories say the same."),
    ),
    Kind.CONTRADICTION: KindWords(
        "git-compare",
        _("Likely contradictions"),
        _("Two memories that can hardly both be true now. Say which one counts, or that both do."),
        _("No two memories contradict each other."),
    ),
    Kind.SECRET: KindWords(
        "key-round",
        _("Secrets"),
        _("Keys, passwords, identity or card numbers in a memory: an agent may repeat what it remembers."),
        _("No memory holds a key, a password, an identity number or a card number."),
    ),
    Kind.LANGUAGE: KindWords(
        "languages",
        _("Another language"),
        _("Neither in the agent's language nor in that of what was said; it may answer in it. Open one to edit it."),
        _("Every memory is in a language that is spoken here."),
    ),
    Kind.UNUSED: KindWords(
        "moon",
        _("Never recalled"),
        _("Older than 60 days and in no answer, though there were at least 20 since: perhaps nobody needs it."),
        _("Whatever is old was of use at least once."),
    ),
    Kind.OVERUSED: KindWords(
        "rotate-ccw",
        _("Recalled too often"),
        _("In more than half of the agent's last 200 answers, though it hardly fitted what was asked."),
        _("No memory comes along where it isn't wanted."),
    ),
    "jobs": KindWords(
        "cpu",
        _("Work that waits"),
        _("What is done in the background, as long as some of it waits, is stuck or has failed."),
        _("Nothing waits and nothing is stuck."),
    ),
}

# On the buttons. Of a pair, A is the older memory.
CHOICES: dict[str, dict[str, tuple[str, Text]]] = {
    Kind.DUPLICATE: {
        "first": ("merge", _("Keep A's words")),
        "second": ("merge", _("Keep B's words")),
        "keep": ("check-check", _("These are two things")),
    },
    Kind.CONTRADICTION: {
        "first": ("check", _("A replaces B")),
        "second": ("check", _("B replaces A")),
        "keep": ("check-check", _("Both hold")),
    },
}
SINGLE_CHOICES: dict[str, tuple[str, Text]] = {
    "redact": ("eye-off", _("Strike it out")),
    "disable": ("eye-off", _("Switch off")),
    "keep": ("check", pgettext_lazy("finding", "Keep as it is")),
    "pin": ("pin", _("Pin")),
}


def words_of_choice(kind: str, decision: str) -> tuple[str, str]:
    """Icon and label of a button."""
    icon, label = CHOICES.get(kind, SINGLE_CHOICES)[decision]
    return icon, str(label)


def say_settled(kind: str, decision: str, count: int) -> str:
    match kind, decision:
        case (Kind.DUPLICATE, "first" | "second"):
            return gettext("Merged. The other wording is in the history.")
        case (Kind.CONTRADICTION, "first" | "second"):
            return gettext("Replaced. The older fact is in the history.")
        case (_, "redact"):
            text = ngettext("Struck out of %(count)d memory.", "Struck out of %(count)d memories.", count)
            return text % {"count": count}
        case (_, "disable"):
            text = ngettext("%(count)d memory is switched off.", "%(count)d memories are switched off.", count)
            return text % {"count": count}
        case (_, "pin"):
            text = ngettext("%(count)d memory is pinned.", "%(count)d memories are pinned.", count)
            return text % {"count": count}
        case _:
            return gettext("It stays as it is and is not shown here again.")


def explain_finding(finding: Finding) -> str:
    """Why a finding is one, where the kind alone doesn't say it."""
    details = finding.details
    match finding.kind:
        case Kind.DUPLICATE | Kind.CONTRADICTION:
            return explain_pair(details)
        case Kind.SECRET:
            return explain_kept_secrets(details)
        case Kind.LANGUAGE:
            return gettext("written in %(found)s, expected in %(expected)s") % {
                "found": name_languages(details["found"]),
                "expected": name_languages(details["expected"]),
            }
        case Kind.OVERUSED:
            text = gettext("in %(times)d of the last %(answers)d answers; nearness %(relevance).2f, floor %(floor).2f")
            return text % details
        case _:
            return ""


def explain_pair(details: Mapping[str, Any]) -> str:
    rule, vetoes = details.get("rule", ""), details.get("vetoes") or []
    if rule == "vetoed":
        words = pgettext("between words", ", ").join(str(VETOES.get(veto, veto)) for veto in vetoes)
        sentence = gettext("Much alike, but for one thing: %(vetoes)s.")
        return sentence % {"vetoes": words}
    return str(PAIR_RULES.get(rule) or RULES.get(rule, ""))


# Where the gate's own words say what it did.
PAIR_RULES: dict[str, Text] = {
    "same_text": _("Word for word the same."),
    "same_fact": _("The same fact in other words."),
    "not_sure": _("Perhaps the same fact in other words."),
    "turned": _("One says the opposite of the other."),
}


def explain_kept_secrets(details: Mapping[str, Any]) -> str:
    if not details["kinds"]:
        return gettext("only in its history: %(kinds)s") % {"kinds": list_kinds(details["in_history"])}
    return list_kinds([*details["kinds"], *details["in_history"]])


def name_languages(codes: list[str]) -> str:
    return pgettext("between words", ", ").join(str(LANGUAGES.get(code, code)) for code in codes)


LANGUAGES: dict[str, Text] = {"zh": _("Chinese"), "en": _("English"), "other": _("another language")}


def explain_figures(finding: Finding) -> str:
    """How sure the judge would be says nothing where a guard speaks against it."""
    shown = {name: value for name, value in finding.details.items() if name != "likelihood" or not is_vetoed(finding)}
    return explain_scores(shown)


def is_vetoed(finding: Finding) -> bool:
    return finding.details.get("rule") == "vetoed"
