"""What comes back out of the history comes through the gate again: without secrets, unless the person insists."""

from typing import Any

import pytest
from django.test import Client

from memories import changes, gate
from memories.drafts import Draft, DraftError, Origin
from memories.history import read_history
from memories.merging import merge, part
from memories.models import Agent, Memory, MemoryRevision
from memories.undoing import plan_undo
from tests.factories import make_agent, make_memory
from tests.memories.forming import HTMX
from tests.memories.test_redaction import KEYS
from xiajiao import fulltext
from xiajiao.models import User

pytestmark = pytest.mark.django_db

KEY, OTHER_KEY = KEYS[0], KEYS[5]
WITH_KEY, WITH_MARK = f"The user's OpenAI key is {KEY}", "The user's OpenAI key is [API key removed]"


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def person(agent: Agent, keeps_secrets: bool = False) -> Origin:
    return Origin("person", "manual", agent.owner_id, keeps_secrets=keeps_secrets)


def keep_key(agent: Agent, text: str = WITH_KEY, **columns: Any) -> Memory:
    draft = Draft(text, **columns)
    return gate.write(agent, agent.owner_id, draft, person(agent, keeps_secrets=True)).memory


def last_of(memory: Memory) -> MemoryRevision:
    memory.refresh_from_db()
    return memory.revisions.order_by("-pk")[0]


def ask(client: Client, revision: MemoryRevision, way: str, **values: str) -> Any:
    address = f"/memories/revisions/{revision.pk}/{way}/"
    return client.post(address, values, headers=HTMX) if values else client.get(address, headers=HTMX)


@pytest.mark.parametrize("way", ["undo", "rewind"])
def test_a_version_comes_back_without_its_secret_and_the_page_says_so(
    signed_in: Client, agent: Agent, way: str
) -> None:
    memory = keep_key(agent)
    added = last_of(memory)
    changes.edit(memory, {"content": "The user has an account at OpenAI"}, person(agent))
    revision = last_of(memory) if way == "undo" else added

    shown = ask(signed_in, revision, way).content.decode()
    assert "What would come back holds a secret: an API key." in shown
    assert "a mark comes back in its place" in shown
    assert "[API key removed]" in shown
    assert KEY not in shown
    memory.refresh_from_db()
    told = ask(signed_in, revision, way, previewed=str(memory.version)).content.decode()
    memory.refresh_from_db()
    assert memory.content == WITH_MARK
    assert "Left out, to be safe: an API key." in told
    assert last_of(memory).reason["left_out"] == ["api_key"]
    assert not fulltext.search([f"memories:{agent.pk}:{agent.owner_id}"], KEY, 5)


@pytest.mark.parametrize("way", ["undo", "rewind"])
def test_a_secret_comes_back_where_the_person_insists(signed_in: Client, agent: Agent, way: str) -> None:
    memory = keep_key(agent)
    added = last_of(memory)
    changes.edit(memory, {"content": "The user has an account at OpenAI"}, person(agent))
    revision = last_of(memory) if way == "undo" else added

    told = ask(signed_in, revision, way, bring_secrets="yes").content.decode()
    memory.refresh_from_db()
    assert memory.content == WITH_KEY
    assert last_of(memory).reason["kept_secrets"] == ["api_key"]
    assert "Kept on purpose: an API key." in told
    assert "Left out" not in told


def test_a_tick_at_what_is_typed_beside_it_insists_on_nothing_else(signed_in: Client, agent: Agent) -> None:
    memory = keep_key(agent)
    changes.edit(memory, {"content": "The user has an account at OpenAI"}, person(agent))
    ask(signed_in, last_of(memory), "undo", keep_secrets="yes")
    memory.refresh_from_db()
    assert memory.content == WITH_MARK


def test_where_the_mark_stands_already_nothing_is_done_unless_the_person_insists(
    signed_in: Client, agent: Agent
) -> None:
    memory = keep_key(agent)
    changes.edit(memory, {"content": WITH_MARK}, person(agent))
    edited = last_of(memory)
    assert "Without it there is nothing to bring back." in ask(signed_in, edited, "undo").content.decode()

    refused = ask(signed_in, edited, "undo", previewed="2")
    assert (refused.status_code, refused["HX-Retarget"]) == (422, "#dialog-body")
    assert last_of(memory) == edited
    ask(signed_in, edited, "undo", previewed="2", bring_secrets="yes")
    memory.refresh_from_db()
    assert memory.content == WITH_KEY


