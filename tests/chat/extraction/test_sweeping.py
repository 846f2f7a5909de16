"""Which conversations are looked through unasked: those that are due, however many are not, and none from before."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from chat import tasks
from chat.extraction.ends import ask_for_extraction, close, find_silent
from chat.models import Conversation, ExtractionJob, Message
from memories.extraction.prompting import PROMPT_VERSION
from memories.models import Agent
from tests.chat.extraction.test_running import contents, run, talk
from tests.chat.turning import make_branch
from tests.factories import make_agent, make_conversation

pytestmark = pytest.mark.django_db

begin_behind = import_module("chat.migrations.0013_begin_behind_what_was_said").begin_behind_what_was_said


def test_learning_switched_off_in_between_stops_it_and_switched_on_takes_it_up() -> None:
    conversation = talk(("我喜欢喝绿茶", "好的。"))
    job = close(conversation)
    Agent.objects.update(extracts=False)
    assert (run(job).state, run(job).reason) == ("skipped", "switched_off")
    Agent.objects.update(extracts=True)
    Conversation.objects.update(updated_at=timezone.now() - timedelta(minutes=11))
    tasks.sweep_extractions()
    tasks.sweep_extractions()
    assert (len(contents()), ExtractionJob.objects.get().state) == (1, "done")


def test_no_conversation_keeps_another_waiting() -> None:
    """However many there are without anything due: with a long patience, an answer that never ended, a failure."""
    patient, quick = make_agent(idle_minutes=1440), make_agent(idle_minutes=10)
    old = timezone.now() - timedelta(minutes=300)
    for agent, status, upto in [(patient, "done", 0), (quick, "running", 0), (quick, "done", 10**9)]:
        for _number in range(60):
            conversation = make_conversation(agent=agent)
            last = make_branch(conversation, 2)[-1]
            Message.objects.filter(pk=last.pk).update(status=status)
            if upto:
                columns = {"cause": "idle", "upto_id": last.pk, "prompt_version": PROMPT_VERSION, "state": "failed"}
                ExtractionJob.objects.create(conversation=conversation, **columns)
    Conversation.objects.update(updated_at=old)
    due = talk(("我喜欢喝绿茶", "好的。"), agent=quick)
    Conversation.objects.filter(pk=due.pk).update(updated_at=timezone.now() - timedelta(minutes=11))
    assert list(find_silent()) == [due]
    tasks.sweep_extractions()
    assert len(contents()) == 1


def test_what_was_said_before_an_upgrade_is_read_only_when_somebody_asks() -> None:
    old = talk(("I live in Lisbon", "Lovely."))
    Conversation.objects.update(updated_at=timezone.now() - timedelta(days=400))
    begin_behind(apps, None)
    old.refresh_from_db()
    assert not find_silent().exists()
    assert ask_for_extraction(old, "closed") is None
    job = ask_for_extraction(old, "asked")
    assert job is not None
    run(job)
    assert contents()


def test_what_has_been_read_already_keeps_its_place_in_an_upgrade() -> None:
    conversation = talk(("I live in Lisbon", "Lovely."))
    assert close(conversation) is not None
    begin_behind(apps, None)
    conversation.refresh_from_db()
    assert conversation.extracted_to == 0
