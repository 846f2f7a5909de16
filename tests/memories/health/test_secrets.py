import json
from typing import Any

import pytest
from django.test import Client

from memories import changes
from memories.drafts import Origin
from memories.health.settling import settle, take_back
from memories.health.sweeping import sweep
from memories.models import Agent, Finding, Memory, MemoryRevision
from memories.recall import recall
from tests.factories import make_agent
from tests.memories.health.keeping import BY_HAND, keep, open_findings
from xiajiao import fulltext

pytestmark = pytest.mark.django_db

KEY = "sk-proj-9fK2mQ7xL4vB8nR3tW6yZ1aC5dE0gH"
TEXT = f"The deploy script signs in with {KEY} on the server"

INSISTING = Origin("person", "manual", keeps_secrets=True)


def everything_kept() -> str:
    rows: list[Any] = [*Memory.objects.values(), *MemoryRevision.objects.values()]
    return json.dumps(rows, default=str, ensure_ascii=False)


def find_secret(agent: Agent, text: str = TEXT, **columns: Any) -> Finding:
    keep(agent, text, **columns)
    sweep(60)
    return open_findings("secret")[-1]


def test_secrets_from_before_they_were_left_out_are_found_by_kind_and_never_by_value() -> None:
    finding = find_secret(make_agent(language="en"))

    assert finding.details == {"kinds": ["api_key"], "in_history": []}
    assert KEY not in json.dumps(finding.details)


@pytest.mark.parametrize(
    "columns",
    [
        {"title": f"Key {KEY}"},
        {"quote": f"My key is {KEY}"},
        {"metadata": {"deep": [{"key": KEY}]}},
        {"tags": [KEY]},
        {"description": f"With {KEY}"},
    ],
)
def test_every_field_is_looked_through_and_struck_out(columns: dict[str, Any]) -> None:
    finding = find_secret(make_agent(language="en"), "The deploy script signs in on the server", **columns)
    settle(finding, "redact", BY_HAND)

    assert KEY not in everything_kept()


def test_what_was_superseded_or_switched_off_is_looked_through_too() -> None:
    agent = make_agent(language="en")
    memory = keep(agent, TEXT)
    changes.set_enabled(memory, False, BY_HAND)
    sweep(60)

    assert [finding.memory for finding in open_findings("secret")] == [memory]


def test_what_is_struck_out_is_gone_from_row_history_and_indexes() -> None:
    agent = make_agent(language="en")
    memory = keep(agent, f"The deploy key is {KEY}")
    changes.edit(
        memory, {"content": TEXT, "title": f"Sign in with {KEY}"}, Origin("person", "manual", keeps_secrets=True)
    )
    MemoryRevision.objects.update(reason={})
    finding = find_secret(agent, "The user has a cat")
    assert finding.memory == memory
    assert KEY in everything_kept()
    settle(finding, "redact", Origin("person", "manual", user_id=agent.owner_id))

    assert KEY not in everything_kept()
    memory.refresh_from_db()
    assert memory.content == "The deploy script signs in with [API key removed] on the server"
    newest = memory.revisions.order_by("-pk")[0]
    assert (newest.action, newest.user, newest.reason["left_out"]) == ("edited", agent.owner, ["api_key"])
    assert memory.embedded_with
    assert not fulltext.search([f"memories:{agent.pk}:{agent.owner_id}"], KEY, 5)
    found = recall(agent, agent.owner_id, "How does the deploy script sign in?").items
    assert [item.memory for item in found] == [memory]
    assert not open_findings("secret")
    sweep(60)
    assert not open_findings("secret")


def test_a_secret_in_the_history_alone_is_found_and_struck_out() -> None:
    agent = make_agent(language="en")
    memory = keep(agent, TEXT)
    changes.edit(memory, {"content": "The deploy script signs in on the server"}, BY_HAND)
    sweep(60)
    [finding] = open_findings("secret")

    assert finding.details == {"kinds": [], "in_history": ["api_key"]}
    settle(finding, "redact", BY_HAND)
    assert KEY not in everything_kept()


def test_what_the_history_of_a_replaced_memory_tells_is_struck_out_too() -> None:
    agent = make_agent(language="en")
    old, new = keep(agent, "The deploy script signs in by hand"), keep(agent, TEXT)
    pair = Finding.objects.create(kind="contradiction", memory=old, other=new, agent=agent, user=agent.owner)
    settle(pair, "second", BY_HAND)
    assert KEY in old.revisions.get(action="superseded").offered
    sweep(60)
    settle(open_findings("secret")[0], "redact", BY_HAND)

    assert KEY not in everything_kept()


def test_striking_out_is_not_taken_back() -> None:
    finding = find_secret(make_agent(language="en"))
    settle(finding, "redact", BY_HAND)
    take_back(Finding.objects.get(pk=finding.pk), BY_HAND)

    assert not open_findings("secret")
    assert KEY not in everything_kept()


def test_what_a_person_insisted_on_or_keeps_here_is_not_shown() -> None:
    agent = make_agent(language="en")
    memory = keep(agent, "The deploy script signs in on the server")
    changes.edit(memory, {"content": TEXT}, INSISTING)
    sweep(60)
    assert not open_findings("secret")

    finding = find_secret(agent, f"The backup script signs in with {KEY}")
    settle(finding, "keep", BY_HAND)
    changes.edit(finding.memory, {"importance": 3}, BY_HAND)
    sweep(60)
    assert not open_findings("secret")


def test_phone_numbers_are_found_where_the_agent_leaves_them_out() -> None:
    for kinds in ([], ["phone_number"]):
        agent = make_agent(redacted_kinds=kinds)
        keep(agent, "王芳的手机是 13812345678")
    sweep(60)

    assert [finding.agent_id for finding in open_findings("secret")] == [agent.pk]


def test_the_page_shows_the_text_without_the_secret(signed_in: Client, user: Any) -> None:
    finding = find_secret(make_agent(owner=user, language="en"), title=f"Key {KEY}")
    text = signed_in.get("/memories/health/?kind=secret").content.decode()

    assert "The deploy script signs in with [API key removed] on the server" in text
    assert "an API key" in text
    assert KEY not in text
    form = {"finding": finding.pk, "kind": "secret", "decision": "redact"}
    page = signed_in.post("/memories/health/settle/", form, follow=True).content.decode()
    assert "Struck out of 1 memory." in page
    assert "Undo" not in page
    assert KEY not in everything_kept()
