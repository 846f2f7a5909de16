"""The page of what waits, and what a person answers there."""

import html
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from memories.approval.deciding import reject
from memories.approval.following import follow_standing
from memories.changes import edit
from memories.drafts import Origin
from memories.gate import Draft, write
from memories.models import Agent, Memory, PendingWrite, ProfileFile
from memories.profiles.editing import ProfileChange, change_file, make_key
from memories.views.pending import LATELY
from tests.factories import make_memory
from tests.memories.approval.asking import LIST, ask, call, make_asking_agent, post, repeat
from xiajiao.models import User

HTMX = {"HX-Request": "true"}


@pytest.fixture
def agent(user: User) -> Agent:
    return make_asking_agent(owner=user, name="Helper")


def test_the_page_says_what_waits_and_what_would_become_of_it(signed_in: Client, agent: Agent) -> None:
    write(agent, agent.owner_id, Draft("用户住在北京"), Origin("person", "manual", agent.owner_id))
    ask(agent, "用户住在上海")
    ask(agent, "用户喜欢虾饺", message_id=9)

    page = signed_in.get(LIST).text

    assert "用户住在上海" in page
    assert "It would replace:" in page
    assert "用户住在北京" in page
    assert "It would be added." in page
    assert "To approve" in signed_in.get(reverse("memories:memory_list")).text
    assert "2 wait for you" in signed_in.get(reverse("memories:agent_list")).text


def test_one_agent_is_chosen_by_tabs_that_the_page_has_rules_for(signed_in: Client, agent: Agent) -> None:
    ask(agent, "The user likes tea")
    ask(make_asking_agent(owner=agent.owner, name="Coach"), "The user owns a boat")

    page = signed_in.get(LIST).text
    [tabs] = re.findall(r'<nav class="[^"]*" aria-label="Agent">.*?</nav>', page, re.DOTALL)
    sheets = [finders.find(path) for path in re.findall(r'href="/static/(css/[^"]+)"', page)]
    rules = "".join(Path(str(sheet)).read_text() for sheet in sheets)

    for name in {"muted", *" ".join(re.findall(r'class="([^"]*)"', tabs)).split()}:
        assert f".{name}" in rules


def test_nothing_waits_says_how_something_would(signed_in: Client, user: User) -> None:
    assert "Nothing waits for you" in signed_in.get(LIST).text


def test_without_scripts_it_is_approved_with_another_text_or_rejected(signed_in: Client, agent: Agent) -> None:
    first, second = ask(agent, "The user likes tea"), ask(agent, "The user owns a boat", message_id=9)

    approved = post(signed_in, "approve", first, text="The user likes green tea")
    rejected = post(signed_in, "reject", second)

    assert approved.url == rejected.url == LIST
    assert [memory.content for memory in Memory.objects.all()] == ["The user likes green tea"]
    page = signed_in.get(LIST).text
    assert "Remembered." in page
    assert "Rejected: nothing was written." in page
    assert "Let it wait again" in page


