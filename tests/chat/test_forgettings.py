"""Everything about X is forgotten: topic, preview, ticks, receipt; an agent proposes and a person decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.forgetting.mentions import find_mentions
from chat.forgetting.proposing import dismiss
from chat.forgetting.running import agree, begin, claim, run
from chat.models import Forgetting, Message, ToolCall
from chat.sending import send_message
from chat.tasks import forget_memories, sweep_forgettings
from chat.turns import run_turn
from memories.models import Memory, Tombstone
from tests.chat.remembering import Talk, begin_talk, find
from tests.chat.test_forgetting import traces
from tests.chat.turning import load
from tests.factories import make_agent, make_memory, make_user
from tests.openai_stub import OpenAIStub, Reply, calls
from xiajiao.claims import LostClaimError
from xiajiao.models import User
from xiajiao.places import strike_out
from xiajiao.secrets import decrypt

pytestmark = pytest.mark.django_db

CAT, FOOD, CITY = "The user's cat is called Quillimax.", "Quillimax eats trout only.", "The user lives in Hangzhou."
PAGE, PREVIEW, CONFIRM = "/memories/forget/", "/memories/forget/preview/", "/memories/forget/confirm/"
HX = {"HX-Request": "true"}


@pytest.fixture
def talk(user: User, openai_stub: OpenAIStub) -> Talk:
    talk = begin_talk(openai_stub, make_agent(owner=user, language="en"))
    talk.say("My cat is called Quillimax", CAT)
    talk.say("Quillimax eats trout and nothing else", FOOD)
    talk.say("I live in Hangzhou", CITY)
    return talk


def ask(talk: Talk, text: str, *named: tuple[str, dict[str, object]]) -> Message:
    talk.stub.answers(calls(*named), Reply(text="See below."))
    answer = send_message(talk.conversation, text).answer
    list(run_turn(load(answer)))
    talk.conversation.refresh_from_db()
    return answer


def propose(talk: Talk) -> Forgetting:
    answer = ask(talk, "Forget everything about Quillimax", ("memory_forget", {"about": "Quillimax"}))
    return Forgetting.objects.get(answer=answer)


def ids(*contents: str) -> list[int]:
    return [find(content).pk for content in contents]


def test_a_title_that_says_the_last_of_many_memories_goes_with_its_message(talk: Talk) -> None:
    agent, person = talk.conversation.agent, talk.conversation.user
    many = [make_memory(agent, f"Quillimax has been to vet number {number:02}", user=person) for number in range(30)]
    talk.conversation.title = f"About {many[-1].content}"
    talk.conversation.save()
    message = Message.objects.filter(role="user").earliest("pk")
    forgetting = begin(person, [memory.pk for memory in many], [message.pk])
    claimed = claim(forgetting.pk)
    assert claimed is not None
    run(claimed)

    talk.conversation.refresh_from_db()
    assert talk.conversation.title == ""


def test_the_preview_ticks_what_holds_the_words_and_no_message(signed_in: Client, talk: Talk) -> None:
    page = signed_in.post(PREVIEW, {"topic": "Quillimax"}).content.decode()

    for pk in ids(CAT, FOOD):
        assert f'name="memory" value="{pk}" checked' in page
    assert f'name="memory" value="{find(CITY).pk}" checked' not in page
    assert "My cat is called <mark>Quillimax</mark>" in page
    assert 'name="message"' in page
    assert not [line for line in page.splitlines() if 'name="message"' in line and "checked" in line]
    assert Memory.objects.count() == 3


def test_a_longer_conversation_costs_no_more_queries(talk: Talk) -> None:
    def count_queries() -> int:
        memories = list(Memory.objects.filter(pk__in=ids(CAT, FOOD)))
        with CaptureQueriesContext(connection) as queries:
            assert find_mentions(memories, talk.conversation.user_id)
        return len(queries)

    before = count_queries()
    for _turn in range(3):
        talk.say("What does Quillimax eat?")
    assert count_queries() == before


def test_what_is_ticked_goes_and_the_receipt_holds_no_word_of_it(signed_in: Client, talk: Talk) -> None:
    done = signed_in.post(CONFIRM, {"topic": "Quillimax", "memory": ids(CAT, FOOD), "all_messages": "1"}, follow=True)
    receipt = done.content.decode()

    assert "2 memories are gone for good" in receipt
    assert "Quillimax" not in receipt
    assert traces("quillimax") == {}
    assert [memory.content for memory in Memory.objects.all()] == [CITY]
    forgetting = Forgetting.objects.get()
    assert (forgetting.state, forgetting.topic, forgetting.memory_ids) == ("done", "", [])
    assert forgetting.removed["memory_rows"] == 2
    assert forgetting.removed["messages"] > 0
    assert "streams" in forgetting.removed
    assert Tombstone.objects.count() == 2
    assert "Quillimax" not in signed_in.get(PAGE).content.decode()


def test_messages_that_are_not_ticked_stay_to_the_letter(signed_in: Client, talk: Talk) -> None:
    before = list(Message.objects.order_by("pk").values_list("content", flat=True))
    signed_in.post(CONFIRM, {"topic": "Quillimax", "memory": ids(CAT, FOOD)})

    assert list(Message.objects.order_by("pk").values_list("content", flat=True)) == before
    assert {name.split(".")[0] for name in traces("quillimax")} == {
        "chat_message",
        "chat_conversation",
        "xiajiao_indexedtext",
    }
    assert Forgetting.objects.get().messages_left >= 2


def test_what_is_not_ticked_stays(signed_in: Client, talk: Talk) -> None:
    [ticked] = find_mentions([find(CAT)], find(CAT).user_id or 0)[-1:]
    signed_in.post(CONFIRM, {"topic": "Quillimax", "memory": ids(CAT), "message": [ticked.message.pk]})

    assert find(FOOD).is_active
    assert Message.objects.filter(removed_at__isnull=False).get() == ticked.message


def test_the_words_of_the_topic_leave_tool_calls_unless_a_memory_keeps_them(signed_in: Client, talk: Talk) -> None:
    ask(talk, "What of it?", ("memory_search", {"query": "Quillimax"}))
    signed_in.post(CONFIRM, {"topic": "Quillimax", "memory": ids(CAT)})
    assert ToolCall.objects.filter(arguments__contains="Quillimax").exists()
    signed_in.post(CONFIRM, {"topic": "Quillimax", "memory": ids(FOOD)})

    assert not ToolCall.objects.filter(arguments__contains="Quillimax").exists()


def test_nothing_ticked_is_said_and_nothing_goes(signed_in: Client, talk: Talk) -> None:
    answer = signed_in.post(CONFIRM, {"topic": "Quillimax"})

    assert (answer.status_code, "Nothing is ticked" in answer.content.decode()) == (422, True)
    assert not Forgetting.objects.exists()


def test_messages_alone_can_go_too(signed_in: Client, talk: Talk) -> None:
    talk.say("Zanzibar is far away")
    message = Message.objects.get(content="Zanzibar is far away")
    signed_in.post(CONFIRM, {"topic": "Zanzibar", "message": [message.pk]})

    message.refresh_from_db()
    assert message.content == "[removed]"
    assert Forgetting.objects.get().total == 0


def test_a_topic_of_which_nothing_is_known_leads_back(signed_in: Client, talk: Talk) -> None:
    page = signed_in.post(PREVIEW, {"topic": "Xylophonistry"}).content.decode()

    assert "Nothing is remembered about it" in page
    assert signed_in.post(PREVIEW, {"topic": " "}).status_code == 422


def test_nobody_elses_things_can_be_ticked(client: Client, talk: Talk) -> None:
    stranger = make_user()
    client.force_login(stranger)
    mine = make_memory(make_agent(owner=stranger), "Quillimax too", user=stranger)
    message = Message.objects.order_by("pk")[0]
    client.post(CONFIRM, {"topic": "Quillimax", "memory": [*ids(CAT), mine.pk], "message": [message.pk]})

    assert find(CAT).is_active
    assert not Memory.objects.filter(pk=mine.pk).exists()
    assert Message.objects.get(pk=message.pk).removed_at is None


def test_nothing_of_ones_own_ticked_is_nothing_ticked(client: Client, talk: Talk) -> None:
    client.force_login(make_user())
    assert client.post(CONFIRM, {"topic": "Quillimax", "memory": ids(CAT)}).status_code == 422
    assert not Forgetting.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_locked_meanwhile_makes_it_wait(signed_in: Client, talk: Talk) -> None:
    with connection.execute_wrapper(refuse_updates):
        page = signed_in.post(CONFIRM, {"topic": "Quillimax", "memory": ids(CAT)}, follow=True).content.decode()
    assert "It is being forgotten." in page
    assert find(CAT).is_active
    forget_memories(Forgetting.objects.get().pk)
    assert not Memory.objects.filter(content=CAT).exists()


def refuse_updates(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
    if sql.startswith('UPDATE "chat_forgetting"'):
        raise OperationalError("database is locked")
    return execute(sql, *rest)


def test_many_wait_for_a_worker_that_may_die(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    pks = [make_memory(agent, f"Quillimax number {number}", user=user).pk for number in range(25)]
    page = signed_in.post(CONFIRM, {"topic": "Quillimax", "memory": pks}, follow=True).content.decode()
    forgetting = Forgetting.objects.get()
    assert (forgetting.state, Memory.objects.count()) == ("pending", 25)
    assert "0 of 25" in page
    assert decrypt(forgetting.topic) == "Quillimax"

    claim(forgetting.pk)
    forget_memories(forgetting.pk)
    assert Memory.objects.count() == 25
    Forgetting.objects.update(heartbeat=timezone.now() - timedelta(minutes=5), created_at="2026-01-01T00:00Z")
    sweep_forgettings()

    forgetting.refresh_from_db()
    assert (forgetting.state, forgetting.done, forgetting.removed["memory_rows"]) == ("done", 25, 25)
    assert not Memory.objects.exists()


def test_a_run_that_was_taken_over_removes_nothing_more(user: User) -> None:
    agent = make_agent(owner=user)
    memory = make_memory(agent, "Quillimax", user=user)
    forgetting = begin(user, [memory.pk])
    first = claim(forgetting.pk)
    Forgetting.objects.update(heartbeat=timezone.now() - timedelta(minutes=5))
    second = claim(forgetting.pk)
    assert first
    assert second
    with pytest.raises(LostClaimError):
        run(first)

    assert Memory.objects.exists()
    run(second)
    assert not Memory.objects.exists()


def test_one_that_failed_can_be_tried_again(signed_in: Client, user: User) -> None:
    memory = make_memory(make_agent(owner=user), "Quillimax", user=user)
    forgetting = begin(user, [memory.pk])
    Forgetting.objects.update(state="failed", attempts=5, error="OperationalError", finished_at=timezone.now())
    page = signed_in.get(f"/forgotten/{forgetting.pk}/").content.decode()
    assert "Something went wrong" in page
    signed_in.post(f"/forgotten/{forgetting.pk}/retry/")

    assert not Memory.objects.exists()


def test_an_agent_proposes_and_nothing_goes(talk: Talk) -> None:
    forgetting = propose(talk)

    assert Memory.objects.count() == 3
    assert (forgetting.state, sorted(forgetting.memory_ids)) == ("proposed", sorted(ids(CAT, FOOD)))
    assert "Quillimax" not in json.dumps(Forgetting.objects.values_list("topic", flat=True)[0])
    result = ToolCall.objects.latest("pk").result
    assert "asked to confirm that 2 memories" in result
    assert CAT in result


def test_an_agent_can_name_what_belongs_to_it(talk: Talk) -> None:
    [city] = ids(CITY)
    answer = ask(talk, "And where I live", ("memory_forget", {"about": "Quillimax", "ids": [f"M{city}"]}))

    assert city in Forgetting.objects.get(answer=answer).memory_ids


@pytest.mark.parametrize("arguments", [{"about": "Xylophonistry"}, {"about": " "}, {"about": "x", "ids": "M999999"}])
def test_a_proposal_of_nothing_is_refused(talk: Talk, arguments: dict[str, object]) -> None:
    answer = ask(talk, "Forget it", ("memory_forget", arguments))

    assert answer.tool_calls.get().status == "error"
    assert not Forgetting.objects.exists()


def test_an_agent_cannot_propose_anothers_memory(talk: Talk) -> None:
    other = make_memory(talk.conversation.agent, "Quillimax of another person", user=make_user())
    answer = ask(talk, "Forget", ("memory_forget", {"about": "Quillimax", "ids": [str(other.pk)]}))

    assert answer.tool_calls.get().status == "error"


def test_the_person_agrees_under_the_answer(signed_in: Client, talk: Talk) -> None:
    forgetting = propose(talk)
    page = signed_in.get(f"/conversations/{talk.conversation.pk}/").content.decode()
    assert f'hx-get="/forgotten/{forgetting.pk}/"' in page
    asked = signed_in.get(f"/forgotten/{forgetting.pk}/", headers=HX).content.decode()
    assert "proposes to forget everything about “Quillimax”" in asked
    assert f'name="memory" value="{find(CAT).pk}" checked' in asked
    answer = signed_in.post(
        f"/forgotten/{forgetting.pk}/agree/", {"memory": ids(CAT, FOOD), "all_messages": "1"}, headers=HX
    )

    assert "gone for good" in answer.content.decode()
    assert "forgetting-changed" in answer["HX-Trigger"]
    assert traces("quillimax") == {}
    again = signed_in.post(f"/forgotten/{forgetting.pk}/agree/", {"memory": ids(CITY)}, headers=HX)
    assert "gone for good" in again.content.decode()
    assert find(CITY).is_active


def test_of_two_pages_that_agree_one_counts(talk: Talk) -> None:
    forgetting = propose(talk)
    late = Forgetting.objects.get(pk=forgetting.pk)
    first = claim(agree(forgetting, ids(CAT)).pk)
    assert first
    assert agree(late, ids(CITY)).state == "running"
    run(first)
    assert agree(late, ids(CITY)).state == "done"

    assert find(CITY).is_active
    assert Forgetting.objects.get().done == 1


def test_what_was_turned_down_is_not_agreed_to(talk: Talk) -> None:
    forgetting = propose(talk)
    dismiss(Forgetting.objects.get(pk=forgetting.pk))

    assert agree(forgetting, ids(CAT)).state == "dismissed"
    assert find(CAT).is_active


def test_the_person_turns_it_down(signed_in: Client, talk: Talk) -> None:
    forgetting = propose(talk)
    signed_in.post(f"/forgotten/{forgetting.pk}/dismiss/")
    forgetting.refresh_from_db()

    assert (forgetting.state, forgetting.topic, forgetting.memory_ids) == ("dismissed", "", [])
    assert Memory.objects.count() == 3
    assert signed_in.post(f"/forgotten/{forgetting.pk}/agree/", {"memory": ids(CAT)}).status_code == 302
    assert find(CAT).is_active
    assert "turned down" in signed_in.get(f"/conversations/{talk.conversation.pk}/").content.decode()


def test_texts_are_struck_out_of_all_copies_and_of_no_message(talk: Talk) -> None:
    conversation = talk.conversation
    talk.say("What is my cat called?")
    counts = strike_out(conversation.agent_id, conversation.user_id, ["Quillimax"], "[left out]")

    assert counts["tool_calls"] >= 2
    assert counts["remembered"] == 2
    left = {name for name in traces("quillimax") if not name.startswith("memories_")}
    messages = {"chat_message.content", "chat_conversation.title"}
    assert left <= {*messages, "xiajiao_indexedtext.terms", "xiajiao_indexedtext.lexemes"}
    assert find(CAT).is_active
    assert "[left out]" in ToolCall.objects.order_by("pk")[0].arguments
    json.loads(ToolCall.objects.order_by("pk")[0].arguments)


@pytest.mark.django_db(transaction=True)
def test_the_command_line_takes_the_words_out_of_tool_calls_too(turns: None, talk: Talk) -> None:
    ask(talk, "What of it?", ("memory_search", {"query": "Quillimax"}))
    call_command("memories", "forget", "Quillimax", "--user", talk.conversation.user.username, "--yes")

    assert [memory.content for memory in Memory.objects.all()] == [CITY]
    assert not ToolCall.objects.filter(arguments__contains="Quillimax").exists()


def test_the_page_of_health_tells_of_one_that_failed_and_has_it_tried_again(signed_in: Client, talk: Talk) -> None:
    forgetting = begin(talk.conversation.user, ids(CAT))
    Forgetting.objects.filter(pk=forgetting.pk).update(state="failed", error="OperationalError")
    page = " ".join(signed_in.get("/memories/health/?kind=jobs").text.split())
    assert "Forgetting for good" in page
    assert "1 waits · 1 stuck" in page

    signed_in.post("/memories/health/retry/", {"job": "forgettings"})
    forget_memories(forgetting.pk)
    forgetting.refresh_from_db()
    assert forgetting.state == "done"
    assert "Forgetting for good" not in signed_in.get("/memories/health/?kind=jobs").text
