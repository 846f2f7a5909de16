"""What happens in between: things are deleted, rewritten, switched off or taken over while a model thinks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from chat import tasks
from chat.deletion import delete_conversation, delete_message, restore_conversation
from chat.extraction.ends import ask_for_extraction, close, note_growth
from chat.extraction.running import extract, retry
from chat.models import ExtractionJob, Message
from chat.sending import edit_message
from memories.models import Memory, ProfileFile
from tests.chat.extraction.test_running import LONG, contents, propose, run, talk, with_model
from tests.chat.turning import finish, make_answer
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import Provider

pytestmark = pytest.mark.django_db

FOUND = '{"memories": [{"content": "The user lives in Lisbon"}, {"content": "The user\'s brother Rui is a nurse"}]}'
in_threads = pytest.mark.django_db(transaction=True)


def meanwhile(stub: OpenAIStub, act: Callable[[], Any]) -> None:
    """`act` happens while the model speaks."""

    def reply(_body: dict[str, Any]) -> Reply:
        try:
            act()
        finally:
            connections.close_all()
        return Reply(text=FOUND)

    stub.script.append(reply)


def as_if_proposed(job: ExtractionJob | None, *contents: str) -> ExtractionJob:
    """A worker died after the model had spoken."""
    assert job is not None
    job.candidates = [{"content": content} for content in contents]
    job.save()
    return job


@in_threads
@pytest.mark.usefixtures("types")
def test_what_is_deleted_while_the_model_thinks_is_not_remembered(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    asked = conversation.messages.get(role="user")
    meanwhile(openai_stub, lambda: delete_message(asked))
    job = run(close(conversation))
    assert (job.state, contents(), [each["outcome"] for each in job.outcomes]) == ("done", [], ["gone", "gone"])


@in_threads
@pytest.mark.usefixtures("types")
def test_what_is_rewritten_while_the_model_thinks_is_read_anew(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    asked = conversation.messages.get(role="user")
    meanwhile(openai_stub, lambda: finish(edit_message(asked, "I live in Porto. " + "It rains. " * 40).answer))
    run(close(conversation))
    assert contents() == []
    propose(openai_stub, "The user lives in Porto")
    conversation.refresh_from_db()
    run(close(conversation))
    assert contents() == ["The user lives in Porto"]


@in_threads
@pytest.mark.usefixtures("types")
def test_a_conversation_deleted_while_the_model_thinks_is_taken_up_when_it_comes_back(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    meanwhile(openai_stub, lambda: delete_conversation(conversation))
    job = run(close(conversation))
    assert (job.state, job.reason, contents()) == ("skipped", "deleted", [])
    conversation.refresh_from_db()
    restore_conversation(conversation)
    conversation.refresh_from_db()
    assert run(close(conversation)).state == "done"
    assert contents() == ["The user lives in Lisbon", "The user's brother Rui is a nurse"]
    assert len(openai_stub.requests) == 1


def test_a_conversation_that_is_gone_for_good_leaves_nothing_to_do() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"))
    job = close(conversation)
    assert job is not None
    conversation.delete()
    tasks.extract_memories(job.pk)
    assert contents() == []


def test_a_model_that_was_removed_is_told_and_waited_for(openai_stub: OpenAIStub) -> None:
    columns = with_model(openai_stub)
    provider = Provider.objects.get()
    conversation = talk((LONG, "Fine."), **columns)
    provider.base_url = "http://127.0.0.1:9/v1"
    provider.save()
    job = run(close(conversation))
    assert (job.state, job.reason) == ("waiting", "unreachable")
    provider.delete()
    ExtractionJob.objects.update(due_at=None)
    propose(openai_stub, "The user lives in Lisbon")
    assert run(job).state == "done"


def test_of_two_jobs_of_a_conversation_the_later_waits_and_reads_what_is_new() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"))
    first = close(conversation)
    finish(make_answer("我住在里斯本", conversation=conversation), "好的。")
    conversation.refresh_from_db()
    second = close(conversation)
    assert run(second).state == "waiting"
    assert run(first).state == "done"
    assert len(contents()) == 1
    assert run(second).state == "done"
    assert len(contents()) == 2
    assert Memory.objects.filter(proof_count__gt=1).count() == 0


def test_what_was_proposed_is_written_without_asking_again(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    job = as_if_proposed(close(conversation), "The user lives in Lisbon", "The user's brother Rui is a nurse")
    assert run(job).state == "done"
    assert (len(contents()), openai_stub.requests) == (2, [])


def test_a_failure_is_made_up_for_by_a_later_look(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    openai_stub.script.extend([Reply(text="No."), Reply(text="No.")])
    failed = run(close(conversation))
    finish(make_answer("Good night.", conversation=conversation), "Good night.")
    conversation.refresh_from_db()
    propose(openai_stub, "The user lives in Lisbon")
    assert run(close(conversation)).state == "done"
    failed.refresh_from_db()
    assert (failed.state, failed.reason) == ("skipped", "made_up_for")
    retry(failed)
    assert len(contents()) == 1


def test_what_was_too_short_is_read_with_what_follows(openai_stub: OpenAIStub) -> None:
    conversation = talk(("I live in Lisbon.", "Fine."), **with_model(openai_stub))
    assert run(close(conversation)).reason == "short"
    assert close(conversation) is not None
    finish(make_answer("We talked about tea for a long time. " * 9, conversation=conversation), "Good.")
    conversation.refresh_from_db()
    propose(openai_stub, "The user lives in Lisbon")
    assert run(close(conversation)).state == "done"
    assert contents() == ["The user lives in Lisbon"]


def test_what_a_person_asks_for_is_done_however_short(openai_stub: OpenAIStub) -> None:
    conversation = talk(("I live in Lisbon.", "Fine."), **with_model(openai_stub))
    run(close(conversation))
    propose(openai_stub, "The user lives in Lisbon")
    assert run(ask_for_extraction(conversation, "asked")).state == "done"
    assert contents() == ["The user lives in Lisbon"]


def test_a_day_has_the_line_on_the_day_on_which_it_was_said() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"))
    yesterday = timezone.now() - timedelta(days=1)
    Message.objects.update(created_at=yesterday)
    run(close(conversation))
    assert ProfileFile.objects.get().day == timezone.localdate(yesterday)


def test_a_conversation_that_grows_while_its_model_is_away_has_one_job(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub, extract_every=2))
    assert note_growth(conversation) is not None
    finish(make_answer("And?", conversation=conversation), "")
    assert note_growth(conversation) is None


def test_a_job_that_breaks_its_worker_ends_and_keeps_no_other_from_its_turn() -> None:
    broken = as_if_proposed(close(talk(("我喜欢喝绿茶", "好的。"))), "x")
    ExtractionJob.objects.filter(pk=broken.pk).update(candidates=[{"no such field": 1}])
    good = close(talk(("我住在里斯本", "好的。")))
    for _sweep in range(6):
        ExtractionJob.objects.update(created_at=timezone.now() - timedelta(minutes=5), heartbeat=None)
        tasks.sweep_extractions()
    assert good is not None
    states = dict(ExtractionJob.objects.values_list("pk", "state"))
    assert states == {broken.pk: "failed", good.pk: "done"}
    broken.refresh_from_db()
    assert broken.reason == "crashed"


@in_threads
@pytest.mark.usefixtures("types")
def test_two_workers_at_one_job_do_it_once(openai_stub: OpenAIStub) -> None:
    conversation = talk((LONG, "Fine."), **with_model(openai_stub))
    openai_stub.always(Reply(text=FOUND, wait=0.1))
    job = close(conversation)
    assert job is not None
    start = Barrier(4)

    def work(_number: int) -> None:
        try:
            start.wait()
            extract(job)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert (len(openai_stub.requests), len(contents())) == (1, 2)
    assert list(Memory.objects.values_list("proof_count", flat=True)) == [1, 1]
    assert ProfileFile.objects.get().text.count("\n") == 1
