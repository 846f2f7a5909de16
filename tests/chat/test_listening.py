import threading
from collections.abc import Iterator

import pytest

from chat.listening import listen
from chat.stopping import StopSignal, TurnStoppedError
from xiajiao.llm.base import ModelError, ModelEvent, ReasoningDelta, StepFinished, TextDelta


def test_deltas_of_one_kind_are_joined_in_order() -> None:
    def speak() -> Iterator[ModelEvent]:
        yield from [TextDelta(str(number)) for number in range(1_000)]
        yield from [ReasoningDelta("hm")] * 3
        yield StepFinished()

    batches = list(listen(speak(), StopSignal()))

    events = [event for batch in batches for event in batch]
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "".join(map(str, range(1_000)))
    assert events[-1] == StepFinished()
    assert len(events) < 100


def test_what_the_model_raises_is_raised_after_what_it_said() -> None:
    def speak() -> Iterator[ModelEvent]:
        yield TextDelta("half")
        raise ModelError("cut_off")

    heard: list[ModelEvent] = []
    with pytest.raises(ModelError, match="cut_off"):
        heard.extend(event for batch in listen(speak(), StopSignal()) for event in batch)
    assert heard == [TextDelta("half")]


def test_a_stop_is_heard_while_the_model_is_silent_and_closes_it_at_its_next_word() -> None:
    next_word, closed = threading.Event(), threading.Event()

    def speak() -> Iterator[ModelEvent]:
        try:
            yield TextDelta("one")
            next_word.wait(30)
            yield TextDelta("two")
        finally:
            closed.set()

    stop = StopSignal()
    heard = listen(speak(), stop)
    assert next(heard) == [TextDelta("one")]
    threading.Timer(0.05, stop.set, ["stopped"]).start()
    with pytest.raises(TurnStoppedError):
        list(heard)
    assert not next_word.is_set()
    next_word.set()
    assert closed.wait(10)


def test_a_silent_second_is_told_by_an_empty_batch() -> None:
    go_on = threading.Event()

    def speak() -> Iterator[ModelEvent]:
        go_on.wait(30)
        yield StepFinished()

    for batch in listen(speak(), StopSignal()):
        if not batch:
            go_on.set()
    assert go_on.is_set()
