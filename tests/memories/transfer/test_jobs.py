"""Imports and exports as jobs: killed, taken over, cancelled, gone on with, swept."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from memories import tasks
from memories.models import Agent, Export, Import, ImportedText, Memory, MemoryRevision
from memories.transfer import exporting, importing
from memories.transfer.exporting import advance_export, begin_export, cancel_export
from memories.transfer.importing import advance_import
from memories.transfer.plans import JSONLINES, MARKDOWN, everything_of, make_plan
from memories.transfer.starting import agree, begin_import, cancel_import, retry
from memories.transfer.storage import export_path, import_path
from tests.factories import make_agent, make_memory
from tests.memories.test_writers import ROOT, database_url
from tests.memories.transfer.files import bring_in, check, export, finish, keep
from xiajiao import claims
from xiajiao.models import User

WORKER = "import django, sys; django.setup(); from tests.memories.transfer.worker import main; main(*sys.argv[1:])"


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


def start_worker(job: Import) -> subprocess.Popen[str]:
    environment = os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "xiajiao.settings"}
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(job.pk)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    return worker


def kill_in_the_middle(job: Import, seconds: float) -> None:
    worker = start_worker(job)
    assert worker.stdin is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    time.sleep(seconds)
    worker.kill()
    worker.wait()


def forget_heartbeat(job: Import) -> None:
    """As if the silence after a killed worker had lasted long enough."""
    Import.objects.filter(pk=job.pk).update(heartbeat=timezone.now() - timedelta(hours=1))


def many(count: int) -> bytes:
    texts = [f"第 {number} 号机柜的温度是 {number} 度" for number in range(count)]
    return json.dumps([{"id": str(number), "memory": text} for number, text in enumerate(texts)]).encode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(2))
def test_a_killed_worker_leaves_nothing_twice_and_nothing_out(user: User, agent: Agent, seed: int) -> None:
    rng = random.Random(seed)
    job = check(user, many(60), agent)
    agree(job)
    for _kill in range(3):
        kill_in_the_middle(job, rng.uniform(0.3, 1.5))
        forget_heartbeat(job)
        Import.objects.filter(pk=job.pk).update(attempts=0)
    job = finish(job)

    assert (job.state, job.outcome) == ("done", {"add": 60})
    assert Memory.objects.count() == MemoryRevision.objects.count() == ImportedText.objects.count() == 60
    assert not Memory.objects.exclude(proof_count=1).exists()


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_of_our_own_format_leaves_the_same_bytes(user: User, agent: Agent) -> None:
    for number in range(700):
        make_memory(agent, f"Fact {number}").revisions.create(action="added", actor="agent")
    before = export(user)
    Memory.objects.all().delete()
    job = check(user, before)
    agree(job)
    kill_in_the_middle(job, 0.4)
    forget_heartbeat(job)
    job = finish(job)

    assert job.outcome == {"restore": 700}
    assert export(user) == before


@pytest.mark.django_db
class TestClaims:
    def test_one_worker_has_a_job(self, user: User, agent: Agent) -> None:
        job = begin_import(user, keep(many(1)), agent=agent)
        first = claims.claim(job)
        assert first is not None
        assert claims.claim(job) is None
        assert not advance_import(job)
        Import.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
        second = claims.claim(job)
        assert second is not None
        assert second.attempts == 1
        with pytest.raises(claims.LostClaimError):
            claims.record(first, cursor=1)

    def test_a_job_that_kills_its_workers_is_given_up(self, user: User, agent: Agent) -> None:
        job = begin_import(user, keep(many(1)), agent=agent)
        for _attempt in range(claims.ATTEMPTS + 1):
            assert claims.claim(job) is not None
            Import.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
        job = finish(job)
        assert (job.state, job.error) == ("failed", "crashed")

    def test_a_long_job_goes_to_the_back_of_the_queue(
        self, user: User, agent: Agent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(claims, "SLICE", -1.0)
        job = check(user, many(70), agent)
        assert job.forecast == {"add": 70}
        agree(job)
        assert advance_import(job)
        assert Memory.objects.count() == importing.FOREIGN_BATCH
        assert finish(job).outcome == {"add": 70}


@pytest.mark.django_db
class TestCancelling:
    def test_what_is_in_stays_and_the_rest_comes_when_it_goes_on(
        self, user: User, agent: Agent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(claims, "SLICE", -1.0)
        job = check(user, many(70), agent)
        agree(job)
        assert advance_import(job)
        cancel_import(job)
        job = finish(job)
        assert (job.state, job.outcome) == ("cancelled", {"add": importing.FOREIGN_BATCH})
        assert Memory.objects.count() == importing.FOREIGN_BATCH
        assert retry(job)
        job = finish(job)
        assert (job.state, job.outcome) == ("done", {"add": 70})
        assert Memory.objects.count() == 70

    def test_looking_through_ends_and_begins_again(self, user: User, agent: Agent) -> None:
        job = begin_import(user, keep(many(3)), agent=agent)
        cancel_import(job)
        job.refresh_from_db()
        assert job.state == "cancelled"
        assert retry(job)
        assert finish(job).forecast == {"add": 3}

    def test_an_import_is_agreed_to_once(self, user: User, agent: Agent) -> None:
        job = check(user, many(3), agent)
        assert agree(job)
        assert not agree(job)
        finish(job)
        assert not agree(job)
        assert not retry(job)


def make_export(user: User, format: str = JSONLINES) -> Export:
    rows, agents = everything_of(user)
    return begin_export(user, make_plan(format, rows, agents))


@pytest.mark.django_db
class TestExports:
    @pytest.mark.parametrize("format", [JSONLINES, MARKDOWN])
    def test_a_job_writes_what_is_written_at_once(
        self, user: User, agent: Agent, format: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(claims, "SLICE", -1.0)
        for number in range(450):
            make_memory(agent, f"Fact {number}", category="episodic" if number % 2 else "semantic")
        job = make_export(user, format)
        rounds = 1
        while advance_export(job):
            rounds += 1
        job.refresh_from_db()

        assert rounds > 2
        path = export_path(job.stored_as)
        assert (job.state, job.size) == ("ready", path.stat().st_size)
        assert path.read_bytes() == export(user, format)
        assert path.stat().st_mode & 0o077 == 0
        assert not path.with_suffix(".plan").exists()

    def test_what_a_killed_worker_wrote_too_much_is_cut_off(
        self, user: User, agent: Agent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(claims, "SLICE", -1.0)
        for number in range(450):
            make_memory(agent, f"Fact {number}")
        job = make_export(user)
        advance_export(job)
        with export_path(job.stored_as).open("ab") as file:
            file.write(b'{"record": "memory", "uid": "half a line')
        while advance_export(job):
            pass
        assert export_path(job.stored_as).read_bytes() == export(user)

    def test_a_cancelled_export_leaves_no_file(self, user: User, agent: Agent) -> None:
        make_memory(agent, "Fact")
        job = make_export(user)
        path = export_path(job.stored_as)
        cancel_export(job)
        assert not advance_export(job)
        job.refresh_from_db()
        assert (job.state, job.stored_as) == ("cancelled", "")
        assert not path.exists()
        assert not path.with_suffix(".plan").exists()

    def test_memories_that_go_meanwhile_are_left_out(self, user: User, agent: Agent) -> None:
        gone, kept = make_memory(agent, "Gone"), make_memory(agent, "Kept")
        job = make_export(user)
        gone.delete()
        advance_export(job)
        assert b"Gone" not in export_path(job.stored_as).read_bytes()
        assert kept.content.encode() in export_path(job.stored_as).read_bytes()


def list_stored() -> list[Path]:
    folders = (settings.IMPORTS_DIR, settings.EXPORTS_DIR)
    return [path for folder in folders if folder.is_dir() for path in folder.iterdir()]


@pytest.mark.django_db
class TestSweeping:
    def test_files_are_removed_after_a_day_and_reports_stay(self, user: User, agent: Agent) -> None:
        for path in list_stored():
            path.unlink()
        make_memory(agent, "Fact")
        done, looked, running = bring_in(user, many(2), agent), check(user, many(2), agent), make_export(user)
        ready = make_export(user)
        advance_export(ready)
        tasks.sweep_transfers()
        assert len(list_stored()) == 4
        for model in (Import, Export):
            model.objects.update(heartbeat=timezone.now() - timedelta(days=2))
        tasks.sweep_transfers()

        running.refresh_from_db()
        assert {path.stem for path in list_stored()} == {running.stored_as}
        ready.refresh_from_db()
        assert ready.state == "gone"
        for job in (done, looked):
            job.refresh_from_db()
            assert (job.stored_as, job.lines.count(), job.lines.exclude(excerpt="").count()) == ("", 2, 0)
        assert done.lines.filter(memory__isnull=False).count() == 2

    def test_strays_are_removed_when_they_are_old(self, user: User) -> None:
        settings.IMPORTS_DIR.mkdir(exist_ok=True)
        old, new = settings.IMPORTS_DIR / ("a" * 32), settings.IMPORTS_DIR / ("b" * 32)
        for path in (old, new):
            path.write_bytes(b"x")
        os.utime(old, (0, 0))
        tasks.sweep_transfers()
        assert (old.exists(), new.exists()) == (False, True)
        new.unlink()

    def test_a_job_whose_file_is_gone_says_so(self, user: User, agent: Agent) -> None:
        job = check(user, many(2), agent)
        import_path(job.stored_as).unlink()
        agree(job)
        job = finish(job)
        assert (job.state, job.error) == ("failed", "file_gone")

    def test_a_name_that_is_none_of_ours_opens_nothing(self, user: User) -> None:
        with pytest.raises(FileNotFoundError):
            import_path("../../etc/passwd")


@pytest.mark.django_db
def test_large_files_are_read_and_written_piece_by_piece(user: User, agent: Agent) -> None:
    """However many memories there are, no piece holds more than a batch of them."""
    rows = [Memory(agent=agent, user=user, type_id=1, content=f"Fact {number} " + "x" * 500) for number in range(2000)]
    Memory.objects.bulk_create(rows)
    wanted, agents = everything_of(user)
    pieces = [len(piece) for _done, piece in exporting.write_pieces(make_plan(JSONLINES, wanted, agents))]
    assert len(pieces) == 11
    assert max(pieces) < 400 * 1024
