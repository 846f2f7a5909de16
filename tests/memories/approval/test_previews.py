"""What the page says of what waits is read in few queries, and waits for nobody."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from memories.drafts import Origin
from memories.gate import Draft, write
from memories.models import Agent, PendingWrite
from tests.factories import make_memory
from tests.memories.approval.asking import LIST, ask, call, make_asking_agent
from xiajiao.models import User

# Queries: full text, vectors, and the rows that they found.
FORETELLING = 4


@pytest.fixture
def agent(user: User) -> Agent:
    return make_asking_agent(owner=user, name="Helper")


def test_more_of_it_asks_the_database_no_more_but_for_what_new_memories_are_held_against(
    signed_in: Client, agent: Agent
) -> None:
    def propose(number: int) -> None:
        memory = make_memory(agent, f"The user sings song {number}")
        call(agent, "memory_update", number, id=memory.pk, content=f"The user dances dance {number}", type="project")
        call(agent, "memory_delete", number, id=memory.pk)
        call(agent, "profile_add", number, file="user", section=f"Boat {number}", content="It is red")

    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            signed_in.get(LIST)
        return len(captured)

    propose(1)
    count()
    before = count()
    propose(2)
    propose(3)

    assert count() == before
    for number, fruit in enumerate(["apples", "pears", "cherries"]):
        ask(agent, f"The user likes {fruit}", message_id=50 + number)
    PendingWrite.objects.exclude(kind="memory").delete()
    assert count() <= before + 3 * FORETELLING


def test_a_slow_embedder_keeps_nobody_from_the_page(signed_in: Client, agent: Agent, settings: Settings) -> None:
    write(agent, agent.owner_id, Draft("The user is allergic to peanuts"), Origin("person", "manual", agent.owner_id))
    ask(agent, "The user has a peanut allergy")

    assert "It says again what is known" in signed_in.get(LIST).text
    settings.RECALL_DEADLINE = 0
    assert "It would be added." in signed_in.get(LIST).text
