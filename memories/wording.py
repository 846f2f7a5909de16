"""What the write gate did and why, in words for a person; memories/judgement names the codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from memories.drafts import Decision
from memories.models import Memory, MemoryRevision
from memories.redaction.wording import explain_secrets
from xiajiao.texts import clip

# Looked up once: a list asks for them row by row.
CATEGORIES: dict[str, Any] = dict(Memory.Category.choices)
ACTORS: dict[str, Any] = dict(MemoryRevision.Actor.choices)
# Codes of `reason["rule"]`.
RULES = {
    "new": _("Nothing like it was known."),
    "same_text": _("The same words were known already."),
    "same_fact": _("It says the same in other words; the newer wording counts."),
    "not_near": _("The nearest memory is about something else."),
    "not_sure": _("It may say the same as another memory, but not surely enough: both stay."),
    "vetoed": _("It is like another memory, but differs in what matters: both stay."),
    "too_long": _("It is too long to be compared: it stays as it is."),
    "has_ended": _("It was over when it was told: kept as history."),
    "came_late": _("It held before what is known now: kept as history."),
    "holds_secret": _("It is like another memory that holds something secret on purpose: both stay."),
    "turned": _("One says the opposite of the other: the newer one counts."),
    "other_time": _("The same thing has another time now."),
    "other_number": _("The same thing has another number now."),
    "other_value": _("The same thing has another value now."),
}
# The same, where a model was asked because the gate was in doubt.
ASKED_RULES = {
    "model_same": _("%(model)s was asked: it says the same in other words; the newer wording counts."),
    "model_replaces": _("%(model)s was asked: the newer one takes the place of the older one."),
    "model_both": _("%(model)s was asked: both hold."),
    "model_forbidden": _("%(model)s was asked, but what it said would lose something: both stay."),
}
# Codes of what was done past the gate.
BESIDE_THE_GATE = {
    "merged_by_hand": _("A person made one of two."),
    "replaced_by_hand": _("A person said which of two counts."),
    "from_file": _("An imported file had it otherwise, and was preferred."),
}
# Keys of a reason that say why by themselves, the first that is there; what stands under it is filled in.
MARKS = {
    "split_from": _("Split off from M%(pk)s, with which it had been merged."),
    "merged_into": _("It became part of M%(pk)s again."),
    "source_lost": _("What it came from was changed or deleted."),
    "source_returned": _("What it came from is there again."),
    "undone": _("An earlier change was taken back."),
    "type_deleted": _("Its type “%(name)s” was deleted."),
    "rewound": _("Put back as it was at an earlier time."),
}
# Codes of `reason["vetoes"]`: what differs.
VETOES = {
    "other_value": _("another value"),
    "other_subject": _("about somebody or something else"),
    "numbers": _("other numbers"),
    "negation": _("one denies it"),
    "names": _("other names"),
    "time": _("at another time"),
    "change": _("one tells of a change"),
    "says_more": _("one says more"),
    "order": _("the other way round"),
    "nothing_shared": _("nothing in common"),
}
ACTIONS = {
    "added": _("Added"),
    "ignored": _("Heard again, word for word"),
    "reinforced": _("Said again in other words"),
    "superseded": _("Replaced by a newer memory"),
    "revived": _("Came back"),
    "edited": _("Edited"),
    "enabled": _("Enabled"),
    "disabled": _("Disabled"),
    "deleted": _("Deleted"),
    "restored": _("Restored"),
}
# What taking a change back means, on its button.
UNDOING = {
    "reinforced": _("Keep both wordings apart"),
    "superseded": _("Let this one count again"),
}
# The same, right after a memory was written by hand.
WAYS_BACK = {
    "added": _("Undo"),
    "reinforced": _("Keep both wordings apart"),
    "superseded": _("Keep both"),
}
DECISIONS = {
    "added": _("Remembered."),
    "ignored": _("This was known already, word for word: nothing is kept twice."),
    "reinforced": _("Something like it was known: the newer wording counts now, the older one is in the history."),
    "superseded": _("Remembered. It takes the place of “%(previous)s”, which can be brought back."),
}
MEANINGS = {
    "semantic": _("Facts about you and your projects"),
    "episodic": _("What happened, and when"),
    "procedural": _("How you want things done"),
}
EXAMPLES = {
    "semantic": _("“My project uses PostgreSQL”"),
    "episodic": _("“Last Friday we fixed the login bug together”"),
    "procedural": _("“Keep replies short”"),
}
STATES = {
    "deleted": pgettext_lazy("memory", "deleted"),
    "disabled": pgettext_lazy("memory", "switched off"),
    "superseded": pgettext_lazy("memory", "replaced"),
    "ended": pgettext_lazy("memory", "over"),
    "waiting": pgettext_lazy("memory", "not yet begun"),
}


def name_action(action: str) -> str:
    return str(ACTIONS.get(action, action))


def name_undoing(action: str) -> str:
    return str(UNDOING[action]) if action in UNDOING else gettext("Take back")


def name_way_back(action: str) -> str:
    return str(WAYS_BACK[action])


def name_actor(revision: MemoryRevision) -> str:
    """Who made a change: a person by name, else what it was."""
    if revision.user is not None and revision.actor == MemoryRevision.Actor.PERSON:
        return revision.user.username
    return name_kind_of_actor(revision.actor)


def name_kind_of_actor(actor: str) -> str:
    return str(ACTORS[actor])


def name_category(category: str) -> str:
    return str(CATEGORIES[category])


def name_state(memory: Memory) -> str:
    """Why it is not known at present; nothing where it is."""
    if memory.is_active:
        return ""
    if memory.deleted_at is not None:
        return str(STATES["deleted"])
    if not memory.enabled:
        return str(STATES["disabled"])
    has_ended = memory.valid_to is not None and memory.valid_to <= timezone.now()
    return str(STATES["superseded" if memory.is_superseded else "ended"] if has_ended else STATES["waiting"])


def explain_decision(decision: Decision) -> str:
    """What the gate did with a memory written by hand, why where that is not plain, and what was left out."""
    return join_sentences(explain_outcome(decision), explain_secrets(decision.reason))


def explain_outcome(decision: Decision) -> str:
    sentence = str(DECISIONS[decision.action])
    if decision.previous is not None:
        return sentence % {"previous": clip(decision.previous.content, 80)}
    if decision.action == "added" and decision.reason.get("rule") not in {"new", "not_near"}:
        return join_sentences(sentence, explain_rule(decision.reason))
    return sentence


def explain_reason(reason: Mapping[str, Any]) -> str:
    """Why, and what was left out, of a revision's `reason`; nothing where a person simply did it."""
    return join_sentences(explain_rule(reason), explain_secrets(reason))


