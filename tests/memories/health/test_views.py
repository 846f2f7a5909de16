from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memories.health.sweeping import sweep
from memories.models import Agent, Finding, HealthState, Memory
from tests.factories import make_agent, make_memory, make_user
from tests.memories.health.keeping import keep, open_findings
from xiajiao.models import User

pytestmark = pytest.mark.django_db

PAGE = "/memories/health/"
SETTLE = f"{PAGE}settle/"


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, language="zh-hans")


def find_duplicate(agent: Agent, **columns: object) -> Finding:
    keep(agent, "用户喜欢吃饺子", **columns)
    keep(agent, "用户爱吃水饺", **columns)
    sweep(60)
    return open_findings("duplicate")[-1]


def make_finding(memory: Memory, kind: str = "unused", score: float = 0.0) -> Finding:
    return Finding.objects.create(memory=memory, kind=kind, agent=memory.agent, user=memory.user, score=score)


def test_nothing_doubtful_says_when_it_was_looked(signed_in: Client, agent: Agent) -> None:
    keep(agent, "用户对花生过敏")
    sweep(60)
    moment = timezone.localtime(HealthState.objects.get().finished_at)
    text = signed_in.get(PAGE).content.decode()

    assert "Nothing doubtful" in text
    assert "Everything has been looked at." in text
    assert f"Last complete at {moment:%Y-%m-%d %H:%M}." in text


def test_the_page_says_how_much_is_still_to_be_looked_at(signed_in: Client, agent: Agent) -> None:
    keep(agent, "用户对花生过敏")
    text = signed_in.get(PAGE).content.decode()

    assert "1 memory has not been looked at yet" in text
    assert "as far as has been looked" in text


def test_the_first_kind_of_which_there_is_something_is_shown(signed_in: Client, agent: Agent) -> None:
    make_finding(make_memory(agent, "用户有过一台诺基亚手机"))
    text = signed_in.get(PAGE).content.decode()

    assert "用户有过一台诺基亚手机" in text
    assert 'href="/memories/health/?kind=unused" aria-current="true"' in text


def test_one_click_settles_and_another_takes_it_back(signed_in: Client, agent: Agent) -> None:
    finding = find_duplicate(agent)
    form = {"finding": finding.pk, "kind": "duplicate", "decision": "second"}
    page = signed_in.post(SETTLE, form, follow=True)

    assert page.redirect_chain == [(f"{PAGE}?kind=duplicate", 302)]
    assert [memory.content for memory in Memory.objects.active()] == ["用户爱吃水饺"]
    assert "Merged. The other wording is in the history." in page.content.decode()
    [message] = page.context["messages"]
    signed_in.post(message.extra_tags.removeprefix("undo:"))
    assert Memory.objects.active().count() == 2
    assert open_findings("duplicate") == [finding]


@pytest.mark.parametrize(("decision", "column"), [("disable", "enabled"), ("pin", "pinned"), ("keep", "")])
def test_what_is_ticked_is_settled_together(signed_in: Client, agent: Agent, decision: str, column: str) -> None:
    memories = [make_memory(agent, f"memory {number}") for number in range(3)]
    findings = [make_finding(memory) for memory in memories]
    form = {"finding": [each.pk for each in findings[:2]], "kind": "unused", "decision": decision}
    page = signed_in.post(SETTLE, form, follow=True)

    assert open_findings("unused") == [findings[2]]
    if column:
        before = [getattr(memory, column) for memory in memories]
        after = [getattr(Memory.objects.get(pk=memory.pk), column) for memory in memories]
        assert [now != then for now, then in zip(after, before, strict=True)] == [True, True, False]
    [message] = page.context["messages"]
    signed_in.post(message.extra_tags.removeprefix("undo:"))
    assert len(open_findings("unused")) == 3
    assert Memory.objects.filter(enabled=True, pinned=False).count() == 3


@pytest.mark.parametrize("form", [{}, {"decision": "first"}, {"decision": "redact"}, {"decision": "x" * 99}])
def test_a_decision_that_there_is_not_changes_nothing(signed_in: Client, agent: Agent, form: dict[str, str]) -> None:
    finding = make_finding(make_memory(agent, "memory"))
    assert signed_in.post(SETTLE, form | {"finding": finding.pk, "kind": "unused"}).status_code == 302
    assert open_findings("unused") == [finding]


def test_what_has_changed_meanwhile_is_told(signed_in: Client, agent: Agent) -> None:
    finding = find_duplicate(agent)
    Memory.objects.filter(pk=finding.memory_id).update(enabled=False)
    form = {"finding": finding.pk, "kind": "duplicate", "decision": "first"}
    text = signed_in.post(SETTLE, form, follow=True).content.decode()

    assert "Something has changed meanwhile" in text


def test_another_persons_findings_are_neither_seen_nor_settled(client: Client, agent: Agent) -> None:
    finding = find_duplicate(agent)
    stranger = make_user()
    client.force_login(stranger)
    assert "饺" not in client.get(PAGE).content.decode()
    client.post(SETTLE, {"finding": finding.pk, "kind": "duplicate", "decision": "first"})
    client.post(f"{PAGE}reopen/?finding={finding.pk}")

    assert open_findings("duplicate") == [finding]
    assert Memory.objects.active().count() == 2


