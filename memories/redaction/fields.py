"""The fields of a memory without their secrets."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memories.drafts import Draft, DraftError, Origin, clean_metadata
from memories.models import Agent, Memory
from memories.redaction.finding import FINDERS, cut_secrets, find_secrets, redact, replace_secrets
from memories.redaction.marks import is_chinese, is_nothing_but_marks
from memories.redaction.secret import Secret
from xiajiao.texts import clean

TEXTS = ("content", "title", "description", "quote")
# What the model is told; a person reads memories.redaction.wording.
NAMES = {
    "api_key": "an API key",
    "password": "a password",
    "private_key": "a private key",
    "identity_number": "an identity number",
    "bank_card": "a card number",
    "phone_number": "a phone number",
}


@dataclass(frozen=True)
class Redacted:
    """`fields` as they may be kept, and the kinds of secrets in them; `was_kept`: the person insists on them."""

    fields: dict[str, Any] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    was_kept: bool = False

    @property
    def left_out(self) -> tuple[str, ...]:
        return () if self.was_kept else self.kinds

    @property
    def reason(self) -> dict[str, Any]:
        """For the revision: the kinds, never the value."""
        if not self.kinds:
            return {}
        return {"kept_secrets" if self.was_kept else "left_out": list(self.kinds)}


@dataclass(frozen=True)
class Pen:
    """Strikes out secrets of these kinds, with marks of one language."""

    kinds: Collection[str]
    is_chinese: bool
    seen: set[str] = field(default_factory=set)

    def strike(self, text: str) -> str:
        text, seen = redact(clean(text), self.kinds, self.is_chinese)
        self.seen.update(seen)
        return text

    def strike_value(self, name: str, value: Any) -> Any:
        """JSON data; the name of a value says what it is: {"password": "…"}. A number that is struck becomes a text."""
        match value:
            case dict():
                return {key: self.strike_value(str(key), item) for key, item in value.items()}
            case list() | tuple():
                return [self.strike_value(name, item) for item in value]
            case bool() | None:
                return value
            case str() | int() | float():
                text = self.strike_named(name, clean(str(value)))
                return value if text == str(value) else text
            case _:
                return value

    def strike_named(self, name: str, text: str) -> str:
        lead = f"{clean(name)}: "
        inside = [each for each in find_secrets(lead + text, self.kinds) if each.end > len(lead)]
        secrets = [Secret(kind, max(0, start - len(lead)), end - len(lead)) for kind, start, end in inside]
        self.seen.update(secret.kind for secret in secrets)
        return self.strike(replace_secrets(text, secrets, self.is_chinese))


def redact_fields(fields: Mapping[str, Any], agent: Agent, origin: Origin) -> Redacted:
    """Content, title, description, quote, tags and metadata, as many as there are; others go through untouched.

    Raises DraftError where the content is nothing but a secret.
    """
    words = " ".join(str(fields.get(name, "")) for name in TEXTS)
    pen = Pen(agent.secret_kinds, is_in_chinese(words, agent))
    struck = dict(fields)
    for name in TEXTS:
        if isinstance(fields.get(name), str):
            struck[name] = pen.strike(fields[name])
    if "tags" in fields:
        struck["tags"] = [tag for tag in map(pen.strike, map(str, fields["tags"])) if not is_nothing_but_marks(tag)]
    if "metadata" in fields:
        struck["metadata"] = pen.strike_value("", clean_metadata(fields["metadata"]))
    kinds = tuple(kind for kind in FINDERS if kind in pen.seen)
    if not kinds or origin.keeps_secrets:
        return Redacted(dict(fields), kinds, was_kept=bool(kinds))
    if is_nothing_but_marks(struck.get("content", "")):
        raise DraftError(
            f"content is nothing but {name_kinds(kinds)}, and secrets are not kept in memories:"
            " say in words what it is for, without the value."
        )
    return Redacted(struck, kinds)


def redact_changes(memory: Memory, columns: Mapping[str, Any], origin: Origin) -> Redacted:
    """Of these columns those that change: a secret that somebody chose to keep stays where the text stays."""
    changed = {name: value for name, value in columns.items() if getattr(memory, name, None) != value}
    return redact_fields(changed, memory.agent, origin)


def redact_draft(draft: Draft, agent: Agent, origin: Origin) -> Draft:
    """Raises DraftError where the content is nothing but a secret."""
    names = (*TEXTS, "tags", "metadata")
    redacted = redact_fields({name: getattr(draft, name) for name in names}, agent, origin)
    return replace(draft, **redacted.fields, about_secrets=redacted.reason)


def redact_text(text: str, agent: Agent) -> str:
    """As the gate would leave it."""
    return redact(text, agent.secret_kinds, is_in_chinese(text, agent))[0]


def is_in_chinese(text: str, agent: Agent) -> bool:
    """By what is no secret in it; where that has no letters, by the agent's language."""
    return is_chinese(cut_secrets(text, agent.secret_kinds), otherwise=agent.language.startswith("zh"))


def name_kinds(kinds: Collection[str]) -> str:
    """For the model: "an API key and a password"."""
    return " and ".join(NAMES[kind] for kind in FINDERS if kind in kinds)
