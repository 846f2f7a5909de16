"""What is said in these tests: each message states a fact, which the scripted model keeps by a tool call; each note
states some that are found when its conversation is closed."""

from __future__ import annotations

import json
import re
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


# What one note states, and what is to be remembered of it afterwards.
SPICES = ["cumin", "saffron", "nutmeg", "paprika", "ginger", "cardamom", "thyme", "sumac", "vanilla", "clove", "mace"]
SPICES += [
    "anise",
    "basil",
    "oregano",
    "rosemary",
    "fennel",
    "dill",
    "mustard",
    "pepper",
    "turmeric",
    "caraway",
    "sage",
]
ROOMS = ["kitchen", "cellar", "attic", "garage", "pantry", "hall", "study", "barn", "shed", "bathroom", "library"]
FACTS_OF_A_NOTE = 3


def jars(number: int) -> list[tuple[str, str, str]]:
    """Quote and memory of each fact of a note, of which no two are about the same spice and room."""
    places = range(FACTS_OF_A_NOTE * number, FACTS_OF_A_NOTE * (number + 1))
    named = [(SPICES[place % len(SPICES)], ROOMS[place // len(SPICES) % len(ROOMS)], place) for place in places]
    return [
        (f"{spice} in the {room}", f"The user keeps {spice} in the {room}, jar {place}.", f"jar {place}")
        for spice, room, place in named
    ]


def note(number: int) -> str:
    told = ", ".join(f"{quote} in {jar}" for quote, _content, jar in jars(number))
    stays = "That is how it has been ever since I moved in here many years ago, and it stays like that."
    return f"Note {number}: I keep {told}. {stays} Tell me if you ever find one of them elsewhere."


def summary(number: int) -> str:
    return f"Where the jars of note {number} stand"


def extract(prompt: str) -> Reply:
    """What a conversation of notes leaves; of any other one nothing."""
    numbers = [int(found) for found in re.findall(r"Note (\d+):", prompt.rpartition("<conversation>")[2])]
    items = [{"content": content, "quote": quote} for number in numbers for quote, content, _jar in jars(number)]
    told = {"memories": items, "summary": " ".join(map(summary, numbers))}
    return Reply(text=json.dumps(told), rate=RATE, wait=0.2)


def decide(prompt: str) -> Reply:
    """Of no two jars it is said that they are one."""
    count = prompt.rpartition("<pairs>")[2].count(" old (")
    answers = [{"pair": number, "answer": "both"} for number in range(1, count + 1)]
    return Reply(text=json.dumps({"answers": answers}), wait=0.2)


def play(body: dict[str, Any]) -> Reply:
    """The reply to a request: speak, call the tool, and speak again when its result is there."""
    said = [entry for entry in body["messages"] if entry["role"] == "user"][-1]["content"]
    if "<conversation>" in said:
        return extract(said)
    if "<pairs>" in said:
        return decide(said)
    if said.startswith("Note"):
        return Reply(text="Noted.")
    number = int(said.split(":")[0].split()[-1])
    if body["messages"][-1]["role"] == "tool":
        return Reply(text=AFTER, rate=RATE)
    arguments = json.dumps({"content": fact(number), "category": "semantic", "type": "user"})
    return Reply(text=BEFORE, calls=(Call("memory_write", arguments),), rate=RATE)
