"""What codes of chat mean, in a sentence that tells a person what to do."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from xiajiao.llm.errors import explain

SENTENCES = {
    "too_many_steps": _("The agent kept calling tools without coming to an answer, and was stopped. Try again."),
    "too_many_calls": _("The agent called too many tools in one answer, and was stopped. What it did is kept."),
    "crashed": _("Something went wrong inside Xiajiao. The server's log says what. Try again."),
    "length": _("The model reached its limit of length here. Ask it to go on."),
    "content_filter": _("The model provider cut the answer here."),
    "busy": _("An answer is being written here. Wait for it, or stop it first."),
    "archived": _("This agent is archived. Take it out of the archive, or choose another one."),
    "no_text": _("Write something first."),
    "long_text": _("The message is too long. Split it, or send its essence."),
}


def explain_code(code: str) -> str:
    """The sentence in the active language for the `error_code` of an answer or the code of a SendError."""
    return str(SENTENCES[code]) if code in SENTENCES else explain(code)
