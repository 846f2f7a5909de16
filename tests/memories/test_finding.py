import pytest
from django.test import Client
from pytest_django import Settings

from memories import gate
from memories.changes import set_enabled
from memories.models import Agent, Memory, MemoryRevision
from tests.factories import make_agent, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db


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
