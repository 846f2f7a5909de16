"""What is said in these tests: each message states a fact, which the scripted model keeps by a tool call."""

from __future__ import annotations

import json
from typing import Any

from tests.openai_stub import Call, Reply

THINGS = ["kettle", "lamp", "violin", "ladder", "kite", "anchor", "barrel", "drum", "easel", "flute", "globe"]
COLOURS = ["red", "blue", "green", "black", "white", "amber", "violet", "silver"]
RATE = 60  # deltas a second
BEFORE = "Let me keep that in mind before I go on with it. "
AFTER = " ".join(f"word{number}" for number in range(40))
# The whole text of a good answer, and about how long it takes (seconds).
WHOLE = BEFORE + AFTER
SECONDS = (len(BEFORE.split()) + len(AFTER.split())) / RATE + 0.3


def fact(number: int) -> str:
    thing, colour = THINGS[number % len(THINGS)], COLOURS[number // len(THINGS) % len(COLOURS)]
    return f"The user keeps the {colour} {thing} in drawer {number}."


def message(number: int) -> str:
    return f"Message {number}: I keep something in drawer {number}."


def play(body: dict[str, Any]) -> Reply:
    """The reply to a request: speak, call the tool, and speak again when its result is there."""
    said = [entry for entry in body["messages"] if entry["role"] == "user"][-1]["content"]
    number = int(said.split(":")[0].split()[-1])
    if body["messages"][-1]["role"] == "tool":
        return Reply(text=AFTER, rate=RATE)
    arguments = json.dumps({"content": fact(number), "category": "semantic", "type": "user"})
    return Reply(text=BEFORE, calls=(Call("memory_write", arguments),), rate=RATE)
