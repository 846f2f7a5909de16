"""Take the words of one memory out of what is kept of turns: tool calls, prompts, streams."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from memories.striking import strike_text

MARK = "[forgotten]"
# What stands for the arguments of a call that said it; a provider would refuse what is no object.
ARGUMENTS = json.dumps({"content": MARK})
# The text of a message that a person had removed, as models read it.
REMOVED = "[removed]"


def scrub_text(text: str, memory_id: int, wordings: Iterable[str]) -> str:
    """Without any of the wordings, and without what is said of the memory behind its number (`[M12] …`) in a line."""
    text = strike_text(text, wordings, MARK)
    return re.sub(rf"\[M{memory_id}\](?! {re.escape(MARK)}$)[^\n]*", f"[M{memory_id}] {MARK}", text, flags=re.MULTILINE)


def mentions(text: str, memory_id: int, wordings: Iterable[str]) -> bool:
    return scrub_text(text, memory_id, wordings) != text
