"""Work in the background that is stuck: told, tried again or given up."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memories.bulk.running import claim
from memories.models import Agent, BulkChange
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
    BulkChange.objects.filter(pk=change.pk).update(status="failed", error="the disk is full", **ended)
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
    assert (failed.status, failed.done, failed.error) == ("done", 300, "")
    assert "Changes of many" not in read(signed_in)


def test_what_is_given_up_leaves_the_page_and_can_still_go_on(signed_in: Client, failed: BulkChange) -> None:
    signed_in.post("/memories/health/cancel/", {"job": "bulk_changes"})
    failed.refresh_from_db()

    assert (failed.status, failed.can_go_on) == ("cancelled", True)
    assert "Changes of many" not in read(signed_in)


def test_one_at_work_waits_and_one_whose_worker_is_silent_is_stuck(signed_in: Client, agent: Agent) -> None:
    fill(agent, 300)
    change = ask(signed_in, "pin", scope="all")
    assert claim(change.pk) is not None
    assert "1 waits</span>" in read(signed_in)
    assert "Give up" not in read(signed_in)

    BulkChange.objects.update(heartbeat_at=timezone.now() - timedelta(hours=1))
    assert "1 waits · 1 stuck" in read(signed_in)
    assert "Give up" in read(signed_in)


def test_another_persons_are_told_to_staff_alone(client: Client, failed: BulkChange) -> None:
    client.force_login(make_user())
    client.post("/memories/health/cancel/", {"job": "bulk_changes", "person": "all"})
    failed.refresh_from_db()
    assert failed.status == "failed"
    assert "the disk is full" not in read(client, f"{PAGE}&person=all")

    client.force_login(make_user(is_staff=True))
    assert "the disk is full" not in read(client)
    assert "the disk is full" in read(client, f"{PAGE}&person=all")


@pytest.mark.parametrize("job", ["", "no such job", "vectors"])
def test_what_can_not_be_given_up_is_left_alone(signed_in: Client, job: str) -> None:
    assert signed_in.post("/memories/health/cancel/", {"job": job, "kind": "jobs"}).status_code == 302
