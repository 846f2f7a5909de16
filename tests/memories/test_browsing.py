from datetime import UTC, date, datetime, timedelta
from urllib.parse import parse_qsl

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from memories import gate
from memories.browsing import MemoryPage
from memories.filtering import MemoryFilter, read_filter
from memories.models import Agent, Memory, MemoryRevision
from memories.models.listing import ORDERS
from memories.paging import Order, Place
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

CITIES = "Kyoto Lisbon Oslo Cairo Quito Hanoi Dublin Athens Nairobi Lima Prague Vienna".split()
HTMX = {"HX-Request": "true"}


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def listed(client: Client, **values: object) -> list[str]:
    response = client.get("/memories/", {name: str(value) for name, value in values.items()}, follow=True)
    return [row.memory.content for row in response.context["page"].rows]


def test_each_state_has_its_memories(signed_in: Client, agent: Agent) -> None:
    now = timezone.now()
    newer = make_memory(agent, "now")
    make_memory(agent, "replaced", valid_to=now - timedelta(days=1), superseded_by=newer)
    make_memory(agent, "over", valid_to=now - timedelta(days=2))
    make_memory(agent, "off", enabled=False)
    make_memory(agent, "yet to come", valid_from=now + timedelta(days=1))
    make_memory(agent, "gone", deleted_at=now)

    assert set(listed(signed_in)) == {"now"}
    assert set(listed(signed_in, state="superseded")) == {"replaced", "over"}
    assert set(listed(signed_in, state="disabled")) == {"off"}
    assert set(listed(signed_in, state="all")) == {"now", "replaced", "over", "off", "yet to come"}
    page = signed_in.get("/memories/?state=all").content.decode()
    assert all(f'tag-warning">{mark}<' in page for mark in ("replaced", "over", "switched off", "not yet begun"))


def test_a_memory_that_changes_meanwhile_moves_no_page(signed_in: Client, agent: Agent) -> None:
    rows = [make_memory(agent, f"Fact {number}") for number in range(60)]
    first = signed_in.get("/memories/").context["page"]
    last = first.rows[-1].memory
    Memory.objects.filter(pk=last.pk).update(updated_at=timezone.now() + timedelta(minutes=1))
    response = signed_in.get("/memories/", {"after": str(first.next)}, headers=HTMX)

    second = [row.memory.pk for row in response.context["page"].rows]
    assert second == [row.pk for row in reversed(rows[:10])]
    assert "<html" not in response.content.decode()
    whole_page = signed_in.get("/memories/", {"after": str(first.next)}).content.decode()
    assert "<html" in whole_page


def test_the_next_page_keeps_the_filters(signed_in: Client, agent: Agent) -> None:
    for number in range(51):
        make_memory(agent, f"Fact {number}", category="episodic")
    page = signed_in.get("/memories/?category=episodic").content.decode()

    assert "category=episodic&amp;after=" in page


@pytest.mark.parametrize("text", ["", "x", "1-", "-1", "1-2-3", "9" * 30 + "-1", "1e3-4", "١-٢"])
@pytest.mark.parametrize("way", ["after", "before"])
def test_what_is_no_place_begins_at_the_newest(signed_in: Client, agent: Agent, way: str, text: str) -> None:
    make_memory(agent, "The user likes tea")

    assert Place.read(text, Order()) is None
    assert listed(signed_in, **{way: text}) == ["The user likes tea"]


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("way", ["", "-"])
def test_every_order_goes_through_all_pages_and_back(signed_in: Client, agent: Agent, name: str, way: str) -> None:
    now = timezone.now()
    for number in range(130):
        moment = now - timedelta(hours=number % 40)
        make_memory(
            agent,
            f"Fact {number}",
            **{"updated_at": moment, "created_at": moment, "importance": number % 3 + 1, "recall_count": number % 7},
            last_recalled_at=moment if number % 3 else None,
            title_key=f"{number % 5:02x}",
        )

    def turn(pages: list[list[Memory]], **place: str) -> MemoryPage:
        page = signed_in.get("/memories/", {"sort": way + name, **place}).context["page"]
        pages.append([row.memory for row in page.rows])
        return page

    forth: list[list[Memory]] = []
    page = turn(forth)
    while page.next is not None:
        page = turn(forth, after=str(page.next))
    back: list[list[Memory]] = [forth[-1]]
    while page.previous is not None:
        page = turn(back, before=str(page.previous))
    assert [len(rows) for rows in forth] == [50, 50, 30]
    assert back[::-1] == forth
    shown = [(getattr(row, ORDERS[name]), row.pk) for rows in forth for row in rows]
    blank = datetime.min.replace(tzinfo=UTC)
    assert shown == sorted(
        shown, key=lambda each: (each[0] or blank, each[1]) if name == "recalled" else each, reverse=way == "-"
    )


