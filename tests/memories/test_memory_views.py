import pytest
from django.test import Client

from memories import gate
from memories.models import Agent, Memory, MemoryRevision
from memories.wording import ACTIONS
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def write(agent: Agent, text: str) -> gate.Decision:
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL, user_id=agent.owner_id)
    return gate.write(agent, agent.owner_id, gate.Draft(text), origin)


def test_without_memories_the_three_categories_are_explained(signed_in: Client, agent: Agent) -> None:
    page = signed_in.get("/memories/").content.decode()

    assert "Nothing is remembered yet" in page
    assert all(name in page for name in ("semantic", "episodic", "procedural"))


def test_filters_leave_what_fits(signed_in: Client, agent: Agent, user: User) -> None:
    other = make_agent(owner=user)
    make_memory(agent, "The user likes dumplings")
    make_memory(agent, "Keep replies short", category="procedural")
    make_memory(other, "The user lives in Kyoto")
    make_memory(agent, "The user likes noodles", enabled=False)

    def shown(query: str) -> list[str]:
        return [row.memory.content for row in signed_in.get(f"/memories/?{query}").context["page"].rows]

    assert len(shown("")) == 3
    assert shown(f"agent={other.pk}") == ["The user lives in Kyoto"]
    assert shown("category=procedural") == ["Keep replies short"]
    assert shown("state=disabled") == ["The user likes noodles"]
    assert len(shown("agent=99999999999999999999&category=x&state=y")) == 3


def test_a_search_finds_by_meaning_and_says_why(signed_in: Client, agent: Agent) -> None:
    write(agent, "用户是 Python 后端开发")
    write(agent, "用户养了一只猫")
    response = signed_in.get("/memories/", {"q": "我用什么编程语言？"})

    assert response.context["page"].rows[0].memory.content == "用户是 Python 后端开发"
    assert "nearness in meaning" in response.content.decode()


def test_many_memories_come_page_by_page(signed_in: Client, agent: Agent) -> None:
    for number in range(60):
        make_memory(agent, f"Fact {number}")
    first = signed_in.get("/memories/").context["page"]
    second = signed_in.get(f"/memories/?after={first.next}", headers=HTMX).context["page"]

    contents = [row.memory.content for page in (first, second) for row in page.rows]
    assert len(contents) == len(set(contents)) == 60
    assert second.next is None


def test_a_memory_by_hand_goes_through_the_gate(signed_in: Client, agent: Agent) -> None:
    write(agent, "用户喜欢喝茶")
    fields = {"agent": agent.pk, "content": "用户喜欢喝茶", "category": "semantic", "type": 1, "importance": 2}
    page = signed_in.post("/memories/add/", fields, follow=True).content.decode()

    assert "This was known already" in page
    assert Memory.objects.get().proof_count == 2


def test_an_edit_writes_a_revision_that_can_be_taken_back(signed_in: Client, agent: Agent) -> None:
    memory = write(agent, "用户喜欢喝茶").memory
    fields = {"content": "用户喜欢喝绿茶", "category": "semantic", "type": memory.type_id, "importance": 2}
    signed_in.post(f"/memories/{memory.pk}/edit/", fields | {"version": memory.version})
    memory.refresh_from_db()
    assert memory.content == "用户喜欢喝绿茶"

    revision = memory.revisions.get(action="edited")
    signed_in.post(f"/memories/revisions/{revision.pk}/undo/", headers=HTMX)
    memory.refresh_from_db()
    assert memory.content == "用户喜欢喝茶"


