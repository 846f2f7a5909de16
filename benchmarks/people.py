"""People with agents that remember, made in bulk; Django is set up before this is imported."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction

from memories.drafts import hash_content
from memories.indexing import Embedded, embed_texts, index
from memories.models import Agent, Memory, MemoryType
from xiajiao.models import User

THINGS = ["tea", "chess", "hiking", "jazz", "Django", "苏州园林", "川菜", "摄影", "滑雪", "Rust", "sourdough", "高铁"]
PLACES = ["Berlin", "上海", "Lisbon", "成都", "Toronto", "杭州", "Kyoto", "广州"]
# Distinct texts that are really embedded; the others are these with some noise.
EMBEDDED = 96


def make_people(count: int, memories: int) -> list[str]:
    """Cookies of so many people, each signed in, with an agent of their own that has so many memories."""
    cookies = []
    for number in range(count):
        user = User.objects.create_user(username=f"person{number}")
        agent = Agent.objects.create(owner=user, name=f"Agent {number}", language="en")
        remember(agent, memories)
        cookies.append(sign_in(user))
    return cookies


def sign_in(user: User) -> str:
    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session["_auth_user_backend"] = settings.AUTHENTICATION_BACKENDS[0]
    session["_auth_user_hash"] = user.get_session_auth_hash()
    session.create()
    token = "a" * 32
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={token}"


@transaction.atomic
def remember(agent: Agent, count: int) -> None:
    chooser = random.Random(agent.pk)
    kind = MemoryType.objects.get(key="user")
    texts = [write_text(chooser, number) for number in range(count)]
    for text, embedded in zip(texts, spread(texts), strict=True):
        memory = Memory.objects.create(
            agent=agent, user=agent.owner, type=kind, content=text, content_hash=hash_content(text)
        )
        index(memory, embedded)


def write_text(chooser: random.Random, number: int) -> str:
    thing, place = chooser.choice(THINGS), chooser.choice(PLACES)
    if number % 2:
        return f"用户 {number} 年前在{place}开始喜欢{thing}。"
    return f"The user has liked {thing} since they moved to {place}, note {number}."


def spread(texts: Sequence[str]) -> list[Embedded]:
    known = [embed_texts([text])[0] for text in texts[:EMBEDDED]]
    noise = np.random.default_rng(1)
    made = []
    for number, text in enumerate(texts):
        base = known[number % len(known)]
        vector = base.vector + 0.02 * noise.standard_normal(len(base.vector)).astype(np.float32)
        made.append(Embedded(text, vector / np.linalg.norm(vector), base.model, base.calibration))
    return made