def test_a_place_survives_its_way_through_an_address() -> None:
    places = {Order(): Place(timezone.now(), 12), Order("recalled"): Place(None, 3), Order("title"): Place("62ff", 4)}

    assert [Place.read(str(place), order) for order, place in places.items()] == list(places.values())


def test_a_filter_survives_its_way_through_an_address(user: User) -> None:
    day = date(2026, 5, 31)
    wanted = MemoryFilter(3, "", "semantic", "user", "tool", "all", "茶 & Tee", day, day, day, day, "+ä?&")

    assert read_filter(dict(parse_qsl(wanted.as_query())), user) == wanted
    assert MemoryFilter().as_query() == ""


def test_the_last_deed_stands_beside_each_memory(signed_in: Client, agent: Agent) -> None:
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL, user_id=agent.owner_id)
    gate.write(agent, agent.owner_id, gate.Draft("用户喜欢喝茶"), origin)
    gate.write(agent, agent.owner_id, gate.Draft("用户喜欢喝茶"), origin)

    (row,) = signed_in.get("/memories/").context["page"].rows
    assert row.last.action == "ignored"
    assert "Heard again, word for word" in signed_in.get("/memories/").content.decode()


def test_more_memories_need_no_more_queries(
    signed_in: Client, agent: Agent, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL, user_id=agent.owner_id)
    for city in CITIES:
        gate.write(agent, agent.owner_id, gate.Draft(f"The user visited {city} and bought a book"), origin)

    searches: list[dict[str, str]] = [{}, {"q": "book"}]
    for search in searches:
        with django_assert_max_num_queries(36):
            assert len(listed(signed_in, **search)) == len(CITIES)


def test_cards_count_by_agent_and_category(signed_in: Client, agent: Agent, user: User) -> None:
    other = make_agent(owner=user, name="Other")
    make_memory(agent, "The user likes tea")
    make_memory(agent, "Keep replies short", category="procedural")
    make_memory(agent, "The user likes noodles", enabled=False)
    make_memory(other, "The user lives in Kyoto")
    context = signed_in.get(f"/memories/?agent={agent.pk}").context

    counts = {
        card.agent.name: (card.total, card.counts["semantic"], card.counts["procedural"]) for card in context["cards"]
    }
    assert counts == {"Helper": (2, 1, 1), "Other": (1, 1, 0)}
    assert context["total"] == 3


def test_staff_see_their_own_until_they_ask_for_others(client: Client, agent: Agent) -> None:
    staff = make_user(is_staff=True)
    make_memory(make_agent(owner=staff), "Mine")
    make_memory(agent, "Theirs")
    client.force_login(staff)

    assert listed(client) == ["Mine"]
    assert set(listed(client, person="all")) == {"Mine", "Theirs"}
    assert listed(client, person=agent.owner_id) == ["Theirs"]
    assert [card.total for card in client.get("/memories/").context["cards"]] == [1]


def test_nobody_else_asks_for_other_people_s(signed_in: Client) -> None:
    theirs = make_memory(make_agent(is_shared=True), "Theirs")

    for person in ("all", theirs.user_id):
        assert listed(signed_in, person=person) == []
        assert listed(signed_in, person=person, q="Theirs", state="all") == []
    assert signed_in.get(f"/memories/{theirs.pk}/row/").status_code == 404


def test_the_usual_vector_store_is_called_so_and_others_by_their_name(signed_in: Client, user: User) -> None:
    make_memory(make_agent(owner=user, name="Near"), "The user likes tea")
    make_memory(make_agent(owner=user, name="Far", vector_store="archive"), "The user likes milk")
    page = signed_in.get("/memories/").text

    assert page.count("Default</span>") == 1
    assert page.count("archive</span>") == 1
    assert "Default</p>" in page
    assert "default</span>" not in page