def test_a_stale_edit_is_refused_and_shows_both_versions(signed_in: Client, agent: Agent) -> None:
    memory = write(agent, "用户喜欢喝茶").memory
    fields = {"category": "semantic", "type": memory.type_id, "importance": 2, "version": memory.version}
    signed_in.post(f"/memories/{memory.pk}/edit/", fields | {"content": "用户喜欢喝红茶"})
    response = signed_in.post(f"/memories/{memory.pk}/edit/", fields | {"content": "用户喜欢喝白茶"}, headers=HTMX)

    page = response.content.decode()
    assert response.status_code == 409
    assert "红茶" in page
    assert "用户喜欢喝白茶" in page
    memory.refresh_from_db()
    assert memory.content == "用户喜欢喝红茶"
    again = fields | {"content": "用户喜欢喝白茶", "version": memory.version}
    assert signed_in.post(f"/memories/{memory.pk}/edit/", again).status_code == 302


def test_switching_off_deleting_and_bringing_back(signed_in: Client, agent: Agent) -> None:
    memory = write(agent, "用户喜欢喝茶").memory
    signed_in.post(f"/memories/{memory.pk}/switch/")
    assert not Memory.objects.active().exists()
    signed_in.post(f"/memories/{memory.pk}/switch/")
    assert Memory.objects.active().exists()
    signed_in.post(f"/memories/{memory.pk}/delete/")
    assert not Memory.objects.kept().exists()
    assert signed_in.get(f"/memories/{memory.pk}/").status_code == 404
    signed_in.post(f"/memories/{memory.pk}/restore/")
    assert Memory.objects.active().get() == memory


def test_what_the_gate_did_is_told_in_words(signed_in: Client, agent: Agent) -> None:
    write(agent, "用户今年 30 岁")
    decision = write(agent, "用户今年 31 岁")
    page = signed_in.get(f"/memories/{decision.memory.pk}/").content.decode()

    assert "Added" in page
    assert decision.action == "superseded"
    assert "用户今年 30 岁" in page


def test_every_action_of_a_revision_has_words() -> None:
    assert set(ACTIONS) == set(MemoryRevision.Action.values)


@pytest.mark.parametrize("action", ["", "edit/", "switch/", "delete/", "restore/"])
def test_other_people_s_memories_are_not_there(client: Client, agent: Agent, action: str) -> None:
    memory = write(agent, "A secret").memory
    client.force_login(make_user())
    response = client.post(f"/memories/{memory.pk}/{action}") if action else client.get(f"/memories/{memory.pk}/")

    assert response.status_code == 404
    assert "A secret" not in client.get("/memories/").content.decode()
    memory.refresh_from_db()
    assert memory.is_active


def test_staff_correct_everybody_s_memories_and_leave_a_trace(client: Client, agent: Agent) -> None:
    memory = write(agent, "用户喜欢喝茶").memory
    staff = make_user(is_staff=True)
    client.force_login(staff)
    client.post(f"/memories/{memory.pk}/switch/")

    assert memory.revisions.get(action="disabled").user == staff


@pytest.mark.parametrize("action", ["edit", "switch", "delete", "restore"])
def test_what_users_share_is_changed_by_the_agent_s_owner_alone(signed_in: Client, action: str) -> None:
    shared = make_memory(make_agent(is_shared=True), "Be kind to everybody", user=None)
    assert signed_in.get(f"/memories/{shared.pk}/").status_code == 200
    assert signed_in.post(f"/memories/{shared.pk}/{action}/").status_code == 404

    owner = Client()
    owner.force_login(shared.agent.owner)
    assert owner.post(f"/memories/{shared.pk}/{action}/").status_code in {302, 422}


@pytest.mark.parametrize("content", ["。", "!", "…"])
def test_what_says_nothing_is_refused_in_the_form(signed_in: Client, agent: Agent, content: str) -> None:
    memory = make_memory(agent, "The user likes tea")
    form = {"agent": agent.pk, "content": content, "category": "semantic", "type": memory.type_id, "importance": 2}

    for address in ("/memories/add/", f"/memories/{memory.pk}/edit/"):
        response = signed_in.post(address, form | {"version": memory.version})
        assert response.status_code == 422
        assert "nothing in this to be remembered" in response.content.decode()
