import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from chat.interruption import mark_interrupted
from chat.models import Message
from chat.runner import start_turn, stop_turn
from chat.stream import broker, stream_key
from tests.chat.pages import Page, SentEvent, Site, read_count, read_words
from tests.chat.turning import finish, make_answer, wait_for
from tests.factories import make_user
from tests.openai_stub import Call, OpenAIStub, Reply

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = [f"w{number}" for number in range(60)]
TEXT = " ".join(f"{word}\n\n" if number % 9 == 8 else word for number, word in enumerate(WORDS))


def begin(stub: OpenAIStub, reply: Reply, text: str = "Hi") -> Message:
    stub.answers(reply)
    answer = make_answer(text)
    start_turn(answer.pk)
    return answer


def take_until(events: Iterator[SentEvent], page: Page, word: str) -> None:
    for event in events:
        page.last_id = event.id or page.last_id
        page.swap(event.data)
        if word in page.words:
            return
    raise AssertionError(f"{word} never came")


def test_every_word_arrives_in_order_and_the_finished_message_replaces_all(site: Site, openai_stub: OpenAIStub) -> None:
    answer = begin(openai_stub, Reply(text=TEXT, rate=60))
    page, seen = Page(), 0
    for event in site.events(answer.conversation.user, answer):
        if event.name == "turn-finished":
            break
        page.swap(event.data)
        assert page.words == WORDS[: len(page.words)]
        seen += not page.finished

    assert seen > 3
    assert read_count(page.finished) == WORDS
    assert f'id="message-{answer.pk}"' in page.finished
    assert "hx-sse" not in page.finished


def test_nothing_between_holds_the_stream_back(site: Site, openai_stub: OpenAIStub) -> None:
    answer = begin(openai_stub, Reply(text="Hello."))
    response = site.open_stream(answer.conversation.user, answer)

    assert response.headers["Content-Type"].startswith("text/event-stream")
    assert response.headers["X-Accel-Buffering"] == "no"
    assert response.headers["Cache-Control"] == "no-store, no-transform"
    assert response.headers.get("Content-Encoding") is None


def test_a_second_page_sees_the_same(site: Site, openai_stub: OpenAIStub) -> None:
    answer = begin(openai_stub, Reply(text=TEXT, rate=60))
    user = answer.conversation.user
    first, second = Page(), Page()
    events = site.events(user, answer)
    take_until(events, first, WORDS[20])
    later = site.events(user, answer)
    take_until(later, second, WORDS[30])
    first.follow(events)
    second.follow(later)

    assert first.finished == second.finished
    assert second.words == WORDS[: len(second.words)]


@pytest.mark.parametrize("way", ["header", "query"])
def test_a_connection_that_broke_goes_on_where_it_was(site: Site, openai_stub: OpenAIStub, way: str) -> None:
    answer = begin(openai_stub, Reply(text=TEXT, rate=60))
    user = answer.conversation.user
    page = Page()
    take_until(site.events(user, answer), page, WORDS[25])
    how = {"last_id": page.last_id} if way == "header" else {"query": f"?after={page.last_id}"}
    sent = []
    for event in site.events(user, answer, **how):
        if event.name == "turn-finished":
            break
        page.swap(event.data)
        sent += [event.data] * (not event.name)
        assert page.words == WORDS[: len(page.words)]

    assert WORDS[3] not in read_words("".join(sent[:-1])), "what the page had was sent again"
    assert read_count(page.finished) == WORDS


@pytest.mark.parametrize("last_id", ["1-1", "garbage", "99999999999999-0", "../x", "-"])
def test_a_place_that_the_stream_does_not_know_is_answered_with_everything(
    site: Site, openai_stub: OpenAIStub, last_id: str
) -> None:
    answer = begin(openai_stub, Reply(text=TEXT, rate=60))
    page = Page()
    page.places["blocks"] = "stale"
    take_until(site.events(answer.conversation.user, answer, last_id), page, WORDS[30])

    assert page.words == WORDS[: len(page.words)]


def test_a_lost_stream_is_answered_from_the_row(site: Site, openai_stub: OpenAIStub) -> None:
    answer = begin(openai_stub, Reply(text=TEXT, rate=20))
    user = answer.conversation.user
    wait_for(lambda: "w20" in Message.objects.get(pk=answer.pk).content)
    broker().delete(stream_key(answer.pk))
    page = Page()
    events = site.events(user, answer)
    take_until(events, page, WORDS[20])
    page.follow(events)

    assert page.words == WORDS[: len(page.words)]
    assert read_count(page.finished) == WORDS


