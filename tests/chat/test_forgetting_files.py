"""What is forgotten for good goes from agents' files, and from what conversations are told of them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from chat.extraction.ends import close
from chat.extraction.running import extract
from chat.forgetting.running import begin, claim, run
from chat.models import Conversation, Forgetting, Message
from chat.sending import send_message
from chat.turns import run_turn
from memories.models import Agent, Memory, ProfileFile, ProfileRevision, Tombstone
from memories.profiles.editing import ProfileChange, change_file, make_key, read_file
from memories.profiles.tools import profile_add
from tests.chat.turning import load, make_answer
from tests.factories import make_agent, make_conversation, make_memory
from xiajiao.models import User
from xiajiao.secrets import encrypt
from xiajiao.tools import Scope, ToolError

pytestmark = pytest.mark.django_db

BOAT = "The boat is called Vormelidax."
TEXT = f"## Boats\n{BOAT}\nTea is green.\n"


def write(agent: Agent, text: str = TEXT, kind: str = "user") -> None:
    change = ProfileChange(ProfileRevision.Action.EDITED, "person", user_id=agent.owner_id)
    change_file(make_key(agent, kind, agent.owner_id), lambda _text: text, change)


def stored(agent: Agent) -> str:
    return read_file(make_key(agent, "user", agent.owner_id)).text


def say(agent: Agent, text: str, conversation: Conversation | None = None) -> Message:
    answer = send_message(conversation or make_conversation(agent=agent), text).answer
    list(run_turn(load(answer)))
    return load(answer)


def forget(user: User, memory_ids: Iterable[int], message_ids: Iterable[int] = ()) -> None:
    claimed = claim(begin(user, memory_ids, message_ids).pk)
    assert claimed is not None
    run(claimed)


def look_through(conversation: Conversation) -> None:
    conversation.refresh_from_db()
    job = close(conversation)
    assert job is not None
    extract(job)


def test_the_sentences_are_shown_before_they_go(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user, language="en")
    write(agent)
    page = signed_in.post(reverse("chat:forgetting_preview"), {"topic": "vormelidax"}).text
    assert BOAT in page
    assert "Tea is green" not in page
    assert "What 1 file says of it goes" in page
    signed_in.post(reverse("chat:forgetting_create"), {"topic": "vormelidax", "files": "1"})
    assert stored(agent) == "## Boats\nTea is green.\n"


def test_what_files_say_stays_where_it_is_not_ticked(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user, language="en")
    write(agent)
    refused = signed_in.post(reverse("chat:forgetting_create"), {"topic": "vormelidax"})
    assert (refused.status_code, Forgetting.objects.count()) == (422, 0)
    said = say(agent, f"Note: {BOAT}").parent
    assert said is not None
    memory_ids = list(Memory.objects.values_list("pk", flat=True))
    ticked = {"topic": "vormelidax", "memory": memory_ids, "message": [said.pk]}
    signed_in.post(reverse("chat:forgetting_create"), ticked)
    assert stored(agent) == TEXT
    assert Message.objects.get(pk=said.pk).removed_at is not None


def test_what_a_ticked_memory_and_a_file_say_stays_in_the_file_where_that_is_not_ticked(
    signed_in: Client, user: User
) -> None:
    agent = make_agent(owner=user, language="en")
    write(agent)
    signed_in.post(reverse("chat:forgetting_create"), {"topic": "vormelidax", "memory": make_memory(agent, BOAT).pk})
    assert not Memory.objects.exists()
    assert stored(agent) == TEXT


def test_what_an_agent_proposed_touches_no_files_but_those_that_were_shown(signed_in: Client, user: User) -> None:
    meant, other = (make_agent(owner=user, language="en") for _ in range(2))
    for agent in (meant, other):
        write(agent)
    answer = make_answer("Forget the boat", agent=meant)
    proposal = Forgetting.objects.create(user=user, answer=answer, state="proposed", topic=encrypt("vormelidax"))
    signed_in.post(reverse("chat:forgetting_agree", args=[proposal.pk]), {"files": "1"})
    assert (stored(meant), stored(other)) == ("## Boats\nTea is green.\n", TEXT)


def test_a_subject_with_one_agent_leaves_exports_that_another_one_fills(signed_in: Client, user: User) -> None:
    meant, other = (make_agent(owner=user, language="en") for _ in range(2))
    write(meant)
    make_memory(other, BOAT)
    signed_in.post(reverse("memories:export_create"), {"format": "jsonlines", "what": "all"})
    signed_in.post(reverse("chat:forgetting_create"), {"topic": "vormelidax", "agent": meant.pk, "files": "1"})
    removed = Forgetting.objects.get().removed
    assert (removed["profile_files"], removed.get("exports", 0)) == (1, 0)


@pytest.mark.parametrize(("topic", "line"), [("family", "Two families came."), ("Jose", "José called.")])
def test_what_is_found_by_folded_words_is_shown_and_goes(signed_in: Client, user: User, topic: str, line: str) -> None:
    agent = make_agent(owner=user, language="en")
    write(agent, f"## Notes\n{line}\nTea is green.\n")
    signed_in.post(reverse("chat:forgetting_create"), {"topic": topic, "files": "1"})
    assert stored(agent) == "## Notes\nTea is green.\n"


def test_a_memory_of_many_words_is_forgotten(user: User) -> None:
    agent = make_agent(owner=user, language="en")
    write(agent)
    memory = make_memory(agent, " ".join(f"word{number}" for number in range(600)))
    forget(user, [memory.pk])
    assert (Memory.objects.count(), stored(agent)) == (0, TEXT)


def test_an_embedder_that_is_away_keeps_no_tool_from_writing(user: User, settings: Settings) -> None:
    agent = make_agent(owner=user, language="en")
    Tombstone.objects.create(agent=agent, user=user, fingerprint="x", vector="y", model="z", last_message_id=9)
    settings.EMBEDDER = "openai"  # without a key
    profile_add.call(
        Scope(agent.pk, user.pk, user_message_id=1), {"file": "user", "section": "Tea", "content": "Green"}
    )
    assert stored(agent) == "## Tea\nGreen\n"


def test_what_only_their_history_says_goes_with_the_rest(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user, language="en")
    write(agent)
    write(agent, "## Boats\n")
    memory = make_memory(agent, BOAT)
    signed_in.post(reverse("chat:forgetting_create"), {"topic": "vormelidax", "memory": memory.pk})
    assert not Memory.objects.exists()
    assert not [text for text in ProfileRevision.objects.values_list("after", flat=True) if BOAT in text]


def test_only_files_of_the_agent_that_was_chosen_are_touched(signed_in: Client, user: User) -> None:
    meant, other = (make_agent(owner=user, language="en") for _ in range(2))
    for agent in (meant, other):
        write(agent)
    wanted = {"topic": "vormelidax", "agent": meant.pk, "files": "1"}
    assert "What 1 file says of it goes" in signed_in.post(reverse("chat:forgetting_preview"), wanted).text
    signed_in.post(reverse("chat:forgetting_create"), wanted)
    assert (stored(meant), stored(other)) == ("## Boats\nTea is green.\n", TEXT)


def test_the_line_of_a_day_goes_from_what_later_conversations_are_told(user: User) -> None:
    agent = make_agent(owner=user, language="en")
    said = say(agent, "Could you check whether the clinic in Braga is open?")
    look_through(said.conversation)
    later = say(agent, "Hello again")
    assert "Braga" in later.system_prompt
    forget(user, [], [said.parent_id or 0])

    later = load(later)
    told = [later.system_prompt, str(later.conversation.profile_text), ProfileFile.objects.get().text]
    assert not [text for text in told if "Braga" in text]


def test_a_conversation_that_ends_later_does_not_note_it_for_the_day(user: User) -> None:
    agent = make_agent(owner=user, language="en")
    answer = say(agent, "I live in Lisbon.")
    forget(user, Memory.objects.values_list("pk", flat=True))
    say(agent, "What is the weather like?", answer.conversation)
    look_through(answer.conversation)

    assert not Memory.objects.exists()
    assert not [file.text for file in ProfileFile.objects.all() if "Lisbon" in file.text]
    assert answer.conversation.extractions.get().summary == ""


@pytest.mark.parametrize("place", [0, 45])
def test_a_forgotten_sentence_is_refused_wherever_it_stands(user: User, place: int) -> None:
    agent = make_agent(owner=user, language="en")
    answer = say(agent, "I live in Lisbon.")
    forget(user, Memory.objects.values_list("pk", flat=True))
    lines = [f"- Point number {number} of the project" for number in range(50)]
    lines.insert(place, "- The user lives in Lisbon")
    scope = Scope(agent.pk, user.pk, user_message_id=answer.parent_id)
    with pytest.raises(ToolError, match="forgotten"):
        profile_add.call(scope, {"content": "\n".join(lines)})
