"""What `openai_stub` puts on the wire: HTTP and server-sent events in OpenAI's form."""

from __future__ import annotations

import base64
import json
import re
import socket
import struct
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from tests.openai_stub import OpenAIStub, Reply

# A word with the blanks after it, or two Chinese characters.
DELTA = re.compile(r"[^\x00-\u2e7f]{1,2}|[^\s\u2e80-\uffff]+\s*|\s+", re.DOTALL)
numbers = count(1)


class Handler(BaseHTTPRequestHandler):
    server: OpenAIStub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""

    def do_GET(self) -> None:
        if self.path.rstrip("/").endswith("/models"):
            listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in self.server.models]}
            self.send_whole(self.server.models_reply, listed)
        else:
            self.send_body(404, b"<html><title>404 Not Found</title></html>", "text/html")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            self.send_embeddings(body)
        elif self.path.endswith("/rerank"):
            self.send_ranks(body)
        elif self.path.endswith("/chat/completions"):
            self.send_chat(
                body, self.server.take_reply(body, {name.lower(): value for name, value in self.headers.items()})
            )
        else:
            self.send_body(404, b"<html><title>404 Not Found</title></html>", "text/html")

    def send_ranks(self, body: dict[str, Any]) -> None:
        """As `rerank_reply` says, else the longest text first."""
        self.server.rerank_requests.append(body)
        reply = self.server.rerank_reply
        if reply is not None:
            time.sleep(reply.wait)
        ranks = [{"index": at, "relevance_score": len(text) / 1000} for at, text in enumerate(body["documents"])]
        self.send_whole(reply, {"results": ranks[::-1]})

    def send_chat(self, body: dict[str, Any], reply: Reply) -> None:
        time.sleep(reply.wait)
        if reply.status != 200 or reply.raw is not None:
            self.send_whole(reply, {})
        elif not body.get("stream"):
            self.send_body(200, json.dumps(completion(reply)).encode(), "application/json")
        else:
            try:
                self.send_stream(reply, bool(body.get("stream_options", {}).get("include_usage")))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
                self.server.dropped.release()

    def send_stream(self, reply: Reply, usage_wanted: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        started = time.monotonic()
        for number, delta in enumerate(deltas(reply)):
            if number == reply.cut_after:
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return
            if number == reply.ends_after:
                break
            if number == reply.error_after:
                self.send_line(f"data: {json.dumps({'error': reply.error})}")
                break
            if reply.rate:
                time.sleep(max(0.0, started + number / reply.rate - time.monotonic()))
            self.send_line(f"data: {json.dumps(chunk(delta))}")
            for line in reply.noise if number == 0 else ():
                self.send_line(line)
        else:
            self.send_end(reply, usage_wanted)
        self.wfile.write(b"0\r\n\r\n")

    def send_end(self, reply: Reply, usage_wanted: bool) -> None:
        reason = reply.finish_reason or ("tool_calls" if reply.calls else "stop")
        self.send_line(f"data: {json.dumps(chunk({}, reason))}")
        if usage_wanted and reply.sends_usage:
            self.send_line(f"data: {json.dumps(chunk({}) | {'choices': [], 'usage': usage(reply)})}")
        if reply.sends_done:
            self.send_line("data: [DONE]")

    def send_line(self, line: str) -> None:
        event = line.encode() + b"\n\n"
        self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")

    def send_whole(self, reply: Reply | None, otherwise: dict[str, Any]) -> None:
        if reply is None:
            self.send_body(200, json.dumps(otherwise).encode(), "application/json")
        elif reply.raw is not None or isinstance(reply.error, str):
            page = reply.raw if reply.raw is not None else reply.error
            self.send_body(reply.status, str(page).encode(), "text/html", reply.headers)
        else:
            failure = json.dumps({"error": reply.error}).encode()
            self.send_body(reply.status, failure, "application/json", reply.headers)

    def send_body(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_embeddings(self, body: dict[str, Any]) -> None:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.server.embedding_requests.append(body)
        reply = self.server.embedding_reply
        if reply is None and len(texts) > self.server.largest_batch:
            message = f"batch size is invalid, it should not be larger than {self.server.largest_batch}."
            self.send_body(400, json.dumps({"error": {"message": message}}).encode(), "application/json")
            return
        items = []
        for index, text in enumerate(texts):
            vector: Any = embed(text, self.server.dimension)
            if body.get("encoding_format") == "base64":
                vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
            items.append({"object": "embedding", "index": index, "embedding": vector})
        answer = {"object": "list", "data": items, "model": body["model"]}
        self.send_whole(reply, answer | {"usage": {"prompt_tokens": len(texts), "total_tokens": len(texts)}})


def embed(text: str, dimension: int) -> list[float]:
    """Words and pairs of characters thrown into `dimension` drawers: like texts get like vectors."""
    vector = [0.0] * dimension
    lowered = text.lower()
    for term in [*lowered.split(), *(lowered[i : i + 2] for i in range(len(lowered)))]:
        drawer = crc32(term.encode("utf-8", "replace"))
        vector[drawer % dimension] += 1.0 if drawer & 65536 else -1.0
    length = sum(value * value for value in vector) ** 0.5 or 1.0
    return [value / length for value in vector]


def deltas(reply: Reply) -> Iterator[dict[str, Any]]:
    """The pieces of a streamed message in the order in which servers send them."""
    yield {"role": "assistant", "content": ""}
    for piece in DELTA.findall(reply.reasoning):
        yield {"reasoning_content": piece}
    for piece in reply.deltas if reply.deltas is not None else DELTA.findall(reply.text):
        yield {"content": piece}
    for index, call in enumerate(reply.calls):
        first = {"id": call.id or f"call_{next(numbers)}"} if reply.sends_ids else {}
        pieces = [call.arguments[i : i + reply.fragment] for i in range(0, len(call.arguments), reply.fragment)]
        for number, piece in enumerate(pieces or [""]):
            fragment: dict[str, Any] = {"index": index} if reply.sends_index else {}
            if number == 0:
                fragment |= first | {"type": "function", "function": {"name": call.name, "arguments": piece}}
            else:
                fragment |= {"function": {"arguments": piece}}
            yield {"tool_calls": [fragment]}


def chunk(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {"id": "stub", "object": "chat.completion.chunk", "created": 1, "model": "stub-model", "choices": [choice]}


def usage(reply: Reply) -> dict[str, int]:
    completion_tokens = len(DELTA.findall(reply.text)) + len(reply.calls)
    return {"prompt_tokens": 11, "completion_tokens": completion_tokens, "total_tokens": 11 + completion_tokens}


def completion(reply: Reply) -> dict[str, Any]:
    """The same reply, not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": call.id or f"call_{next(numbers)}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in reply.calls
        ]
    reason = reply.finish_reason or ("tool_calls" if reply.calls else "stop")
    choices = [{"index": 0, "message": message, "finish_reason": reason}]
    return {"id": "stub", "object": "chat.completion", "created": 1, "model": "stub-model"} | {
        "choices": choices,
        "usage": usage(reply),
    }
