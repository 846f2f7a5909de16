"""Files of a conversation: attached, asked in it alone, gone and back with it, kept in a base."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.deletion import delete_conversation, purge, restore_conversation
from chat.events import FilesAwaited
from chat.models import Conversation, Source
from chat.turns import run_turn
from knowledge.models import Chunk, Document, KnowledgeBase
from knowledge.storage import file_of
from memories.models import Agent
from tests.chat.attaching import index_all
from tests.chat.test_sources import prompt_of
from tests.chat.turning import make_answer
from tests.factories import make_agent, make_conversation, make_user
from tests.knowledge.documents import make_base
from tests.openai_stub import OpenAIStub, calls
from xiajiao.models import User

pytestmark = pytest.mark.django_db

PARROT = "# Pets\n\nThe office parrot is called Quillimax and eats trout every Friday."
LONG = "\n\n".join(f"Paragraph {number} is about tea number {number} and how it is brewed." for number in range(400))


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, language="en")


@pytest.fixture
def conversation(agent: Agent) -> Conversation:
    return make_conversation(agent=agent, user=agent.owner)


@pytest.fixture(autouse=True)
def _at_once(settings: Settings) -> None:
    settings.KB_ATTACHED_SECONDS = 0


def attach(client: Client, conversation: Conversation, text: str, name: str = "pets.md", **more: Any) -> Any:
    form = {"file": SimpleUploadedFile("file", text.encode()), "name": name, "fragment": "on"} | more
    return client.post(f"/conversations/{conversation.pk}/files/add/", form)


def ask(stub: OpenAIStub, conversation: Conversation, text: str = "Summarise this file") -> tuple[Any, list[Any]]:
    stub.says("Well [1].")
    answer = make_answer(text, conversation=conversation)
    events = list(run_turn(answer))
    return answer, events


def test_a_small_file_goes_in_whole_and_is_cited(
    openai_stub: OpenAIStub, signed_in: Client, conversation: Conversation
) -> None:
    assert attach(signed_in, conversation, PARROT).status_code == 201
    index_all()
    answer, _events = ask(openai_stub, conversation)
    prompt = prompt_of(openai_stub)
    assert "pets.md (all of it is below)" in prompt
    assert "[1] (doc: pets.md)\nThe office parrot" in prompt
    assert [(row.name, row.how) for row in answer.attached.all()] == [("pets.md", "whole")]
    page = signed_in.get(f"/conversations/{conversation.pk}/").text
    assert f'<a class="citation" href="/messages/{answer.pk}/sources/1/"' in page
    detail = signed_in.get(f"/messages/{answer.pk}/sources/1/").text
    assert f"/knowledge/documents/{Document.objects.get().pk}/?chunk={Chunk.objects.get().pk}" in detail
    assert "<mark>" not in detail
    assert "read whole" in signed_in.get(f"/messages/{answer.pk}/").text


def test_of_a_long_file_what_fits_goes_in_or_its_beginning_and_it_is_said(
    openai_stub: OpenAIStub, signed_in: Client, conversation: Conversation, settings: Settings
) -> None:
    settings.KB_ATTACHED_TOKENS = 500
    attach(signed_in, conversation, LONG, "tea.md")
    attach(signed_in, conversation, PARROT)
    index_all()
    answer, _events = ask(openai_stub, conversation, "Summarise this file")
    prompt = prompt_of(openai_stub)
    assert "Paragraph 0 is about" in prompt
    assert "Paragraph 399" not in prompt
    assert [(row.name, row.how) for row in answer.attached.all()] == [("tea.md", "beginning"), ("pets.md", "whole")]
    assert "only its beginning was read" in signed_in.get(f"/conversations/{conversation.pk}/").text

    answer, _events = ask(openai_stub, conversation, "How is tea number 399 of paragraph 399 brewed?")
    assert "Paragraph 399 is about" in prompt_of(openai_stub)
    assert answer.attached.get(name="tea.md").how == "passages"
    assert Source.objects.filter(message=answer, number=1).get().label == "pets.md"


def test_it_is_asked_in_its_conversation_alone_whatever_the_agents_bases(
    openai_stub: OpenAIStub, signed_in: Client, conversation: Conversation
) -> None:
    make_base(owner=conversation.user, serves_all_agents=True)
    attach(signed_in, conversation, PARROT)
    index_all()
    ask(openai_stub, make_conversation(agent=conversation.agent, user=conversation.user), "What does Quillimax eat?")
    assert "Quillimax" not in prompt_of(openai_stub)
    openai_stub.answers(calls(("kb_search", {"query": "Quillimax"})))
    answer, _events = ask(openai_stub, conversation, "Look for Quillimax")
    assert "[1] (doc: pets.md)" in answer.tool_calls.get().result
    assert "Files of a conversation" not in signed_in.get("/knowledge/").text


def test_a_file_that_is_not_read_yet_is_waited_for_and_then_said_to_be_unread(
    openai_stub: OpenAIStub, signed_in: Client, conversation: Conversation, settings: Settings
) -> None:
    settings.KB_ATTACHED_SECONDS = 0.01
    attach(signed_in, conversation, PARROT)
    answer, events = ask(openai_stub, conversation)
    assert FilesAwaited(1) in events
    assert "pets.md (not read yet, say so)" in prompt_of(openai_stub)
    assert answer.attached.get().how == "unread"
    page = signed_in.get(f"/conversations/{conversation.pk}/").text
    assert "was not read yet" in page
    assert 'id="attachment-' in page


def test_beside_the_composer_stand_files_since_the_last_message(
    openai_stub: OpenAIStub, signed_in: Client, conversation: Conversation
) -> None:
    attach(signed_in, conversation, "", "empty.txt")
    index_all()
    chips = f"/conversations/{conversation.pk}/files/chips/"
    assert "empty.txt" in signed_in.get(chips).text
    assert "There is nothing to read in the file." in signed_in.get(chips).text
    ask(openai_stub, conversation)
    assert "empty.txt" not in signed_in.get(chips).text
    assert "1 file in this conversation" in signed_in.get(chips).text
    assert "empty.txt" in signed_in.get(f"/conversations/{conversation.pk}/files/").text


def test_the_same_file_is_attached_once_and_another_of_its_name_beside_it(
    signed_in: Client, conversation: Conversation
) -> None:
    assert [attach(signed_in, conversation, text).status_code for text in ("a", "a", "b", "b")] == [201, 422, 201, 422]
    assert [row.doc_id for row in Document.objects.order_by("pk")] == ["pets.md", "pets.md (2)"]


def test_a_conversation_may_begin_with_a_file(signed_in: Client, agent: Agent) -> None:
    response = signed_in.post("/conversations/new/files/", {"agent": agent.pk, "fragment": "on"})
    conversation = Conversation.objects.get()
    assert (response.status_code, response["Location"]) == (201, f"/conversations/{conversation.pk}/")
    plain = {"agent": agent.pk, "file": [SimpleUploadedFile("a.md", b"a"), SimpleUploadedFile("b.md", b"b")]}
    response = signed_in.post("/conversations/new/files/", plain | {"text": "What is this?"})
    assert "What is this?</textarea>" in response.text
    assert Document.objects.count() == 2
    agent.archived_at = timezone.now()
    agent.save()
    assert signed_in.post("/conversations/new/files/", {"agent": agent.pk, "fragment": "on"}).status_code == 409


def test_files_go_and_come_back_with_their_conversation(signed_in: Client, conversation: Conversation) -> None:
    attach(signed_in, conversation, PARROT)
    index_all()
    document = Document.objects.get()
    address, path = f"/knowledge/documents/{document.pk}/", file_of(document)
    assert signed_in.get(address).status_code == 200
    delete_conversation(conversation)
    assert signed_in.get(address).status_code == 404
    restore_conversation(conversation)
    assert signed_in.get(address).status_code == 200
    delete_conversation(conversation)
    Conversation.objects.update(deleted_at=timezone.now() - timedelta(days=1))
    purge()
    assert not KnowledgeBase.objects.exists()
    assert not Document.objects.exists()
    assert path.exists()  # until the transaction holds


def test_a_file_is_kept_in_a_base(signed_in: Client, conversation: Conversation) -> None:
    attach(signed_in, conversation, PARROT)
    document = Document.objects.get()
    address = f"/knowledge/documents/{document.pk}/keep/"
    others = make_base(name="Theirs", is_shared=True)
    own = make_base(owner=conversation.user, name="Mine")
    form = signed_in.get(address, headers={"HX-Request": "true"}).text
    assert "Mine" in form
    assert "Theirs" not in form
    assert signed_in.post(address, {"base": others.pk}).status_code == 422
    assert signed_in.post(address, {"base": "", "name": " "}).status_code == 422
    signed_in.post(address, {"base": own.pk})
    signed_in.post(address, {"base": own.pk})
    signed_in.post(address, {"base": "", "name": "New one"})
    assert [own.documents.count(), KnowledgeBase.objects.get(name="New one").documents.count()] == [1, 1]
    delete_conversation(conversation)
    assert own.documents.get().name == "pets.md"


def test_nobody_else_reaches_them(client: Client, signed_in: Client, conversation: Conversation) -> None:
    attach(signed_in, conversation, PARROT)
    for stranger in (make_user(), make_user(is_staff=True)):
        other = Client()
        other.force_login(stranger)
        assert attach(other, conversation, "x").status_code == 404
        for address in (
            f"/knowledge/documents/{Document.objects.get().pk}/keep/",
            f"/conversations/{conversation.pk}/files/",
        ):
            assert other.get(address).status_code == 404
