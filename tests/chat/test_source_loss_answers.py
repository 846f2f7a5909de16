"""Questions about memories that lost their source: answered, taken back, and settled by what happens meanwhile."""

from __future__ import annotations

import pytest
from django.test import Client

from chat.asking import find_open
from chat.deletion import delete_conversation, delete_message, restore_conversation, restore_message
from chat.models import SourceLoss
from chat.sending import regenerate_answer
from memories.changes import delete, edit, set_enabled
from memories.gate import Draft, Origin, write
from memories.recall import recall
from memories.tasks import embed_missing
from tests.chat.remembering import Talk, answer_to, begin_talk, find
from tests.chat.test_source_loss import BEIJING, BY_HAND, CAT, DOG, SHANGHAI, states
from tests.chat.turning import load
from tests.factories import make_agent, make_user
from tests.openai_stub import OpenAIStub
from xiajiao.models import User

pytestmark = pytest.mark.django_db

HX = {"HX-Request": "true"}
AFTER = {"keep": ["replaced", "active"], "disable": ["active", "disabled"], "delete": ["active", "deleted"]}


@pytest.fixture
def talk(user: User, openai_stub: OpenAIStub) -> Talk:
    """After a deletion that leaves one question: about SHANGHAI, which had replaced BEIJING."""
    agent = make_agent(owner=user)
    begin_talk(openai_stub, agent).say("我住在北京", BEIJING)
    talk = begin_talk(openai_stub, agent)
    talk.say("你好")
    delete_message(talk.say("我搬到上海了", SHANGHAI))
    return talk


def ask(talk: Talk) -> SourceLoss:
    return SourceLoss.objects.open().get(conversation=talk.conversation)


@pytest.mark.parametrize("answer", AFTER)
def test_an_answer_is_carried_out_and_can_be_taken_back(signed_in: Client, talk: Talk, answer: str) -> None:
    loss = ask(talk)
    response = signed_in.post(
        f"/losses/{loss.pk}/", {"answer": answer, "conversation": talk.conversation.pk}, headers=HX
    )

    assert response.status_code == 200
    assert states(BEIJING, SHANGHAI) == AFTER[answer]
    assert not find_open(talk.conversation.user).exists()
    undo = f"/losses/undo/?loss={loss.pk}"
    assert undo in response.content.decode()

    signed_in.post(undo)
    assert states(BEIJING, SHANGHAI) == ["replaced", "active"]
    assert ask(talk).pk == loss.pk


@pytest.mark.parametrize("answer", AFTER)
def test_all_of_a_conversation_are_answered_at_once(
    signed_in: Client, talk: Talk, openai_stub: OpenAIStub, answer: str
) -> None:
    other = begin_talk(openai_stub, talk.conversation.agent)
    delete_message(other.say("我有一条狗", DOG))
    delete_message(talk.say("我养了一只猫", CAT))
    signed_in.post("/losses/all/", {"answer": answer, "conversation": talk.conversation.pk}, headers=HX)

    expected = {"keep": "active", "disable": "disabled", "delete": "deleted"}[answer]
    assert states(CAT, DOG) == [expected, "active"]
    assert states(BEIJING, SHANGHAI) == AFTER[answer]


def test_an_unknown_answer_changes_nothing(signed_in: Client, talk: Talk) -> None:
    signed_in.post(f"/losses/{ask(talk).pk}/", {"answer": "burn"})

    assert states(BEIJING, SHANGHAI) == ["replaced", "active"]
    assert ask(talk)


def test_answering_twice_is_answering_once(signed_in: Client, talk: Talk) -> None:
    loss = ask(talk)
    for answer in ("delete", "keep", "disable"):
        signed_in.post(f"/losses/{loss.pk}/", {"answer": answer}, headers=HX)

    assert states(BEIJING, SHANGHAI) == ["active", "deleted"]


def test_a_question_is_the_persons_own(client: Client, talk: Talk) -> None:
    client.force_login(make_user(is_staff=True))
    loss = ask(talk)

    assert client.post(f"/losses/{loss.pk}/", {"answer": "delete"}).status_code == 404
    client.post("/losses/all/", {"answer": "delete"})
    client.post(f"/losses/undo/?loss={loss.pk}")
    assert client.get(f"/losses/?conversation={talk.conversation.pk}").status_code == 404
    assert SHANGHAI not in client.get("/losses/").content.decode()
    assert states(SHANGHAI) == ["active"]


def test_questions_wait_on_a_page_of_their_own_and_are_announced(signed_in: Client, talk: Talk) -> None:
    assert SHANGHAI in signed_in.get("/losses/").content.decode()
    assert "1 memory lost what it came from." in signed_in.get("/losses/notice/").content.decode()
    assert (
        "1 memory came from what you deleted"
        in signed_in.get(f"/conversations/{talk.conversation.pk}/").content.decode()
    )

    signed_in.post(f"/losses/{ask(talk).pk}/", {"answer": "keep"})
    assert "Nothing to decide" in signed_in.get("/losses/").content.decode()
    assert "memory" not in signed_in.get("/losses/notice/").content.decode()


SETTLING = {
    "edited by hand": lambda talk: edit(find(SHANGHAI), {"tags": ["家"]}, BY_HAND),
    "pinned": lambda talk: edit(find(SHANGHAI), {"pinned": True}, BY_HAND),
    "switched off": lambda talk: set_enabled(find(SHANGHAI), False, BY_HAND),
    "deleted": lambda talk: delete(find(SHANGHAI), BY_HAND),
    "written by hand": lambda talk: write(talk.conversation.agent, talk.conversation.user_id, Draft(SHANGHAI), BY_HAND),
    "said in a chat": lambda talk: talk.say("我住在上海", SHANGHAI),
    "source back": lambda talk: restore_message(talk.conversation.messages.filter(deleted_at__isnull=False)[0]),
}


