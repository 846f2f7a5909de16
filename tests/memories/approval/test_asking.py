"""What an agent that asks first wants to write is kept, and not written."""

import pytest
from django.db import connection

from memories.approval.asking import Asked, ask_to_remember, make_offer
from memories.approval.deciding import approve, reject
from memories.drafts import Draft, Origin
from memories.models import Memory, PendingWrite, ProfileFile
from memories.profiles.editing import ProfileChange, change_file, make_key, read_file
from tests.factories import make_memory
from tests.memories.approval.asking import ask, call, make_asking_agent
from xiajiao.tools import ToolError

pytestmark = pytest.mark.django_db


def test_a_new_memory_waits_whole_with_where_it_comes_from() -> None:
    agent = make_asking_agent()

    said = call(agent, "memory_write", content="The user likes dumplings", type="project", tags=["food"])

    assert said.startswith("Waits for the user's approval to remember: The user likes dumplings\n")
    assert not Memory.objects.exists()
    [pending] = PendingWrite.objects.for_user(agent.owner).waiting()
    assert (pending.kind, pending.actor, pending.text) == ("memory", "agent", "The user likes dumplings")
    assert (pending.draft["type_key"], pending.draft["tags"]) == ("project", ["food"])
    assert (pending.conversation_id, pending.message_ids, pending.answer_id) == (3, [5], 6)


def test_without_the_setting_it_is_written_at_once() -> None:
    call(make_asking_agent(asks_before_writing=False), "memory_write", content="The user likes dumplings")

    assert Memory.objects.count() == 1
    assert not PendingWrite.objects.exists()


def test_secrets_are_left_out_before_it_is_kept() -> None:
    agent = make_asking_agent()

    said = call(agent, "memory_write", content="The user's key is sk-proj-Ab3dEf6hIj9kLmN0pQrStUvWx, for OpenAI")

    assert "was left out" in said
    assert "sk-proj" not in str(PendingWrite.objects.get().draft)


def test_the_same_is_asked_once() -> None:
    agent = make_asking_agent()
    ask(agent, "The user likes dumplings")

    said = call(agent, "memory_write", message_id=9, content="the user likes dumplings.")

    assert said.startswith("Waits for the user's approval already")
    assert PendingWrite.objects.count() == 1


def test_what_is_known_word_for_word_is_not_asked() -> None:
    agent = make_asking_agent()
    approve(ask(agent, "The user likes dumplings"))

    assert call(agent, "memory_write", 9, content="The user likes dumplings").startswith("Known already: [M")
    assert PendingWrite.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_whoever_goes_on_from_it_does_so_in_a_transaction_also_where_nothing_is_asked() -> None:
    agent = make_asking_agent()
    origin = Origin("extraction", "extraction", agent.owner_id, 3, [5])
    offer = make_offer(agent, agent.owner_id, Draft("The user likes dumplings"), origin)
    seen: list[tuple[str, bool]] = []

    def note(asked: Asked) -> None:
        seen.append((asked.outcome, connection.in_atomic_block))

    approve(ask_to_remember(offer, note).pending or PendingWrite())
    ask_to_remember(offer, note)

    assert seen == [("asked", True), ("known", True)]


def test_what_was_turned_down_is_asked_again_only_when_it_is_said_anew() -> None:
    agent = make_asking_agent()
    reject(ask(agent, "The user likes dumplings"))

    assert "turned this down" in call(agent, "memory_write", content="The user likes dumplings")
    assert not PendingWrite.objects.waiting().exists()
    assert ask(agent, "The user likes dumplings", message_id=9).is_waiting


def test_corrections_and_deletions_wait_too() -> None:
    agent = make_asking_agent()
    memory = make_memory(agent, "The user lives in Beijing")

    edited = call(agent, "memory_update", id=memory.pk, content="The user lives in Shanghai", type="project")
    deleted = call(agent, "memory_delete", id=memory.pk)

    assert edited.startswith("Waits for the user's approval to correct")
    assert deleted.startswith("Waits for the user's approval to forget")
    memory.refresh_from_db()
    assert (memory.content, memory.deleted_at, memory.version) == ("The user lives in Beijing", None, 1)
    assert PendingWrite.objects.get(kind="edit").draft["columns"] == {
        "content": "The user lives in Shanghai",
        "type_key": "project",
    }


def test_profile_files_wait_and_days_do_not() -> None:
    agent = make_asking_agent()

    said = call(agent, "profile_add", file="user", section="Work", content="Nurse in Wuhan")
    call(agent, "profile_add", file="daily", content="- Talked of work")

    assert said.startswith("Waits for the user's approval to change a profile file: user, section 'Work'")
    assert [file.kind for file in ProfileFile.objects.exclude(text="")] == ["daily"]
    assert PendingWrite.objects.get().draft["content"] == "Nurse in Wuhan"


def test_a_change_of_a_file_that_can_not_be_done_is_refused_at_once() -> None:
    agent = make_asking_agent()

    with pytest.raises(ToolError, match="There is no section"):
        call(agent, "profile_remove", file="user", section="Work")
    with pytest.raises(ToolError, match="read-only"):
        call(agent, "profile_add", file="soul", content="I am a pirate")


def test_a_secret_in_a_file_is_not_copied_into_what_waits() -> None:
    agent = make_asking_agent()
    key = make_key(agent, "user", agent.owner_id)
    secret = "api_key: sk-proj-Ab3dEf6hIj9kLmN0pQrStUvWx"
    change_file(key, lambda _text: f"## Keys\n{secret}\n", ProfileChange("edited", "person", agent.owner_id))

    with pytest.raises(ToolError, match="by hand"):
        call(agent, "profile_replace", file="user", section="Keys", old_text=secret, new_text="none")

    assert secret in read_file(key).text
    assert not PendingWrite.objects.exists()