def test_a_finished_answer_is_sent_whole(site: Site) -> None:
    answer = finish(make_answer("Hi"), "**Done** long ago")
    page = Page()
    page.follow(site.events(answer.conversation.user, answer))

    assert "<strong>Done</strong> long ago" in page.finished


def test_nobody_else_may_follow(site: Site) -> None:
    answer = finish(make_answer("Hi"))
    assert site.open_stream(make_user(is_staff=True), answer).status == 404
    stranger = site.open_stream(answer.conversation.user, answer.parent or answer)
    assert stranger.status == 404, "a person's own message has no stream"


def test_nobody_follows_without_signing_in(site: Site, client: Any) -> None:
    assert client.get(f"/messages/{make_answer('Hi').pk}/stream/").status_code == 302


def test_a_stop_is_heard_while_the_model_is_silent(site: Site, openai_stub: OpenAIStub) -> None:
    answer = begin(openai_stub, Reply(text="Too late.", wait=25))
    user = answer.conversation.user
    page = Page()
    events = site.events(user, answer)
    wait_for(lambda: openai_stub.requests)
    stop_turn(answer)
    page.follow(events)

    answer.refresh_from_db()
    assert (answer.status, answer.content) == ("stopped", "")
    assert 'data-status="stopped"' in page.finished


def test_a_stop_from_another_process_is_heard_through_the_row(turns: None, openai_stub: OpenAIStub) -> None:
    answer = begin(openai_stub, Reply(text="word " * 500, rate=20))
    wait_for(lambda: openai_stub.requests)
    Message.objects.filter(pk=answer.pk).update(stop_requested_at=answer.created_at)
    wait_for(lambda: not Message.objects.get(pk=answer.pk).is_pending)

    assert Message.objects.get(pk=answer.pk).status == "stopped"


def test_tool_calls_show_while_they_run_and_when_they_have_returned(site: Site, openai_stub: OpenAIStub) -> None:
    openai_stub.answers(Reply(text="Looking.", calls=(Call("memory_stats", "{}"),)))
    answer = begin(openai_stub, Reply(text="None yet.", rate=20))
    page = Page()
    page.follow(site.events(answer.conversation.user, answer))

    shown = re.sub(r"\s+", " ", page.finished)
    places = [shown.index(piece) for piece in ("Looking.", "memory_stats", "total: 0", "None yet.")]
    assert places == sorted(places)


def test_a_dead_broker_costs_the_pace_and_not_the_answer(
    site: Site, openai_stub: OpenAIStub, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    broker.cache_clear()
    answer = begin(openai_stub, Reply(text=TEXT, rate=15))
    page, seen = Page(), 0
    for event in site.events(answer.conversation.user, answer):
        if event.name == "turn-finished":
            break
        page.swap(event.data)
        seen += bool(page.words) and not page.finished

    assert read_count(page.finished) == WORDS
    assert seen >= 1, "the row was not followed"
    assert caplog.text.count("is no longer written") == 1


def test_a_broker_that_dies_in_the_middle_leaves_no_hole(
    site: Site, openai_stub: OpenAIStub, mortal_broker: subprocess.Popen[bytes]
) -> None:
    answer = begin(openai_stub, Reply(text=TEXT, rate=15))
    page = Page()
    events = site.events(answer.conversation.user, answer)
    take_until(events, page, WORDS[10])
    mortal_broker.kill()
    for event in events:
        if event.name == "turn-finished":
            break
        page.swap(event.data)
        assert page.words == WORDS[: len(page.words)]

    assert read_count(page.finished) == WORDS


def test_an_answer_whose_server_died_is_told_to_who_follows_it(site: Site, openai_stub: OpenAIStub) -> None:
    answer = make_answer("Hi")
    Message.objects.filter(pk=answer.pk).update(status="running", content="Half an ans", runner="x:1:1")
    page = Page()
    events = site.events(answer.conversation.user, answer)
    take_until(events, page, "Half")
    Message.objects.filter(pk=answer.pk).update(heartbeat_at="2020-01-01T00:00Z")
    mark_interrupted()
    page.follow(events)

    assert 'data-status="interrupted"' in page.finished
    assert "Half an ans" in page.finished


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite counts no connections")
def test_a_stream_that_waits_holds_no_connection(site: Site) -> None:
    answer = make_answer("Hi")
    streams = [site.open_stream(answer.conversation.user, answer) for _ in range(12)]
    for stream in streams:
        assert stream.readline()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        assert cursor.fetchone()[0] < 6
