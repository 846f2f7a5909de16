"""The one async view: follow an answer while it is written. chat/stream.py says what goes over the wire."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.http import require_GET

from chat.branches import place_among_siblings
from chat.events import TurnFinished, TurnStarted
from chat.interruption import interrupt, is_abandoned
from chat.live import LiveAnswer
from chat.models import Message
from chat.pace import Pace
from chat.stream import Entry
from chat.tail import StreamTail

SILENCE = 2.0  # seconds without an entry after which the row is asked
ROW_PACE = 0.5  # seconds until the row has what the stream has lost
KEEP_ALIVE = 15.0  # seconds without a word after which a proxy might hang up
# Rendered on the event loop itself; more characters go to a thread.
QUICK = 4_000
HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}


@require_GET
async def turn_stream(request: HttpRequest, message_id: int) -> StreamingHttpResponse:
    user = await request.auser()
    answer = await load_answer(message_id)
    if answer is None or answer.conversation.user_id != user.pk or answer.conversation.deleted_at is not None:
        raise Http404
    after = request.headers.get("Last-Event-ID") or request.GET.get("after", "")
    frames = Following(answer, translation.get_language() or "en").frames(after)
    return StreamingHttpResponse(frames, content_type="text/event-stream; charset=utf-8", headers=HEADERS)


class Following:
    """One page that follows one answer."""

    def __init__(self, answer: Message, language: str) -> None:
        self.answer = answer
        self.language = language
        self.live = LiveAnswer(answer.pk)
        self.position = ""
        self.is_snapshot = True
        self.has_ended = not answer.is_pending
        self.spoke_at = time.monotonic()

    async def frames(self, after: str) -> AsyncIterator[str]:
        tail = StreamTail(self.answer.pk)
        try:
            if not self.has_ended:
                self.begin(await tail.read_all(), after)
                with Pace() as pace:
                    async for frame in self.updates(tail, pace):
                        yield frame
        finally:
            await tail.close()
        yield "event: turn-ended\ndata: done\n\n"
        yield format_event(await render_finished(self.answer.pk, self.language), self.position)
        yield "event: turn-finished\ndata: done\n\n"

    def begin(self, entries: list[Entry], after: str) -> None:
        """From the stream where it is whole, or else from the row and what the stream holds beyond."""
        if not entries or not isinstance(entries[0].event, TurnStarted):
            self.restore()
            return
        known = [entry.position for entry in entries]
        shown = known.index(after) + 1 if after in known else 0
        if shown:
            self.take(entries[:shown])
            self.live.mark_shown()
            self.is_snapshot = False
        self.take(entries[shown:])

    def restore(self) -> None:
        self.live.restore(self.answer, self.answer.tool_calls.all())
        self.position, self.is_snapshot = self.answer.stream_position, True

    def take(self, entries: list[Entry]) -> bool:
        """False where a piece of the answer is missing before one of them; it and what follows are left."""
        for position, event, at in entries:
            if at > len(self.live.content):
                return False
            self.live.apply(event)
            self.position = position
            self.has_ended = self.has_ended or isinstance(event, TurnFinished)
        return bool(entries)

    async def updates(self, tail: StreamTail, pace: Pace) -> AsyncIterator[str]:
        """Frames until the answer is finished, its last words included."""
        while True:
            html, cost = await self.render()
            if html or time.monotonic() - self.spoke_at > KEEP_ALIVE:
                self.spoke_at = time.monotonic()
                yield format_event(html, self.position) if html else ": still here\n\n"
            if self.has_ended:
                return
            # The first words are not kept waiting.
            await asyncio.sleep(pace.pause(cost, len(html)) if html and self.live.content else 0)
            entries = await tail.read_after(self.position, SILENCE)
            if not self.take(entries):
                await self.ask_row()
                await asyncio.sleep(ROW_PACE if entries else 0)

    async def render(self) -> tuple[str, float]:
        """What the page lacks, and the seconds of work that it took."""
        if self.live.unshown < QUICK:
            return self.render_now()
        return await asyncio.to_thread(self.render_now)

    def render_now(self) -> tuple[str, float]:
        began = time.thread_time()
        is_snapshot, self.is_snapshot = self.is_snapshot, False
        with translation.override(self.language):
            html = self.live.render(is_snapshot)
        return html, time.thread_time() - began

    async def ask_row(self) -> None:
        """The stream is silent: because the model is, or because the stream or the server is no more."""
        answer = await load_answer(self.answer.pk, ends_abandoned=True)
        if answer is not None and len(answer.content) > len(self.live.content):
            self.answer = answer
            self.restore()
        self.has_ended = answer is None or not answer.is_pending


@sync_to_async
def load_answer(answer_id: int, ends_abandoned: bool = False) -> Message | None:
    """With its conversation and tool calls. The connection is given back: a stream that waits holds none."""
    try:
        rows = Message.objects.select_related("conversation").prefetch_related("tool_calls")
        answer = rows.kept().filter(pk=answer_id, role=Message.Role.ASSISTANT).first()
        if answer is not None and ends_abandoned and answer.is_pending and is_abandoned(answer):
            interrupt(answer)
            answer.refresh_from_db(fields=["status"])
        return answer
    finally:
        connection.close()


@sync_to_async
def render_finished(answer_id: int, language: str) -> str:
    """The message as a page shows it when it is loaded; nothing where it was deleted meanwhile."""
    try:
        rows = Message.objects.kept().select_related("conversation__agent")
        whole = rows.prefetch_related(
            "tool_calls",
            "recalled",
            "remembered__memory",
            "remembered__tool_call",
            "forgettings",
            "sources",
            "attached",
        )
        answer = whole.filter(pk=answer_id).first()
        if answer is None:
            return ""
        with translation.override(language):
            html = render_to_string("chat/_message.html", {"item": place_among_siblings(answer)})
        return f'<hx-partial hx-target="#message-{answer_id}" hx-swap="outerHTML">{html}</hx-partial>'
    finally:
        connection.close()


def format_event(data: str, position: str) -> str:
    """A server-sent event; its lines are put together again by the browser."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"id: {position}\n{lines}\n" if position else f"{lines}\n"
