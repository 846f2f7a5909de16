"""Every address, asked in every way by everybody: nothing breaks, and nobody reaches what is another's."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.http import HttpResponseBase
from django.test import Client

from chat.models import Conversation, Message
from chat.runner import runner
from knowledge.models import Document
from memories.models import Agent, Memory
from tests.addresses import Belongings
from tests.factories import make_user
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

pytestmark = pytest.mark.django_db(transaction=True)

METHODS = ("GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PURGE", "POST")
OPEN = {"/healthz", "/readyz", "/login/", "/language/", "/theme/"}
ROUNDS = 4
HOSTILE = ("", "abc", "-1", "9" * 25, "9" * 5000, "²", "a\0b", "\ud83d", "\u202e", "[" * 3000, "nan")
FIELDS = (
    "agent before after sort type source tag created_from created_to updated_from updated_to"
    " q current provider person next tested text token title content version tags name"
    " answer conversation loss lost message"
    " kind decision finding job topic memory all_memories all_messages"
    " target icon colour default_category secrets_seen keep_secrets redacted_kinds"
    " base take yours bring_back description metadata valid_from valid_to audience zone pinned previewed date time"
    " selected matching page seen"
    " day number heading body below view remove pending scope decision mode state file called character speech skip"
    " encoding sort expected chunk from document url chunk_size chunk_overlap parent_size separators heading recut"
    " taken twins fragment back bases agents"
    " base_url key model_names username password emoji base_prompt temperature top_k relevance_floor"
).split()
FORM = {"category": "semantic", "type": "1", "importance": "2", "language": "en", "memory_position": "system_end"}
FORM |= {"action": "pin", "scope": "all"}
FORM["when_source_goes"] = "ask"
# Their own choices decide what else the view looks at.
CHOICES = ("", "&state=superseded", "&sort=-recalled", "&date=2026-05-03")


@pytest.fixture
def things(openai_stub: OpenAIStub) -> Iterator[Belongings]:
    openai_stub.always(Reply(text="Dumplings."))
    runner.cache_clear()
    yield Belongings()
    runner().shut_down()
    runner.cache_clear()


def make_client(person: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if person is not None:
        client.force_login(person)
    return client


def read(response: HttpResponseBase) -> str:
    return "" if response.streaming else getattr(response, "content", b"").decode()


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_a_stranger_is_sent_to_the_sign_in(things: Belongings, method: str) -> None:
    for address in things.addresses():
        if address in OPEN or address.startswith("/setup/"):
            continue
        page = make_client(None).generic(method, address)
        fragment = make_client(None).generic(method, address, headers={"HX-Request": "true"})
        assert (page.status_code, fragment.status_code) == (302, 204 if method == "GET" else 401), address
        assert page["Location"].startswith("/login/?next=")
        assert fragment.get("HX-Redirect", "/login/?next=").startswith("/login/?next=")


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_what_is_another_persons_does_not_exist(things: Belongings, method: str) -> None:
    client = make_client(make_user())
    for address in things.private_addresses():
        for headers in ({}, {"HX-Request": "true"}):
            response = client.generic(method, address, headers=headers)
            assert response.status_code in {404, 405}, (address, response.status_code)

    shown = [read(client.generic(method, address)) for address in things.addresses()]
    assert not [text for text in shown if "umquat" in text]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_staff_see_memories_and_documents_and_nobodys_conversations(things: Belongings, method: str) -> None:
    client = make_client(make_user(is_staff=True))
    for address in things.private_addresses():
        response = client.generic(method, address)
        # What waits for approval is not remembered yet.
        if address.startswith(("/memories/", "/knowledge/")) and not address.startswith("/memories/waiting/"):
            assert response.status_code in {200, 302, 405, 422}
        else:
            assert response.status_code in {404, 405}, address
        bring_back(things)


def test_no_method_breaks_an_address(things: Belongings) -> None:
    User.objects.filter(pk=things.owner.pk).update(is_staff=True, is_superuser=True)
    for address in things.addresses():
        client = make_client(things.owner)
        for method in METHODS:
            response = client.generic(method, address)
            assert response.status_code < 500 or address == "/readyz", (method, address)


@pytest.mark.parametrize("number", range(ROUNDS))
def test_no_value_breaks_an_address(things: Belongings, number: int) -> None:
    """A field meets a value in each round and, at the addresses that follow, all of them; every second choice and body
    goes with each."""
    User.objects.filter(pk=things.owner.pk).update(is_staff=True, is_superuser=True)
    fixed = "&".join(f"{name}={choice}" for name, choice in FORM.items())
    for place, address in enumerate(things.addresses()):
        hostile = deal_values(place + 3 * number)
        client = make_client(things.owner)
        answers = [client.get(f"{address}?{hostile}{choice}") for choice in CHOICES[number % 2 :: 2]]
        bodies = list_bodies(things, hostile, fixed)[number % 2 :: 2]
        answers += [client.post(address, body, FORM_TYPE) for body in bodies]
        assert not [answer for answer in answers if answer.status_code >= 500 and address != "/readyz"], address
        bring_back(things)


def deal_values(first: int) -> str:
    """To the fields in turn, as the query of an address."""
    values = [quote(value.encode("utf-8", "surrogatepass")) for value in HOSTILE]
    return "&".join(f"{name}={values[(first + place) % len(values)]}" for place, name in enumerate(FIELDS))


FORM_TYPE = "application/x-www-form-urlencoded"


def list_bodies(things: Belongings, hostile: str, fixed: str) -> list[str]:
    """All of it hostile, and so that the rest of a form is right."""
    right = f"agent={things.agent.pk}&text=Hi&content=Hi&name=Hi&username=someone"
    return [hostile, f"{fixed}&{hostile}", f"{hostile}&{right}", f"{hostile}&{fixed}&{right}&whole=1"]


def bring_back(things: Belongings) -> None:
    # Forgotten for good, it has to be made anew.
    for row in (things.memory, things.revision, things.loss):
        if not type(row).objects.filter(pk=row.pk).exists():
            row.save(force_insert=True)
    things.forgetting.save()
    Memory.objects.filter(pk=things.memory.pk).update(deleted_at=None)
    Document.objects.update(deleted_at=None)
    Message.objects.update(deleted_at=None)
    Conversation.objects.update(deleted_at=None, leaf=things.answer)
    Agent.objects.update(archived_at=None)
    User.objects.filter(pk=things.owner.pk).update(is_active=True)
