"""Listen to a model in a thread of its own, so that a turn can be stopped and saved while the model is silent."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from queue import Empty, SimpleQueue

from django.db import connections
from django.utils import timezone

from chat.stopping import StopSignal
from xiajiao.llm.base import ModelEvent, ReasoningDelta, TextDelta

PACE = 0.03  # seconds between two batches
BEAT = 1.0  # seconds of silence after which an empty batch comes


@dataclass(frozen=True)
class Ended:
    """The model has no more to say; `error` is what it raised."""

    error: Exception | None = None


Box = SimpleQueue[ModelEvent | Ended | None]


def listen(events: Iterator[ModelEvent], stop: StopSignal) -> Iterator[list[ModelEvent]]:
    """Batches of events as they come, one in 30 ms at most, deltas of one kind joined; an empty one in each silent
    second. Raises TurnStoppedError at once when `stop` is set, and whatever the model raises.

    The abandoned model's iterator is closed at its next word, or when its own time is up.
    """
    box: Box = SimpleQueue()
    is_abandoned = threading.Event()
    stop.wake = lambda: box.put(None)
    pumped = partial(pump, events, box, is_abandoned, timezone.get_current_timezone())
    threading.Thread(target=pumped, name="model", daemon=True).start()
    try:
        yield from take_batches(box, stop)
    finally:
        is_abandoned.set()


def take_batches(box: Box, stop: StopSignal) -> Iterator[list[ModelEvent]]:
    last, ended = 0.0, None
    while ended is None:
        batch = wait_for_first(box)
        stop.check()
        if batch:
            stop.event.wait(max(0.0, last + PACE - time.monotonic()))
            batch += drain(box)
            last = time.monotonic()
        ended = next((item for item in batch if isinstance(item, Ended)), None)
        yield join_deltas([item for item in batch if item is not None and not isinstance(item, Ended)])
        stop.check()
    if ended.error is not None:
        raise ended.error


def wait_for_first(box: Box) -> list[ModelEvent | Ended | None]:
    try:
        return [box.get(timeout=BEAT)]
    except Empty:
        return []


def drain(box: Box) -> Iterator[ModelEvent | Ended | None]:
    while True:
        try:
            yield box.get_nowait()
        except Empty:
            return


def pump(events: Iterator[ModelEvent], box: Box, is_abandoned: threading.Event, zone: tzinfo) -> None:
    """The thread's outermost line: whatever was raised is raised again in the turn, which logs it."""
    error = None
    timezone.activate(zone)
    try:
        for event in events:
            if is_abandoned.is_set():
                break
            box.put(event)
    except Exception as raised:  # noqa: BLE001
        error = raised
    finally:
        box.put(Ended(error))
        close = getattr(events, "close", None)
        if close is not None:
            close()
        connections.close_all()


def join_deltas(events: Iterable[ModelEvent]) -> list[ModelEvent]:
    """Neighbours of one kind become one delta."""
    joined: list[ModelEvent] = []
    for event in events:
        last = joined[-1] if joined else None
        if isinstance(event, TextDelta) and isinstance(last, TextDelta):
            joined[-1] = TextDelta(last.text + event.text)
        elif isinstance(event, ReasoningDelta) and isinstance(last, ReasoningDelta):
            joined[-1] = ReasoningDelta(last.text + event.text)
        else:
            joined.append(event)
    return joined
