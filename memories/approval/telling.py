"""What a tool says of what waits for the person: for the model, in words that it can pass on."""

from __future__ import annotations

from collections.abc import Sequence

from memories.approval.asking import ASKED, KNOWN, WAITS, Asked
from memories.models import PendingWrite
from memories.results import describe, say_left_out
from memories.sections import inert

Kind = PendingWrite.Kind
WHAT = {
    Kind.MEMORY: "to remember",
    Kind.EDIT: "to correct",
    Kind.DELETE: "to forget",
    Kind.PROFILE: "to change a profile file",
}


def say_asked(asked: Asked, left_out: Sequence[str] = ()) -> str:
    if asked.outcome == KNOWN and asked.known is not None:
        return f"Known already: {describe(asked.known)}"
    assert asked.pending is not None
    said = [f"{word_outcome(asked)}: {name(asked.pending)}"]
    if asked.outcome == ASKED:
        said.append("Nothing is written before that. Tell the user in a few words that they decide under this answer.")
    return "\n".join([*said, *say_left_out(left_out)])


def word_outcome(asked: Asked) -> str:
    pending = asked.pending
    assert pending is not None
    match asked.outcome:
        case "asked":
            return f"Waits for the user's approval {WHAT[Kind(pending.kind)]}"
        case outcome if outcome == WAITS:
            return f"Waits for the user's approval already {WHAT[Kind(pending.kind)]}"
    is_rejected = pending.state == PendingWrite.State.REJECTED
    return "The user has turned this down, and it is not kept" if is_rejected else "The user has approved this already"


def name(pending: PendingWrite) -> str:
    if pending.memory is not None and pending.kind != Kind.MEMORY:
        memory = describe(pending.memory)
        return f"{memory} -> {inert(pending.text)}" if pending.text else memory
    if pending.kind == Kind.PROFILE:
        return f"{pending.draft['file']}, section {inert(pending.draft['section'])!r}"
    return inert(pending.text)
