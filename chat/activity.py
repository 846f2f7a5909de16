"""What works in the background for a person: extractions of their conversations, and documents on their way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.utils import timezone

from chat.extraction.outcomes import Outcome, list_memory_ids, list_outcomes
from chat.indexing_health import find_documents
from chat.models import ExtractionJob
from knowledge.models import Document, SemanticIndex
from memories.health.jobs import Scope
from memories.models import Memory
from xiajiao.claims import is_free
from xiajiao.models import User

State = ExtractionJob.State
PAGE = 25
# Documents that are named; the bases tell of all.
NAMED = 20


@dataclass(frozen=True)
class Entry:
    """An extraction with what came of it. `until`: when it is tried again; None: now."""

    job: ExtractionJob
    outcomes: Sequence[Outcome]
    memories: dict[int, Memory] = field(default_factory=dict)

    @property
    def remembered(self) -> list[Memory]:
        """Those that are there still."""
        ids = dict.fromkeys(each.memory_id for each in self.outcomes if each.is_new and each.memory_id)
        return [self.memories[pk] for pk in ids if pk in self.memories]

    @property
    def new_count(self) -> int:
        return sum(each.is_new for each in self.outcomes)

    @property
    def rows(self) -> list[tuple[Outcome, Memory | None]]:
        return [(each, self.memories.get(each.memory_id or 0)) for each in self.outcomes]

    @property
    def is_at_work(self) -> bool:
        return self.job.is_running and not is_free(self.job)

    @property
    def until(self) -> datetime | None:
        due = self.job.due_at
        return due if due is not None and due > timezone.now() else None


@dataclass(frozen=True)
class Extractions:
    """A page of them, newest first. `counts`: by state, of all. `is_due`: something may change within seconds."""

    page: Page[ExtractionJob]
    entries: Sequence[Entry]
    counts: dict[str, int]
    is_due: bool

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def list_extractions(user: User, state: str = "", number: str | None = None) -> Extractions:
    jobs = ExtractionJob.objects.for_user(user)
    counts = dict(jobs.order_by().values_list("state").annotate(count=Count("pk")))
    shown = jobs.filter(state=state) if state else jobs
    page = Paginator(shown.select_related("conversation__agent"), PAGE).get_page(number)
    is_due = jobs.due().exists()
    return Extractions(page, describe(user, page), counts, is_due)


def describe(user: User, jobs: Iterable[ExtractionJob]) -> list[Entry]:
    rows = list(jobs)
    memories = Memory.objects.for_user(user).filter(deleted_at__isnull=True).in_bulk(list_memory_ids(rows))
    return [Entry(job, list_outcomes(job), memories) for job in rows]


@dataclass(frozen=True)
class Documents:
    """Those of the person's bases that are not through: in work, failed, or found by words alone."""

    named: Sequence[Document]
    running: int
    failed: int

    @property
    def more(self) -> int:
        return max(self.running + self.failed - len(self.named), 0)


def list_documents(user: User) -> Documents:
    documents = find_documents(Scope(user))
    embedding = Q(state=Document.State.READY, semantic_index__state=SemanticIndex.State.WAITING)
    running = Q(state__in=Document.WORKED_AT) | embedding
    failed = Q(state=Document.State.FAILED) | Q(semantic_index__state=SemanticIndex.State.FAILED)
    failed &= ~Q(state__in=Document.WORKED_AT)
    counts = documents.order_by().aggregate(running=Count("pk", filter=running), failed=Count("pk", filter=failed))
    named = documents.filter(running | failed).select_related("base", "semantic_index").order_by("-pk")[:NAMED]
    return Documents(list(named), counts["running"], counts["failed"])
