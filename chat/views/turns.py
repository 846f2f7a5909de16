"""What a person does in a conversation: send, edit, try again, stop, turn to another branch."""

from __future__ import annotations

from uuid import UUID, uuid4, uuid5

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST
from django_htmx.http import reswap, retarget, trigger_client_event

from chat.asking import list_questions
from chat.branches import END, Span, load_branch, place_among_siblings, switch_branch
from chat.extraction.telling import describe_ending
from chat.interruption import mark_interrupted
from chat.models import Conversation, Message
from chat.modes import read_mode
from chat.runner import start_turn, stop_turn
from chat.sending import SendError, answer_message, edit_message, regenerate_answer, send_message, start_conversation
from chat.views.home import describe_home
from chat.wording import explain_code
from memories.models import Agent
from xiajiao.requests import SignedInRequest, read_number


@require_POST
def conversation_create(request: SignedInRequest) -> HttpResponse:
    """A conversation begins with its first message."""
    agent = get_object_or_404(Agent.objects.for_user(request.user), pk=read_number(request.POST, "agent"))
    text = request.POST.get("text", "")
    try:
        mode = read_mode(request.POST.get("mode", ""))
        sent = start_conversation(request.user, agent, text, read_token(request), mode)
    except SendError as error:
        context = describe_home(request, text) | {"sentence": explain_code(error.code)}
        return render(request, "chat/home.html", context, status=status_of(error))
    start_turn(sent.answer.pk)
    return redirect("chat:conversation_detail", sent.message.conversation_id)


@require_POST
def message_create(request: SignedInRequest, conversation_id: int) -> HttpResponse:
    conversation = get_object_or_404(Conversation.objects.for_user(request.user), pk=conversation_id)
    mark_interrupted()
    try:
        mode = read_mode(request.POST.get("mode", ""))
        sent = send_message(conversation, request.POST.get("text", ""), read_token(request), mode)
    except SendError as error:
        return refuse(request, error)
    start_turn(sent.answer.pk)
    if not request.htmx:
        return redirect("chat:conversation_detail", conversation_id)
    if "is_cut" in request.POST:
        return show_end(request, conversation)
    items = [place_among_siblings(message) for message in (sent.message, sent.answer)]
    conversation = sent.message.conversation
    context = {"items": items, "conversation": conversation, "token": uuid4(), "ending": describe_ending(conversation)}
    return announce_change(render(request, "chat/_turn.html", context))


def message_update(request: SignedInRequest, message_id: int) -> HttpResponse:
    """Another wording beside the first one; GET gives the form for it."""
    message = find_message(request, message_id, Message.Role.USER)
    if request.method != "POST":
        return render(request, "chat/_message_form.html", {"message": message, "token": uuid4()})
    mark_interrupted()
    try:
        sent = edit_message(message, request.POST.get("text", ""), read_token(request))
    except SendError as error:
        return refuse(request, error)
    start_turn(sent.answer.pk)
    return show_thread(request, sent.message.conversation)


@require_POST
def answer_create(request: SignedInRequest, message_id: int) -> HttpResponse:
    """Another answer beside this one: regenerate, or retry what came to no good end.

    Of a person's message: the answer that it lacks.
    """
    message = get_object_or_404(Message.objects.for_user(request.user).select_related("conversation"), pk=message_id)
    mark_interrupted()
    try:
        other = regenerate_answer(message) if message.role == Message.Role.ASSISTANT else answer_message(message)
    except SendError as error:
        return refuse(request, error)
    start_turn(other.pk)
    return show_thread(request, other.conversation)


@require_POST
def answer_stop(request: SignedInRequest, message_id: int) -> HttpResponse:
    """The page hears of the end through the answer's stream."""
    stop_turn(find_message(request, message_id, Message.Role.ASSISTANT))
    return HttpResponse(status=204)


@require_POST
def branch_update(request: SignedInRequest, message_id: int) -> HttpResponse:
    """Read the branch that goes through this message."""
    message = get_object_or_404(Message.objects.for_user(request.user), pk=message_id)
    switch_branch(message)
    return show_thread(request, message.conversation, Span(around=message.pk))


def find_message(request: SignedInRequest, message_id: int, role: str) -> Message:
    messages = Message.objects.for_user(request.user).select_related("conversation")
    return get_object_or_404(messages, pk=message_id, role=role)


def show_end(request: SignedInRequest, conversation: Conversation) -> HttpResponse:
    """The page showed a part of the branch that lies above its end: the new message belongs below what it lacks."""
    refresh(conversation)
    page, ending = load_branch(conversation), describe_ending(conversation)
    context = {"conversation": conversation, "page": page, "token": uuid4(), "ending": ending}
    response = announce_change(render(request, "chat/_thread_sent.html", context))
    return reswap(retarget(response, "#thread"), "outerHTML")


def show_thread(request: SignedInRequest, conversation: Conversation, span: Span = END, **context: str) -> HttpResponse:
    """`said`: told in a message of the page, with the address that undoes it in `undo`."""
    refresh(conversation)
    shown = {
        "conversation": conversation,
        "agent": conversation.agent,
        "ending": describe_ending(conversation),
        "page": load_branch(conversation, span),
        "questions": list_questions(request.user, conversation),
    }
    return announce_change(render(request, "chat/_thread_shown.html", shown | context))


def refresh(conversation: Conversation) -> None:
    """What a message changes."""
    conversation.refresh_from_db(fields=["leaf", "title", "mode", "updated_at", "closed_at"])


def refuse(request: SignedInRequest, error: SendError) -> HttpResponse:
    """Told above the composer, whatever was asked for."""
    context = {"sentence": explain_code(error.code)}
    response = render(request, "chat/_send_error.html", context, status=status_of(error))
    return reswap(retarget(response, "#composer-error"), "innerHTML")


def status_of(error: SendError) -> int:
    """409 where it may be sent again later, 422 where the text has to change."""
    return 409 if error.code in {"busy", "archived", "withdrawn", "deleted"} else 422


def announce_change(response: HttpResponse) -> HttpResponse:
    """The list of conversations asks for itself again."""
    return trigger_client_event(response, "conversations-changed")


def read_token(request: SignedInRequest) -> UUID | None:
    """Made by the page for each form, and made the person's own: nobody meets another's. Anything else is none."""
    try:
        return uuid5(UUID(request.POST.get("token", "")), str(request.user.pk))
    except ValueError:
        return None
