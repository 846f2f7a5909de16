"""Many memories changed at once, as a form of the panel asks for it."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memories.bulk.choosing import Selection, begin
from memories.bulk.deeds import Deed
from memories.bulk.wording import tell_error
from memories.models import Agent, BulkChange, Memory, MemoryType
from memories.recall import recall
from memories.tasks import run_bulk_change, sweep_bulk_changes
from memories.views.bulk import start
from tests.factories import make_agent, make_memory, make_user
from tests.memories.bulk import HTMX, MANY, ask, fill, keep
from xiajiao.claims import find_abandoned
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


@pytest.mark.parametrize(
    ("action", "column", "value"),
    [
        ("disable", "enabled", False),
        ("pin", "pinned", True),
        ("category:procedural", "category", "procedural"),
        ("type:feedback", "type__key", "feedback"),
    ],
)
def test_each_chosen_memory_is_changed_with_a_revision_that_names_the_change(
    signed_in: Client, agent: Agent, action: str, column: str, value: object
) -> None:
    memories = [make_memory(agent, f"Fact {number}") for number in range(3)]
    other = make_memory(agent, "Another fact")
    change = ask(signed_in, action, *memories)

    assert (change.state, change.total, change.done, change.skipped) == ("done", 3, 3, {})
    assert set(Memory.objects.filter(**{column: value})) == set(memories)
    assert other.revisions.count() == 0
    for memory in memories:
        revision = memory.revisions.get()
        assert (revision.bulk, revision.user, revision.actor) == (change, agent.owner, "person")
        assert len(revision.before) == 1


def test_what_is_switched_off_together_is_recalled_no_more_and_found_again_when_switched_on(
    signed_in: Client, agent: Agent, settings: Settings
) -> None:
    memories = [keep(agent, "用户对花生过敏"), keep(agent, "The user's sister lives in Berlin")]
    ask(signed_in, "disable", *memories)
    assert recall(agent, agent.owner_id, "我对什么过敏？").items == []

    # The vectors were set aside: no embedder is needed.
    settings.EMBEDDER = "openai"
    ask(signed_in, "enable", *memories)
    settings.EMBEDDER = "e5"
    assert [item.memory for item in recall(agent, agent.owner_id, "我对什么过敏？").items] == [memories[0]]
    found = recall(agent, agent.owner_id, "Where does her sibling live?").items
    assert found[0].memory == memories[1]


def test_memories_that_lack_a_vector_get_it_when_they_are_switched_on(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "用户对花生过敏", enabled=False)
    ask(signed_in, "enable", memory)

    memory.refresh_from_db()
    assert memory.embedded_with == "e5-384"
    assert [item.memory for item in recall(agent, agent.owner_id, "花生").items] == [memory]


def test_without_an_embedder_they_are_found_by_their_words(signed_in: Client, agent: Agent, settings: Settings) -> None:
    settings.EMBEDDER = "openai"  # without a key
    memory = make_memory(agent, "用户对花生过敏", enabled=False)
    change = ask(signed_in, "enable", memory)

    assert change.state == "done"
    assert [item.memory for item in recall(agent, agent.owner_id, "花生过敏").items] == [memory]


def test_all_that_match_are_those_of_the_filter_and_not_of_the_page(signed_in: Client, agent: Agent) -> None:
    for number in range(60):
        make_memory(agent, f"Rule {number}", category="procedural")
    fact = make_memory(agent, "A fact")
    change = ask(signed_in, "pin", scope="all", matching="category=procedural")

    assert (change.total, change.done) == (60, 60)
    assert change.selection == {"filter": "category=procedural"}
    fact.refresh_from_db()
    assert not fact.pinned


def test_what_comes_after_the_choice_is_not_swept_in(signed_in: Client, agent: Agent) -> None:
    fill(agent)
    change = ask(signed_in, "disable", scope="all", matching="")
    late = make_memory(agent, "A later fact")
    assert change.state == "pending"
    run_bulk_change(change.pk)

    change.refresh_from_db()
    assert (change.state, change.total, change.done) == ("done", MANY, MANY)
    assert Memory.objects.active().get() == late


def test_of_a_search_all_that_match_are_what_it_shows(signed_in: Client, agent: Agent) -> None:
    tea, cat = keep(agent, "The user drinks green tea"), keep(agent, "用户养了一只猫")
    ask(signed_in, "pin", scope="all", matching="q=tea")

    assert list(Memory.objects.filter(pinned=True)) == [tea]
    assert cat.pinned is False


def test_what_was_left_as_it_is_has_a_reason(signed_in: Client, agent: Agent) -> None:
    shared = make_memory(make_agent(is_shared=True), "Be kind to everybody", user=None)
    foreign = make_memory(make_agent(), "Somebody else's secret")
    pinned, gone = make_memory(agent, "A fact", pinned=True), make_memory(agent, "A lost fact")
    Memory.objects.filter(pk=gone.pk).update(deleted_at=timezone.now())
    fact = make_memory(agent, "Another fact")
    change = ask(signed_in, "pin", shared, foreign, pinned, gone, fact)

    assert (change.total, change.done) == (5, 1)
    assert {reason: each["some"] for reason, each in change.skipped.items()} == {
        "not_allowed": [shared.pk],
        "gone": sorted([foreign.pk, gone.pk]),
        "unchanged": [pinned.pk],
    }
    page = signed_in.get(f"/memories/changes/{change.pk}/").content.decode()
    assert "1 was left: it is shared by the users of somebody else" in page
    assert "Somebody else's secret" not in page


def test_the_owner_of_an_agent_and_staff_may_change_what_its_users_share(
    signed_in: Client, user: User, agent: Agent
) -> None:
    own, foreign = make_memory(agent, "Be kind", user=None), make_memory(make_agent(), "A secret", user=None)
    assert ask(signed_in, "pin", own).done == 1

    User.objects.filter(pk=user.pk).update(is_staff=True)
    assert ask(signed_in, "pin", foreign).done == 1
    assert foreign.revisions.get().user == user


def test_rights_count_when_the_change_is_made(signed_in: Client, user: User) -> None:
    foreign = make_memory(make_agent(), "A secret")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    fill(make_agent())
    change = ask(signed_in, "delete", scope="all", matching="person=all")
    User.objects.filter(pk=user.pk).update(is_staff=False)
    run_bulk_change(change.pk)

    change.refresh_from_db()
    assert (change.done, change.skipped["not_allowed"]["count"]) == (0, MANY + 1)
    foreign.refresh_from_db()
    assert foreign.is_active


def test_a_change_of_which_nobody_heard_is_started_by_the_sweep(signed_in: Client, agent: Agent) -> None:
    """Where the broker is down, the row waits."""
    fill(agent)
    change = ask(signed_in, "pin", scope="all")
    assert find_abandoned(BulkChange) == []
    BulkChange.objects.update(created_at=timezone.now() - timedelta(minutes=1))

    assert find_abandoned(BulkChange) == [change.pk]
    sweep_bulk_changes()
    run_bulk_change(change.pk)
    assert Memory.objects.filter(pinned=True).count() == MANY


@pytest.fixture
def broken_broker() -> Iterator[None]:
    """Nobody listens where messages are sent to."""
    app, kept = run_bulk_change.app, run_bulk_change.app.conf.broker_url
    app.conf.broker_url = "redis+socket:///nowhere.sock"
    app._after_fork()
    yield
    app.conf.broker_url = kept
    app._after_fork()


def test_a_broker_that_is_down_loses_nothing(signed_in: Client, agent: Agent, broken_broker: None) -> None:
    fill(agent)
    change = ask(signed_in, "pin", scope="all")
    assert (change.state, change.total) == ("pending", MANY)


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_locked_meanwhile_makes_it_wait(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "A fact")
    with connection.execute_wrapper(refuse_updates):
        change = ask(signed_in, "pin", memory)
        page = signed_in.get(f"/memories/changes/{change.pk}/").content.decode()
    assert change.state == "pending"
    assert "waiting" in page
    run_bulk_change(change.pk)
    memory.refresh_from_db()
    assert memory.pinned


def refuse_updates(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
    if sql.startswith('UPDATE "memories_bulkchange"'):
        raise OperationalError("database is locked")
    return execute(sql, *rest)


def test_a_change_can_be_stopped_and_go_on(signed_in: Client, agent: Agent) -> None:
    fill(agent)
    change = ask(signed_in, "pin", scope="all")
    page = signed_in.post(f"/memories/changes/{change.pk}/cancel/", headers=HTMX).content.decode()
    run_bulk_change(change.pk)
    assert "Do the rest" in page
    assert not Memory.objects.filter(pinned=True).exists()

    signed_in.post(f"/memories/changes/{change.pk}/retry/", headers=HTMX)
    run_bulk_change(change.pk)
    change.refresh_from_db()
    assert (change.state, change.done) == ("done", MANY)


def test_a_type_that_is_gone_fails_the_change_in_words(signed_in: Client, agent: Agent) -> None:
    fill(agent)
    recipe = MemoryType.objects.create(key="recipe", name="Recipe")
    change = ask(signed_in, "type:recipe", scope="all")
    recipe.delete()
    run_bulk_change(change.pk)

    change.refresh_from_db()
    assert change.state == "failed"
    assert "does not exist any more" in signed_in.get(f"/memories/changes/{change.pk}/").content.decode()
    assert not agent.memories.filter(type__key="recipe").exists()


def test_what_goes_wrong_while_the_person_waits_stands_in_the_row(user: User, agent: Agent) -> None:
    """The type goes between the choice and the change."""
    keep(agent, "The user likes tea")
    gone = MemoryType.objects.create(key="travel", name="Travel")
    waiting = begin(user, Selection([Memory.objects.get().pk]), Deed("type", {"type": gone.pk}))
    gone.delete()

    assert start(waiting).state == "failed"
    assert "does not exist any more" in tell_error(start(waiting))


def test_of_memories_whose_agent_is_gone_the_change_says_so(signed_in: Client, agent: Agent) -> None:
    fill(agent)
    change = ask(signed_in, "pin", scope="all")
    agent.delete()
    run_bulk_change(change.pk)

    change.refresh_from_db()
    assert (change.state, change.done, change.skipped["gone"]["count"]) == ("done", 0, MANY)


@pytest.mark.parametrize("fields", [{}, {"action": "burn"}, {"action": "type:none"}, {"action": "category:none"}])
def test_what_is_no_change_is_refused_in_words(signed_in: Client, agent: Agent, fields: dict[str, str]) -> None:
    memory = make_memory(agent, "A fact")
    response = signed_in.post("/memories/changes/add/", {"selected": memory.pk} | fields, headers=HTMX)
    nothing = signed_in.post("/memories/changes/add/", {"action": "pin", "selected": "abc"}, follow=True)

    assert response.status_code == 422
    assert "Choose memories" in nothing.content.decode()
    assert not BulkChange.objects.exists()


def test_without_scripts_the_form_leads_back_to_the_list_as_it_was(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "A fact", category="episodic")
    form = {"action": "delete", "selected": memory.pk, "matching": "category=episodic"}
    response = signed_in.post("/memories/changes/add/", form, follow=True)
    page = response.content.decode()

    assert response.redirect_chain == [("/memories/?category=episodic", 302)]
    assert "1 memory is deleted." in page
    assert f"/memories/changes/{BulkChange.objects.get().pk}/undo/" in page


def test_a_large_one_leads_to_its_progress(signed_in: Client, agent: Agent) -> None:
    fill(agent)
    response = signed_in.post("/memories/changes/add/", {"action": "pin", "scope": "all"}, follow=True)

    assert response.redirect_chain == [(f"/memories/changes/{BulkChange.objects.get().pk}/", 302)]
    assert "0 of 450" in response.content.decode()
    assert "Pin 450 memories" in signed_in.get("/memories/").content.decode()
    assert "Pin 450 memories" in signed_in.get("/memories/changes/").content.decode()


def test_numbers_are_counted_up_to_a_bound(signed_in: Client, agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(agent, 30)
    assert "(30)" in signed_in.get("/memories/changes/count/", headers=HTMX).content.decode()
    assert "(0)" in signed_in.get("/memories/changes/count/?state=disabled", headers=HTMX).content.decode()

    for name in ("memories.bulk.choosing", "memories.views.bulk"):
        monkeypatch.setattr(f"{name}.COUNTED", 20)
    assert "(more than 20)" in signed_in.get("/memories/changes/count/", headers=HTMX).content.decode()


def test_a_change_is_seen_by_its_person_and_by_staff(client: Client, signed_in: Client, agent: Agent) -> None:
    change = ask(signed_in, "pin", make_memory(agent, "A fact"))
    client.force_login(make_user())
    assert client.get(f"/memories/changes/{change.pk}/").status_code == 404
    assert "Pin 1 memory" not in client.get("/memories/changes/").content.decode()

    client.force_login(make_user(is_staff=True))
    assert client.get(f"/memories/changes/{change.pk}/").status_code == 200
