"""Documents that are not read yet or can't be, and vectors that can't be made, as the page of health sees them.

The chat knows both `knowledge`, whose work it is, and `memories`, whose page it is.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Min, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledge.changing import give_up_all, requeue_all, retry_vectors
from knowledge.models import Document, SemanticIndex
from knowledge.models.documents import DocumentQuerySet
from knowledge.wording import explain_reason
from memories.health.jobs import JobSource, JobState, Scope, register

# One that nobody has begun after so long waits for workers that don't come.
LONG = timedelta(hours=1)
State = Document.State


def find_documents(scope: Scope) -> DocumentQuerySet:
    """The person's own; for staff everybody's, but for files of conversations."""
    documents = Document.objects.kept().order_by("pk")
    is_staff = scope.everybody and scope.user.is_staff
    return (
        documents.for_user(scope.user)
        if is_staff
        else documents.filter(base__owner=scope.user, base__deleted_at__isnull=True)
    )


def find_stuck(documents: DocumentQuerySet) -> DocumentQuerySet:
    now = timezone.now()
    silent = ~Q(claim="") & Q(heartbeat__lt=now - Document.SILENCE * 2)
    unbegun = Q(claim="", heartbeat__isnull=True, created_at__lt=now - LONG)
    return documents.filter(Q(state=State.FAILED) | Q(silent | unbegun, state__in=Document.WORKED_AT))


def read_documents(scope: Scope) -> JobState:
    documents = find_documents(scope)
    open_ = documents.filter(state__in=[*Document.WORKED_AT, State.FAILED])
    stuck = find_stuck(documents)
    oldest = open_.aggregate(oldest=Min("created_at"))["oldest"]
    return JobState(open_.count(), stuck.count(), oldest, say_first(stuck.filter(state=State.FAILED)))


def say_first(failed: DocumentQuerySet) -> str:
    """What is the matter with one of them, for example."""
    document = failed.first()
    words = None if document is None else explain_reason(document)
    return "" if document is None or words is None else f"\u2068{document.name}\u2069: {words.what} {words.next_step}"


def retry_documents(scope: Scope) -> None:
    requeue_all(find_stuck(find_documents(scope)))


def give_up_documents(scope: Scope) -> None:
    """What was found before serves all the same."""
    give_up_all(find_stuck(find_documents(scope)))


def find_indexes(scope: Scope) -> QuerySet[SemanticIndex]:
    unready = SemanticIndex.objects.exclude(state=SemanticIndex.State.READY)
    return unready.filter(document__in=find_documents(scope).order_by()).order_by("pk")


def read_indexes(scope: Scope) -> JobState:
    """Stuck are those whose model failed too often, and those that wait after a failure."""
    indexes = find_indexes(scope)
    stuck = indexes.filter(Q(state=SemanticIndex.State.FAILED) | Q(failures__gt=0))
    error = stuck.exclude(error="").values_list("error", flat=True).first() or ""
    return JobState(indexes.count(), stuck.count(), indexes.aggregate(oldest=Min("created_at"))["oldest"], error)


def retry_indexes(scope: Scope) -> None:
    retry_vectors(find_documents(scope).order_by())


register(
    JobSource(
        "documents",
        _("Documents being read"),
        _("Files and web pages on their way into a knowledge base; what was found in them before serves meanwhile."),
        read_documents,
        retry_documents,
        "knowledge.tasks.sweep_documents",
        give_up_documents,
        "knowledge:base_list",
    )
)
register(
    JobSource(
        "semantic_indexes",
        _("Vectors of documents"),
        _("Documents whose text is searched by its words, and not yet by its meaning."),
        read_indexes,
        retry_indexes,
        "knowledge.tasks.sweep_documents",
        page="knowledge:base_list",
    )
)
