"""What becomes of memories when what was said goes away: exactly those that rested on it alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chat.deletion import delete_conversation, delete_message
from chat.models import Message, SourceLoss
from memories.changes import edit
from memories.gate import Draft, Origin, write
from memories.models import Agent, Memory
from tests.chat.remembering import Talk, answer_to, begin_talk, find
from tests.factories import make_agent
from tests.openai_stub import OpenAIStub

pytestmark = pytest.mark.django_db

BY_HAND = Origin("person", "manual")
CAT, DOG = "用户养了一只猫。", "The user has a dog named Milo."
BEIJING, SHANGHAI = "用户住在北京。", "用户住在上海。"

Loses = Callable[[Talk, Message], object]
# Four ways in which what was said at a message goes away.
WAYS: dict[str, Loses] = {
    "edited": lambda talk, message: talk.edit(message, "算了"),
    "deleted": lambda talk, message: delete_message(message),
    "regenerated": lambda talk, message: talk.regenerate(answer_to(message)),
    "conversation_deleted": lambda talk, message: delete_conversation(talk.conversation),
}
ways = pytest.mark.parametrize("way", WAYS)
STATES = {"disable": "disabled", "delete": "deleted", "ask": "open"}


def state_of(content: str) -> str:
    memory = Memory.objects.get(content=content)
    if memory.deleted_at:
        return "deleted"
    if not memory.enabled:
        return "disabled"
    return "active" if memory.is_active else "replaced"


def states(*contents: str) -> list[str]:
    return [state_of(content) for content in contents]


@pytest.fixture(params=["disable", "delete"])
def agent(request: pytest.FixtureRequest) -> Agent:
    return make_agent(when_source_goes=request.param)


@ways
def test_what_rests_on_it_alone_goes_and_what_it_had_replaced_is_back(
    openai_stub: OpenAIStub, agent: Agent, way: str
) -> None:
    earlier = begin_talk(openai_stub, agent)
    earlier.say("我住在北京，养了一只猫", BEIJING, CAT)
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我搬到上海了", SHANGHAI)
    assert states(BEIJING, SHANGHAI, CAT) == ["replaced", "active", "active"]

    WAYS[way](talk, message)

    gone = {"disable": "disabled", "delete": "deleted"}[agent.when_source_goes]
    assert states(BEIJING, SHANGHAI, CAT) == ["active", gone, "active"]
    loss = SourceLoss.objects.get()
    assert (loss.cause, loss.state, loss.was_asked, loss.memory.content) == (way, gone, False, SHANGHAI)
    assert [each.reason["source_lost"] for each in find(SHANGHAI).revisions.all()[:1]] == [way]
    assert find(BEIJING).revisions.all()[0].action == "revived"


def twice(talk: Talk, agent: Agent) -> Message:
    begin_talk(talk.stub, agent).say("再说一次：一只猫", CAT)
    return talk.say("我养了一只猫", CAT)


def by_hand_first(talk: Talk, agent: Agent) -> Message:
    write(agent, agent.owner_id, Draft(CAT), BY_HAND)
    return talk.say("我养了一只猫", CAT)


def by_hand_later(talk: Talk, agent: Agent) -> Message:
    message = talk.say("我养了一只猫", CAT)
    write(agent, agent.owner_id, Draft(CAT), BY_HAND)
    return message


def edited(talk: Talk, agent: Agent) -> Message:
    message = talk.say("我养了一只猫", CAT)
    edit(find(CAT), {"tags": ["宠物"]}, BY_HAND)
    return message


def pinned(talk: Talk, agent: Agent) -> Message:
    message = talk.say("我养了一只猫", CAT)
    edit(find(CAT), {"pinned": True}, BY_HAND)
    return message


def elsewhere_in_the_branch(talk: Talk, agent: Agent) -> Message:
    talk.say("我养了一只猫", CAT)
    return talk.say("对，一只猫", CAT)


KEPT: dict[str, Callable[[Talk, Agent], Message]] = {
    "said in another conversation": twice,
    "written by hand before": by_hand_first,
    "written by hand since": by_hand_later,
    "edited by hand": edited,
    "pinned": pinned,
}


@pytest.mark.parametrize("how", KEPT)
@ways
def test_what_rests_on_something_else_too_stays(openai_stub: OpenAIStub, agent: Agent, way: str, how: str) -> None:
    talk = begin_talk(openai_stub, agent)
    message = KEPT[how](talk, agent)

    WAYS[way](talk, message)

    assert states(CAT) == ["active"]
    assert not SourceLoss.objects.exists()


@pytest.mark.parametrize("way", ["edited", "deleted", "regenerated"])
def test_what_was_said_above_in_the_same_branch_stays(openai_stub: OpenAIStub, agent: Agent, way: str) -> None:
    talk = begin_talk(openai_stub, agent)
    talk.say("我养了一只猫", CAT)
    message = talk.say("对，一只猫，还有一条狗", CAT, DOG)

    WAYS[way](talk, message)

    assert state_of(CAT) == "active"
    assert state_of(DOG) != "active"


@pytest.mark.parametrize("way", ["edited", "deleted"])
def test_what_stands_below_goes_along(openai_stub: OpenAIStub, agent: Agent, way: str) -> None:
    talk = begin_talk(openai_stub, agent)
    message = talk.say("你好")
    talk.say("我养了一只猫", CAT)

    WAYS[way](talk, message)

    assert state_of(CAT) != "active"


@ways
def test_with_keep_nothing_happens(openai_stub: OpenAIStub, way: str) -> None:
    agent = make_agent(when_source_goes="keep")
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我养了一只猫", CAT)

    WAYS[way](talk, message)

    assert states(CAT) == ["active"]
    assert not SourceLoss.objects.exists()


@ways
def test_with_ask_nothing_happens_but_a_question(openai_stub: OpenAIStub, way: str) -> None:
    agent = make_agent()
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我养了一只猫", CAT)

    WAYS[way](talk, message)

    assert states(CAT) == ["active"]
    loss = SourceLoss.objects.for_user(agent.owner).open().get()
    assert (loss.cause, loss.state, loss.was_asked) == (way, "open", True)


@pytest.mark.parametrize("way", ["edited", "regenerated"])
def test_what_is_said_again_is_not_asked_about(openai_stub: OpenAIStub, way: str) -> None:
    agent = make_agent()
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我养了一只猫", CAT)
    if way == "edited":
        talk.edit(message, "我养了一只猫！", CAT)
    else:
        talk.regenerate(answer_to(message), CAT)

    assert states(CAT) == ["active"]
    assert not SourceLoss.objects.open().exists()
    assert SourceLoss.objects.get().state == "settled"


REWORDED = "用户养了一只叫咪咪的猫。"


@pytest.mark.parametrize("policy", ["ask", "disable", "delete"])
@ways
def test_a_wording_that_came_from_it_alone_goes_back(openai_stub: OpenAIStub, policy: str, way: str) -> None:
    agent = make_agent(when_source_goes=policy)
    begin_talk(openai_stub, agent).say("我喜欢 Python", "用户喜欢 Python")
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我偏好 Python 语言", "用户偏好 Python 语言")
    memory = Memory.objects.get()
    assert (memory.content, memory.proof_count) == ("用户偏好 Python 语言", 2)

    WAYS[way](talk, message)

    memory.refresh_from_db()
    assert (memory.content, memory.is_active) == ("用户喜欢 Python", True)
    assert SourceLoss.objects.get().state == "reworded"


@ways
def test_doing_it_twice_changes_nothing_more(openai_stub: OpenAIStub, agent: Agent, way: str) -> None:
    talk = begin_talk(openai_stub, agent)
    message = talk.say("我养了一只猫", CAT)
    WAYS[way](talk, message)
    revisions = find(CAT).revisions.count()
    delete_conversation(talk.conversation)
    delete_conversation(talk.conversation)

    assert find(CAT).revisions.count() == revisions
    assert SourceLoss.objects.count() == 1