def join_sentences(first: str, second: str) -> str:
    if first and second:
        return gettext("%(decision)s %(reason)s") % {"decision": first, "reason": second}
    return first or second


def explain_rule(reason: Mapping[str, Any]) -> str:
    mark = next((name for name in MARKS if name in reason and reason[name] is not None), None)
    if mark is not None:
        return str(MARKS[mark]) % {"pk": reason[mark], "name": reason[mark]}
    if reason.get("rule") in ASKED_RULES:
        return str(ASKED_RULES[reason["rule"]]) % {"model": reason.get("model") or gettext("A model")}
    if reason.get("rule") == "vetoed" and reason.get("vetoes"):
        return explain_vetoes(reason["vetoes"])
    return str((RULES | BESIDE_THE_GATE).get(reason.get("rule", ""), ""))


def explain_vetoes(vetoes: Sequence[str]) -> str:
    """Why the nearest memory is another fact."""
    if "nothing_shared" in vetoes:
        return str(RULES["not_near"])
    sentence = gettext("It is like another memory, but differs in what matters (%(vetoes)s): both stay.")
    words = [str(VETOES.get(veto, veto)) for veto in vetoes]
    return sentence % {"vetoes": pgettext("between words", ", ").join(words)}


def explain_scores(reason: Mapping[str, Any]) -> str:
    """The figures of a judgement; nothing where none was needed."""
    words = []
    if reason.get("cosine") is not None:
        words.append(gettext("nearness in meaning %(share).2f") % {"share": reason["cosine"]})
    elif "cosine" in reason:
        words.append(gettext("judged by words alone"))
    if reason.get("coverage"):
        words.append(gettext("words in common %(share).0f %%") % {"share": reason["coverage"] * 100})
    if "likelihood" in reason:
        words.append(gettext("same fact: %(share).0f %%") % {"share": reason["likelihood"] * 100})
    return " · ".join(words)


def explain_parts(parts: Mapping[str, float]) -> str:
    """The evidence of a search hit; the parts are shares of 1."""
    words = []
    if "relevance" in parts:
        words.append(gettext("nearness in meaning %(share).2f") % {"share": parts["relevance"]})
    if parts.get("coverage"):
        words.append(gettext("words in common %(share).0f %%") % {"share": parts["coverage"] * 100})
    if "literal" in parts:
        words.append(gettext("holds what was typed"))
    return " · ".join(words)


def group(number: int) -> str:
    """12,345: in thousands in both languages."""
    return f"{number:,}"


def name_store(alias: str) -> str:
    """The usual vector store has no name of its own."""
    return pgettext("vector store", "Default") if alias == "default" else alias
