"""What an answer knew and did: memories recalled and remembered, the prompt as it was sent."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from chat.branches import place_among_siblings
from chat.models import Message, Source
from knowledge.models import Document
from memories.profiles.undoing import list_noted
from xiajiao.requests import SignedInRequest


@require_GET
def answer_detail(request: SignedInRequest, message_id: int) -> HttpResponse:
    """A fragment for the side drawer; a page of its own without htmx."""
    answers = Message.objects.for_user(request.user).filter(role=Message.Role.ASSISTANT)
    related = answers.select_related("conversation__agent")
    answer = get_object_or_404(
        related.prefetch_related("recalled__memory", "remembered__memory", "sources", "attached"), pk=message_id
    )
    recalled = list(answer.recalled.all())
    context = {
        "answer": answer,
        "used": [row for row in recalled if not row.was_cut],
        "cut": [row for row in recalled if row.was_cut],
        "remembered": answer.remembered.all(),
        "noted": list_noted([answer.pk]).get(answer.pk, ()),
        "sources": [row for row in answer.sources.all() if not row.was_cut],
        "cut_sources": [row for row in answer.sources.all() if row.was_cut],
    }
    return render(request, "chat/_answer_detail.html" if request.htmx else "chat/answer_detail.html", context)


@require_GET
def answer_chips(request: SignedInRequest, message_id: int) -> HttpResponse:
    """What stands under an answer, after something was decided there."""
    answers = Message.objects.for_user(request.user).filter(role=Message.Role.ASSISTANT)
    answer = get_object_or_404(answers.select_related("conversation__agent"), pk=message_id)
    context = {"item": place_among_siblings(answer), "message": answer, "listens": True}
    return render(request, "chat/_answer_chips.html", context)


@require_GET
def source_detail(request: SignedInRequest, message_id: int, number: int) -> HttpResponse:
    """What a document said to an answer, as it was sent then; a page of its own without htmx."""
    sources = Source.objects.filter(message__in=Message.objects.for_user(request.user))
    related = sources.select_related("message__conversation", "chunk__document")
    source = get_object_or_404(related, message=message_id, number=number)
    readable = Document.objects.for_user(request.user).kept()
    is_readable = source.chunk is not None and readable.filter(pk=source.chunk.document_id).exists()
    context = {"source": source, "is_readable": is_readable}
    return render(request, "chat/_source_detail.html" if request.htmx else "chat/source_detail.html", context)


@require_GET
def message_text(request: SignedInRequest, message_id: int) -> HttpResponse:
    """A message as it was written, to be copied."""
    message = get_object_or_404(Message.objects.for_user(request.user), pk=message_id)
    return HttpResponse(message.content, content_type="text/plain; charset=utf-8")
