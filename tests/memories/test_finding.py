import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from memories import gate
from memories.changes import edit, set_enabled
from memories.filtering import MemoryFilter
from memories.finding import find_matching
from memories.indexing import index
from memories.models import Agent, Memory, MemoryRevision
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

BY_HAND = gate.Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL)


def write(agent: Agent, text: str, user_id: int | None = None) -> Memory:
    user_id = user_id or agent.owner_id
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL, user_id=user_id)
    return gate.write(agent, user_id, gate.Draft(text), origin).memory


def search(client: Client, query: str, **values: object) -> list[str]:
    response = client.get("/memories/", {"q": query} | {name: str(value) for name, value in values.items()})
    return [row.memory.content for row in response.context["page"].rows]


def test_a_few_words_find_by_meaning(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    for text in ("用户是 Python 后端开发", "用户养了一只猫", "用户每天早上跑步"):
        write(agent, text)

    assert search(signed_in, "编程语言") == ["用户是 Python 后端开发"]


def test_the_nearest_comes_first_whoever_s_memory_it_is(client: Client) -> None:
    staff = make_user(is_staff=True)
    agents = [make_agent(owner=staff), make_agent(owner=staff, is_shared=True)]
    other = make_user()
    write(agents[0], "The user reads novels on the train")
    write(agents[1], "The user drinks green tea every morning", other.pk)
    client.force_login(staff)

    assert search(client, "green tea", person="all")[0] == "The user drinks green tea every morning"
    assert "The user drinks green tea every morning" not in search(client, "green tea")


def test_filters_hold_in_a_search_too(signed_in: Client, user: User) -> None:
    agents = [make_agent(owner=user), make_agent(owner=user)]
    write(agents[0], "The user drinks green tea")
    write(agents[1], "The user buys green tea in Kyoto")

    assert search(signed_in, "green tea", agent=agents[1].pk) == ["The user buys green tea in Kyoto"]
    assert search(signed_in, "green tea", category="episodic") == []


def test_what_is_switched_off_is_found_by_its_text(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    off = write(agent, "The user drinks green tea")
    set_enabled(off, False, gate.Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL, user_id=user.pk))
    write(agent, "The user buys green tea in Kyoto")

    assert search(signed_in, "tea green") == ["The user buys green tea in Kyoto"]
    assert search(signed_in, "tea green", state="disabled") == ["The user drinks green tea"]
    assert search(signed_in, "tea green", state="all") == [
        "The user buys green tea in Kyoto",
        "The user drinks green tea",
    ]


def test_without_the_embedder_words_find_and_the_page_says_so(
    signed_in: Client, user: User, settings: Settings
) -> None:
    write(make_agent(owner=user), "The user drinks green tea")
    settings.EMBEDDER = "openai"  # without a key

    response = signed_in.get("/memories/", {"q": "green tea"})
    assert [row.memory.content for row in response.context["page"].rows] == ["The user drinks green tea"]
    assert "this was searched by words alone" in response.content.decode()


@pytest.mark.parametrize("query", ["'\"*()", "\0", "\ud83d", "C++", "%", " ", "x" * 5000])
def test_no_query_breaks_the_page(signed_in: Client, user: User, query: str) -> None:
    write(make_agent(owner=user), "The user writes C++ at night")

    assert signed_in.get("/memories/", {"q": query.encode("utf-8", "surrogatepass")}).status_code == 200


def test_filters_find_what_stands_far_behind_others(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    rare = write(agent, "Pour the green tea when it has drawn for two minutes")
    edit(rare, {"category": "procedural", "tags": ["kitchen"]}, BY_HAND)
    for number in range(90):
        index(make_memory(agent, f"Green tea, green tea, note {number} of the user"), None)

    for values in ({"category": "procedural"}, {"tag": "kitchen"}):
        assert search(signed_in, "green tea", **values) == ["Pour the green tea when it has drawn for two minutes"]
    assert len(search(signed_in, "green tea")) == 50


def test_parts_of_words_are_found_by_the_text_itself(signed_in: Client, user: User, settings: Settings) -> None:
    write(make_agent(owner=user), "The user collects lighthouses")
    settings.EMBEDDER = "openai"  # without a key
    response = signed_in.get("/memories/", {"q": "ighthou"})

    assert [row.memory.content for row in response.context["page"].rows] == ["The user collects lighthouses"]
    assert "holds what was typed" in response.content.decode()


def test_what_was_found_is_sorted_where_a_person_asks_for_it(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    for title, text in (
        ("B", "The user drinks green tea"),
        ("A", "Emma sells green tea in Oslo"),
        ("C", "用户种 green tea"),
    ):
        index(make_memory(agent, text, title=title), None)

    def titles(**values: str) -> list[str]:
        page = signed_in.get("/memories/", {"q": "green tea"} | values).context["page"]
        return [row.memory.title for row in page.rows]

    assert titles(sort="title") == ["A", "B", "C"]
    assert titles(sort="-title") == ["C", "B", "A"]
    assert sorted(titles()) == ["A", "B", "C"]


def test_all_that_match_is_what_the_page_shows(user: User) -> None:
    agent = make_agent(owner=user)
    tea = write(agent, "The user drinks green tea")
    write(agent, "用户养了一只猫")

    assert set(find_matching(user, MemoryFilter(q="green tea"))) == {tea}
    assert find_matching(user, MemoryFilter()).count() == 2
    assert set(find_matching(user, MemoryFilter(category="episodic"))) == set()


def test_agents_in_several_places_of_one_store_are_searched_with_few_questions(
    signed_in: Client, user: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(8):
        write(make_agent(owner=user), f"The user drinks green tea, note {number}")

    with django_assert_max_num_queries(45):
        assert len(search(signed_in, "green tea")) == 8
