"""Who is in a demonstration: people, their agents, and memory types of an administrator."""

from __future__ import annotations

import random
import uuid

from memories.models import Agent, Memory, MemoryType
from memories.models.types import Category
from xiajiao.models import User

# Such an address belongs to nobody: by it the demonstration knows its people again.
DOMAIN = "demo.invalid"
ROLES = [
    ("虾饺", "🥟", "zh-hans"),
    ("Code reviewer", "🔧", "en"),
    ("翻译", "📚", "zh-hans"),
    ("Travel guide", "🧭", "en"),
    ("小说家", "✍", "zh-hans"),
    ("Research assistant", "🧪", "en"),
    ("健身教练", "🌱", "zh-hans"),
    ("Cook", "🦐", "en"),
    ("项目经理", "🎯", "zh-hans"),
    ("Night owl", "🦉", "en"),
]
# An administrator's own types; the second is a rare one.
TYPES = [
    ("demo-recipe", "Recipe", "Dishes and how they are made", "utensils", "amber"),
    ("demo-promise", "Promise", "What somebody is waiting for", "flag", "pink"),
]


def find_people() -> list[User]:
    return list(User.objects.filter(email__endswith=f"@{DOMAIN}").order_by("pk"))


def make_people(count: int) -> list[User]:
    """Without a password that anybody knows: `manage.py changepassword demo` gives one."""
    names = ["demo", *(f"demo-{number}" for number in range(2, count + 1))]
    return [User.objects.create_user(username=name, email=f"{name}@{DOMAIN}") for name in names]


def make_agents(owner: User, count: int, chooser: random.Random) -> list[Agent]:
    """Used by all people of the demonstration."""
    agents = []
    for number in range(count):
        name, emoji, language = ROLES[number % len(ROLES)]
        again = number // len(ROLES)
        agents.append(
            Agent.objects.create(
                uid=uuid.UUID(int=chooser.getrandbits(128), version=4),
                owner=owner,
                is_shared=True,
                name=f"{name} {again + 1}" if again else name,
                emoji=emoji,
                language=language,
            )
        )
    return agents


def make_types() -> dict[str, MemoryType]:
    """All that there are then, by their keys."""
    for key, name, description, icon, colour in TYPES:
        columns = {"name": name, "description": description, "icon": icon, "colour": colour}
        MemoryType.objects.get_or_create(key=key, defaults=columns | {"default_category": Category.SEMANTIC})
    return {row.key: row for row in MemoryType.objects.all()}


def count_own_memories() -> int:
    """Of people who are there in earnest."""
    return Memory.objects.exclude(agent__owner__in=find_people()).count()
