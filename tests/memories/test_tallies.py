import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from memories import changes
from memories.cards import make_cards
from memories.filtering import MemoryFilter
from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory, MemoryTally, WriteLock
from memories.tallying import find_drifted
from memories.tasks import mend_tallies
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

MIGRATIONS = Path(changes.__file__).with_name("migrations")
BY_HAND = Origin("person", "manual")


@pytest.fixture(autouse=True)
def _words_alone(settings: Settings) -> None:
    settings.EMBEDDER = "openai"  # without a key: nothing here is about meaning


def tallied(agent: Agent) -> dict[str, int]:
    return dict(agent.tallies.filter(count__gt=0).values_list("category", "count"))


def shown(user: User, person: str = "") -> dict[str, int]:
    cards = make_cards(user, MemoryFilter(person=person))
    return {card.agent.name: card.total for card in cards if card.total}


def keep(agent: Agent, content: str) -> Memory:
    return write(agent, agent.owner_id, Draft(content), BY_HAND).memory


def test_each_change_moves_the_tally_with_it() -> None:
    agent = make_agent()
    memory = keep(agent, "The user likes tea")
    assert tallied(agent) == {"semantic": 1}
    memory = changes.edit(memory, {"category": "episodic"}, BY_HAND)
    assert tallied(agent) == {"episodic": 1}
    memory = changes.edit(memory, {"title": "Drinks"}, BY_HAND)
    memory = changes.set_enabled(memory, False, BY_HAND)
    assert tallied(agent) == {}
    memory = changes.set_enabled(memory, True, BY_HAND)
    memory = changes.delete(memory, BY_HAND)
    assert tallied(agent) == {}
    memory = changes.restore(memory, BY_HAND)
    assert tallied(agent) == {"episodic": 1}
    changes.edit(memory, {"valid_to": timezone.now() + timedelta(days=1)}, BY_HAND)
    assert tallied(agent) == {}
    memory.delete()
    assert tallied(agent) == {}
    assert find_drifted() == []


def test_what_replaces_another_counts_and_the_other_no_more() -> None:
    agent = make_agent()
    keep(agent, "用户今年 30 岁")
    decision = write(agent, agent.owner_id, Draft("用户今年 31 岁"), BY_HAND)

    assert decision.action == "superseded"
    assert tallied(agent) == {"semantic": 1}
    assert decision.previous is not None
    changes.undo(decision.previous.revisions.get(action="superseded"), BY_HAND)
    assert tallied(agent) == {"semantic": 2}


def test_what_is_switched_off_changes_its_category_without_a_tally() -> None:
    agent = make_agent()
    memory = changes.set_enabled(keep(agent, "The user likes tea"), False, BY_HAND)
    changes.edit(memory, {"category": "episodic"}, BY_HAND)

    assert tallied(agent) == {}
    assert find_drifted() == []


def test_a_row_that_changed_behind_the_one_at_hand_goes_as_it_stands() -> None:
    agent = make_agent()
    memory = keep(agent, "The user likes tea")
    keep(agent, "The user lives in Kyoto")
    changes.set_enabled(Memory.objects.get(pk=memory.pk), False, BY_HAND)
    memory.delete()

    assert tallied(agent) == {"semantic": 1}


def test_people_and_agents_that_go_take_their_tallies_along() -> None:
    agent, other = make_agent(is_shared=True), make_user()
    make_memory(agent, "Mine")
    make_memory(agent, "Theirs", user=other)
    make_memory(agent, "Everybody's", user=None)
    other.delete()
    assert sorted(agent.tallies.values_list("user", "count"), key=str) == [(agent.owner_id, 1), (None, 1)]
    agent.delete()

    assert not MemoryTally.objects.exists()


def test_cards_count_what_begins_and_ends_by_the_hour() -> None:
    agent, day = make_agent(name="Helper"), timedelta(days=1)
    now = timezone.now()
    make_memory(agent, "always")
    make_memory(agent, "begun", valid_from=now - day)
    make_memory(agent, "begun and to end", valid_from=now - day, valid_to=now + day)
    make_memory(agent, "to end", valid_to=now + day)
    make_memory(agent, "to begin", valid_from=now + day)
    make_memory(agent, "to begin and to end", valid_from=now + day, valid_to=now + 2 * day)
    make_memory(agent, "over", valid_to=now - day)
    make_memory(agent, "to end, off", valid_to=now + day, enabled=False)

    assert shown(agent.owner) == {"Helper": 4}
    assert Memory.objects.active().count() == 4


