"""What waits for approval in a chat: asked by turns and extractions, gone and back with what was said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.branches import switch_branch
from chat.deletion import (
    delete_conversation,
    delete_message,
    purge,
    restore_conversation,
    restore_message,
)
from chat.extraction.ends import close
from chat.extraction.running import extract
from chat.forgetting import running
from chat.models import ExtractionJob, Message, Remembered
from chat.sending import edit_message, send_message
from chat.turns import run_turn
from memories.approval.deciding import approve, reject, reopen
from memories.drafts import hash_content
from memories.models import Agent, Memory, MemoryMode, PendingWrite
from tests.chat.turning import load
from tests.factories import make_agent, make_conversation, make_memory
from tests.memories.approval.asking import ask, call
from xiajiao.models import User
from xiajiao.places import strike_out

pytestmark = pytest.mark.django_db

SAID = "我叫小梅，我喜欢喝绿茶。"


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, asks_before_writing=True)


def say(agent: Agent, text: str = SAID, mode: str = MemoryMode.NORMAL) -> Message:
    """Without a model: the answer, when it is finished."""
    answer = send_message(make_conversation(agent=agent, mode=mode), text).answer
    list(run_turn(load(answer)))
    return load(answer)


def waiting() -> list[str]:
    return [row.text for row in PendingWrite.objects.waiting()]


def run(job: ExtractionJob | None) -> ExtractionJob:
    assert job is not None
    extract(job)
    job.refresh_from_db()
    return job


def test_offline_an_answer_says_what_waits_and_shows_it_below(signed_in: Client, agent: Agent) -> None:
    answer = say(agent)

    page = signed_in.get(reverse("chat:conversation_detail", args=[answer.conversation_id])).text

    assert len(waiting()) == 2
    assert not Memory.objects.exists()
    assert "等你在这条回答下方批准后再记住" in answer.content
    assert "2 wait for you" in page
    approve(PendingWrite.objects.all()[0])
    chips = signed_in.get(reverse("chat:answer_chips", args=[answer.pk])).text
    assert "1 waits for you" in chips
    assert "remembered" in chips
    assert Remembered.objects.get().message_id == answer.pk


def test_an_extraction_proposes_and_is_done_when_that_is_kept(agent: Agent) -> None:
    agent.allowed_tools = []
    agent.save()
    answer = say(agent)

    job = run(close(answer.conversation))

    assert (job.state, job.written) == ("done", 2)
    assert len(waiting()) == 2
    assert not Memory.objects.exists()
    [first, second] = PendingWrite.objects.all()
    assert (first.actor, first.message_id, first.answer_id) == ("extraction", answer.parent_id, None)
    approve(first)
    reject(second)
    assert Memory.objects.get().source == "extraction"


def test_what_was_decided_is_not_proposed_again_by_an_extraction(agent: Agent) -> None:
    answer = say(agent)
    for pending in PendingWrite.objects.all():
        reject(pending)

    run(close(answer.conversation))
    ExtractionJob.objects.all().delete()
    answer.conversation.refresh_from_db()
    answer.conversation.extracted_to = 0
    answer.conversation.save()
    run(close(answer.conversation))

    assert PendingWrite.objects.count() == 2
    assert not waiting()


def test_under_the_answer_stands_what_an_extraction_made_of_its_message(signed_in: Client, agent: Agent) -> None:
    agent.allowed_tools = []
    agent.save()
    answer = say(agent)
    run(close(answer.conversation))

    assert "2 wait for you" in signed_in.get(reverse("chat:answer_chips", args=[answer.pk])).text


@pytest.mark.parametrize("mode", [MemoryMode.READ_ONLY, MemoryMode.TEMPORARY])
def test_where_nothing_is_kept_nothing_is_asked(agent: Agent, mode: str) -> None:
    say(agent, mode=mode)

    assert not PendingWrite.objects.exists()


def test_it_goes_with_its_conversation_and_comes_back_with_it(agent: Agent) -> None:
    conversation = say(agent).conversation

    delete_conversation(conversation)
    assert not waiting()
    restore_conversation(conversation)
    assert len(waiting()) == 2

    delete_conversation(conversation)
    conversation.__class__.objects.update(deleted_at=timezone.now() - timedelta(days=1))
    purge()
    assert not PendingWrite.objects.exists()


def test_it_goes_with_its_message_and_comes_back_with_it(agent: Agent) -> None:
    answer = say(agent)
    question = answer.parent
    assert question is not None

    delete_message(question)
    assert not waiting()
    restore_message(load(question))
    assert len(waiting()) == 2

    delete_message(load(question))
    Message.objects.update(deleted_at=timezone.now() - timedelta(days=1))
    purge()
    assert not PendingWrite.objects.exists()


def test_another_wording_of_the_message_puts_it_aside_until_it_is_read_again(agent: Agent) -> None:
    answer = say(agent)
    question = answer.parent
    assert question is not None

    edit_message(load(question), "你好")
    assert not waiting()
    Message.objects.update(status="done")
    switch_branch(load(question))

    assert len(waiting()) == 2


def test_what_was_rejected_waits_again_only_while_its_message_stands(signed_in: Client, agent: Agent) -> None:
    answer = say(agent)
    question = answer.parent
    assert question is not None
    for pending in PendingWrite.objects.all():
        reject(pending)
    address = reverse("memories:pending_reopen", args=[PendingWrite.objects.all()[0].pk])

    edit_message(load(question), "你好")
    told = signed_in.post(address, headers={"HX-Request": "true"}).text
    assert "waits again when what it came from is back" in told
    assert not waiting()
    Message.objects.update(status="done")
    switch_branch(load(question))

    assert len(waiting()) == 1
    assert reopen(PendingWrite.objects.decided().get())
    assert len(waiting()) == 2


def forget(user: User, memories: Sequence[Memory] = (), messages: Sequence[Message] = ()) -> None:
    """For good, as a person does it on the page."""
    forgetting = running.begin(user, [each.pk for each in memories], [each.pk for each in messages])
    claimed = running.claim(forgetting.pk)
    assert claimed is not None
    running.run(claimed)


def test_what_was_forgotten_for_good_goes_from_what_waits_in_whatever_words(user: User, agent: Agent) -> None:
    memory = make_memory(agent, "The user lives in Lisbon")
    call(agent, "profile_add", file="user", section="Home", content="- Lives in Lisbon")
    ask(agent, "The user owns a boat")

    forget(user, memories=[memory])

    assert waiting() == ["The user owns a boat"]


def test_what_waits_goes_with_a_message_that_is_removed_for_good(user: User, agent: Agent) -> None:
    question = say(agent).parent
    assert question is not None
    assert len(waiting()) == 2

    forget(user, messages=[question])

    assert not PendingWrite.objects.exists()


def test_a_secret_that_is_struck_out_later_goes_from_what_waits_too(agent: Agent) -> None:
    say(agent, "记住：我的暗号是青花瓷瓶")

    strike_out(agent.pk, agent.owner_id, ["青花瓷瓶", "semantic"], "[…]")

    pending = PendingWrite.objects.get()
    assert "青花瓷瓶" not in str(pending.draft)
    assert "[…]" in pending.text
    assert pending.text_hash == hash_content(pending.text)
    assert approve(pending).state == "approved"
