"""Forgotten for good: nothing is left in rows, indexes and turns, and nothing brings it back but the person."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from chat.deletion import delete_conversation
from chat.evaluation.forgetting import evaluate_forgetting, is_good
from chat.evaluation.planting import DOORS
from chat.evaluation.residues import search_tables
from chat.forgetting.mentions import Mention, find_mentions
from chat.forgetting.removing import forget, preview
from chat.models import Message, Recalled, Remembered, ToolCall
from chat.search import search_conversations
from chat.sending import send_message
from chat.toolbox import run_call
from chat.transcript import write_message
from chat.turns import run_turn
from memories.changes import delete, edit
from memories.gate import Draft, Origin, write
from memories.models import Memory, MemoryTally, Tombstone
from memories.tasks import tidy_forgotten
from memories.tombstones import ForgottenError
from memories.tools import MEMORY_TOOLS
from tests.chat.remembering import Talk, answer_to, begin_talk, find
from tests.chat.turning import load
from tests.factories import make_agent, make_user
from tests.openai_stub import OpenAIStub, Reply, calls
from xiajiao.evaluation.registry import EVALUATIONS
from xiajiao.llm.base import RequestedCall
from xiajiao.models import User
from xiajiao.places import all_places
from xiajiao.tools import Scope

pytestmark = pytest.mark.django_db

BOAT = "The user's boat is called Vormelidax."
SAID = "My boat is called Vormelidax."
HX = {"HX-Request": "true"}
BY_HAND = Origin("person", "manual")


@pytest.fixture
def talk(user: User, openai_stub: OpenAIStub) -> Talk:
    """The boat is told of, known in a later answer that names it, and found by a tool."""
    talk = begin_talk(openai_stub, make_agent(owner=user, language="en"))
    talk.say(SAID, BOAT)
    talk.stub.answers(calls(("memory_search", {"query": "boat"})), Reply(text="It is called Vormelidax."))
    list_turn(talk, "What is my boat called?")
    talk.say("What is the weather like?")
    return talk


def list_turn(talk: Talk, text: str) -> Message:
    answer = send_message(talk.conversation, text).answer
    list(run_turn(load(answer)))
    talk.conversation.refresh_from_db()
    return answer


def traces(text: str = "vormelidax") -> dict[str, int]:
    """Without the pages of SQLite's index, which a sweep tidies soon after."""
    found, _count = search_tables([text.encode()])
    return {name: count for name, count in found.items() if not name.startswith("xiajiao_fulltext_")}


def mentions_of(memory: Memory) -> list[Mention]:
    return find_mentions([memory], memory.user_id or 0)


def origin_at(talk: Talk, message: Message, actor: str = "agent") -> Origin:
    return Origin(actor, "tool", talk.conversation.user_id, talk.conversation.pk, [message.pk])


def first(talk: Talk) -> Message:
    return talk.conversation.messages.order_by("pk")[0]


def test_with_all_messages_ticked_no_table_holds_a_trace(talk: Talk) -> None:
    assert {"chat_toolcall.result", "chat_message.system_prompt", "chat_recalled.content"} <= set(traces())
    mentions = mentions_of(find(BOAT))
    forget(find(BOAT), [mention.message.pk for mention in mentions])

    assert traces() == {}
    assert not Memory.objects.exists()
    assert not Recalled.objects.exists()
    assert not Remembered.objects.exists()


def test_messages_stay_unless_they_are_ticked(talk: Talk) -> None:
    forget(find(BOAT), [])

    assert {name.split(".")[0] for name in traces()} == {"chat_message", "chat_conversation", "xiajiao_indexedtext"}
    assert set(traces()) & {"chat_message.system_prompt", "chat_toolcall.result", "chat_toolcall.arguments"} == set()
    assert first(talk).content == SAID


def test_the_messages_that_say_it_are_offered_and_no_others(talk: Talk) -> None:
    texts = [mention.message.content for mention in mentions_of(find(BOAT))]

    assert SAID in texts
    assert "It is called Vormelidax." in texts
    assert "What is the weather like?" not in texts


def test_a_ticked_message_leaves_a_mark_and_is_found_no_more(talk: Talk, user: User, signed_in: Client) -> None:
    message = first(talk)
    forget(find(BOAT), [message.pk])
    message.refresh_from_db()

    assert (message.content, bool(message.removed_at)) == ("[removed]", True)
    assert write_message(message) == [{"role": "user", "content": "[removed]"}]
    talk.conversation.refresh_from_db()
    assert talk.conversation.title == ""
    assert all(hit.message != message for hit in search_conversations(user, "Vormelidax"))
    page = signed_in.get(f"/conversations/{talk.conversation.pk}/").content.decode()
    assert "something in it was to be forgotten" in page
    assert "[removed]" not in page


