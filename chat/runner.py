"""Runs turns in background threads of the web process, so many at once; what exceeds that waits its turn."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections import deque

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

from chat.events import Waited
from chat.interruption import interrupt
from chat.models import Message
from chat.stopping import StopSignal
from chat.stream import TurnStream
from chat.turns import run_turn
from xiajiao.once import once
from xiajiao.runners import name_runner
from xiajiao.timezones import clock_of

logger = logging.getLogger(__name__)

SAVE_EVERY = 1.0  # seconds
LOOK_EVERY = 0.5
BEAT_EVERY = 4.0
FAREWELL = 3.0


def start_turn(answer_id: int) -> None:
    """Write this pending answer soon; returns at once. The caller has committed it."""
    runner().submit(answer_id)


def stop_turn(answer: Message) -> None:
    """Ask for the end of an answer, whichever process writes it; its partial is kept."""
    Message.objects.unfinished().filter(pk=answer.pk).update(stop_requested_at=timezone.now())
    runner().stop(answer.pk)


@once
def runner() -> Runner:
    made = Runner(settings.TURN_THREADS)
    atexit.register(made.shut_down)
    return made


class Runner:
    """`signals` holds the turns that run or wait here; one thread beats for them all."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.name = name_runner()
        self.lock = threading.Lock()
        self.signals: dict[int, StopSignal] = {}
        self.waiting: deque[int] = deque()
        self.threads = 0
        self.idle = threading.Condition(self.lock)
        self.has_watcher = False

    def submit(self, answer_id: int) -> None:
        with self.lock:
            if answer_id in self.signals:
                return
            self.signals[answer_id] = StopSignal()
            self.waiting.append(answer_id)
            if self.threads < self.limit:
                self.threads += 1
                threading.Thread(target=self.work, name="turn", daemon=True).start()
            if not self.has_watcher:
                self.has_watcher = True
                threading.Thread(target=self.watch, name="turn-watcher", daemon=True).start()

    def stop(self, answer_id: int, outcome: str = Message.Status.STOPPED) -> None:
        signal = self.signals.get(answer_id)
        if signal is not None:
            signal.set(outcome)

    def work(self) -> None:
        """A thread's life: one turn after another, until none waits."""
        while (answer_id := self.take()) is not None:
            try:
                run_answer(answer_id, self.name, self.signals[answer_id])
            except Exception:
                logger.exception("The answer %s was left unfinished", answer_id)
                end_broken(answer_id)
            finally:
                connections.close_all()
                self.forget(answer_id)

    def take(self) -> int | None:
        with self.lock:
            if self.waiting:
                return self.waiting.popleft()
            self.threads -= 1
            return None

    def forget(self, answer_id: int) -> None:
        with self.lock:
            self.signals.pop(answer_id, None)
            self.idle.notify_all()

    def watch(self) -> None:
        """Hears of stops that another process wrote into the row, and shows a sign of life for each turn."""
        last_beat = time.monotonic()
        while ids := self.watched():
            try:
                self.look(ids)
                if time.monotonic() - last_beat >= BEAT_EVERY:
                    last_beat = time.monotonic()
                    self.beat(ids)
            except Exception:
                logger.exception("The turns' watcher could not reach the database")
            with self.lock:
                self.idle.wait(LOOK_EVERY)
        connections.close_all()

    def watched(self) -> list[int]:
        with self.lock:
            self.has_watcher = bool(self.signals)
            return list(self.signals)

    def look(self, ids: list[int]) -> None:
        asked = Message.objects.filter(pk__in=ids, stop_requested_at__isnull=False)
        for answer_id in asked.order_by().values_list("pk", flat=True):
            self.stop(answer_id)

    def beat(self, ids: list[int]) -> None:
        """Those that wait for a thread are this process's too."""
        unfinished = Message.objects.unfinished().filter(pk__in=ids)
        unfinished.update(runner=self.name, heartbeat_at=timezone.now())

    def shut_down(self) -> None:
        """The process ends: what is being written is kept as interrupted, within FAREWELL seconds."""
        with self.lock:
            for signal in self.signals.values():
                signal.set(Message.Status.INTERRUPTED)
            self.idle.wait_for(lambda: not self.signals, FAREWELL)


def run_answer(answer_id: int, runner_name: str, signal: StopSignal) -> None:
    """One turn from its claim to its end; does nothing for an answer that somebody else has claimed."""
    now = timezone.now()
    claim = Message.objects.filter(pk=answer_id, status=Message.Status.PENDING)
    if not claim.update(status=Message.Status.RUNNING, runner=runner_name, started_at=now, heartbeat_at=now):
        return
    related = ("conversation__agent__provider", "conversation__user", "parent")
    answer = Message.objects.select_related(*related).get(pk=answer_id)
    with clock_of(answer.conversation.user):
        write_answer(answer, signal)


def write_answer(answer: Message, signal: StopSignal) -> None:
    stream, saved_at = TurnStream(answer.pk), time.monotonic()
    for event in run_turn(answer, signal):
        if not isinstance(event, Waited):
            stream.append(event)
        if answer.is_pending and time.monotonic() - saved_at >= SAVE_EVERY:
            save_partial(answer, stream.position)
            saved_at = time.monotonic()


def save_partial(answer: Message, position: str) -> None:
    """What has been written so far and where in the stream that is, in one UPDATE.

    A database that is busy for too long costs the answer this save, not its life.
    """
    try:
        Message.objects.filter(pk=answer.pk).update(
            content=answer.content, reasoning=answer.reasoning, stream_position=position, heartbeat_at=timezone.now()
        )
    except DatabaseError as error:
        logger.warning("The partial of answer %s was not saved: %s", answer.pk, error)


def end_broken(answer_id: int) -> None:
    """An answer whose end could not be written ends as interrupted with what was saved of it, and may be tried again.

    Where the database can't be reached for that either, the sweep does it later.
    """
    try:
        answer = Message.objects.unfinished().select_related("conversation").filter(pk=answer_id).first()
        if answer is not None:
            interrupt(answer)
    except DatabaseError as error:
        logger.warning("The answer %s waits for the sweep: %s", answer_id, error)
