"""Put the fragments of streamed tool calls together, whatever a server leaves out of them."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from typing import Any

from xiajiao.llm.base import RequestedCall
from xiajiao.texts import clean

UNFIT = re.compile(r"[^a-zA-Z0-9_-]")


@dataclass
class Draft:
    index: Any = None
    id: str = ""
    name: str = ""
    arguments: str = ""


class CallAssembly:
    """Fragments belong together by index, else by id, else to the call that was begun last."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []

    def add(self, fragment: dict[str, Any]) -> int:
        """Returns the number of characters that it brought."""
        described = fragment.get("function")
        described = described if isinstance(described, dict) else fragment
        name, arguments = described.get("name"), described.get("arguments")
        name = name if isinstance(name, str) else ""
        if arguments is not None and not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        call_id = fragment.get("id")
        draft = self.draft_for(fragment.get("index"), str(call_id) if call_id else "", name)
        draft.name = draft.name or name
        draft.arguments += arguments or ""
        return len(arguments or "") + len(name)

    def draft_for(self, index: Any, call_id: str, name: str) -> Draft:
        draft = self.find(index, call_id, name)
        if draft is None:
            draft = Draft(index)
            self.drafts.append(draft)
        draft.id = draft.id or call_id
        return draft

    def find(self, index: Any, call_id: str, name: str) -> Draft | None:
        if call_id:
            same = [draft for draft in self.drafts if draft.id == call_id]
            if same:
                return same[-1]
        if index is not None:
            # Some servers send each of several calls under index 0, told apart by their ids.
            same = [draft for draft in self.drafts if draft.index == index]
            clash = bool(same and call_id and same[-1].id and name)
            return same[-1] if same and not clash else None
        return None if call_id or name or not self.drafts else self.drafts[-1]

    def finish(self) -> tuple[RequestedCall, ...]:
        """The calls that have a name, each under an id of its own."""
        calls: list[RequestedCall] = []
        taken: set[str] = set()
        for draft in self.drafts:
            if not draft.name:
                continue
            call_id = clean(draft.id)
            if not call_id or call_id in taken:
                call_id = f"call_{secrets.token_hex(8)}"
            taken.add(call_id)
            calls.append(RequestedCall(call_id, fit_name(draft.name), clean(draft.arguments) or "{}"))
        return tuple(calls)


def fit_name(name: str) -> str:
    """A name that may be sent back in the history: servers refuse others. `functions.kb_search` is kb_search."""
    return UNFIT.sub("_", name.rsplit(".", 1)[-1].strip())[:64] or "unnamed"
