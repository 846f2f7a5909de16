"""A day's text: a line for each conversation, the newest whole, never over what is injected."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from memories.models import ProfileFile, ProfileKind, ProfileRevision
from memories.profiles.daily import add_line, note_day
from memories.profiles.snapshot import BUDGETS, render_profile, take_snapshot
from tests.factories import make_agent

pytestmark = pytest.mark.django_db


def test_lines_stand_in_order_and_each_once() -> None:
    text = add_line(add_line("", "- 09:00 tea"), "- 10:00 rain")
    assert text == "- 09:00 tea\n- 10:00 rain\n"
    assert add_line(text, "- 10:00 rain") == text


def test_a_long_day_stays_within_its_budget_and_keeps_the_newest() -> None:
    text = ""
    for number in range(40):
        text = add_line(text, f"- {number:02}:00 " + "很长的一行" * 12)
        assert len(text.strip()) <= BUDGETS[ProfileKind.DAILY]
    assert text.startswith("- …\n")
    assert "- 39:00" in text
    assert "- 05:00" not in text


def test_a_day_begins_where_the_persons_clock_stands() -> None:
    agent = make_agent()
    late = datetime(2026, 5, 3, 23, 30, tzinfo=UTC)
    with timezone.override("Asia/Shanghai"):
        note_day(agent, agent.owner_id, "谈了部署", late)
    file = ProfileFile.objects.get()
    assert (file.day, file.text) == (datetime(2026, 5, 4, tzinfo=UTC).date(), "- 07:30 谈了部署\n")
    assert "谈了部署" in render_profile(take_snapshot(agent, agent.owner_id, file.day), "zh-hans")


def test_older_lines_stay_in_the_revisions_and_secrets_nowhere() -> None:
    agent = make_agent()
    for number in range(12):
        note_day(agent, agent.owner_id, f"Line {number} " + "x" * 150, timezone.now())
    note_day(agent, agent.owner_id, "The key is sk-proj-abcdefghijklmnopqrstuvwx12345678", timezone.now())
    texts = "".join(ProfileRevision.objects.values_list("after", flat=True))
    assert "Line 0 " in texts
    assert "Line 0 " not in ProfileFile.objects.get().text
    assert "sk-proj" not in texts
