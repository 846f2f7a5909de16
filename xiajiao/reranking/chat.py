"""The installation's chat model as a judge of which texts answer a question."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import json_repair
from django.template.loader import render_to_string

from xiajiao.fencing import make_inert
from xiajiao.llm import complete
from xiajiao.llm.base import ChatRequest, ModelError
from xiajiao.llm.sources import OFFLINE, source_for
from xiajiao.reranking.base import RerankError
from xiajiao.texts import clip

# Characters of each text that it is shown.
SHOWN = 1200
LIST = re.compile(r"\[[^\[\]]*\]")


class ChatReranker:
    """Asks the default provider once for all texts; the caller bounds the time."""

    def __init__(self) -> None:
        self.source = source_for(None)

    def score(self, query: str, texts: Sequence[str], timeout: float) -> list[float]:
        if self.source.backend == OFFLINE.backend:
            raise RerankError("There is no chat model.")
        shown = [" ".join(make_inert(clip(text, SHOWN)).split()) for text in texts]
        prompt = render_to_string("prompts/xiajiao/rerank.txt", {"query": query, "texts": shown}).strip()
        try:
            reply = complete(self.source, ChatRequest([{"role": "user", "content": prompt}], temperature=0))
        except ModelError as error:
            raise RerankError(str(error)) from error
        return read_list(reply, len(texts))


def read_list(reply: str, count: int) -> list[float]:
    """The last list of so many figures in the reply. Raises RerankError."""
    for found in reversed(LIST.findall(reply)):
        figures: Any = json_repair.loads(found)
        if isinstance(figures, list) and len(figures) == count and all(is_figure(each) for each in figures):
            return [float(each) for each in figures]
    raise RerankError(f"The model gave no list of {count} figures.")


def is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
