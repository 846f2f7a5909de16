"""What rules find in a person's words: a statement that stands alone, and the words that it was found in."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    """`category` is semantic, episodic or procedural, `type` the key of a memory type; both as plain words."""

    content: str
    category: str
    type: str
    quote: str


@dataclass(frozen=True)
class Found:
    """A rule's finding in one clause, before dates are resolved."""

    content: str
    category: str
    type: str
