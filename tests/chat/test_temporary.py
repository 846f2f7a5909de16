"""A temporary conversation leaves nothing: every table and every file is compared before it, while it lives and after.

What may differ afterwards, because it counts and says nothing: SQLite's `sqlite_sequence` (the next key of a table;
PostgreSQL's sequences are no tables), and the pages of SQLite's full-text index (`xiajiao_fulltext_data`, `_idx`), laid
out anew as it is written; its terms and texts are compared, and its pages searched for what was said. The broker's log
is written anew at each tidying; its keys are compared, but for nudges that wait for a worker, which name keys of rows,
and remembered vectors of searches, which name nothing.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from chat import tasks
from chat.evaluation.residues import list_tables, search_files, search_tables
from chat.extraction.ends import note_growth
from chat.models import Conversation, ExtractionJob, Message
from chat.recalls import ChatRecalls
from chat.stream import broker, stream_key
from chat.turns import run_turn
from memories import gate
from memories.models import Agent, Memory, MemoryRevision, ProfileFile
from tests.chat.attaching import index_all
from tests.chat.turning import finish, make_answer, wait_for
from tests.factories import make_agent, make_conversation
from tests.openai_stub import OpenAIStub, calls
from xiajiao.models import User

pytestmark = pytest.mark.django_db(transaction=True)

COUNTERS = {"sqlite_sequence", "xiajiao_fulltext", "xiajiao_fulltext_data", "xiajiao_fulltext_idx"}
# Where the conversation itself lies: it, what was said and called, what its answers were given, its files with their
# chunks, and the terms by which it is searched.
OWN = {
    "chat_conversation",
    "chat_message",
    "chat_toolcall",
    "chat_attachedfile",
    "chat_source",
    "knowledge_knowledgebase",
    "knowledge_document",
    "knowledge_parentchunk",
    "knowledge_chunk",
    "knowledge_semanticindex",
    "xiajiao_indexedtext",
    "xiajiao_fulltext_docsize",
    "xiajiao_fulltext_vocabulary",
    "xiajiao_storedvector",
}
NUDGES_AND_VECTORS = ("celery", "_kombu.binding", ":1:query:")
# In no other test: the full-text index of SQLite is no table that a flush would empty.
MARK = "Wobblequist"
HTMX = {"HX-Request": "true"}

Rows = dict[str, set[tuple[str, ...]]]


def read_tables() -> Rows:
    return {table: read_rows(table) for table in list_tables() if table not in COUNTERS}


def read_rows(table: str) -> set[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
        return {tuple(repr(value) for value in row) for row in cursor.fetchall()}


def read_files() -> dict[str, str]:
    """The database's own are read as tables, the broker's by its keys."""
    found = [path for path in settings.DATA_DIR.rglob("*") if path.is_file() and not is_compared_otherwise(path)]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def is_compared_otherwise(path: Path) -> bool:
    return "test.db" in path.name or "valkey" in path.parts


def read_keys() -> set[str]:
    return {str(key) for key in broker().scan_iter()}


def find_differences(before: Rows, after: Rows) -> dict[str, tuple[int, int]]:
    """Rows that are gone or changed, and rows that are new, by table."""
    pairs = {table: (before.get(table, set()), after.get(table, set())) for table in {*before, *after}}
    return {table: (len(old - new), len(new - old)) for table, (old, new) in pairs.items() if old != new}


@pytest.fixture
def agent(turns: None, user: User) -> Agent:
    """One that may do everything, knows its person, and has talked to them before."""
    agent = make_agent(owner=user, language="en", may_edit_soul=True, extract_every=4)
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL)
    gate.write(agent, user.pk, gate.Draft("The user likes green tea"), origin)
    ProfileFile.objects.create(agent=agent, kind="soul", text="## Identity\nI am Ada.\n")
    ProfileFile.objects.create(agent=agent, user=user, kind="user", text="## Name\nMei\n")
    usual = make_conversation(agent=agent)
    finish(make_answer("I live in Lisbon", conversation=usual), "Fine.")
    return agent


def begin(client: Client, agent: Agent) -> Conversation:
    """With a file, by the door of a page without scripts."""
    file = SimpleUploadedFile(f"{MARK}.md", f"# Pets\n\nThe parrot {MARK} eats trout.".encode())
    fields: dict[str, Any] = {"agent": agent.pk, "mode": "temporary", "file": file}
    assert client.post("/conversations/new/files/", fields).status_code == 302
    index_all()
    return Conversation.objects.get(mode="temporary")


def say(client: Client, conversation: Conversation, text: str) -> Message:
    response = client.post(f"/conversations/{conversation.pk}/messages/", {"text": text}, headers=HTMX)
    assert response.status_code == 200
    wait_for(lambda: not Message.objects.unfinished().exists())
    answer = conversation.messages.filter(role="assistant").latest("pk")
    assert answer.status == "done"
    return answer


def end(client: Client, conversation: Conversation) -> None:
    """By its person, by growing long, and by falling silent."""
    assert client.post(f"/conversations/{conversation.pk}/close/", headers=HTMX).status_code == 200
    assert note_growth(conversation) is None
    Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now() - timedelta(hours=2))
    tasks.sweep_extractions()
    tasks.purge_deleted()
    assert Conversation.objects.filter(pk=conversation.pk).exists()


def expire(conversation: Conversation) -> None:
    Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now() - timedelta(hours=25))
    tasks.purge_deleted()


def assert_nothing_is_left(before: Rows, files: dict[str, str], answers: list[int]) -> None:
    assert find_differences(before, read_tables()) == {}
    assert read_files() == files
    assert not any(broker().exists(stream_key(pk)) for pk in answers)
    assert not {key for key in read_keys() if not key.startswith(NUDGES_AND_VECTORS)}
    assert MARK not in str(broker().lrange("celery", 0, -1))
    traces = [MARK.encode(), MARK.lower().encode(), MARK.encode("utf-16-le")]
    assert search_tables(traces)[0] == {}
    assert search_files(traces)[0] == {}


def test_it_leaves_nothing_whatever_a_model_tries(signed_in: Client, agent: Agent, openai_stub: OpenAIStub) -> None:
    signed_in.get("/")
    before, files = read_tables(), read_files()
    conversation = begin(signed_in, agent)
    memory = Memory.objects.get()
    tries: list[tuple[str, dict[str, Any]]] = [
        ("memory_write", {"content": f"The user has a parrot called {MARK}"}),
        ("memory_update", {"id": str(memory.pk), "content": f"The user likes {MARK}"}),
        ("memory_delete", {"id": str(memory.pk)}),
        ("memory_forget", {"about": "tea"}),
        ("profile_add", {"file": "user", "section": "Pets", "content": MARK}),
        ("profile_replace", {"file": "soul", "section": "Identity", "old_text": "Ada", "new_text": MARK}),
        ("profile_remove", {"file": "user", "section": "Name"}),
        ("kb_index", {"path": f"{MARK}.md"}),
        ("kb_search", {"query": f"What does {MARK} eat?"}),
    ]
    openai_stub.answers(calls(*tries))
    openai_stub.says("Trout.")
    answer = say(signed_in, conversation, f"My parrot is called {MARK} and I like green tea")
    assert {call.name for call in answer.tool_calls.filter(status="error")} == {name for name, _ in tries[:-1]}
    openai_stub.says(f"I know nothing of {MARK} but this.")
    answer = say(signed_in, conversation, "Remember that I never eat meat")
    assert not [word for word in ("green tea", "Mei") if word in answer.system_prompt]
    end(signed_in, conversation)

    during = find_differences(before, read_tables())
    assert set(during) <= OWN
    lost = {table: gone for table, (gone, _new) in during.items() if gone}
    assert set(lost) <= {"xiajiao_fulltext_vocabulary"}
    assert not ExtractionJob.objects.exists()
    answers = list(conversation.messages.values_list("pk", flat=True))
    expire(conversation)
    assert_nothing_is_left(before, files, answers)


def test_it_leaves_nothing_without_a_model(signed_in: Client, agent: Agent) -> None:
    signed_in.get("/")
    before, files = read_tables(), read_files()
    conversation = begin(signed_in, agent)
    for text in (f"My parrot is called {MARK}", "我叫小梅，我喜欢喝绿茶", f"Remember: I feed {MARK} on Fridays"):
        say(signed_in, conversation, text)
    end(signed_in, conversation)
    assert set(find_differences(before, read_tables())) <= OWN
    answers = list(conversation.messages.values_list("pk", flat=True))
    expire(conversation)
    assert_nothing_is_left(before, files, answers)


def test_one_that_is_being_written_in_waits_and_a_usual_one_stays(agent: Agent) -> None:
    answer = make_answer("Hello", conversation=make_conversation(agent=agent, mode="temporary"))
    long_ago = timezone.now() - timedelta(days=300)
    Conversation.objects.update(updated_at=long_ago)
    tasks.purge_deleted()
    assert Conversation.objects.count() == 2
    list(run_turn(answer))
    assert "Nothing of this conversation is remembered." in answer.content
    tasks.purge_deleted()
    assert [row.mode for row in Conversation.objects.all()] == ["normal"]


def test_the_health_of_memories_does_not_learn_of_it(agent: Agent) -> None:
    other = make_agent(owner=agent.owner)
    make_answer("Hello", conversation=make_conversation(agent=other, mode="temporary"))
    assert {agent_id for agent_id, _user_id in ChatRecalls().list_pairs()} == {agent.pk}
    assert ChatRecalls().read_recent((other.pk, agent.owner_id), 10).moments == []