def test_what_is_nothing_but_a_secret_comes_back_as_it_was_or_not_at_all(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, KEY)
    changes.edit(memory, {"content": "The user has an account at OpenAI"}, person(agent))
    edited = last_of(memory)
    with pytest.raises(DraftError):
        changes.undo(edited, person(agent))

    assert ask(signed_in, edited, "undo", previewed=str(memory.version)).status_code == 422
    assert ask(signed_in, edited, "undo", bring_secrets="yes").status_code == 200
    memory.refresh_from_db()
    assert memory.content == KEY


def test_the_page_without_scripts_asks_the_same(signed_in: Client, agent: Agent) -> None:
    memory = keep_key(agent)
    changes.edit(memory, {"content": "The user has an account at OpenAI"}, person(agent))
    address = f"/memories/revisions/{last_of(memory).pk}/undo/"
    assert 'name="bring_secrets"' in signed_in.get(address).content.decode()
    page = signed_in.post(address, follow=True).content.decode()
    assert "Left out, to be safe: an API key." in page
    memory.refresh_from_db()
    assert memory.content == WITH_MARK


def test_an_agent_that_keeps_keys_gets_them_back_without_a_word(signed_in: Client, agent: Agent) -> None:
    Agent.objects.filter(pk=agent.pk).update(redacted_kinds=[])
    memory = keep_key(agent)
    changes.edit(memory, {"content": "The user has an account at OpenAI"}, person(agent))
    edited = last_of(memory)
    assert "bring_secrets" not in ask(signed_in, edited, "undo").content.decode()
    ask(signed_in, edited, "undo", previewed="2")
    memory.refresh_from_db()
    assert memory.content == WITH_KEY


def test_tags_titles_and_metadata_come_back_without_secrets_too(agent: Agent) -> None:
    held = {"title": f"key {KEY}", "tags": ["openai", OTHER_KEY], "metadata": {"password": "hunter2", "rack": 3}}
    memory = keep_key(agent, "The user has an account at OpenAI", **held)
    changes.edit(memory, {"title": "", "tags": [], "metadata": {}}, person(agent))
    changes.undo(last_of(memory), person(agent))
    memory.refresh_from_db()
    assert memory.title == "key [API key removed]"
    assert memory.tags == ["openai"]
    assert memory.metadata == {"password": "[password removed]", "rack": 3}


def test_what_stays_as_it_is_keeps_what_somebody_chose_to_keep(agent: Agent) -> None:
    memory = keep_key(agent)
    changes.edit(memory, {"title": "Key"}, person(agent))
    changes.undo(last_of(memory), person(agent))
    memory.refresh_from_db()
    assert (memory.content, memory.title) == (WITH_KEY, "")
    changes.delete(memory, person(agent))
    changes.restore(memory, person(agent))
    memory.refresh_from_db()
    assert memory.content == WITH_KEY


def test_a_wording_that_is_split_off_is_let_in_as_by_the_gate(agent: Agent) -> None:
    memory = make_memory(agent, "The user's key works for OpenAI")
    heard = MemoryRevision.objects.create(
        memory=memory,
        action="reinforced",
        actor="agent",
        before={"content": "The user has a key for OpenAI"},
        offered=WITH_KEY,
    )
    plan = plan_undo(heard)
    assert (plan.splits_off, list(plan.secrets)) == (WITH_MARK, ["api_key"])
    changes.undo(heard, person(agent))

    twin = Memory.objects.exclude(pk=memory.pk).get()
    assert twin.content == WITH_MARK
    assert twin.revisions.get().reason["left_out"] == ["api_key"]


def test_two_that_were_made_one_come_apart_without_secrets(agent: Agent) -> None:
    kept, other = make_memory(agent, "The user likes tea"), make_memory(agent, "Tea is liked")
    merged = merge(kept, other, person(agent))
    merged.before = merged.before | {"tags": [OTHER_KEY, "drinks"]}
    part(merged, person(agent))
    kept.refresh_from_db()
    assert kept.tags == ["drinks"]


def test_the_history_says_what_was_left_out_of_what_was_taken_back(signed_in: Client, agent: Agent) -> None:
    memory = keep_key(agent)
    changes.edit(memory, {"content": "The user has an account at OpenAI"}, person(agent))
    changes.undo(last_of(memory), person(agent))
    memory.refresh_from_db()
    assert read_history(memory).entries[0].undone is not None
    shown = signed_in.get(f"/memories/{memory.pk}/", headers=HTMX).content.decode()
    assert "Takes back" in shown
    assert "Left out, to be safe: an API key." in shown