def test_a_text_that_was_emptied_is_refused_and_waits_on(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user lives in Beijing")
    ask(agent, "The user likes tea")
    call(agent, "memory_update", id=memory.pk, content="The user lives in Shanghai")
    call(agent, "profile_add", file="user", section="Work", content="Nurse in Wuhan")

    for pending in PendingWrite.objects.waiting():
        answer = post(signed_in, "approve", pending, text=" \r\n ", seen=pending.version)
        assert answer.status_code == 409
        assert "reject it instead" in answer.text
        assert 'aria-label="Text to be kept"></textarea>' in answer.text

    assert PendingWrite.objects.waiting().count() == 3
    assert [each.content for each in Memory.objects.all()] == ["The user lives in Beijing"]
    assert not ProfileFile.objects.filter(kind="user").exists()


def test_a_fragment_tells_what_was_done_and_the_page_around_it(signed_in: Client, agent: Agent) -> None:
    pending = ask(agent, "The user likes tea")
    address = reverse("memories:pending_approve", args=[pending.pk])

    first = signed_in.post(address, headers=HTMX)
    second = signed_in.post(address, headers=HTMX)

    assert "Remembered." in first.text
    assert "See and undo" in first.text
    assert first["HX-Trigger"] == "memory-changed, pending-changed"
    assert second.status_code == 409
    assert "decided already" in second.text


def test_what_went_with_its_message_meanwhile_is_told_apart_from_what_was_decided(
    signed_in: Client, agent: Agent
) -> None:
    pending = ask(agent, "The user likes tea")
    follow_standing(3, [])

    for name in ("approve", "reject"):
        answer = signed_in.post(reverse(f"memories:pending_{name}", args=[pending.pk]), headers=HTMX)
        assert answer.status_code == 409
        assert "was deleted or replaced meanwhile" in answer.text
        assert "decided already" not in answer.text


def test_both_versions_are_shown_where_a_memory_has_changed(signed_in: Client, agent: Agent) -> None:
    memory = make_memory(agent, "The user lives in Beijing")
    call(agent, "memory_update", id=memory.pk, content="The user lives in Shanghai")
    pending = PendingWrite.objects.get()
    memory = edit(memory, {"content": "The user lives in Tianjin"}, Origin("person", "manual", agent.owner_id))

    page = signed_in.get(LIST).text
    refused = post(signed_in, "approve", pending, text="The user lives in Suzhou", seen=pending.version)
    post(signed_in, "approve", pending, text="The user lives in Suzhou", seen=memory.version)

    assert "has changed since it was proposed" in page
    assert "The user lives in Beijing" in page
    assert "The user lives in Tianjin" in page
    assert refused.status_code == 409
    assert ">The user lives in Suzhou</textarea>" in refused.text
    memory.refresh_from_db()
    assert memory.content == "The user lives in Suzhou"


def test_a_change_of_a_file_is_shown_as_such_and_says_when_it_does_not_fit(signed_in: Client, agent: Agent) -> None:
    key, person = make_key(agent, "user", agent.owner_id), ProfileChange("edited", "person", agent.owner_id)
    change_file(key, lambda _text: "## Work\nNurse\n", person)
    call(agent, "profile_replace", file="user", section="Work", old_text="Nurse", new_text="Doctor")

    before = signed_in.get(LIST).text
    change_file(key, lambda _text: "## Work\nTeacher\n", person)
    after = signed_in.get(LIST).text

    assert "Replaces a piece of the section “Work” of USER" in before
    assert "Doctor" in before
    assert "Approve</button>" in before
    assert "no longer there" in after
    assert "Nurse" in after
    assert "Teacher" in after
    assert "Approve</button>" not in after
    assert "Open the file" in after


def test_under_an_answer_stands_what_it_asked(signed_in: Client, agent: Agent) -> None:
    ask(agent, "The user likes tea")
    ask(agent, "The user owns a boat", message_id=9)

    drawer = signed_in.get(LIST, {"answer": 6, "message": 5}, headers=HTMX).text

    assert "The user likes tea" in drawer
    assert "boat" not in drawer


def test_what_was_rejected_can_wait_again(signed_in: Client, agent: Agent) -> None:
    pending = ask(agent, "The user likes tea")
    post(signed_in, "reject", pending)

    post(signed_in, "reopen", pending)

    pending.refresh_from_db()
    assert pending.is_waiting


def test_all_that_was_decided_lately_is_reached_page_by_page(signed_in: Client, agent: Agent) -> None:
    reject(ask(agent, "The user likes tea"))
    repeat(PendingWrite.objects.get(), LATELY + 1)

    page = signed_in.get(LIST, {"agent": agent.pk}).text
    older = html.unescape(page.split('rel="next" href="')[1].split('"')[0])
    then = signed_in.get(older).text

    assert page.count("Let it wait again") == LATELY
    assert then.count("Let it wait again") == 1
    assert "The user likes tea<" in then
    assert 'id="decided" class="fold pending-decided" open' in then


def test_nobody_decides_for_another_person(signed_in: Client) -> None:
    pending = ask(make_asking_agent(is_shared=True), "The user likes tea")

    assert post(signed_in, "approve", pending).status_code == 404
    assert post(signed_in, "reject", pending).status_code == 404
    post(signed_in, "decide", decision="approve", scope="all")
    assert "likes tea" not in signed_in.get(LIST).text
    assert not Memory.objects.exists()
