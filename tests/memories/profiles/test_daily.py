"""A day's text: a line for each conversation, the newest whole, never over what is injected."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from memories.models import ProfileFile, ProfileKind, ProfileRevision
from memories.profiles.daily import add_line, note_day
from memories.profiles.snapshot import BUDGETS, render_profile, take_snapshot, trim_file
from tests.factories import make_agent

pytestmark = pytest.mark.django_db


def test_lines_stand_in_order_and_each_once() -> None:
    text = add_line(add_line("", "- 09:00 tea"), "- 10:00 rain")
    assert text == "- 09:00 tea\n- 10:00 rain\n"
    assert add_line(text, "- 10:00 rain") == text


def test_a_long_day_is_kept_whole_and_told_within_its_budget_with_the_newest() -> None:
    text = ""
    for number in range(40):
        text = add_line(text, f"- {number:02}:00 " + "很长的一行" * 12)
        told = trim_file(ProfileKind.DAILY, text)
        assert len(told.text) <= BUDGETS[ProfileKind.DAILY]
        assert f"- {number:02}:00" in told.text
    assert text.count("\n") == 40
    assert told.text.startswith("- …\n")
    assert "- 05:00" not in told.text
    assert (told.is_whole, told.length) == (False, len(text.strip()))
    assert len(trim_file(ProfileKind.DAILY, "x" * 3000).text) <= BUDGETS[ProfileKind.DAILY]


def test_a_day_that_can_be_kept_no_longer_loses_its_oldest_lines() -> None:
    text = add_line("- first\n" + "x" * 49_990 + "\n", "- last")
    assert (text.endswith("- last\n"), "first" in text, len(text) <= 50_000) == (True, False, True)


def test_a_day_begins_where_the_persons_clock_stands() -> None:
    agent = make_agent()
    late = datetime(2026, 5, 3, 23, 30, tzinfo=UTC)
    with timezone.override("Asia/Shanghai"):
        note_day(agent, agent.owner_id, "谈了部署", late)
    file = ProfileFile.objects.get()
    assert (file.day, file.text) == (datetime(2026, 5, 4, tzinfo=UTC).date(), "- 07:30 谈了部署\n")
    assert "谈了部署" in render_profile(take_snapshot(agent, agent.owner_id, file.day), "zh-hans")


def test_older_lines_stay_and_secrets_nowhere() -> None:
    agent = make_agent()
    for number in range(12):
        note_day(agent, agent.owner_id, f"Line {number} " + "x" * 150, timezone.now())
    note_day(agent, agent.owner_id, "The key is sk-proj-abcdefghijklmnopqrstuvwx12345678", timezone.now())
    texts = "".join(ProfileRevision.objects.values_list("after", flat=True))
    assert "Line 0 " in ProfileFile.objects.get().text
    assert "sk-proj" not in texts