def test_nobody_elses_message_can_be_ticked(talk: Talk, openai_stub: OpenAIStub) -> None:
    other = begin_talk(openai_stub, make_agent())
    message = other.say(SAID, BOAT)
    mine = Memory.objects.get(user=talk.conversation.user)
    forget(mine, [message.pk])

    message.refresh_from_db()
    assert message.content == SAID
    assert Memory.objects.filter(user=other.conversation.user).exists()


def test_the_preview_says_what_would_go_and_the_receipt_what_went(talk: Talk) -> None:
    expected = {amount.place.key: amount.count for amount in preview(find(BOAT)) if not amount.place.is_outside}
    receipt = {amount.place.key: amount.count for amount in forget(find(BOAT)) if amount.count}

    assert expected["tool_calls"] == 2
    assert expected["memory_rows"] == expected["memory_vectors"] == expected["memory_fulltext"] == 1
    assert {key: receipt.get(key) for key in expected} == expected
    assert Memory.objects.count() == 0


def test_a_call_that_said_it_is_emptied_and_others_keep_what_is_not_about_it(talk: Talk) -> None:
    talk.say("I have a cat named Milo", "The user has a cat named Milo.")
    talk.stub.answers(calls(("memory_search", {"query": ""})), Reply(text="All that."))
    list_turn(talk, "List everything")
    forget(find(BOAT))

    listed = ToolCall.objects.latest("pk")
    assert "cat named Milo" in listed.result
    assert "[forgotten]" in listed.result
    written = ToolCall.objects.order_by("pk")[0]
    assert (json.loads(written.arguments), written.result) == ({"content": "[forgotten]"}, "[forgotten]")


def test_former_wordings_go_too_and_the_history_of_what_it_replaced(user: User, openai_stub: OpenAIStub) -> None:
    talk = begin_talk(openai_stub, make_agent(owner=user))
    talk.say("我住在北京", "用户住在北京。")
    talk.say("我搬到上海了", "用户住在上海。")
    memory = find("用户住在上海。")
    edit(memory, {"content": "用户住在沪。"}, BY_HAND)
    forget(find("用户住在沪。"), [mention.message.pk for mention in mentions_of(memory)])

    assert traces("用户住在上海") == {}
    assert find("用户住在北京。").revisions.filter(action="superseded", offered="").exists()


def test_another_memory_of_the_same_sentence_loses_its_quote_and_nothing_else(
    user: User, openai_stub: OpenAIStub
) -> None:
    talk = begin_talk(openai_stub, make_agent(owner=user))
    cat = "The user has a cat named Milo."
    talk.say("My boat is called Vormelidax and I have a cat named Milo.", BOAT, cat)
    assert "Vormelidax" in find(cat).quote
    forget(find(BOAT))

    assert (find(cat).quote, find(cat).content, find(cat).is_active) == ("", cat, True)


def test_what_was_said_before_does_not_bring_it_back(talk: Talk) -> None:
    forget(find(BOAT))
    message = first(talk)
    scope = Scope(talk.conversation.agent_id, talk.conversation.user_id, talk.conversation.pk, None, message.pk)
    outcome = run_call(scope, MEMORY_TOOLS, RequestedCall("x", "memory_write", json.dumps({"content": BOAT})))
    assert outcome.is_error
    assert "had this forgotten" in outcome.result
    for content in (BOAT, BOAT.upper(), "The boat of the user is called Vormelidax"):
        with pytest.raises(ForgottenError):
            write(
                talk.conversation.agent,
                talk.conversation.user_id,
                Draft(content),
                origin_at(talk, message, "extraction"),
            )

    assert not Memory.objects.exists()


def test_nor_does_a_correction_of_another_memory(talk: Talk) -> None:
    talk.say("I live in Hangzhou", "The user lives in Hangzhou.")
    memory, message = find("The user lives in Hangzhou."), first(talk)
    forget(find(BOAT))
    scope = Scope(talk.conversation.agent_id, talk.conversation.user_id, talk.conversation.pk, None, message.pk)
    arguments = json.dumps({"id": memory.pk, "content": BOAT})
    outcome = run_call(scope, MEMORY_TOOLS, RequestedCall("x", "memory_update", arguments))

    assert outcome.is_error
    assert find("The user lives in Hangzhou.").is_active


def test_what_else_was_said_before_can_still_be_remembered(talk: Talk) -> None:
    forget(find(BOAT))
    origin = origin_at(talk, first(talk), "extraction")

    assert write(talk.conversation.agent, talk.conversation.user_id, Draft("用户对花生过敏"), origin).action == "added"


@pytest.mark.parametrize("how", ["said in a new message", "written by hand", "imported"])
def test_the_person_brings_it_back_by_saying_it_anew(talk: Talk, how: str) -> None:
    forget(find(BOAT))
    agent, user_id = talk.conversation.agent, talk.conversation.user_id
    if how == "said in a new message":
        talk.say(SAID, BOAT)
    else:
        actor = {"written by hand": "person", "imported": "import"}[how]
        write(agent, user_id, Draft(BOAT), Origin(actor, "manual", user_id))

    assert find(BOAT).is_active