@pytest.mark.parametrize("how", SETTLING)
def test_what_happens_meanwhile_settles_a_question(talk: Talk, how: str) -> None:
    assert ask(talk)
    SETTLING[how](talk)

    assert not find_open(talk.conversation.user).exists()


def test_of_an_answer_that_is_being_replaced_nothing_is_asked_until_the_new_one_is_there(
    user: User, openai_stub: OpenAIStub
) -> None:
    talk = begin_talk(openai_stub, make_agent(owner=user))
    message = talk.say("我养了一只猫", CAT)
    other = regenerate_answer(load(answer_to(message)))
    assert not find_open(user, talk.conversation).exists()

    talk.answer(other)
    assert find_open(user, talk.conversation).exists()


@pytest.mark.parametrize("policy", ["disable", "delete", "ask"])
@pytest.mark.parametrize("what", ["message", "conversation"])
def test_what_is_brought_back_brings_its_memories_back_as_they_were(
    user: User, openai_stub: OpenAIStub, policy: str, what: str
) -> None:
    agent = make_agent(owner=user, when_source_goes=policy)
    begin_talk(openai_stub, agent).say("我住在北京，喜欢 Python", BEIJING, "用户喜欢 Python")
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我搬到上海了，偏好 Python 语言", SHANGHAI, "用户偏好 Python 语言")
    if what == "message":
        delete_message(load(message))
        assert states("用户喜欢 Python") == ["active"]
        restore_message(load(message))
    else:
        delete_conversation(talk.conversation)
        assert states("用户喜欢 Python") == ["active"]
        restore_conversation(talk.conversation)

    assert states(BEIJING, SHANGHAI, "用户偏好 Python 语言") == ["replaced", "active", "active"]
    assert find(BEIJING).superseded_by == find(SHANGHAI)
    assert not find_open(user).exists()
    assert set(SourceLoss.objects.values_list("state", flat=True)) == {"returned"}


def test_what_a_person_did_since_is_left_as_they_want_it(user: User, openai_stub: OpenAIStub) -> None:
    agent = make_agent(owner=user, when_source_goes="disable")
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我养了一只猫，还有一条狗", CAT, DOG)
    delete_message(load(message))
    set_enabled(find(CAT), True, BY_HAND)
    set_enabled(find(CAT), False, BY_HAND)
    restore_message(load(message))

    assert states(CAT, DOG) == ["disabled", "active"]


def test_what_was_replaced_twice_comes_back_step_by_step(user: User, openai_stub: OpenAIStub) -> None:
    agent = make_agent(owner=user, when_source_goes="delete")
    begin_talk(openai_stub, agent).say("我住在北京", BEIJING)
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我搬到上海了", SHANGHAI)
    later = talk.say("我搬到广州了", "用户住在广州。")
    everything = (BEIJING, SHANGHAI, "用户住在广州。")
    assert states(*everything) == ["replaced", "replaced", "active"]

    delete_message(load(later))
    assert states(*everything) == ["replaced", "active", "deleted"]
    delete_message(load(message))
    assert states(*everything) == ["active", "deleted", "deleted"]
    restore_message(load(message))
    assert states(*everything) == ["replaced", "active", "deleted"]
    delete_conversation(talk.conversation)
    assert states(*everything) == ["active", "deleted", "deleted"]
    restore_conversation(talk.conversation)
    assert states(*everything) == ["replaced", "active", "deleted"]


def test_what_stood_between_two_others_hands_the_older_one_on(user: User, openai_stub: OpenAIStub) -> None:
    agent = make_agent(owner=user, when_source_goes="delete")
    begin_talk(openai_stub, agent).say("我住在北京", BEIJING)
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我搬到上海了", SHANGHAI)
    begin_talk(openai_stub, agent).say("我搬到广州了", "用户住在广州。")

    delete_message(load(message))
    assert states(BEIJING, SHANGHAI, "用户住在广州。") == ["replaced", "deleted", "active"]
    assert find(BEIJING).superseded_by == find("用户住在广州。")
    restore_message(load(message))
    assert find(BEIJING).superseded_by == find(SHANGHAI)


def test_what_came_back_is_recalled_at_once_and_has_its_vector_with_the_next_sweep(
    user: User, openai_stub: OpenAIStub
) -> None:
    agent = make_agent(owner=user, when_source_goes="delete")
    begin_talk(openai_stub, agent).say("我住在北京", BEIJING)
    talk = begin_talk(openai_stub, agent)
    delete_message(talk.say("我搬到上海了", SHANGHAI))

    assert [item.memory.content for item in recall(agent, user.pk, "我住在北京吗？").items] == [BEIJING]
    embed_missing()
    assert find(BEIJING).embedded_with == "e5-384"


def test_what_an_answer_notes_after_its_conversation_was_deleted_has_lost_its_source(
    user: User, openai_stub: OpenAIStub
) -> None:
    talk = begin_talk(openai_stub, make_agent(owner=user, when_source_goes="delete"))
    message = talk.say("你好")
    other = regenerate_answer(load(answer_to(message)))
    delete_conversation(talk.conversation)
    talk.answer(other, CAT)

    assert states(CAT) == ["deleted"]


def test_what_another_person_remembers_is_never_touched(user: User, openai_stub: OpenAIStub) -> None:
    agent = make_agent(owner=user, when_source_goes="delete", is_shared=True)
    stranger = make_user()
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我养了一只猫", CAT)
    origin = Origin("agent", "tool", stranger.pk, talk.conversation.pk, [message.pk])
    theirs = write(agent, stranger.pk, Draft(CAT), origin).memory
    delete_message(load(message))

    theirs.refresh_from_db()
    assert theirs.is_active
