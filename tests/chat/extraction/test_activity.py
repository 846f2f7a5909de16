"""The page of jobs: each person sees their own, why one failed, and can have it tried again."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from chat.extraction.wording import FAILURES, SKIPPED
from chat.models import Conversation, ExtractionJob
from memories.health.jobs import Scope, read_jobs
from memories.models import Memory
from tests.chat.extraction.test_running import LONG, propose, run, talk, with_model
from tests.factories import make_agent, make_conversation, make_user
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

pytestmark = pytest.mark.django_db
ACTIVITY = "/activity/"


def make_job(person: User, **columns: Any) -> ExtractionJob:
    conversation = make_conversation("Hello?", agent=make_agent(owner=person), title=columns.pop("title", "Tea"))
    defaults = {"cause": "closed", "upto_id": conversation.leaf_id, "prompt_version": "1", "state": "failed"}
    return ExtractionJob.objects.create(conversation=conversation, **(defaults | columns))


def sign_in(client: Client, **columns: Any) -> User:
    person = make_user(**columns)
    client.force_login(person)
    return person


def read(client: Client, address: str = ACTIVITY, **headers: Any) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def test_without_jobs_the_page_says_what_will_stand_there(client: Client) -> None:
    sign_in(client)
    assert "Nothing was looked through yet" in read(client)


def test_what_a_conversation_left_is_shown_with_what_was_passed_over(client: Client, openai_stub: OpenAIStub) -> None:
    columns = with_model(openai_stub)
    agent = columns["agent"]
    client.force_login(agent.owner)
    conversation = talk((LONG, "You have a sister in Porto called Ana."), title="Lisbon", **columns)
    propose(openai_stub, "The user lives in Lisbon", "The user has a sister called Ana in Porto")
    client.post(reverse("chat:extraction_create", args=[conversation.pk]))
    job = run(ExtractionJob.objects.get(cause="asked"))

    page = read(client)
    assert "1 remembered:" in page
    assert reverse("memories:memory_detail", args=[Memory.objects.get().pk]) in page
    assert "stub-model" in page
    detail = read(client, reverse("chat:extraction_detail", args=[job.pk]), **{"HX-Request": "true"})
    assert "The user has a sister called Ana in Porto" in detail
    assert "You neither said it nor agreed to it." in detail
    assert [each["outcome"] for each in job.outcomes] == ["added", "unsaid"]


def test_a_failure_shows_its_reply_as_text_and_is_tried_again(client: Client, openai_stub: OpenAIStub) -> None:
    columns = with_model(openai_stub)
    agent = columns["agent"]
    client.force_login(agent.owner)
    openai_stub.script.extend([Reply(text="<b>no</b>"), Reply(text="<script>no</script>")])
    conversation = talk((LONG, "Fine."), **columns)
    client.post(reverse("chat:extraction_create", args=[conversation.pk]))
    job = run(ExtractionJob.objects.get())

    assert str(FAILURES["no_list"]) in read(client, f"{ACTIVITY}?state=failed").replace("&#x27;", "'")
    assert "&lt;script&gt;no" in read(client, reverse("chat:extraction_detail", args=[job.pk]))
    propose(openai_stub, "The user lives in Lisbon")
    client.post(reverse("chat:extraction_retry", args=[job.pk]))
    job = run(job)
    assert (job.state, job.raw_reply, job.tries, Memory.objects.count()) == ("done", "", 2, 1)


def test_all_that_failed_are_tried_again_and_nobody_elses(client: Client) -> None:
    person, other = sign_in(client), make_user(is_staff=True)
    mine, theirs = [make_job(person), make_job(person)], make_job(other, title="Secret tea")
    assert "Secret tea" not in read(client)
    assert client.get(reverse("chat:extraction_detail", args=[theirs.pk])).status_code == 404
    assert client.post(reverse("chat:extraction_retry", args=[theirs.pk])).status_code == 404
    client.post(reverse("chat:extraction_retry_all"))
    assert {job.state for job in ExtractionJob.objects.filter(pk__in=[job.pk for job in mine])} == {"waiting"}
    theirs.refresh_from_db()
    assert theirs.state == "failed"
    client.force_login(other)
    assert "Tea" not in read(client).replace("Secret tea", "")


def test_what_failed_can_be_given_up(client: Client) -> None:
    person = sign_in(client)
    mine, theirs = make_job(person, reason="no_list", raw_reply="No."), make_job(make_user(), reason="no_list")
    client.post(reverse("chat:extraction_give_up", args=[mine.pk]))
    assert client.post(reverse("chat:extraction_give_up", args=[theirs.pk])).status_code == 404
    assert list(ExtractionJob.objects.order_by("pk").values_list("state", "raw_reply")) == [
        ("skipped", ""),
        ("failed", ""),
    ]
    assert read_jobs(Scope(person)) == []


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_each_reason_has_words_and_a_way_on(client: Client, language: str) -> None:
    person = sign_in(client, language=language)
    for code in [*FAILURES, "unreachable", "no_model"]:
        make_job(person, reason=code)
    for code in SKIPPED:
        make_job(person, reason=code, state="skipped")
    make_job(person, reason="no_list", state="waiting")
    page = read(client)
    assert page.count("activity-note") == len(FAILURES) + 2
    if language == "zh-hans":
        assert "重试" in page
        assert "Try again" not in page
        assert "。系统会自动重试。" in page


def test_a_job_that_failed_counts_among_the_stuck(client: Client) -> None:
    person = sign_in(client)
    make_job(person, reason="no_list")
    make_job(make_user())
    [found] = read_jobs(Scope(person))
    assert (found.source.key, found.state.waiting, found.state.stuck) == ("extractions", 1, 1)
    assert "held no list" in found.state.error


def test_pages_and_states_narrow_the_list(client: Client) -> None:
    person = sign_in(client)
    for number in range(27):
        make_job(person, title=f"Tea {number}.", state="done")
    make_job(person, title="Coffee")
    assert read(client).count('class="activity-row"') == 25
    assert "Tea 0." in read(client, f"{ACTIVITY}?page=2")
    assert read(client, f"{ACTIVITY}?state=failed").count('class="activity-row"') == 1
    assert "every 3s" not in read(client)
    make_job(person, state="waiting")
    assert "every 3s" in read(client)


def test_a_deleted_conversation_shows_no_job(client: Client) -> None:
    job = make_job(sign_in(client), title="Tea")
    Conversation.objects.filter(pk=job.conversation_id).update(deleted_at=job.created_at)
    assert "Tea" not in read(client)
