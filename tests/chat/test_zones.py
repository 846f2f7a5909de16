"""Which day it is where nobody's browser asks: in turns, looks through conversations and the day's text."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.models import Message
from chat.runner import run_answer
from chat.stopping import StopSignal
from chat.tasks import extract_memories
from memories.models import Memory, ProfileFile
from tests.chat.turning import finish, make_answer
from tests.factories import make_agent
from xiajiao.models import User
from xiajiao.timezones import find_zone

# Their days are never the same.
ZONES = ["Pacific/Kiritimati", "Etc/GMT+12"]


@pytest.mark.django_db
def test_the_zone_that_a_person_came_with_last_is_kept(signed_in: Client, user: User) -> None:
    for zone in [*ZONES, "No/Where"]:
        signed_in.cookies["xiajiao_zone"] = zone
        signed_in.get(reverse("memories:memory_list"))
    user.refresh_from_db()
    assert user.zone == "Etc/GMT+12"


@pytest.mark.django_db
def test_a_browser_that_names_none_is_shown_the_days_of_the_last_one(signed_in: Client, user: User) -> None:
    User.objects.filter(pk=user.pk).update(zone=ZONES[0])
    page = signed_in.get(reverse("memories:profile_detail", args=[make_agent(owner=user).pk, "daily"]))
    assert page.context["file"].day == timezone.localdate(timezone=find_zone(ZONES[0]))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("zone", ZONES)
def test_tomorrow_in_a_turn_is_the_persons(user: User, zone: str) -> None:
    User.objects.filter(pk=user.pk).update(zone=zone)
    answer = make_answer("I fly to Oslo tomorrow.", agent=make_agent(owner=user, language="en"))
    today = timezone.localdate(timezone=find_zone(zone))
    run_answer(answer.pk, "here:1:1", StopSignal())

    answer.refresh_from_db()
    assert str(today) in answer.system_prompt
    assert str(today + timedelta(days=1)) in Memory.objects.get().content


@pytest.mark.django_db
@pytest.mark.parametrize(("zone", "day", "time"), [(ZONES[0], 4, "13:30"), (ZONES[1], 3, "11:30")])
def test_a_conversation_is_noted_on_the_persons_day(
    signed_in: Client, user: User, zone: str, day: int, time: str
) -> None:
    answer = make_answer("I live in Lisbon.", agent=make_agent(owner=user, language="en"))
    finish(answer, "OK.")
    Message.objects.update(created_at=datetime(2026, 5, 3, 23, 30, tzinfo=UTC))
    User.objects.filter(pk=user.pk).update(zone=zone)
    signed_in.post(reverse("chat:conversation_close", args=[answer.conversation_id]))
    extract_memories(answer.conversation.extractions.get().pk)

    noted = ProfileFile.objects.get(kind="daily")
    assert (noted.day, noted.text[:8]) == (date(2026, 5, day), f"- {time} ")
