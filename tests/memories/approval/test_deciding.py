"""What a person approves is written the usual way, once; what they reject is not."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from memories.approval.deciding import UndecidedError, Word, approve, reject, reopen
from memories.approval.following import KEPT, drop_decided
from memories.changes import edit, undo
from memories.drafts import Origin
from memories.gate import Draft, write
from memories.models import Memory, MemoryRevision, PendingWrite, ProfileRevision
from memories.profiles.editing import ProfileChange, change_file, make_key, read_file
from memories.tombstones import bury
from tests.factories import make_memory
from tests.memories.approval.asking import ask, call, make_asking_agent

pytestmark = pytest.mark.django_db


def test_an_approved_memory_is_as_the_agent_would_have_written_it() -> None:
    agent = make_asking_agent()
    pending = ask(agent, "The user likes dumplings", tags=["food"])

    approve(pending)

    memory = Memory.objects.get()
    assert (memory.content, memory.tags, memory.source) == ("The user likes dumplings", ["food"], "tool")
    assert (memory.conversation_id, memory.message_ids) == (3, [5])
    assert memory.created_at == pending.created_at
    revision = memory.revisions.get()
    assert (revision.actor, revision.answer_id) == ("agent", 6)
    assert revision.reason["approved_by"] == agent.owner_id
    assert (pending.state, pending.outcome, pending.memory) == ("approved", "added", memory)


def test_the_text_can_be_changed_and_passes_the_gate_as_it_is_then() -> None:
    agent = make_asking_agent()

    approve(
        ask(agent, "The user likes dumplings"), Word("The user likes shrimp, key sk-proj-Ab3dEf6hIj9kLmN0pQrStUvWx")
    )

    assert Memory.objects.get().content.startswith("The user likes shrimp, key [")


def test_what_replaces_an_older_one_does_so_when_it_is_approved_and_can_be_undone() -> None:
    agent = make_asking_agent()
    write(agent, agent.owner_id, Draft("用户住在北京"), Origin("person", "manual", agent.owner_id))
    pending = ask(agent, "用户住在上海")

    approve(pending)

    assert pending.outcome == "superseded"
    assert [memory.content for memory in Memory.objects.active()] == ["用户住在上海"]
    assert pending.memory is not None
    undo(pending.memory.revisions.get(action="added"), Origin("person", "manual", agent.owner_id))
    assert [memory.content for memory in Memory.objects.active()] == ["用户住在北京"]


def test_the_second_word_is_told_that_there_was_a_first() -> None:
    agent = make_asking_agent()
    pending = ask(agent, "The user likes dumplings")
    other_tab = PendingWrite.objects.get(pk=pending.pk)
    approve(pending)

    for decide in (approve, reject):
        with pytest.raises(UndecidedError, match="decided"):
            decide(PendingWrite.objects.get(pk=pending.pk))
    with pytest.raises(UndecidedError, match="decided"):
        approve(other_tab)

    assert Memory.objects.get().proof_count == 1


def test_rejected_nothing_is_written_and_it_can_be_brought_back() -> None:
    pending = ask(make_asking_agent(), "The user likes dumplings")

    reject(pending)

    assert not Memory.objects.exists()
    assert reopen(pending)
    assert PendingWrite.objects.waiting().count() == 1
    assert not reopen(pending)


def test_what_waits_can_be_decided_after_the_setting_is_off() -> None:
    agent = make_asking_agent()
    pending = ask(agent, "The user likes dumplings")
    agent.asks_before_writing = False
    agent.save()

    approve(pending)

    assert Memory.objects.count() == 1


def test_a_correction_of_what_has_changed_waits_until_the_person_has_seen_that() -> None:
    agent = make_asking_agent()
    memory = make_memory(agent, "The user lives in Beijing")
    call(agent, "memory_update", id=memory.pk, content="The user lives in Shanghai")
    pending = PendingWrite.objects.get()
    memory = edit(memory, {"content": "The user lives in Tianjin"}, Origin("person", "manual", agent.owner_id))

    with pytest.raises(UndecidedError, match="changed"):
        approve(pending)
    assert PendingWrite.objects.get().is_waiting
    approve(pending, Word(seen=memory.version))

    memory.refresh_from_db()
    assert memory.content == "The user lives in Shanghai"
    assert memory.revisions.latest("pk").reason["approved_by"] == agent.owner_id


def test_a_deletion_is_done_and_of_what_is_gone_it_can_not_be() -> None:
    agent = make_asking_agent()
    memories = [make_memory(agent, text) for text in ("The user likes tea", "The user owns a boat")]
    for memory in memories:
        call(agent, "memory_delete", id=memory.pk)
    first, second = PendingWrite.objects.all()

    approve(first)
    Memory.objects.filter(pending_writes=second).update(deleted_at=timezone.now())

    assert first.memory is not None
    assert first.memory.deleted_at is not None
    with pytest.raises(UndecidedError, match="gone"):
        approve(second)


def test_a_change_of_a_file_is_made_with_its_revision() -> None:
    agent = make_asking_agent()
    call(agent, "profile_add", file="user", section="Work", content="Nurse in Wuhan")

    approve(PendingWrite.objects.get(), Word("Nurse in Chengdu"))

    assert read_file(make_key(agent, "user", agent.owner_id)).text == "## Work\nNurse in Chengdu\n"
    revision = ProfileRevision.objects.latest("pk")
    assert (revision.actor, revision.message_id, revision.answer_id) == ("agent", 5, 6)
    assert revision.reason == {"approved_by": agent.owner_id}


def test_a_secret_that_the_person_types_is_left_out_of_the_file_and_told() -> None:
    agent = make_asking_agent()
    call(agent, "profile_add", file="user", section="Work", content="Nurse, key sk-proj-Ab3dEf6hIj9kLmN0pQrStUvWx")

    approve(PendingWrite.objects.get(), Word("Nurse, password: Hunter2Hunter2!, card 4111 1111 1111 1111"))

    assert "4111" not in read_file(make_key(agent, "user", agent.owner_id)).text
    reason = ProfileRevision.objects.latest("pk").reason
    assert reason == {"approved_by": agent.owner_id, "left_out": ["api_key", "bank_card", "password"]}


def test_what_was_forgotten_for_good_comes_into_a_file_only_when_the_person_types_it() -> None:
    agent = make_asking_agent()
    call(agent, "profile_add", file="user", section="Work", content="Nurse in Wuhan")
    bury(make_memory(agent, "Nurse in Wuhan"), {"Nurse in Wuhan": None}, last_message_id=9)

    with pytest.raises(UndecidedError, match="forgotten"):
        approve(PendingWrite.objects.get())
    assert not read_file(make_key(agent, "user", agent.owner_id)).text
    approve(PendingWrite.objects.get(), Word("Nurse in Wuhan again"))

    assert read_file(make_key(agent, "user", agent.owner_id)).text == "## Work\nNurse in Wuhan again\n"


def test_a_replacement_of_what_stands_there_no_more_waits() -> None:
    agent = make_asking_agent()
    key, person = make_key(agent, "user", agent.owner_id), ProfileChange("edited", "person", agent.owner_id)
    change_file(key, lambda _text: "## Work\nNurse\n", person)
    call(agent, "profile_replace", file="user", section="Work", old_text="Nurse", new_text="Doctor")
    call(agent, "profile_remove", file="user", section="Work")
    replacement, removal = PendingWrite.objects.all()
    change_file(key, lambda _text: "## Work\nTeacher\n", person)

    with pytest.raises(UndecidedError, match="text_missing"):
        approve(replacement)
    with pytest.raises(UndecidedError, match="changed"):
        approve(removal)

    assert PendingWrite.objects.waiting().count() == 2
    assert read_file(key).text == "## Work\nTeacher\n"


def test_decided_ones_go_after_a_while_and_waiting_ones_stay() -> None:
    agent = make_asking_agent()
    reject(ask(agent, "The user likes dumplings"))
    ask(agent, "The user owns a boat")
    PendingWrite.objects.update(created_at=timezone.now() - 2 * KEPT)
    PendingWrite.objects.decided().update(decided_at=timezone.now() - KEPT - timedelta(minutes=1))

    assert drop_decided() == 1
    assert PendingWrite.objects.get().is_waiting


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_write_it_once() -> None:
    agent = make_asking_agent()
    pending = ask(agent, "The user likes dumplings")

    outcomes = at_once(lambda: approve(PendingWrite.objects.get(pk=pending.pk)).outcome, times=3)

    assert sorted(outcomes) == ["added", "decided", "decided"]
    assert MemoryRevision.objects.count() == 1


def at_once(act: Callable[[], str], times: int) -> list[str]:
    ready = Barrier(times)

    def run(_number: int) -> str:
        try:
            ready.wait()
            return act()
        except UndecidedError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(run, range(times)))