def test_staff_see_everybodys_where_they_ask_and_leave_their_name(client: Client, agent: Agent) -> None:
    finding = find_duplicate(agent)
    admin = make_user(is_staff=True)
    client.force_login(admin)
    assert "饺" not in client.get(PAGE).content.decode()
    text = client.get(f"{PAGE}?person=all").content.decode()
    assert "用户爱吃水饺" in text
    assert agent.owner.username in text

    form = {"finding": finding.pk, "kind": "duplicate", "decision": "first", "person": "all"}
    assert client.post(SETTLE, form)["Location"] == f"{PAGE}?kind=duplicate&person=all"
    assert finding.memory.revisions.get(action="reinforced").user == admin


def test_what_all_users_share_is_settled_by_who_owns_the_agent(client: Client, user: User) -> None:
    agent = make_agent(is_shared=True)
    find_duplicate(agent, user_id=None)
    client.force_login(user)
    assert "饺" not in client.get(PAGE).content.decode()
    client.force_login(agent.owner)
    assert "饺" in client.get(PAGE).content.decode()


def test_a_long_list_goes_on_page_by_page_and_leaves_none_out(signed_in: Client, agent: Agent) -> None:
    for number in range(70):
        make_finding(make_memory(agent, f"memory <{number}>"), score=-1787_000_000.123456 - number // 2)
    first = signed_in.get(f"{PAGE}?kind=unused")
    shown = [finding.pk for finding in first.context["page"].findings]
    after = str(first.context["page"].after)
    rest = signed_in.get(f"{PAGE}?kind=unused&after={after}").context["page"]

    assert (len(shown), len(rest.findings), rest.after) == (50, 20, None)
    assert {*shown, *(finding.pk for finding in rest.findings)} == {each.pk for each in open_findings("unused")}


def test_counts_are_read_from_an_index_alone(signed_in: Client, agent: Agent) -> None:
    counted = Finding.objects.editable_by(agent.owner).open().order_by().values("kind")
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL plans by statistics; a table this small is read whole")
    assert "SCAN memories_finding\n" not in counted.explain() + "\n"


def test_memories_that_wait_for_vectors_are_told_with_the_error_and_tried_again(
    signed_in: Client, agent: Agent, settings: Settings
) -> None:
    memory = make_memory(agent, "用户对花生过敏")
    Memory.objects.filter(pk=memory.pk).update(updated_at=timezone.now() - timedelta(hours=1))
    HealthState.objects.create(pk=1, vector_error="The embedding server refuses the connection.")
    text = signed_in.get(f"{PAGE}?kind=jobs").content.decode()

    assert "1 waits · 1 stuck" in " ".join(text.split())
    assert "The embedding server refuses the connection." in text
    assert signed_in.post(f"{PAGE}retry/", {"job": "vectors", "kind": "jobs"}).status_code == 302
    assert signed_in.post(f"{PAGE}retry/", {"job": "no such job"}).status_code == 302


def test_a_look_is_asked_for_and_the_page_waits_for_it(signed_in: Client, agent: Agent) -> None:
    keep(agent, "用户对花生过敏")
    text = signed_in.post(f"{PAGE}look/", {"kind": "unused"}, follow=True).content.decode()

    assert "Asked for: it begins in a moment." in text
    assert 'hx-trigger="every 2s"' in text


def test_the_list_of_memories_leads_there_and_says_how_much_there_is_to_settle(signed_in: Client, agent: Agent) -> None:
    make_finding(make_memory(agent, "memory"))
    text = signed_in.get("/memories/").content.decode()

    assert 'href="/memories/health/"' in text
    assert "1 thing to settle" in text


def test_one_agent_alone_is_looked_at_where_it_is_chosen(signed_in: Client, agent: Agent) -> None:
    other = make_agent(owner=agent.owner, name="Cook")
    first, second = make_finding(make_memory(agent, "memory one")), make_finding(make_memory(other, "memory two"))
    text = signed_in.get(f"{PAGE}?agent={other.pk}").content.decode()
    assert "memory two" in text
    assert "memory one" not in text
    assert f'<option value="{other.pk}" selected>' in text

    form = {"finding": second.pk, "kind": "unused", "decision": "keep", "agent": other.pk}
    page = signed_in.post(SETTLE, form, follow=True)
    assert page.redirect_chain == [(f"{PAGE}?kind=unused&agent={other.pk}", 302)]
    assert "No memory" not in signed_in.get(PAGE).content.decode()
    assert open_findings("unused") == [first]


def test_agents_of_others_are_no_choice(signed_in: Client, agent: Agent) -> None:
    stranger = make_agent(name="Spy")
    make_finding(make_memory(stranger, "memory"))
    for chosen in (stranger.pk, "x", 999_999):
        text = signed_in.get(f"{PAGE}?agent={chosen}").content.decode()
        assert "Spy" not in text
        assert "Nothing doubtful" in text


def test_each_memory_of_a_finding_can_be_edited_from_the_page(signed_in: Client, agent: Agent) -> None:
    finding = find_duplicate(agent)
    text = signed_in.get(f"{PAGE}?kind=duplicate").content.decode()

    for memory in finding.memories:
        assert f'href="/memories/{memory.pk}/edit/"' in text
