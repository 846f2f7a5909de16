"""What of the recalled memories fits into a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memories.recalled import RecalledMemory
from xiajiao.texts import clip, estimate_tokens

# Tokens of the memory section; some 200 to 500 are usual, a long list of rules may need more.
BUDGET = 1500
# What always goes in leaves room for what was searched for.
STANDING_BUDGET = 900
# Characters of one memory in the prompt; memory_search by id shows all of it.
LONGEST = 600
# Tokens of a line beside its text: the dash, the id and the line end.
LINE = 6


def shorten(content: str) -> str:
    return clip(content, LONGEST)


def fit(items: Sequence[RecalledMemory]) -> list[RecalledMemory]:
    """The same items in their order; what exceeds the budget is marked `was_cut`, a smaller one after it may fit."""
    spent = 0
    fitted = []
    for item in items:
        cost = estimate_tokens(shorten(item.memory.content)) + LINE
        limit = BUDGET if item.reason == "relevant" else STANDING_BUDGET
        was_cut = spent + cost > limit
        spent += 0 if was_cut else cost
        fitted.append(replace(item, was_cut=was_cut))
    return fitted
