"""What codes of chat mean, in a sentence that tells a person what to do."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from knowledge.consulting import How
from memories.wording import explain_parts
from xiajiao.llm.errors import explain

SENTENCES = {
    "too_many_steps": _("The agent kept calling tools without coming to an answer, and was stopped. Try again."),
    "too_many_calls": _("The agent called too many tools in one answer, and was stopped. What it did is kept."),
    "crashed": _("Something went wrong inside Xiajiao. The server's log says what. Try again."),
    "length": _("The model reached its limit of length here. Ask it to go on."),
    "content_filter": _("The model provider cut the answer here."),
    "deleted": _("This message was deleted meanwhile. Undo that first, or write another one."),
    "busy": _("An answer is being written here. Wait for it, or stop it first."),
    "archived": _("This agent is archived. Take it out of the archive, or choose another one."),
    "withdrawn": _("This agent is no longer shared with you. Choose another one."),
    "no_text": _("Write something first."),
    "long_text": _("The message is too long. Split it, or send its essence."),
}


def explain_code(code: str) -> str:
    """The sentence in the active language for the `error_code` of an answer or the code of a SendError."""
    return str(SENTENCES[code]) if code in SENTENCES else explain(code)


# What the write gate did, as a person would say it.
ACTIONS = {
    "added": pgettext_lazy("memory", "remembered"),
    "ignored": pgettext_lazy("memory", "knew already"),
    "reinforced": pgettext_lazy("memory", "confirmed"),
    "superseded": pgettext_lazy("memory", "replaced an older one"),
    "edited": pgettext_lazy("memory", "corrected"),
    "deleted": pgettext_lazy("memory", "forgot"),
}
TOOLS = {
    "memory_write": _("Write a memory"),
    "memory_search": _("Search memories"),
    "memory_update": _("Correct a memory"),
    "memory_delete": _("Delete a memory"),
    "memory_forget": _("Propose to forget"),
    "memory_list_types": _("Look at memory types"),
    "memory_stats": _("Count memories"),
    "profile_read": _("Read its profile files"),
    "profile_add": _("Add to its profile files"),
    "profile_replace": _("Correct its profile files"),
    "profile_remove": _("Remove a section of its profile files"),
    "kb_search": _("Search documents"),
    "kb_list": _("List documents"),
    "kb_index": _("Index a file"),
}
REASONS = {
    "pinned": _("pinned: always known"),
    "procedural": _("how to behave: always known"),
    "relevant": _("fits the message"),
}

# How much of a file of the conversation an answer was given.
GIVEN = {
    How.WHOLE: _("read whole"),
    How.PASSAGES: _("too long to be read whole: what fits the question was read"),
    How.BEGINNING: _("too long to be read whole: only its beginning was read"),
    How.SILENT: _("too long to be read whole, and nothing in it fits the question"),
    How.UNREAD: _("was not read yet: ask again when it is"),
    How.FAILED: _("could not be read"),
}


DEGRADED = {
    "slow": _("The embedding model did not answer in time: memories were found by their words alone."),
    "failed": _("The embedding model failed: memories were found by their words alone. The server's log says why."),
    "crashed": _("The memories could not be searched, so the answer knew none. The server's log says why."),
}


def name_losses(cause: str, count: int) -> str:
    """How many memories lost their source, by what a person did; an empty cause: by this and that."""
    match cause:
        case "edited":
            said = ngettext("%d memory came from what you changed", "%d memories came from what you changed", count)
        case "regenerated":
            said = ngettext(
                "%d memory came from the answer that was replaced",
                "%d memories came from the answer that was replaced",
                count,
            )
        case "deleted" | "conversation_deleted":
            said = ngettext("%d memory came from what you deleted", "%d memories came from what you deleted", count)
        case _:
            said = ngettext("%d memory lost what it came from", "%d memories lost what they came from", count)
    return said % count


def name_action(action: str) -> str:
    return str(ACTIONS.get(action, action))


def name_tool(name: str) -> str:
    return str(TOOLS[name]) if name in TOOLS else gettext("Tool")


def explain_given(how: str) -> str:
    return str(GIVEN.get(How(how), how)) if how in set(How) else how


def explain_recall(reason: str, parts: Mapping[str, float]) -> str:
    """Why a memory went into a prompt: the parts are shares of 1."""
    return " · ".join(filter(None, [str(REASONS.get(reason, reason)), explain_parts(parts)]))


def explain_degraded(code: str) -> str:
    """Why recall was less than it could be: the `recall_degraded` of an answer."""
    return str(DEGRADED.get(code, DEGRADED["failed"]))
