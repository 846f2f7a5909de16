"""A person with a browser that does not give up: it sends its form again, and follows an answer to its end."""

from __future__ import annotations

import http.client
import re
import time
import uuid
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from tests.chat.pages import read_events
from tests.installation import PATIENCE

FORM = "application/x-www-form-urlencoded"
PASSWORD = "a long and uncommon phrase"


class Visitor:
    """Cookies of one browser, and the conversation that it is in."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.conversation = ""

    def set_up(self, link: str) -> None:
        """The first account, with the model that the environment offers."""
        path = urlsplit(link).path
        form = {"username": "shrimp", "password1": PASSWORD, "password2": PASSWORD, "model": "environment"}
        status, _, body = self.request("GET", path)
        assert status == 200, body
        status, _, body = self.request("POST", path, form)
        assert status == 302, body

    def begin(self, text: str) -> None:
        """A new conversation, by the form of the home page."""
        _, _, page = self.request("GET", "/")
        agent = re.search(r'name="agent"[^>]*value="(\d+)"', page)
        assert agent, page
        location = self.send("/conversations/new/", text, agent=agent[1])
        self.conversation = location

    def say(self, text: str) -> None:
        self.send(f"{self.conversation}messages/", text)

    def send(self, path: str, text: str, **more: str) -> str:
        """The same form again until the site has taken it; where it leads to."""
        form = {"text": text, "token": str(uuid.uuid4()), **more}
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                status, location, body = self.request("POST", path, form)
            except (OSError, http.client.HTTPException):
                assert time.monotonic() < deadline, "the site did not come back"
                time.sleep(0.05)
            else:
                assert status in {200, 302}, (status, body)
                return location

    def retry(self, answer: int) -> None:
        status, _, body = self.request("POST", f"/messages/{answer}/answers/", {})
        assert status in {200, 302}, (status, body)

    def follow(self, answer: int) -> None:
        """To the end of the answer, over as many connections as it takes."""
        position, deadline = "", time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < deadline, f"the stream of answer {answer} never ended"
            try:
                position, has_ended = self.read_stream(answer, position)
            except (OSError, http.client.HTTPException):
                has_ended = False
            if has_ended:
                return
            time.sleep(0.05)

    def read_stream(self, answer: int, position: str) -> tuple[str, bool]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            resume = {"Last-Event-ID": position} if position else {}
            connection.request("GET", f"/messages/{answer}/stream/", headers=self.headers | resume)
            response = connection.getresponse()
            assert response.status == 200, response.status
            for event in read_events(response):
                if event.name == "turn-finished":
                    return position, True
                position = event.id or position
            return position, False
        finally:
            connection.close()

    def add_base(self, name: str, **more: str) -> int:
        """A knowledge base; its key."""
        status, location, body = self.request("POST", "/knowledge/add/", {"name": name, **more})
        assert status == 302, body
        return int(location.rstrip("/").rpartition("/")[2])

    def upload(self, base: int, name: str, content: bytes) -> None:
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        fields = f'\r\n--{boundary}\r\nContent-Disposition: form-data; name="fragment"\r\n\r\non\r\n--{boundary}--\r\n'
        body, kind = head.encode() + content + fields.encode(), f"multipart/form-data; boundary={boundary}"
        status, _, answer = self.request("POST", f"/knowledge/{base}/files/", body, kind)
        assert status == 201, answer

    def request(
        self, method: str, path: str, form: dict[str, str] | bytes | None = None, kind: str = FORM
    ) -> tuple[int, str, str]:
        """Status, Location and body; the path alone of a Location on this site."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers, body = dict(self.headers), None
            if form is not None:
                body = form if isinstance(form, bytes) else urlencode(form)
                headers |= {"Content-Type": kind, "X-CSRFToken": self.csrf_token}
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read().decode()
            self.keep_cookies(response)
            return response.status, response.headers.get("Location", ""), text
        finally:
            connection.close()

    @property
    def headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Host": f"localhost:{self.port}", "Cookie": cookies, "Origin": f"http://localhost:{self.port}"}

    @property
    def csrf_token(self) -> str:
        return next((value for name, value in self.cookies.items() if "csrf" in name), "")

    def keep_cookies(self, response: http.client.HTTPResponse) -> None:
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
