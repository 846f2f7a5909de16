import os
import signal
import subprocess
import sys
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import DataError, OperationalError, connection
from django.db.backends.signals import connection_created as connection_made
from django.utils import timezone
from pytest_django import Settings

from chat.interruption import is_abandoned, mark_interrupted
from chat.models import Message, ToolCall
from chat.runner import run_answer, runner, start_turn
from chat.sending import regenerate_answer
from chat.stopping import StopSignal
from chat.tasks import sweep_interrupted
from memories.models import Memory
from tests.chat.turning import make_answer, wait_for
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.runners import is_gone, name_runner

pytestmark = pytest.mark.django_db(transaction=True)


def status_of(answer: Message) -> str:
    return Message.objects.values_list("status", flat=True).get(pk=answer.pk)


def database_url() -> str:
    """Of this test's database, for another process."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def test_what_exceeds_the_threads_waits_and_is_run(turns: None, openai_stub: OpenAIStub, settings: Settings) -> None:
    settings.TURN_THREADS = 2
    openai_stub.always(Reply(text="Done it.", rate=4))
    answers = [make_answer("Hi") for _ in range(5)]
    for answer in answers:
        start_turn(answer.pk)
    wait_for(lambda: status_of(answers[0]) == "running")

    assert status_of(answers[4]) == "pending"
    wait_for(lambda: not Message.objects.unfinished().exists())
    assert {status_of(answer) for answer in answers} == {"done"}


def test_an_answer_is_written_once_however_often_it_is_begun(turns: None, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Done it.", rate=20))
    answer = make_answer("Hi")
    for _ in range(3):
        start_turn(answer.pk)
    wait_for(lambda: status_of(answer) == "running")
    run_answer(answer.pk, "another:1:1", StopSignal())
    wait_for(lambda: status_of(answer) == "done")

    assert len(openai_stub.requests) == 1


def test_a_stop_before_the_turn_began_counts(turns: None, openai_stub: OpenAIStub, settings: Settings) -> None:
    settings.TURN_THREADS = 1
    openai_stub.always(Reply(text="Done it.", rate=4))
    first, second = make_answer("Hi"), make_answer("Hi")
    start_turn(first.pk)
    start_turn(second.pk)
    runner().stop(second.pk)
    wait_for(lambda: not Message.objects.unfinished().exists())

    assert status_of(second) == "stopped"
    assert len(openai_stub.requests) == 1


def test_the_partial_is_saved_while_the_answer_is_written(turns: None, openai_stub: OpenAIStub) -> None:
    openai_stub.answers(Reply(text="word " * 400, rate=40))
    answer = make_answer("Hi")
    start_turn(answer.pk)
    wait_for(lambda: Message.objects.get(pk=answer.pk).content)
    row = Message.objects.get(pk=answer.pk)

    assert row.status == "running"
    assert row.stream_position
    assert row.heartbeat_at is not None


def test_a_server_that_ends_keeps_what_was_being_written(turns: None, openai_stub: OpenAIStub) -> None:
    openai_stub.answers(Reply(text="word " * 400, rate=40))
    answer = make_answer("Hi")
    start_turn(answer.pk)
    wait_for(lambda: Message.objects.get(pk=answer.pk).content)
    runner().shut_down()

    row = Message.objects.get(pk=answer.pk)
    assert row.status == "interrupted"
    assert row.content.startswith("word word")


def test_a_killed_server_leaves_the_partial_and_another_try(turns: None, openai_stub: OpenAIStub) -> None:
    openai_stub.calls("memory_write", content="The user likes dumplings.")
    openai_stub.answers(Reply(text="word " * 400, rate=40))
    answer = make_answer("I like dumplings")
    server = run_in_another_process(answer, openai_stub)
    wait_for(lambda: Message.objects.get(pk=answer.pk).content.startswith("word"))
    server.send_signal(signal.SIGKILL)
    server.wait()
    saved = Message.objects.get(pk=answer.pk).content
    sweep_interrupted()

    row = Message.objects.get(pk=answer.pk)
    assert row.status == "interrupted"
    assert row.content.startswith(saved)
    assert not ToolCall.objects.filter(status=ToolCall.Status.RUNNING).exists()

    openai_stub.calls("memory_write", content="The user likes dumplings.")
    openai_stub.says("Noted.")
    again = regenerate_answer(row)
    start_turn(again.pk)
    wait_for(lambda: status_of(again) == "done")
    assert Memory.objects.count() == 1
    assert Message.objects.filter(role="user").count() == 1


def run_in_another_process(answer: Message, stub: OpenAIStub) -> subprocess.Popen[bytes]:
    script = (
        "import django; django.setup()\n"
        "from chat.runner import run_answer\nfrom xiajiao.runners import name_runner\n"
        "from chat.stopping import StopSignal\n"
        f"run_answer({answer.pk}, name_runner(), StopSignal())"
    )
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "xiajiao.settings",
        "DATABASE_URL": database_url(),
        "OPENAI_BASE_URL": stub.base_url,
        "OPENAI_API_KEY": "sk-stub-key-of-tests",
        "OPENAI_MODEL": "stub-model",
    }
    return subprocess.Popen([sys.executable, "-c", script], env=environment)


def test_only_what_nobody_writes_is_marked(turns: None) -> None:
    now, old = timezone.now(), timezone.now() - timedelta(minutes=1)
    alive, silent, gone, waiting = (make_answer("Hi") for _ in range(4))
    rows = Message.objects
    rows.filter(pk=alive.pk).update(status="running", runner=name_runner(), heartbeat_at=now)
    rows.filter(pk=silent.pk).update(status="running", runner="elsewhere:1:1", heartbeat_at=old)
    rows.filter(pk=gone.pk).update(status="running", runner=name_of_a_dead_process(), heartbeat_at=now)
    rows.filter(pk=waiting.pk).update(heartbeat_at=now)

    assert mark_interrupted() == 2
    statuses = [status_of(answer) for answer in (alive, silent, gone, waiting)]
    assert statuses == ["running", "interrupted", "interrupted", "pending"]


def test_an_answer_that_was_never_begun_is_given_back(turns: None) -> None:
    answer = make_answer("Hi")
    Message.objects.filter(pk=answer.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    sweep_interrupted()

    answer.refresh_from_db()
    assert answer.is_retryable


def test_the_same_process_id_of_a_later_process_is_another_runner() -> None:
    machine, pid, start = name_runner().split(":")
    assert not is_gone(f"{machine}:{pid}:{start}")
    assert is_gone(f"{machine}:{pid}:1")
    assert not is_gone(f"elsewhere:{pid}:1")
    assert not is_gone("")


def name_of_a_dead_process() -> str:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return f"{name_runner().split(':')[0]}:{process.pid}:1"


def test_a_sign_of_life_in_the_last_moment_counts(turns: None) -> None:
    answer = make_answer("Hi")
    Message.objects.filter(pk=answer.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    answer.refresh_from_db()
    assert is_abandoned(answer)
    Message.objects.filter(pk=answer.pk).update(heartbeat_at=timezone.now())

    assert mark_interrupted() == 0


def test_a_busy_database_costs_an_answer_a_save_and_not_its_life(turns: None, openai_stub: OpenAIStub) -> None:
    openai_stub.says("word " * 60, rate=40)
    answer = make_answer("Hi")
    refusals = []

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "stream_position" in sql and sql.startswith("UPDATE"):
            refusals.append(sql)
            raise OperationalError("database is locked")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        run_answer(answer.pk, runner().name, StopSignal())

    answer.refresh_from_db()
    assert refusals
    assert (answer.status, answer.content) == ("done", "word " * 60)


def test_an_answer_whose_end_can_not_be_written_is_interrupted_at_once(
    turns: None, openai_stub: OpenAIStub, settings: Settings
) -> None:
    settings.TURN_THREADS = 1
    openai_stub.says("Dumplings.")
    answer = make_answer("Hi")
    connection_made.connect(refuse_ends)
    try:
        start_turn(answer.pk)
        wait_for(lambda: status_of(answer) not in {"pending", "running"})
    finally:
        connection_made.disconnect(refuse_ends)

    assert status_of(answer) == "interrupted"


def refuse_ends(connection: Any, **_: Any) -> None:
    """The database that can't take the end of an answer, in connections made from now on."""

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("UPDATE") and "completion_tokens" in sql:
            raise DataError("value out of range")
        return execute(sql, params, many, context)

    connection.execute_wrappers.append(refuse)