def test_cards_count_for_each_what_they_may_see() -> None:
    owner, guest, staff = make_user(), make_user(), make_user(is_staff=True)
    private, public = make_agent(owner=owner, name="Private"), make_agent(owner=owner, name="Public", is_shared=True)
    make_memory(private, "Mine")
    make_memory(private, "For all of its users", user=None)
    make_memory(public, "Theirs", user=guest)
    make_memory(public, "For all", user=None)

    assert shown(owner) == {"Private": 2, "Public": 1}
    assert shown(guest) == {"Public": 2}
    assert shown(staff) == {"Public": 1}
    assert shown(staff, person="all") == {"Private": 2, "Public": 2}
    assert shown(staff, person=str(guest.pk)) == {"Public": 1}
    assert shown(guest, person="all") == {"Public": 2}


def test_cards_need_no_more_queries_for_more_agents(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    owner = make_user()
    for _number in range(2):
        make_memory(make_agent(owner=owner), "The user likes tea")
    with django_assert_num_queries(7):
        assert len(make_cards(owner, MemoryFilter())) == 2
    for _number in range(5):
        make_memory(make_agent(owner=owner), "The user likes tea")
    with django_assert_num_queries(7):
        assert len(make_cards(owner, MemoryFilter())) == 7


def test_what_drifted_is_mended() -> None:
    agent = make_agent()
    for number in range(3):
        make_memory(agent, f"Fact {number}")
    make_memory(agent, "Keep replies short", category="procedural")
    make_memory(agent, "For all", user=None, category="episodic")
    MemoryTally.objects.filter(category="semantic").update(count=7)
    MemoryTally.objects.filter(category="procedural").delete()
    Memory.objects.filter(category="episodic").update(enabled=False)
    assert len(find_drifted()) == 3
    mend_tallies()

    assert tallied(agent) == {"semantic": 3, "procedural": 1}
    assert find_drifted() == []


def test_the_migration_counts_what_is_there() -> None:
    agent = make_agent()
    make_memory(agent, "One")
    make_memory(agent, "Two", enabled=False)
    make_memory(agent, "Three", user=None)
    MemoryTally.objects.all().delete()
    [name] = [path.stem for path in MIGRATIONS.glob("*_fill_memory_tallies.py")]
    import_module(f"memories.migrations.{name}").fill(apps, None)

    assert find_drifted() == []
    assert MemoryTally.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_eight_writers_at_once_leave_the_tallies_right() -> None:
    agents = [make_agent(), make_agent()]
    rows = [make_memory(agent, f"Fact {number} of {agent.pk}") for agent in agents for number in range(12)]
    WriteLock.objects.bulk_create([WriteLock(agent=agent, user=agent.owner) for agent in agents])

    def act(number: int) -> None:
        chooser = random.Random(number)
        try:
            for turn in range(12):
                memory = Memory.objects.get(pk=chooser.choice(rows).pk)
                choose_deed(chooser, memory, f"Number {number} says {turn * 31}")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(act, range(8)))
    assert find_drifted() == []
    counted = Memory.objects.filter(enabled=True, deleted_at=None, valid_from=None, valid_to=None)
    assert sum(MemoryTally.objects.values_list("count", flat=True)) == counted.count()


def choose_deed(chooser: random.Random, memory: Memory, text: str) -> None:
    match chooser.randrange(5):
        case 0:
            changes.set_enabled(memory, not memory.enabled, BY_HAND)
        case 1:
            changes.edit(memory, {"category": chooser.choice(["semantic", "episodic", "procedural"])}, BY_HAND)
        case 2:
            changes.delete(memory, BY_HAND)
        case 3:
            changes.restore(memory, BY_HAND)
        case _:
            write(memory.agent, memory.user_id, Draft(text), BY_HAND)
