"""Every address of the site, with the ids of one person's things in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from chat.models import ExtractionJob, Forgetting, Message, Source, SourceLoss
from knowledge.models import Chunk, Document, KnowledgeBase, ParentChunk
from knowledge.storage import new_file
from memories.approval.packing import pack_draft
from memories.changes import edit
from memories.gate import Draft, Origin, write
from memories.models import (
    BulkChange,
    Export,
    Finding,
    Import,
    ImportLine,
    Memory,
    MemoryRevision,
    MemoryType,
    PendingWrite,
    ProfileKind,
    ProfileRevision,
)
from memories.profiles.daily import note_day
from memories.profiles.souls import give_soul
from tests.factories import make_agent, make_conversation, make_provider, make_user
from xiajiao.secrets import encrypt

SECRET = "The user likes kumquats."
ROOMS = (
    "activity",
    "agents",
    "memories",
    "conversations",
    "messages",
    "losses",
    "forgotten",
    "imports",
    "exports",
    "knowledge",
)


class Belongings:
    """What one person has, each text of it with SECRET's fruit in it."""

    def __init__(self) -> None:
        self.owner = make_user()
        self.agent = make_agent(owner=self.owner, name="Kumquat gardener")
        self.conversation = make_conversation("Kumquats?", agent=self.agent, title="Kumquats")
        self.question = self.conversation.leaf
        self.answer = Message.objects.create(
            conversation=self.conversation, parent=self.question, role=Message.Role.ASSISTANT, content=SECRET
        )
        self.conversation.leaf = self.answer
        self.conversation.save(update_fields=["leaf"])
        origin = Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL, user_id=self.owner.pk)
        self.memory = write(self.agent, self.owner.pk, Draft(SECRET), origin).memory
        Finding.objects.create(memory=self.memory, kind="unused", agent=self.agent, user=self.owner)
        edit(self.memory, {"title": "Kumquats"}, origin)
        self.revision = self.memory.revisions.get(action="edited")
        note_day(self.agent, self.owner.pk, SECRET, timezone.now())
        give_soul(self.agent)
        self.profile_revision = ProfileRevision.objects.get(file__kind=ProfileKind.DAILY)
        self.bulk_change = BulkChange.objects.create(user=self.owner, action=BulkChange.Action.PIN)
        self.loss = SourceLoss.objects.create(
            user=self.owner, memory=self.memory, conversation=self.conversation, cause=SourceLoss.Cause.EDITED
        )
        self.forgetting = Forgetting.objects.create(
            user=self.owner,
            answer=self.answer,
            state="proposed",
            topic=encrypt("kumquats"),
            memory_ids=[self.memory.pk],
        )
        self.extraction, self.pending = self.make_extraction(), self.make_pending()
        self.transfers = {"import": self.make_import(), "export": Export.objects.create(user=self.owner)}
        self.base = KnowledgeBase.objects.create(owner=self.owner, name="Kumquats")
        path = new_file()
        path.write_text(SECRET)
        columns = {"doc_id": "kumquats.md", "name": "kumquats.md", "stored_as": path.name}
        self.document = Document.objects.create(base=self.base, chunk_count=1, **columns)
        parent = ParentChunk.objects.create(document=self.document, position=0, text=SECRET)
        self.chunk = Chunk.objects.create(document=self.document, parent=parent, position=0, text=SECRET)
        Source.objects.create(message=self.answer, chunk=self.chunk, number=1, label="kumquats.md", content=SECRET)
        self.provider = make_provider(base_url="http://127.0.0.1:9/v1")

    def make_extraction(self) -> ExtractionJob:
        """One that failed."""
        columns = {"raw_reply": SECRET, "candidates": [{"content": SECRET}], "prompt_version": "0"}
        return ExtractionJob.objects.create(
            conversation=self.conversation, cause="closed", upto_id=self.answer.pk, state="failed", **columns
        )

    def make_pending(self) -> PendingWrite:
        draft = pack_draft(Draft(SECRET))
        return PendingWrite.objects.create(agent=self.agent, user=self.owner, kind="memory", actor="agent", draft=draft)

    def make_import(self) -> Import:
        """One that was looked through."""
        forecast = {"add": 1, "invalid": 1}
        job = Import.objects.create(
            user=self.owner, state="checked", format="mem0", person=self.owner, forecast=forecast
        )
        for place, outcome in enumerate(("add", "invalid"), 1):
            ImportLine.objects.create(transfer=job, place=place, line=place, forecast=outcome, excerpt=SECRET)
        return job

    def addresses(self) -> list[str]:
        """Django's admin has checks of its own and is left out."""
        return [
            reverse(name, args=values)
            for name, parameters in list_names(get_resolver().url_patterns)
            for values in self.find_values(name, parameters)
        ]

    def private_addresses(self) -> list[str]:
        """Those that name a thing of this person's."""
        paths = [address for address in self.addresses() if any(letter.isdigit() for letter in address)]
        # Memory types are everybody's to see and no person's.
        return [path for path in paths if path.split("/")[1] in ROOMS and not path.startswith("/memories/types/")]

    def find_values(self, name: str, parameters: list[str]) -> list[list[Any]]:
        """The arguments of each address that this name stands for."""
        if not parameters:
            return [[]]
        if name == "chat:source_detail":
            return [[self.answer.pk, 1]]
        if parameters == ["pk", "kind"]:
            return [[self.agent.pk, kind] for kind in ProfileKind.values]
        [parameter] = parameters
        if parameter == "message_id":
            return [[message.pk] for message in (self.question, self.answer) if message is not None]
        rows = {
            "conversation_id": self.conversation.pk,
            "memory_id": self.memory.pk,
            "loss_id": self.loss.pk,
            "change_id": self.profile_revision.pk,
            "forgetting_id": self.forgetting.pk,
            "extraction_id": self.extraction.pk,
            "token": "no-such-link",
        }
        return [[rows.get(parameter) or self.find_row(name).pk]]

    def find_row(self, name: str) -> Any:
        if name.startswith("knowledge:"):
            return self.find_knowledge(name.removeprefix("knowledge:"))
        if name in {"memories:memory_undo", "memories:memory_rewind"}:
            return self.revision
        if name == "memories:profile_package":
            return self.agent
        if name in {"memories:profile_restore", "memories:profile_change", "memories:profile_undo"}:
            return self.profile_revision
        rows = {
            "agent": self.agent,
            "bulk": self.bulk_change,
            "memory": self.memory,
            "pending": self.pending,
            "provider": self.provider,
            "user": self.owner,
        }
        rows["type"] = MemoryType.objects.get_or_create(key="citrus", defaults={"name": "Citrus"})[0]
        rows |= self.transfers
        return rows[name.rpartition(":")[2].split("_")[0]]

    def find_knowledge(self, name: str) -> Any:
        """New documents belong to a base, new chunks to a document."""
        if name == "chunk_create":
            return self.document
        if name == "document_create":
            return self.base
        rows = {"document": self.document, "chunk": self.chunk}
        return rows.get(name.split("_")[0], self.base)


def list_names(patterns: list[Any], namespace: str = "") -> Iterator[tuple[str, list[str]]]:
    """Each address's name with its parameters."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}", list(pattern.pattern.converters)
        elif isinstance(pattern, URLResolver) and pattern.namespace != "admin":
            yield from list_names(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else namespace)
