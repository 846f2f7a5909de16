"""What invented memories have lived through: when they were written, what ended them, how often they were needed."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memories.demonstration.phrases import Fact, read_phrases
from memories.drafts import hash_content
from memories.models import Agent, Memory, MemoryRevision, MemoryType
from memories.titles import title_key
from xiajiao.models import User

DAYS = 1000
Action, Actor = MemoryRevision.Action, MemoryRevision.Actor
# Per ten thousand.
STATES = {"superseded": 800, "over": 100, "disabled": 20, "deleted": 10, "waiting": 5, "ending": 100, "begun": 300}
SOURCES = {"extraction": 55, "tool": 25, "manual": 12, "import": 6, "api": 2}
ACTORS = {"extraction": Actor.EXTRACTION, "tool": Actor.AGENT, "import": Actor.IMPORT}
RARE_TYPE, RARE_TAG, RARE = "demo-promise", "kumquat", 1 / 5000


@dataclass(frozen=True)
class Life:
    """One agent's memories of one person (None: of all its users), written until a moment."""

    agent: Agent
    person: User | None
    types: Mapping[str, MemoryType]
    until: datetime
    chooser: random.Random

    def make(self, former: Sequence[Memory]) -> Memory:
        """A row without a key; `former` are some that it may have been replaced by."""
        fact = self.invent()
        created = self.until - timedelta(seconds=self.chooser.random() ** 2 * DAYS * 86_400)
        memory = Memory(
            uid=make_uid(self.chooser),
            agent=self.agent,
            user=self.person,
            category=fact.category,
            type=self.types[fact.type_key],
            title=fact.title,
            title_key=title_key(fact.title, fact.content),
            content=fact.content,
            content_hash=hash_content(fact.content),
            description=fact.description if self.chooser.random() < 0.5 else "",
            tags=fact.tags,
            importance=self.chooser.choices([1, 2, 3], [20, 65, 15])[0],
            pinned=self.chooser.random() < 0.004,
            source=self.chooser.choices(list(SOURCES), list(SOURCES.values()))[0],
            created_at=created,
            updated_at=created + (self.until - created) * self.chooser.choice([0, 0, self.chooser.random()]),
        )
        self.use(memory)
        self.end(memory, former)
        return memory

    def invent(self) -> Fact:
        is_chinese = self.agent.language.startswith("zh")
        language = "zh" if (self.chooser.random() < 0.9) == is_chinese else "en"
        fact = read_phrases(language).compose(self.chooser)
        if self.chooser.random() < RARE:
            fact.tags.append(RARE_TAG)
        if self.chooser.random() < RARE:
            return Fact(fact.category, RARE_TYPE, fact.title, fact.content, fact.description, fact.tags)
        return fact

    def use(self, memory: Memory) -> None:
        if self.chooser.random() < 0.6:
            memory.recall_count = int(self.chooser.expovariate(0.2)) + 1
            memory.last_recalled_at = memory.created_at + (self.until - memory.created_at) * self.chooser.random()
            memory.proof_count = self.chooser.choices([1, 2, 5], [80, 15, 5])[0]

    def end(self, memory: Memory, former: Sequence[Memory]) -> None:
        state = self.chooser.choices([*STATES, ""], [*STATES.values(), 10_000 - sum(STATES.values())])[0]
        day, left = timedelta(days=1), self.until - memory.created_at
        changed: dict[str, dict[str, Any]] = {
            "superseded": {"valid_to": memory.created_at + left * 0.9, "superseded_by": self.successor(former)},
            "over": {"valid_to": memory.created_at + left * 0.5},
            "disabled": {"enabled": False},
            "deleted": {"deleted_at": self.until},
            "waiting": {"valid_from": self.until + self.chooser.randrange(400, 800) * day},
            "ending": {"valid_to": self.until + self.chooser.randrange(400, 800) * day},
            "begun": {"valid_from": memory.created_at},
        }
        for name, value in changed.get(state, {}).items():
            setattr(memory, name, value)

    def successor(self, former: Sequence[Memory]) -> Memory | None:
        return self.chooser.choice(former) if former else None


def list_revisions(memory: Memory, chooser: random.Random) -> list[MemoryRevision]:
    """Of a row with a key: how it came, and what was done to it last."""
    actor = ACTORS.get(memory.source, Actor.PERSON)
    deeds = [(Action.ADDED, actor, memory.created_at)]
    if memory.superseded_by_id:
        deeds.append((Action.SUPERSEDED, actor, memory.valid_to or memory.updated_at))
    elif not memory.enabled:
        deeds.append((Action.DISABLED, Actor.PERSON, memory.updated_at))
    elif memory.updated_at > memory.created_at:
        deeds.append((chooser.choice([Action.EDITED, Action.REINFORCED]), actor, memory.updated_at))
    return [
        MemoryRevision(uid=make_uid(chooser), memory=memory, action=action, actor=who, user=memory.user, at=at)
        for action, who, at in deeds
    ]


def make_uid(chooser: random.Random) -> uuid.UUID:
    return uuid.UUID(int=chooser.getrandbits(128), version=4)
