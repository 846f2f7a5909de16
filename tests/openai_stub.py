"""A scripted server that speaks OpenAI's API on a real socket; the real SDK talks to it.

`python -m tests.openai_stub --port 9000 --says "…" --rate 20` serves the same reply for ever.
"""

from __future__ import annotations

import argparse
import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from http.server import ThreadingHTTPServer
from typing import Any, Self

from tests.openai_wire import Handler


@dataclass(frozen=True)
class Call:
    """A tool call as the model asks for it; `arguments` is sent as it stands, JSON or not."""

    name: str
    arguments: str
    id: str | None = None


@dataclass(frozen=True)
class Reply:
    """One answer of the server, with the ways in which servers misbehave."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    reasoning: str = ""
    finish_reason: str | None = None  # None: what fits
    status: int = 200
    error: dict[str, Any] | str = ""  # a str is sent as an HTML page
    headers: dict[str, str] = field(default_factory=dict)
    sends_usage: bool = True
    sends_index: bool = True
    sends_ids: bool = True
    sends_done: bool = True
    deltas: tuple[str, ...] | None = None  # how `text` is cut; None: words
    fragment: int = 12  # characters of arguments in one piece
    wait: float = 0.0  # seconds before the first byte
    rate: float = 0.0  # deltas a second; 0: as fast as it goes
    cut_after: int | None = None  # deltas, then the connection breaks
    ends_after: int | None = None  # deltas, then the body ends as if all were said
    error_after: int | None = None  # deltas, then `error` inside the stream
    noise: tuple[str, ...] = ()  # raw lines between the first deltas
    raw: str | None = None  # the whole body instead


Script = Reply | Callable[[dict[str, Any]], Reply]


class OpenAIStub(ThreadingHTTPServer):
    """Answers chat requests in the order of its script, then with `always`, else with an error that says so."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.script: deque[Script] = deque()
        self.fallback: Script | None = None
        self.requests: list[dict[str, Any]] = []
        self.request_headers: list[dict[str, str]] = []
        self.embedding_requests: list[dict[str, Any]] = []
        self.rerank_requests: list[dict[str, Any]] = []
        self.rerank_reply: Reply | None = None
        self.models = ["stub-model"]
        self.models_reply: Reply | None = None
        self.refuses: set[str] = set()  # parameters that are answered with 400
        self.dimension = 16
        self.largest_batch = 2048
        self.embedding_reply: Reply | None = None
        self.dropped = threading.Semaphore(0)  # released for each reply whose reader went away
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self.shutdown()
        self.server_close()

    def says(self, text: str, **how: Any) -> None:
        self.script.append(Reply(text=text, **how))

    def calls(self, name: str, **arguments: Any) -> None:
        """One tool call; for several, or broken ones, see `answers`."""
        self.script.append(Reply(calls=(Call(name, json.dumps(arguments, ensure_ascii=False)),)))

    def fails(self, status: int, message: str = "", **how: Any) -> None:
        self.script.append(Reply(status=status, error={"message": message, "type": "stub", "code": None}, **how))

    def answers(self, *script: Script) -> None:
        """Replies, or functions from the request's body to a reply."""
        self.script.extend(script)

    def always(self, script: Script) -> None:
        """What is answered when the script has ended."""
        self.fallback = script

    def take_reply(self, body: dict[str, Any], headers: dict[str, str]) -> Reply:
        """Record a chat request and find its reply."""
        with self.lock:
            self.requests.append(body)
            self.request_headers.append(headers)
            refused = sorted(self.refuses & set(body))
            if refused:
                return refusal(f"Unrecognized request argument supplied: {refused[0]}")
            script = self.script.popleft() if self.script else self.fallback
        if script is None:
            return refusal("The script of openai_stub has ended.")
        return script(body) if callable(script) else script

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader that goes away is part of the play."""


def refusal(message: str) -> Reply:
    return Reply(status=400, error={"message": message, "type": "invalid_request_error", "code": None})


def calls(*named: tuple[str, dict[str, Any]], **how: Any) -> Reply:
    """Parallel tool calls in one reply."""
    made = tuple(Call(name, json.dumps(arguments, ensure_ascii=False)) for name, arguments in named)
    return replace(Reply(calls=made), **how)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--says", default="Dumplings.")
    parser.add_argument("--repeat", type=int, default=1, help="how many times over it says that")
    parser.add_argument("--rate", type=float, default=0.0, help="deltas a second")
    parser.add_argument("--wait", type=float, default=0.0, help="seconds before the first byte")
    options = parser.parse_args(arguments)
    stub = OpenAIStub(options.port)
    stub.always(Reply(text=options.says * options.repeat, rate=options.rate, wait=options.wait))
    print(stub.base_url, flush=True)
    stub.serve_forever()


if __name__ == "__main__":
    main()
