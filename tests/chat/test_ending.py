"""The end of a conversation as its page tells it: closed by its person, looked through, and opened again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from chat import tasks
from chat.models import Conversation, ExtractionJob, Message
from memories.models import Memory, ProfileFile
from tests.chat.turning import finish, make_answer, wait_for
from tests.factories import make_agent, make_conversation
from xiajiao.models import User

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def conversation(user: User) -> Conversation:
    answer = make_answer("我喜欢喝绿茶", conversation=make_conversation(agent=make_agent(owner=user)))
    return finish(answer, "好的。").conversation


def close(client: Client, conversation: Conversation) -> str:
    response = client.post(f"/conversations/{conversation.pk}/close/", headers=HTMX)
    assert response.status_code == 200
    assert "conversations-changed" in response["HX-Trigger"]
    return response.content.decode()


def look(client: Client, conversation: Conversation) -> str:
    return client.get(f"/conversations/{conversation.pk}/end/", headers=HTMX).content.decode()


def test_a_closed_conversation_says_what_was_remembered_of_it(
    signed_in: Client,
    conversation: Conversation,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as nudges:
        page = close(signed_in, conversation)
    assert len(nudges) == 1
    assert "It is being looked through" in page
    assert "every 2s" in page
    tasks.extract_memories(ExtractionJob.objects.get().pk)
    page = look(signed_in, conversation)
    memory = Memory.objects.get()
    assert "1 thing was found" in page
    assert f"/memories/{memory.pk}/" in page
    assert memory.content in page
    assert f"daily/?day={ProfileFile.objects.get().day}" in page
    assert "Writing on opens it again." in page
    assert "every" not in page
    assert page in signed_in.get(f"/conversations/{conversation.pk}/").content.decode()
    assert 'title="closed"' in signed_in.get("/conversations/").content.decode()


def test_writing_on_opens_it_again(turns: None, signed_in: Client, conversation: Conversation) -> None:
    close(signed_in, conversation)
    address = f"/conversations/{conversation.pk}/messages/"
    page = signed_in.post(address, {"text": "还有一件事"}, headers=HTMX).content.decode()
    conversation.refresh_from_db()
    assert conversation.closed_at is None
    wait_for(lambda: not Message.objects.unfinished().exists())
    assert '<section id="conversation-end" class="thread-end" role="status" hx-swap-oob="true"></section>' in page
    tasks.extract_memories(ExtractionJob.objects.get().pk)
    assert "Closed" not in look(signed_in, conversation)


def test_it_is_not_closed_while_an_answer_is_being_written(signed_in: Client, user: User) -> None:
    answer = make_answer("我喜欢喝绿茶", conversation=make_conversation(agent=make_agent(owner=user)))
    response = signed_in.post(f"/conversations/{answer.conversation_id}/close/", headers=HTMX)
    assert response.status_code == 409
    assert response["HX-Retarget"] == "#composer-error"
    assert not Conversation.objects.filter(closed_at__isnull=False).exists()


def test_without_scripts_the_page_comes_back(signed_in: Client, conversation: Conversation) -> None:
    response = signed_in.post(f"/conversations/{conversation.pk}/close/", follow=True)
    assert response.redirect_chain[0][0] == f"/conversations/{conversation.pk}/"
    assert "It is being looked through" in response.content.decode()


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"state": "failed", "reason": "no_list"}, "held no list of facts, twice"),
        ({"state": "failed", "reason": "unauthorized"}, "does not accept the key"),
        ({"state": "skipped", "reason": "short"}, "Too little was said"),
        ({"state": "done"}, "nothing more was worth remembering"),
        ({"reason": "server_error", "due_at": timezone.now() + timedelta(hours=1)}, "The next try is at"),
    ],
)
def test_what_came_of_it_is_said(
    signed_in: Client, conversation: Conversation, columns: dict[str, object], sentence: str
) -> None:
    close(signed_in, conversation)
    ExtractionJob.objects.update(**columns)
    assert sentence in look(signed_in, conversation)


@pytest.mark.parametrize(
    ("mode", "extracts", "sentence"),
    [
        ("read_only", True, "it only read the memory"),
        ("temporary", True, "and it is deleted on"),
        ("normal", False, "does not learn from conversations"),
    ],
)
def test_why_nothing_is_kept_is_said(
    signed_in: Client, conversation: Conversation, mode: str, extracts: bool, sentence: str
) -> None:
    Conversation.objects.update(mode=mode)
    conversation.agent.extracts = extracts
    conversation.agent.save()
    page = close(signed_in, conversation)
    assert sentence in page
    assert "every" not in page
    assert not ExtractionJob.objects.exists()


def test_what_waits_for_approval_is_said(signed_in: Client, conversation: Conversation) -> None:
    conversation.agent.asks_before_writing = True
    conversation.agent.save()
    close(signed_in, conversation)
    tasks.extract_memories(ExtractionJob.objects.get().pk)
    assert not Memory.objects.exists()
    page = look(signed_in, conversation)
    assert "1 thing that was found waits for your approval" in page
    assert "/memories/waiting/" in page


def test_one_that_fell_silent_says_what_was_made_of_it(signed_in: Client, conversation: Conversation) -> None:
    assert "<p" not in look(signed_in, conversation)
    Conversation.objects.update(updated_at=timezone.now() - timedelta(hours=1))
    tasks.sweep_extractions()
    page = look(signed_in, conversation)
    assert "1 thing was found" in page
    assert "Closed." not in page
    Message.objects.filter(role="user").update(content="…")
    finish(make_answer("What is 2 + 2?", conversation=conversation), "4")
    assert "<p" not in look(signed_in, conversation)
