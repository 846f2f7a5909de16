"""A large change in a real worker that is killed in the middle of it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
from django.test import Client
from django.utils import timezone

from memories.bulk.running import MOST_ATTEMPTS, claim, run
from memories.models import BulkBatch, BulkChange, Memory, MemoryRevision
from memories.tasks import run_bulk_change, sweep_bulk_changes
from tests.factories import make_agent, make_user
from tests.installation import eventually
from tests.memories.bulk import ask, fill
from tests.memories.test_writers import database_url
from xiajiao import fulltext

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).parents[2]
MANY = 3000
Start = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def start_worker() -> Iterator[Start]:
    """Starts a Celery worker that works on the test's own database and broker."""
    workers: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        environment = os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "xiajiao.settings"}
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "xiajiao",
            "worker",
            "--concurrency",
            "1",
            "--loglevel",
            "error",
        ]
        workers.append(subprocess.Popen(command, cwd=ROOT, env=environment))
        return workers[-1]

    yield start
    for worker in workers:
        kill(worker)


def kill(worker: "subprocess.Popen[bytes]") -> None:
    """With its pool, and no chance to say goodbye."""
    if worker.poll() is None:
        pool = psutil.Process(worker.pid).children(recursive=True)
        for process in pool:
            process.send_signal(signal.SIGKILL)
        worker.kill()
        psutil.wait_procs(pool)
    worker.wait()


def test_a_killed_worker_is_resumed_where_it_was_and_nothing_is_done_twice(client: Client, start_worker: Start) -> None:
    user = make_user()
    agent = make_agent(owner=user)
    client.force_login(user)
    fill(agent, MANY)
    change = ask(client, "disable", scope="all")
    assert (change.state, change.total) == ("pending", MANY)

    worker = start_worker()
    eventually(lambda: BulkChange.objects.get().done > 0, "the worker changes memories")
    kill(worker)
    change.refresh_from_db()
    assert change.state == "running"
    assert 0 < change.done < MANY
    assert Memory.objects.filter(enabled=False).count() == change.done
    assert BulkBatch.objects.count() == (MANY - change.done) / 250

    start_worker()
    sweep_bulk_changes()
    eventually(lambda: BulkChange.objects.get().state == "done", "another worker does the rest")

    assert BulkChange.objects.get().done == MANY
    assert MemoryRevision.objects.filter(bulk=change).count() == MANY
    assert set(Memory.objects.values_list("enabled", "version")) == {(False, 2)}
    assert fulltext.search([f"memories:{agent.pk}:{user.pk}"], "Fact 7", 5) == []


def test_a_run_that_was_taken_over_writes_nothing_more(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    fill(make_agent(owner=user))
    change = ask(client, "pin", scope="all")

    first = claim(change.pk)
    assert first is not None
    BulkChange.objects.update(heartbeat=timezone.now() - timedelta(minutes=1))
    second = claim(change.pk)
    assert second is not None
    run(first)
    assert not Memory.objects.filter(pinned=True).exists()
    run(second)
    assert not Memory.objects.filter(pinned=False).exists()


def test_a_change_that_breaks_each_time_is_given_up_and_can_go_on(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    fill(make_agent(owner=user))
    change = ask(client, "category:episodic", scope="all")
    BulkChange.objects.update(arguments={})  # which no run gets over
    for _attempt in range(MOST_ATTEMPTS):
        BulkChange.objects.update(heartbeat=timezone.now() - timedelta(minutes=1))
        run_bulk_change(change.pk)

    change.refresh_from_db()
    assert (change.state, change.attempts) == ("failed", MOST_ATTEMPTS)
    assert "KeyError" in change.error
    BulkChange.objects.update(arguments={"category": "episodic"})
    client.post(f"/memories/changes/{change.pk}/retry/")
    run_bulk_change(change.pk)
    change.refresh_from_db()
    assert (change.state, change.error, Memory.objects.filter(category="episodic").count()) == ("done", "", 450)


def test_what_was_stopped_long_ago_keeps_nothing_to_do(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    fill(make_agent(owner=user))
    change = ask(client, "pin", scope="all")
    client.post(f"/memories/changes/{change.pk}/cancel/")
    sweep_bulk_changes()
    assert BulkBatch.objects.count() == 2

    BulkChange.objects.update(finished_at=timezone.now() - timedelta(days=2))
    sweep_bulk_changes()
    assert not BulkBatch.objects.exists()
