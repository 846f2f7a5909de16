"""Where a memory's words lie in extractions: what was proposed, a reply that could not be read, the day's line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from chat.models import ExtractionJob, Message
from chat.places import own
from memories.models import Memory
from memories.profiles.daily import clip_line
from memories.profiles.forgetting import bury_sentences, strip_text
from memories.striking import strike_text
from xiajiao.places import Forgotten, Kind, Place, register

State = ExtractionJob.State
TEXTS = ("content", "quote", "subject")
COLUMNS = ("summary", "raw_reply", "detail", "candidates")


def find_jobs(forgotten: Forgotten) -> list[ExtractionJob]:
    """Those that hold its words, made it, or read a message that goes; as they are without it."""
    of_messages = set(read_messages(forgotten))
    rows = ExtractionJob.objects.filter(own(forgotten, "conversation__"))
    told = ~Q(summary="") | ~Q(raw_reply="") | ~Q(detail="") | Q(candidates__isnull=False)
    return [job for job in rows.filter(told).iterator(200) if clear(job, forgotten, job.pk in of_messages)]


def read_messages(forgotten: Forgotten) -> Iterable[int]:
    """Keys of the jobs that read one of the messages that go: up to the first that was done with it."""
    messages = Message.objects.filter(pk__in=forgotten.message_ids, conversation__user=forgotten.user_id)
    for pk, conversation in messages.values_list("pk", "conversation"):
        jobs = ExtractionJob.objects.filter(conversation=conversation, upto_id__gte=pk).order_by("upto_id", "pk")
        for job in jobs:
            yield job.pk
            if job.state == State.DONE:
                break


def clear(job: ExtractionJob, forgotten: Forgotten, is_whole: bool) -> bool:
    """Without saving; whether anything went. All of it where a message that it read goes."""
    before = (job.summary, job.raw_reply, job.detail, job.candidates)
    for name in ("summary", "raw_reply", "detail"):
        text = getattr(job, name)
        setattr(job, name, leave(text, forgotten, is_whole))
    if job.candidates is not None:
        job.candidates = list(keep_candidates(job, forgotten, is_whole))
    return before != (job.summary, job.raw_reply, job.detail, job.candidates)


def leave(text: str, forgotten: Forgotten, is_whole: bool) -> str:
    if forgotten.kind == Kind.STRUCK and not is_whole:
        return strike_text(text, forgotten.telling, forgotten.mark)
    return "" if is_whole or says(text, forgotten) else text


def says(text: str, forgotten: Forgotten) -> bool:
    """As it is, or as JSON writes it."""
    is_spelled = strike_text(text, forgotten.telling, "") != text
    return is_spelled or strip_text(text, forgotten).text != text


def keep_candidates(job: ExtractionJob, forgotten: Forgotten, is_whole: bool) -> Iterable[dict[str, Any]]:
    """Their number counts: in the place of one that goes stays an empty one, which the gate takes for nothing."""
    goes = forgotten.kind != Kind.STRUCK or is_whole
    for row in job.candidates or []:
        left = {name: leave(row.get(name) or "", forgotten, is_whole) for name in TEXTS}
        if all(left[name] == (row.get(name) or "") for name in TEXTS):
            yield row
        else:
            yield row | (dict.fromkeys(TEXTS, "") if goes else left)


def count_jobs(forgotten: Forgotten) -> int:
    return len(find_jobs(extend(forgotten)))


def scrub_jobs(forgotten: Forgotten) -> int:
    found = find_jobs(extend(forgotten))
    told = ExtractionJob.objects.filter(pk__in=[job.pk for job in found]).select_related("conversation")
    for job in told:
        bury_sentences(job.conversation.agent_id, forgotten, list_said(job, forgotten))
    ExtractionJob.objects.bulk_update(found, COLUMNS, batch_size=100)
    return len(found)


def list_said(job: ExtractionJob, forgotten: Forgotten) -> Iterable[str]:
    """The words in which it was proposed."""
    for row in job.candidates or []:
        texts = [row.get(name) or "" for name in ("content", "quote")]
        if any(says(text, forgotten) for text in texts):
            yield from texts


def with_lines(forgotten: Forgotten) -> Forgotten:
    """With the lines that extractions left in the texts of days of what goes; before they are scrubbed."""
    jobs = [job.pk for job in find_jobs(extend(forgotten)) if not job.summary]
    told = ExtractionJob.objects.filter(pk__in=jobs).exclude(summary="").values_list("summary", flat=True)
    return replace(forgotten, lines=tuple(line for summary in told for line in (summary, clip_line(summary))))


def extend(forgotten: Forgotten) -> Forgotten:
    """With the words in which it was said."""
    quotes = Memory.objects.filter(pk=forgotten.memory_id).values_list("quote", flat=True)
    lines = [line for quote in quotes for line in quote.splitlines() if line.strip()]
    return replace(forgotten, wordings=(*forgotten.wordings, *lines)) if lines else forgotten


NAME = _("what was proposed when conversations ended")
register(Place("extractions", NAME, count_jobs, scrub_jobs, rank=5, strike=scrub_jobs))
