"""What all users of an agent share is forgotten by its owner, who learns and changes nothing of other people's."""

from __future__ import annotations

import json

import pytest

from chat.forgetting.removing import forget, preview
from chat.models import Conversation, ExtractionJob, Message, ToolCall
from memories.models import Agent, Memory, PendingWrite, ProfileFile, ProfileRevision
from memories.profiles.editing import ProfileChange, change_file, make_key
from tests.factories import make_agent, make_conversation, make_memory, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db

BOAT = "The boat is called Vormelidax."
LINE = f"- {BOAT}\n"
PROMPT = f"<agent-identity>\n{LINE}</agent-identity>\n<agent-notes>\n{LINE}</agent-notes>\n"


@pytest.fixture
def agent(user: User) -> Agent:
    """Known by all users: the agent and one memory; the same words stand in the files of both of them."""
    agent = make_agent(owner=user, is_shared=True, language="en")
    make_memory(agent, BOAT, user=None)
    for person in (user, make_user(username="wei")):
        use(agent, person)
    write(agent, "soul", user)
    return agent


def use(agent: Agent, person: User) -> None:
    write(agent, "memory", person)
    conversation = make_conversation("Hello", agent=agent, user=person, profile_text=PROMPT)
    made = {"conversation": conversation, "role": Message.Role.ASSISTANT}
    answer = Message.objects.create(**made, system_prompt=PROMPT)
    for file in ("soul", "memory"):
        asked = json.dumps({"file": file})
        ToolCall.objects.create(message=answer, name="profile_read", step=0, arguments=asked, result=LINE)
    ExtractionJob.objects.create(conversation=conversation, cause="closed", upto_id=answer.pk, summary=BOAT)
    PendingWrite.objects.create(agent=agent, user=person, kind="memory", draft={"content": BOAT})


def write(agent: Agent, kind: str, person: User) -> None:
    change = ProfileChange(ProfileRevision.Action.EDITED, "person", user_id=person.pk)
    change_file(make_key(agent, kind, person.pk), lambda text: LINE, change)


def list_texts(person: User) -> list[str]:
    conversation = Conversation.objects.get(user=person)
    calls = ToolCall.objects.filter(message__conversation=conversation).order_by("pk")
    return [
        ProfileFile.objects.get(user=person).text,
        *ProfileRevision.objects.filter(file__user=person).values_list("after", flat=True)[:1],
        str(conversation.profile_text),
        conversation.messages.exclude(system_prompt="").get().system_prompt,
        *calls.values_list("result", flat=True),
        conversation.extractions.get().summary,
        *(row.draft["content"] for row in PendingWrite.objects.filter(user=person)),
    ]


def test_what_is_the_owners_goes_and_who_the_agent_is(agent: Agent) -> None:
    forget(Memory.objects.get())

    assert not [text for text in list_texts(agent.owner) if "Vormelidax" in text]
    assert ProfileFile.objects.get(kind="soul").text == ""


def test_of_another_persons_only_who_the_agent_is_goes(agent: Agent) -> None:
    forget(Memory.objects.get())

    left = f"<agent-identity>\n</agent-identity>\n<agent-notes>\n{LINE}</agent-notes>\n"
    assert list_texts(User.objects.get(username="wei")) == [LINE, LINE, left, left, "", LINE, BOAT, BOAT]


def test_the_preview_counts_nothing_that_is_another_persons(agent: Agent) -> None:
    memory = Memory.objects.get()
    ProfileFile.objects.filter(kind="soul").delete()
    before = {amount.place.key: amount.count for amount in preview(memory)}
    Conversation.objects.filter(user__username="wei").delete()
    ProfileFile.objects.filter(user__username="wei").delete()
    PendingWrite.objects.filter(user__username="wei").delete()

    after = {amount.place.key: amount.count for amount in preview(memory)}

    # What other people's conversations are told of SOUL, and the agent's reading of it, is the owner's text.
    shared = {"snapshots": 1, "profile_prompts": 1, "profile_calls": 1}
    assert before == {key: count + shared.get(key, 0) for key, count in after.items()}


def test_a_prompt_of_another_person_that_names_it_is_scrubbed(agent: Agent) -> None:
    memory = Memory.objects.get()
    told = Message.objects.filter(conversation__user__username="wei").exclude(system_prompt="")
    told.update(system_prompt=f"<memories>\n[M{memory.pk}] {BOAT}\n</memories>\n")

    forget(memory)

    assert told.get().system_prompt == f"<memories>\n[M{memory.pk}] [forgotten]\n</memories>\n"
