"""Work in the background that is stuck: told, tried again or given up."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memories.bulk.running import claim
from memories.models import Agent, BulkChange, Export, Import
from memories.tasks import run_bulk_change
from tests.factories import make_agent, make_user
from tests.memories.bulk import ask, fill
from xiajiao.models import User

pytestmark = pytest.mark.django_db

PAGE = "/memories/health/?kind=jobs"


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


@pytest.fixture
def failed(signed_in: Client, agent: Agent) -> BulkChange:
    fill(agent, 300)
    change = ask(signed_in, "pin", scope="all")
    now = timezone.now()
    ended = {"created_at": now - timedelta(minutes=1), "finished_at": now}
    BulkChange.objects.filter(pk=change.pk).update(state="failed", error="the disk is full", **ended)
    return change


def read(client: Client, address: str = PAGE) -> str:
    return " ".join(client.get(address).content.decode().split())


def test_a_change_of_many_that_failed_is_told_and_tried_again(signed_in: Client, failed: BulkChange) -> None:
    text = read(signed_in)
    assert "Changes of many memories" in text
    assert "1 waits · 1 stuck" in text
    assert "the disk is full" in text
    assert 'href="/memories/changes/"' in text

    signed_in.post("/memories/health/retry/", {"job": "bulk_changes"})
    run_bulk_change(failed.pk)
    failed.refresh_from_db()
    assert (failed.state, failed.done, failed.error) == ("done", 300, "")
    assert "Changes of many" not in read(signed_in)


def test_what_is_given_up_leaves_the_page_and_can_still_go_on(signed_in: Client, failed: BulkChange) -> None:
    signed_in.post("/memories/health/cancel/", {"job": "bulk_changes"})
    failed.refresh_from_db()

    assert (failed.state, failed.can_go_on) == ("cancelled", True)
    assert "Changes of many" not in read(signed_in)


def test_one_at_work_waits_and_one_whose_worker_is_silent_is_stuck(signed_in: Client, agent: Agent) -> None:
    fill(agent, 300)
    change = ask(signed_in, "pin", scope="all")
    assert claim(change.pk) is not None
    assert "1 waits</span>" in read(signed_in)
    assert "Give up" not in read(signed_in)

    BulkChange.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
    assert "1 waits · 1 stuck" in read(signed_in)
    assert "Give up" in read(signed_in)


def test_another_persons_are_told_to_staff_alone(client: Client, failed: BulkChange) -> None:
    client.force_login(make_user())
    client.post("/memories/health/cancel/", {"job": "bulk_changes", "person": "all"})
    failed.refresh_from_db()
    assert failed.state == "failed"
    assert "the disk is full" not in read(client, f"{PAGE}&person=all")

    client.force_login(make_user(is_staff=True))
    assert "the disk is full" not in read(client)
    assert "the disk is full" in read(client, f"{PAGE}&person=all")


@pytest.mark.parametrize("job", ["", "no such job", "vectors"])
def test_what_can_not_be_given_up_is_left_alone(signed_in: Client, job: str) -> None:
    assert signed_in.post("/memories/health/cancel/", {"job": job, "kind": "jobs"}).status_code == 302


def make_import(user: User, **columns: Any) -> Import:
    long_ago = timezone.now() - timedelta(hours=1)
    return Import.objects.create(user=user, person=user, stored_as="f" * 32, created_at=long_ago, **columns)


def test_an_import_that_failed_is_told_tried_again_and_given_up(signed_in: Client, user: User) -> None:
    job = make_import(user, state="failed", error="crashed", given_name="notes.jsonl", forecast={"add": 3})
    make_import(user, state="checked")
    text = read(signed_in)
    assert 'Imports</strong> <span class="tag tag-warning">1 waits · 1 stuck' in text
    assert 'href="/imports/add/"' in text or "/imports" in text

    signed_in.post("/memories/health/retry/", {"job": "imports"})
    job.refresh_from_db()
    assert (job.state, job.error) == ("writing", "")

    Import.objects.filter(pk=job.pk).update(state="failed")
    signed_in.post("/memories/health/cancel/", {"job": "imports"})
    job.refresh_from_db()
    assert (job.state, job.stored_as) == ("failed", "")
    assert "Imports</strong>" not in read(signed_in)


def test_an_export_whose_worker_is_silent_is_stuck_and_given_up(signed_in: Client, user: User) -> None:
    export = Export.objects.create(user=user, format="jsonl", stored_as="e" * 32)
    assert 'Exports</strong> <span class="tag">1 waits</span>' in read(signed_in)
    Export.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert "1 waits · 1 stuck" in read(signed_in)

    signed_in.post("/memories/health/cancel/", {"job": "exports"})
    export.refresh_from_db()
    assert export.state == "cancelled"


def test_imports_and_exports_are_nobody_elses_not_even_of_staff(client: Client) -> None:
    make_import(make_user(), state="failed")
    client.force_login(make_user(is_staff=True))
    assert "Imports</strong>" not in read(client, f"{PAGE}&person=all")
