"""What a turn does to profile files stands under its answer, with a way back."""

from __future__ import annotations

import pytest
from django.test import Client

from chat.turns import run_turn
from memories.models import ProfileFile, ProfileRevision
from tests.chat.turning import finish, make_answer
from tests.factories import make_agent, make_conversation
from tests.openai_stub import OpenAIStub, calls
from xiajiao.models import User

pytestmark = pytest.mark.django_db


def test_a_change_of_a_file_stands_under_the_answer(signed_in: Client, user: User, openai_stub: OpenAIStub) -> None:
    conversation = make_conversation(agent=make_agent(owner=user, language="en"))
    finish(make_answer("Hi", conversation=conversation), "Hello.")
    openai_stub.answers(
        calls(
            ("profile_add", {"file": "user", "section": "Tea", "content": "likes green tea"}),
            ("profile_replace", {"file": "user", "section": "Tea", "old_text": "green", "new_text": "black"}),
            ("profile_remove", {"file": "user", "section": "Coffee"}),
        )
    )
    openai_stub.says("Noted.")
    answer = make_answer("I like black tea", conversation=conversation)
    list(run_turn(answer))
    added, replaced = ProfileRevision.objects.order_by("pk")
    page = signed_in.get(f"/conversations/{conversation.pk}/").text
    assert page.count('id="profile-chip-') == 2
    assert f'id="profile-chip-{replaced.pk}" class="chip" href="/agents/files/changes/{replaced.pk}/"' in page
    assert "USER · Tea" in page
    assert "Add to its profile files" in page
    assert f'href="/agents/files/changes/{added.pk}/"' in signed_in.get(f"/messages/{answer.pk}/").text

    signed_in.post(f"/agents/files/changes/{replaced.pk}/undo/")
    assert ProfileFile.objects.get(kind="user").text == "## Tea\nlikes green tea\n"
    assert signed_in.get(f"/conversations/{conversation.pk}/").text.count("chip-undone") == 1