def test_another_person_and_another_agent_are_not_bound_by_it(talk: Talk) -> None:
    forget(find(BOAT))
    origin = origin_at(talk, first(talk), "extraction")
    other = make_agent(owner=talk.conversation.user)

    assert write(other, talk.conversation.user_id, Draft(BOAT), origin).action == "added"
    assert write(talk.conversation.agent, make_user().pk, Draft(BOAT), origin).action == "added"


def test_a_tombstone_holds_no_text(talk: Talk) -> None:
    forget(find(BOAT))
    tombstone = Tombstone.objects.get()

    assert tombstone.model == "e5-384"
    assert len(tombstone.fingerprint) == 64
    assert "memories_tombstone" not in " ".join(traces())


def test_forgetting_twice_is_forgetting_once(talk: Talk) -> None:
    memory = find(BOAT)
    forget(memory)
    again = Memory.objects.filter(pk=memory.pk).first()

    assert again is None
    assert Tombstone.objects.count() == 1


def test_what_is_deleted_already_can_be_forgotten(talk: Talk) -> None:
    memory = find(BOAT)
    delete(memory, BY_HAND)
    mentions = [mention.message.pk for mention in mentions_of(memory)]
    delete_conversation(talk.conversation)
    forget(Memory.objects.get(pk=memory.pk), mentions)

    assert traces() == {}


def test_the_panels_figures_hold(talk: Talk) -> None:
    forget(find(BOAT))

    assert sum(MemoryTally.objects.values_list("count", flat=True)) == 0


def test_the_drawer_asks_lists_and_gives_a_receipt(signed_in: Client, talk: Talk) -> None:
    memory = find(BOAT)
    address = f"/memories/{memory.pk}/forget/"
    assert address in signed_in.get(f"/memories/{memory.pk}/sources/", headers=HX).content.decode()
    asked = signed_in.get(address, headers=HX).content.decode()
    assert "My boat is called" in asked
    assert 'type="checkbox"' in asked
    assert Memory.objects.exists()

    message = first(talk)
    said = signed_in.post(address, {"message": [message.pk]}, headers=HX).content.decode()
    assert "gone for good" in said
    assert "Vormelidax" not in said
    message.refresh_from_db()
    assert message.removed_at is not None
    assert answer_to(message).removed_at is None
    assert signed_in.post(address, headers=HX).status_code == 404


def test_all_messages_are_ticked_at_once(signed_in: Client, talk: Talk) -> None:
    signed_in.post(f"/memories/{find(BOAT).pk}/forget/", {"all_messages": "1"}, headers=HX)

    assert traces() == {}


def test_staff_may_forget_and_see_no_message(client: Client, talk: Talk) -> None:
    client.force_login(make_user(is_staff=True))
    address = f"/memories/{find(BOAT).pk}/forget/"
    assert SAID not in client.get(address, headers=HX).content.decode()
    client.post(address, {"all_messages": "1"}, headers=HX)

    assert not Memory.objects.exists()
    assert first(talk).content == SAID


def test_nobody_else_may(client: Client, talk: Talk) -> None:
    client.force_login(make_user())

    assert client.post(f"/memories/{find(BOAT).pk}/forget/").status_code == 404
    assert Memory.objects.exists()


def test_every_place_is_asked_and_scrubbed_without_a_memory_to_find(talk: Talk) -> None:
    keys = [place.key for place in all_places()]

    assert {"tool_calls", "prompts", "messages", "memory_rows", "streams", "query_vectors"} <= set(keys)
    assert keys.index("tool_calls") < keys.index("remembered") < keys.index("memory_rows") < keys.index("streams")


def test_what_is_deleted_is_overwritten() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("SQLite alone has it")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete")
        assert cursor.fetchone() == (1,)


@pytest.mark.django_db(transaction=True)
def test_the_files_are_tidied_soon_after(turns: None, talk: Talk) -> None:
    forget(find(BOAT), [mention.message.pk for mention in mentions_of(find(BOAT))])
    tidy_forgotten()

    assert Tombstone.objects.get().tidied_at is not None
    assert search_tables([b"vormelidax"])[0] == {}


@pytest.mark.django_db(transaction=True)
def test_facts_planted_by_every_door_leave_nothing_and_do_not_come_back(turns: None) -> None:
    report = evaluate_forgetting(len(DOORS))

    assert len(report["doors"]) == len(DOORS)
    assert report["planted"]["tables"]
    assert (report["residues"]["tables"], report["residues"]["files"]) == ({}, {})
    assert report["came_back"] == 0
    assert is_good(report)


def test_the_command_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "forget" in EVALUATIONS
    with pytest.raises(SystemExit):
        call_command("evaluate", "--help")
    assert "forget" in capsys.readouterr().out
