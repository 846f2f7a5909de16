"""What goes out and comes in again is what it was, to the last byte."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories import changes
from memories.gate import Draft, Origin, write
from memories.models import Agent, Import, Memory, MemoryRevision, MemoryType, ProfileRevision
from memories.profiles.editing import ProfileChange, change_file, make_key
from memories.profiles.souls import put_soul, read_soul
from memories.search import Query, search_memories
from memories.transfer.columns import number_fields
from tests.factories import make_agent, make_memory, make_provider, make_user
from tests.memories.transfer.files import bring_in, check, export, lines_of
from xiajiao.models import User
from xiajiao.secrets import encrypt

pytestmark = pytest.mark.django_db

CREATED = ProfileChange("created", "system")
KEY = "sk-proj-abcdefghijklmnopqrstuvwx12345678"


def say(agent: Agent, content: str, **columns: Any) -> Memory:
    origin = Origin("agent", "tool", agent.owner_id, conversation_id=7, message_ids=[11, 12], job_id=3)
    return write(agent, agent.owner_id, Draft(content, **columns), origin).memory


def fill(agent: Agent) -> dict[str, Memory]:
    """One memory of each kind, with all that can be in it."""
    by_hand = Origin("person", "manual", agent.owner_id)
    MemoryType.objects.create(key="travel", name="旅行", description="Where to", colour="green")
    kept = {
        "chain_1": say(agent, "用户今年 30 岁", quote="我 30 岁", tags=["年龄", "a, b"]),
        "chain_2": say(agent, "用户今年 31 岁"),
        "chain_3": say(agent, "用户今年 32 岁"),
        "reworded": say(agent, "用户喜欢 Python", metadata={"b": [1, None, 2.5], "a": {"z": "é\u2028", "y": True}}),
        "typed": say(agent, "The user wants to see Japan", type_key="travel", title="Japan", importance=3),
        "pinned": say(agent, "回复要简洁", category="procedural", pinned=True, description="Always"),
        "disabled": say(agent, "The user has a cat"),
        "deleted": say(agent, "The user has a dog called Rex"),
        "limited": say(agent, "On leave", category="episodic", valid_from=timezone.now() + timedelta(days=3)),
        "undone": say(agent, "公司用 AWS"),
    }
    say(agent, "用户偏好 Python 语言")
    say(agent, "用户偏好 Python 语言")
    say(agent, "公司用阿里云")
    changes.undo(kept["undone"].revisions.get(action="superseded"), by_hand)
    edited = changes.edit(kept["typed"], {"content": "The user saw Japan\n\n- twice\n"}, by_hand)
    changes.rewind(edited.revisions.get(action="added"), by_hand)
    changes.set_enabled(kept["disabled"], False, by_hand)
    changes.delete(kept["deleted"], by_hand)
    kept["shared"] = write(agent, None, Draft("The office opens at nine"), by_hand).memory
    Memory.objects.filter(pk=kept["pinned"].pk).update(recall_count=4, last_recalled_at=timezone.now())
    return kept


def wipe(*owners: User) -> None:
    Memory.objects.all().delete()
    Agent.objects.filter(owner__in=owners).delete()


def test_export_wipe_import_export_is_equal_to_the_byte() -> None:
    admin = make_user(is_staff=True)
    columns = {"emoji": "🦜", "language": "en", "base_prompt": "Be kind.\n", "top_k": 3, "temperature": 0.5}
    agent = make_agent(owner=admin, name="代码助手", is_shared=True, **columns)
    make_agent(owner=admin, name="Idle")
    put_soul(agent, "## 身份\r\n我是小王。", CREATED)
    kept = fill(agent)
    before = export(agent.owner)
    assert len(lines_of(before)) > 25
    wipe(agent.owner)
    MemoryType.objects.filter(is_system=False).delete()

    report = bring_in(agent.owner, before, person=None)
    assert (report.state, report.error) == ("done", "")
    assert report.outcome == report.forecast == {"restore": Memory.objects.count()}
    assert export(agent.owner) == before
    assert read_soul(Agent.objects.get(uid=agent.uid)) == "## 身份\r\n我是小王。"
    bring_in(agent.owner, before, person=None)
    assert ProfileRevision.objects.count() == 1
    restored = Memory.objects.get(uid=kept["chain_1"].uid)
    assert restored.superseded_by is not None
    assert restored.superseded_by.uid == kept["chain_2"].uid


def test_a_soul_that_is_brought_in_loses_its_secrets_and_its_history_says_so() -> None:
    agent = make_agent()
    change_file(make_key(agent, "soul", agent.owner_id), lambda _text: f"Log in with {KEY}.", CREATED)
    exported = export(agent.owner)
    wipe(agent.owner)

    bring_in(agent.owner, exported)
    brought = ProfileRevision.objects.get()
    assert KEY in exported.decode()
    assert KEY not in brought.after
    assert brought.after.startswith("Log in with")
    assert (brought.action, brought.actor, brought.reason) == ("imported", "import", {"left_out": ["api_key"]})


ODD = [
    "用户对花生过敏，也不吃蝦餃",
    "👩🏽‍🚀🏳️‍🌈 launches on Monday",
    "המשתמש גר בתל אביב \u202eabc\u202c and يشرب الشاي",
    "bell \x07 escape \x1b[31m delete \x7f next line \x85 separators \u2028 \u2029 end",
    "tabs\tand\r\nline ends\rof\nall kinds",
    'quotes " and \\ back\\\\slashes {"record": "memory"}',
    "cafe\u0301 is not café",
    "𠮷" * 10_000,
]


def test_odd_texts_come_back_as_they_were() -> None:
    """Of several agents, one of which secrets are left out; a mark in their place is a text like another."""
    admin = make_user(is_staff=True)
    agents = [make_agent(owner=make_user(), name=text[:20], base_prompt="提示" * 10_000) for text in ODD[:3]]
    for agent in agents:
        for text in ODD:
            memory = make_memory(agent, text, title=text[:40], quote=text, metadata={"text": text})
            changes.edit(memory, {"description": text[:400]}, Origin("person", "manual", agent.owner_id))
        say(agent, "The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
    before = export(admin)
    wipe(*(agent.owner for agent in agents))

    assert bring_in(admin, before, person=None).outcome == {"restore": 27}
    assert export(admin) == before


def test_what_came_back_is_found_undone_and_rewound_as_before() -> None:
    agent = make_agent()
    kept = fill(agent)
    before = export(agent.owner)
    wipe(agent.owner)
    bring_in(agent.owner, before)
    agent = Agent.objects.get(uid=agent.uid)

    found = search_memories(agent, agent.owner_id, Query("简洁", is_explicit=True), 5)
    assert [each.memory.uid for each in found] == [kept["pinned"].uid]
    known = search_memories(agent, agent.owner_id, Query("用户今年几岁", is_explicit=True), 5)
    assert [each.memory.uid for each in known] == [kept["chain_3"].uid]
    old = Memory.objects.get(uid=kept["chain_2"].uid)
    changes.undo(old.revisions.get(action="superseded"), Origin("person", "manual", agent.owner_id))
    assert Memory.objects.get(pk=old.pk).is_active
    typed = Memory.objects.get(uid=kept["typed"].uid)
    changes.rewind(typed.revisions.get(action="edited"), Origin("person", "manual", agent.owner_id))
    assert Memory.objects.get(pk=typed.pk).content == "The user saw Japan\n\n- twice"


def test_importing_the_same_file_again_changes_nothing() -> None:
    agent = make_agent()
    fill(agent)
    before = export(agent.owner)
    for _time in range(2):
        report = bring_in(agent.owner, before)
        assert report.outcome == {"ignore": Memory.objects.count()}
        assert set(report.lines.values_list("reason", flat=True)) == {"unchanged"}
    assert export(agent.owner) == before


def test_a_type_that_is_not_here_is_made_by_staff_alone() -> None:
    agent = make_agent()
    fill(agent)
    before = export(agent.owner)
    wipe(agent.owner)
    MemoryType.objects.filter(is_system=False).delete()

    report = bring_in(agent.owner, before)
    line = report.lines.get(outcome="invalid")
    assert (line.reason, line.details) == ("type_of_staff", {"type": "travel"})
    assert not MemoryType.objects.filter(key="travel").exists()
    admin = make_user(is_staff=True)
    assert bring_in(admin, before, person=agent.owner).outcome["restore"] == 1
    assert export(agent.owner) == before


def test_looking_for_doubts_makes_no_difference() -> None:
    agent = make_agent()
    make_memory(agent, "用户对花生过敏")
    before = export(agent.owner)
    Memory.objects.update(looked_version=1)
    assert export(agent.owner) == before
    assert bring_in(agent.owner, before).lines.get().reason == "unchanged"


def test_staff_bring_everybodys_back_to_whom_it_belonged() -> None:
    admin = make_user(username="admin", is_staff=True)
    mei, tom = make_agent(owner=make_user(username="mei")), make_agent(owner=make_user(username="tom"), is_shared=True)
    make_memory(mei, "Mei likes tea")
    make_memory(tom, "Tom likes coffee")
    make_memory(tom, "Mei told this to Tom's agent", user=mei.owner)
    before = export(admin)
    wipe(mei.owner, tom.owner)

    assert bring_in(admin, before, person=None).outcome == {"restore": 3}
    assert export(admin) == before
    owners = dict(Memory.objects.values_list("content", "user__username"))
    assert owners["Tom likes coffee"] == "tom"
    assert owners["Mei told this to Tom's agent"] == "mei"


def test_a_plain_person_writes_to_nobody_elses_memory() -> None:
    agent = make_agent(owner=make_user(username="mei"), is_shared=True)
    theirs = make_memory(agent, "Mei likes tea")
    office = make_memory(agent, "The office opens at nine", user=None)
    stranger = make_user(username="stranger")
    content = export(agent.owner).replace(b"Mei likes tea", b"Mei likes poison").replace(b"nine", b"ten")

    report = bring_in(stranger, content)
    assert report.outcome == {"restore": 1, "invalid": 1}
    assert report.lines.get(outcome="invalid").reason == "shared_agent"
    theirs.refresh_from_db()
    office.refresh_from_db()
    assert (theirs.content, office.content) == ("Mei likes tea", "The office opens at nine")
    copy = Memory.objects.get(user=stranger)
    assert (copy.content, copy.agent) == ("Mei likes poison", agent)
    assert copy.uid != theirs.uid
    assert bring_in(stranger, content).outcome == {"ignore": 1, "invalid": 1}
    assert Memory.objects.count() == 3


def test_an_agent_that_the_person_may_not_use_is_made_again_for_them() -> None:
    agent = make_agent(owner=make_user(username="mei"), name="Helper", is_shared=True)
    make_memory(agent, "Mei likes tea")
    content = export(agent.owner)
    Agent.objects.update(is_shared=False)
    stranger = make_user()

    report = check(stranger, content)
    assert report.makes["agents"] == ["Helper"]
    bring_in(stranger, content)
    made = Agent.objects.get(owner=stranger, is_shared=False)
    assert (made.name, made.memories.get().user) == ("Helper", stranger)
    assert made.uid != agent.uid
    assert agent.memories.count() == 1


def test_names_in_a_history_that_a_file_can_only_claim_stay_words() -> None:
    admin = make_user(username="admin", is_staff=True)
    agent = make_agent()
    memory = say(agent, "用户对花生过敏")
    changes.edit(memory, {"title": "Allergy"}, Origin("person", "manual", admin.pk))
    before = export(agent.owner)
    wipe(agent.owner)
    bring_in(agent.owner, before)

    edit = MemoryRevision.objects.get(action="edited")
    assert (edit.user, edit.reason["by"]) == (None, "admin")
    assert export(agent.owner) == before


def test_conversations_of_another_installation_are_no_conversations_here() -> None:
    agent = make_agent()
    memory = say(agent, "用户对花生过敏")
    before = export(agent.owner)
    home = lines_of(before)[-2]["conversation"].split("/")[0]
    elsewhere = before.replace(home.encode(), b"11111111-2222-4333-8444-555555555555")
    wipe(agent.owner)
    bring_in(agent.owner, elsewhere)

    memory = Memory.objects.get(uid=memory.uid)
    assert memory.conversation_id is not None
    assert memory.conversation_id < 0
    assert all(number < 0 for number in memory.message_ids)
    assert export(agent.owner) == elsewhere


def test_what_is_kept_of_a_row_is_what_its_model_has() -> None:
    """A column that points elsewhere has to be thought of; all others go along by themselves."""
    pointing = {
        model: {field.attname for field in model._meta.concrete_fields if field.is_relation} | set(number_fields(model))
        for model in (Agent, Memory, MemoryRevision, MemoryType)
    }
    assert pointing == {
        Agent: {"owner_id", "provider_id"},
        Memory: {"agent_id", "user_id", "type_id", "superseded_by_id", "conversation_id", "job_id"},
        MemoryRevision: {"memory_id", "user_id", "bulk_id", "conversation_id", "message_id", "answer_id"},
        MemoryType: {"moves_to_id", "moved_by_id"},
    }


def test_no_provider_and_no_key_goes_out() -> None:
    provider = make_provider(
        name="Hidden", base_url="https://models.example/v1", encrypted_key=encrypt("sk-very-secret-key")
    )
    agent = make_agent(provider=provider)
    make_memory(agent, "The user likes tea")
    content = export(agent.owner)
    assert not [
        word for word in (b"Hidden", b"models.example", b"sk-very", provider.encrypted_key.encode()) if word in content
    ]


def change_here(memory: Memory, columns: dict[str, Any], at: datetime) -> None:
    changes.edit(memory, columns, Origin("person", "manual", memory.user_id))
    Memory.objects.filter(pk=memory.pk).update(updated_at=at)


@pytest.mark.parametrize(
    ("conflicts", "kept"),
    [("keep", ["here 1", "here 2"]), ("newer", ["here 1", "file 2"]), ("file", ["file 1", "file 2"])],
)
def test_what_differs_is_kept_as_it_is_here_unless_chosen_otherwise(conflicts: str, kept: list[str]) -> None:
    agent = make_agent()
    memories = [make_memory(agent, f"file {number}") for number in (1, 2)]
    before = export(agent.owner)
    change_here(memories[0], {"content": "here 1"}, timezone.now() + timedelta(hours=1))
    change_here(memories[1], {"content": "here 2"}, datetime(2020, 1, 1, tzinfo=UTC))

    report = check(agent.owner, before)
    assert report.forecast == {"conflict": 2}
    reasons = list(report.lines.values_list("reason", flat=True))
    assert reasons == ["newer_here", "newer_in_file"]
    report = bring_in(agent.owner, before, conflicts=conflicts)
    assert list(Memory.objects.order_by("pk").values_list("content", flat=True)) == kept
    taken = sum(text.startswith("file") for text in kept)
    assert MemoryRevision.objects.filter(actor="import", reason__rule="from_file").count() == taken
    again = bring_in(agent.owner, before, conflicts=conflicts)
    assert again.outcome.get("restore", 0) == 0


def test_what_was_deleted_here_comes_back_only_if_chosen() -> None:
    agent = make_agent()
    memory = make_memory(agent, "The user likes tea")
    before = export(agent.owner)
    changes.delete(memory, Origin("person", "manual", agent.owner_id))

    assert bring_in(agent.owner, before).lines.get().reason == "deleted_here"
    assert not Memory.objects.kept().exists()
    report = bring_in(agent.owner, before, brings_back=True)
    assert (report.outcome, report.lines.get().reason) == ({"restore": 1}, "brought_back")
    assert Memory.objects.kept().get().revisions.filter(action="restored", actor="import").exists()


def test_everything_goes_into_one_agent_where_that_is_chosen() -> None:
    agent, other = make_agent(), make_agent()
    fill(agent)
    before = export(agent.owner)
    wipe(agent.owner)
    report = bring_in(other.owner, before, agent=other)

    assert report.outcome["restore"] == other.memories.count() == Memory.objects.count()
    assert not Agent.objects.filter(uid=agent.uid).exists()
    assert Import.objects.count() == 1
