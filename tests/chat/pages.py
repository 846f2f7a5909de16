"""A browser that follows answers, with as much of htmx as that takes."""

from __future__ import annotations

import html
import http.client
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.conf import settings
from django.test import Client

from chat.models import Message
from xiajiao.models import User

PARTIAL = re.compile(r'<hx-partial hx-target="#([^"]+)" hx-swap="(\w+)">(.*?)</hx-partial>', re.DOTALL)
COUNTED = re.compile(r"w\d+")
TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class SentEvent:
    """One server-sent event, or a comment that keeps the line open."""

    data: str = ""
    name: str = ""
    id: str = ""


@dataclass
class Page:
    """The places of one message in a page, as htmx changes them."""

    places: dict[str, str] = field(default_factory=lambda: dict.fromkeys(["blocks", "open", "reasoning", "stage"], ""))
    finished: str = ""
    last_id: str = ""

    def swap(self, data: str) -> None:
        for target, swap, content in PARTIAL.findall(data):
            place = target.rpartition("-")[2]
            if target.startswith("tool-call-"):
                self.replace_call(target, content)
            elif place in self.places:
                self.places[place] = self.places[place] + content if swap == "beforeend" else content
            else:
                self.finished = content

    def replace_call(self, target: str, content: str) -> None:
        pattern = rf'<details id="{target}".*?</details>'
        before, after = re.split(pattern, self.places["blocks"], maxsplit=1, flags=re.DOTALL)
        self.places["blocks"] = before + content + after

    @property
    def html(self) -> str:
        """What it shows while the answer is written."""
        return self.places["blocks"] + self.places["open"]

    @property
    def words(self) -> list[str]:
        """What the model has said, as far as it shows."""
        return read_words(self.html)

    def follow(self, events: Iterator[SentEvent]) -> None:
        """Until the stream says that it is at its end."""
        for event in events:
            self.last_id = event.id or self.last_id
            if event.name == "turn-finished":
                return
            self.swap(event.data)
        raise AssertionError("the stream ended without a word")


def read_words(markup: str) -> list[str]:
    return html.unescape(TAG.sub(" ", markup)).split()


def read_count(markup: str) -> list[str]:
    """The words of a model that counts w0, w1, w2 and so on; what the page says around them is left out."""
    return [word for word in read_words(markup) if COUNTED.fullmatch(word)]


class Site:
    """The server under test and who is signed in there."""

    def __init__(self, port: int) -> None:
        self.port = port

    def open_stream(self, user: User, answer: Message, last_id: str = "", query: str = "") -> http.client.HTTPResponse:
        headers = {"Cookie": cookie_of(user), "Accept": "text/html, text/event-stream"}
        if last_id:
            headers["Last-Event-ID"] = last_id
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", f"/messages/{answer.pk}/stream/{query}", headers=headers)
        return connection.getresponse()

    def events(self, user: User, answer: Message, last_id: str = "", query: str = "") -> Iterator[SentEvent]:
        response = self.open_stream(user, answer, last_id, query)
        assert response.status == 200, response.read()
        yield from read_events(response)


def read_events(response: http.client.HTTPResponse) -> Iterator[SentEvent]:
    lines: list[str] = []
    for raw in response:
        line = raw.decode().rstrip("\n")
        if line:
            lines.append(line)
            continue
        fields = [part.partition(": ")[::2] for part in lines if not part.startswith(":")]
        data = "\n".join(value for name, value in fields if name in {"data", "data:"})
        yield SentEvent(data, *(next((value for n, value in fields if n == name), "") for name in ("event", "id")))
        lines = []


def cookie_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
