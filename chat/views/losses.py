"""Memories that lost what they came from: the person says what becomes of each, or of all at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from chat.asking import find_open, list_questions
from chat.losses import ANSWERS, answer_losses, reopen_losses
from chat.models import Conversation, SourceLoss
from chat.models.losses import SourceLossQuerySet
from chat.profile_losses import find_lost_changes
from xiajiao.requests import SignedInRequest, read_number, read_numbers

# In one click; what is more is asked about again.
MOST = 500


@require_GET
def source_loss_list(request: SignedInRequest) -> HttpResponse:
    """All open questions on a page; for htmx the panel alone, with `?conversation=` that of one conversation."""
    conversation = find_conversation(request, request.GET)
    context = describe(request, conversation)
    return render(request, "chat/_source_losses.html" if request.htmx else "chat/source_loss_list.html", context)


@require_GET
def source_loss_notice(request: SignedInRequest) -> HttpResponse:
    """A line that leads to the open questions; nothing where there are none."""
    context = {"count": find_open(request.user).count(), "changes": len(find_lost_changes(request.user))}
    return render(request, "chat/_source_loss_notice.html", context)


@require_POST
def source_loss_update(request: SignedInRequest, loss_id: int) -> HttpResponse:
    loss = get_object_or_404(SourceLoss.objects.for_user(request.user), pk=loss_id)
    return answer(request, SourceLoss.objects.filter(pk=loss.pk))


@require_POST
def source_loss_update_all(request: SignedInRequest) -> HttpResponse:
    """Of one conversation, or all that there are."""
    losses = find_open(request.user, find_conversation(request, request.POST))
    return answer(request, SourceLoss.objects.filter(pk__in=list(losses.values_list("pk", flat=True)[:MOST])))


@require_POST
def source_loss_undo(request: SignedInRequest) -> HttpResponse:
    """Take answers back; `loss` names each."""
    ids = read_numbers(request.GET, "loss", MOST)
    losses = SourceLoss.objects.for_user(request.user).filter(pk__in=ids)
    conversation = Conversation.objects.for_user(request.user).filter(source_losses__in=losses).first()
    reopen_losses(losses)
    messages.success(request, _("It is taken back."))
    return go_back(conversation)


def answer(request: SignedInRequest, losses: SourceLossQuerySet) -> HttpResponse:
    conversation = find_conversation(request, request.POST)
    word = request.POST.get("answer", "")
    answered = answer_losses(losses, word) if word in ANSWERS else []
    if not request.htmx:
        say(request, answered)
        return go_back(conversation)
    context = describe(request, conversation) | {"said": word_answer(answered), "undo": undo_address(answered)}
    response = render(request, "chat/_source_losses.html", context)
    response["HX-Trigger"] = "memory-changed"
    return response


def go_back(conversation: Conversation | None) -> HttpResponse:
    if conversation is None or conversation.deleted_at is not None:
        return redirect("chat:source_loss_list")
    return redirect("chat:conversation_detail", conversation.pk)


def describe(request: SignedInRequest, conversation: Conversation | None) -> dict[str, Any]:
    return {"conversation": conversation, "questions": list_questions(request.user, conversation)}


def find_conversation(request: SignedInRequest, values: QueryDict) -> Conversation | None:
    """A deleted one too: what came from it is still asked about."""
    conversation_id = read_number(values, "conversation")
    if conversation_id is None:
        return None
    return get_object_or_404(Conversation.objects.filter(user=request.user), pk=conversation_id)


def say(request: SignedInRequest, answered: Sequence[SourceLoss]) -> None:
    if answered:
        messages.success(request, word_answer(answered), extra_tags=f"undo:{undo_address(answered)}")


def undo_address(answered: Sequence[SourceLoss]) -> str:
    return f"{reverse('chat:source_loss_undo')}?{'&'.join(f'loss={loss.pk}' for loss in answered)}"


def word_answer(answered: Sequence[SourceLoss]) -> str:
    """What was done, for the message on the page."""
    count = len(answered)
    state = answered[0].state if answered else ""
    if state == SourceLoss.State.KEPT:
        return ngettext("%(count)d memory is kept.", "%(count)d memories are kept.", count) % {"count": count}
    if state == SourceLoss.State.DISABLED:
        return ngettext("%(count)d memory is switched off.", "%(count)d memories are switched off.", count) % {
            "count": count
        }
    if state == SourceLoss.State.DELETED:
        return ngettext("%(count)d memory is deleted.", "%(count)d memories are deleted.", count) % {"count": count}
    return ""
