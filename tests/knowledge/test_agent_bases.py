"""Which bases an agent looks into: chosen on its form or in a base's settings, and shown where one would look."""

from typing import Any

import pytest
from django.test import Client

from knowledge.models import KnowledgeBase
from memories.models import Agent
from tests.factories import make_agent, make_user
from tests.knowledge.documents import make_base
from tests.memories.test_agent_views import fields
from xiajiao.models import User

SETTINGS = {"name": "Recipes", "chunk_size": 512, "chunk_overlap": 64, "parent_size": 1536}


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Cook")


@pytest.fixture
def base(user: User) -> KnowledgeBase:
    return make_base(owner=user, name="Recipes")


def choose(client: Client, agent: Agent, *bases: Any) -> int:
    return client.post(f"/agents/{agent.pk}/", fields(bases=[getattr(base, "pk", base) for base in bases])).status_code


def test_both_forms_write_the_same(signed_in: Client, agent: Agent, base: KnowledgeBase) -> None:
    choose(signed_in, agent, base)
    assert list(base.agents.all()) == [agent]
    assert f'value="{agent.pk}" id="id_agents_0" checked' in signed_in.get(f"/knowledge/{base.pk}/edit/").text
    signed_in.post(f"/knowledge/{base.pk}/edit/", SETTINGS)
    assert not base.agents.exists()
    signed_in.post(f"/knowledge/{base.pk}/edit/", SETTINGS | {"agents": [agent.pk]})
    assert f'value="{base.pk}" id="id_bases_0" checked' in signed_in.get(f"/agents/{agent.pk}/").text
    choose(signed_in, agent)
    assert not base.agents.exists()


def test_a_new_agent_and_a_copy_have_the_bases_that_were_chosen(signed_in: Client, base: KnowledgeBase) -> None:
    signed_in.post("/agents/add/", fields(name="Baker", bases=[base.pk]))
    baker = Agent.objects.get(name="Baker")
    signed_in.post(f"/agents/{baker.pk}/copy/")
    assert {agent.name for agent in base.agents.all()} == {"Baker", "Baker (copy)"}


def test_what_the_person_may_read_is_offered_and_what_is_not_seen_stays(signed_in: Client, agent: Agent) -> None:
    other = make_user(username="lan")
    shared, hidden = (
        make_base(owner=other, name="Shared one", is_shared=True),
        make_base(owner=other, name="Hidden one"),
    )
    attached = make_base(owner=agent.owner, name="Attached one", conversation_id=7)
    hidden.agents.add(agent)
    page = signed_in.get(f"/agents/{agent.pk}/").text
    assert "\u2068Shared one\u2069 (shared by \u2068lan\u2069)" in page
    assert "Hidden one" not in page
    assert "Attached one" not in page
    for base in (hidden, attached, "x"):
        assert choose(signed_in, agent, base) == 422
    assert choose(signed_in, agent, shared) == 302
    assert [agent in base.agents.all() for base in (shared, hidden)] == [True, True]
    assert choose(signed_in, agent) == 302
    assert [agent in base.agents.all() for base in (shared, hidden)] == [False, True]


def test_a_base_keeps_the_archived_agents_that_its_settings_do_not_show(
    signed_in: Client, agent: Agent, base: KnowledgeBase
) -> None:
    make_agent(owner=agent.owner)
    base.agents.add(agent)
    signed_in.post(f"/agents/{agent.pk}/archive/", {"to": "on"})
    signed_in.post(f"/knowledge/{base.pk}/edit/", SETTINGS)
    assert list(base.agents.all()) == [agent]


def test_the_list_of_agents_says_what_each_looks_into(signed_in: Client, agent: Agent, base: KnowledgeBase) -> None:
    card = f'href="/knowledge/{base.pk}/"'
    assert card not in signed_in.get("/agents/").text
    base.agents.add(agent)
    assert card in signed_in.get("/agents/").text


def test_a_shared_base_names_no_agent_of_its_owner_to_others(client: Client, agent: Agent, base: KnowledgeBase) -> None:
    base.agents.add(agent)
    KnowledgeBase.objects.update(is_shared=True)
    client.force_login(make_user())
    assert "Cook" not in client.get("/knowledge/").text
