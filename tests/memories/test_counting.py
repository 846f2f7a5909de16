"""How many there are is said honestly, and never by counting all of them."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from memories import counting
from memories.cards import list_timed
from memories.counting import Total
from memories.filtering import MemoryFilter, list_bounds
from memories.models import Agent, Memory
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def found(client: Client, **values: str) -> Total:
    total: Total = client.get("/memories/", values).context["found"]
    return total


def test_a_whole_page_is_its_own_count(signed_in: Client, agent: Agent) -> None:
    make_memory(agent, "One")
    make_memory(agent, "Two", enabled=False)

    assert found(signed_in) == Total(1)
    assert found(signed_in, state="all") == Total(2)
    assert found(signed_in, category="episodic") == Total(0)


def test_more_than_a_page_is_counted_by_the_tallies(signed_in: Client, agent: Agent) -> None:
    for number in range(60):
        make_memory(agent, f"Fact {number}", category="episodic" if number < 55 else "semantic")
    make_memory(agent, "To end", category="episodic", valid_to=timezone.now() + timedelta(days=1))
    with CaptureQueriesContext(connection) as queries:
        total = found(signed_in, category="episodic", agent=str(agent.pk))

    assert total == Total(56)
    counts = [query["sql"] for query in queries if re.search(r'COUNT\(.*"memories_memory"', query["sql"])]
    assert all('"valid_to" >' in sql or '"valid_from" <=' in sql for sql in counts)


def test_other_filters_are_counted_up_to_a_bound(
    signed_in: Client, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(70):
        make_memory(agent, f"Fact {number}", source="tool", type_key="project" if number < 55 else "user")
    monkeypatch.setattr(counting, "COUNTED", 60)

    assert found(signed_in, source="tool") == Total(60, is_more=True)
    assert found(signed_in, type="project") == Total(55)
    assert "Showing 50 of more than 60 memories" in signed_in.get("/memories/?source=tool").content.decode()
    assert "Showing 50 of 55 memories" in signed_in.get("/memories/?type=project").content.decode()


def test_where_nothing_fits_each_filter_says_what_it_hides(signed_in: Client, agent: Agent) -> None:
    make_memory(agent, "Green tea", tags=["tea"])
    make_memory(agent, "Black tea", tags=["tea"])
    make_memory(agent, "Keep replies short", category="procedural")
    response = signed_in.get("/memories/", {"tag": "tea", "category": "procedural", "source": "api"})

    assert response.context["hiding"] == []
    response = signed_in.get("/memories/", {"tag": "tea", "category": "procedural"})
    hidden = {each.chip.name: each.total.count for each in response.context["hiding"]}
    assert hidden == {"category": 2, "tag": 1}
    assert "Clear the filters" in response.content.decode()


def test_a_search_that_finds_nothing_says_which_filter_hides_it(
    signed_in: Client, agent: Agent, settings: Settings
) -> None:
    settings.EMBEDDER = "openai"  # without a key
    make_memory(agent, "Green tea")
    make_memory(agent, "Keep replies short", category="procedural")
    response = signed_in.get("/memories/", {"q": "tea", "category": "procedural"})

    hidden = {each.chip.name: each.total.count for each in response.context["hiding"]}
    assert hidden == {"category": 1, "q": 1}


def test_nothing_at_all_explains_the_categories_instead(signed_in: Client, agent: Agent) -> None:
    page = signed_in.get("/memories/").content.decode()

    assert "Nothing is remembered yet" in page
    assert "No memory fits" not in page.split("Nothing is remembered yet")[1]


def test_chips_say_what_is_set_and_lead_to_the_rest(signed_in: Client, agent: Agent) -> None:
    chips = signed_in.get("/memories/", {"agent": str(agent.pk), "state": "all", "q": "tea"}).context["chips"]

    assert [(chip.label, chip.value) for chip in chips] == [
        ("Agent", "Helper"),
        ("State", "Any state"),
        ("Search", "“tea”"),
    ]
    assert chips[0].query == "state=all&q=tea"
    unknown = signed_in.get("/memories/?agent=99999&type=nix&person=all").context["chips"]
    assert [(chip.label, chip.value) for chip in unknown] == [("Agent", "99999"), ("Type", "nix")]


def test_tags_of_recent_memories_are_suggested_and_nobody_else_s(signed_in: Client, agent: Agent) -> None:
    make_memory(agent, "One", tags=["tea", "green"])
    make_memory(agent, "Two", tags=["tea"])
    make_memory(make_agent(), "Another's", tags=["secret"])

    assert signed_in.get("/memories/").context["known_tags"] == ["tea", "green"]


def test_a_plain_form_leads_to_an_address_that_says_no_more_than_is_set(signed_in: Client, agent: Agent) -> None:
    values = {"q": "", "agent": "", "category": "semantic", "state": "active", "sort": "", "tag": ""}
    response = signed_in.get("/memories/", values)

    assert (response.status_code, response["Location"]) == (302, "/memories/?category=semantic")
    assert signed_in.get("/memories/", {"q": "", "state": "active"})["Location"] == "/memories/"
    sorted_by = signed_in.get("/memories/", {"q": "", "sort": "-title"})
    assert sorted_by["Location"] == "/memories/?sort=-title"
    fragment = signed_in.get("/memories/", values, headers=HTMX | {"HX-Source": "form#memory-filters"})
    assert fragment["HX-Push-Url"] == "/memories/?category=semantic"
    assert "HX-Push-Url" not in signed_in.get("/memories/", values, headers=HTMX)


@pytest.mark.parametrize("person", ["", "all"])
def test_what_begins_or_ends_by_the_hour_is_found_by_its_index(person: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL plans a small table by reading it.")
    for bound in list_bounds(make_user(is_staff=True), MemoryFilter(person=person)):
        for rows in list_timed(Memory.objects.kept().filter(bound, enabled=True)):
            plan = rows.order_by().values_list("agent_id", "category").annotate(Count("pk")).explain()
            assert re.search(r"SEARCH memories_memory USING INDEX memory_\w*(ending|begun)", plan)
