"""The profile files of an agent: read, written whole or by section, and put back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memories.diffs import diff_words
from memories.forms.profiles import SectionForm, WholeForm
from memories.models import Agent, MemoryRevision, ProfileFile, ProfileKind, ProfileRevision
from memories.profiles.bringing import find_newest
from memories.profiles.editing import (
    ProfileChange,
    ProfileKey,
    ProfileTooLongError,
    StaleProfileError,
    change_file,
    leave_secrets_out,
    make_file_key,
    make_key,
    read_file,
    restore,
)
from memories.profiles.merging import SectionConflictError, SectionEdit, change_section, read_version
from memories.profiles.pages import list_changes, list_days, make_cards, measure, read_day
from memories.profiles.sections import end_of, keep_ends
from memories.profiles.snapshot import render_profile, take_snapshot
from memories.redaction.wording import explain_left_out
from memories.wording import join_sentences
from xiajiao.requests import SignedInRequest, read_number

Action = ProfileRevision.Action


@require_GET
def profile_detail(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    return show(request, find_key(request, pk, kind))


def find_key(request: SignedInRequest, pk: int, kind: str) -> ProfileKey:
    """Of an agent as `find_agent`; `day` names one of DAILY, else it is today's."""
    agent = find_agent(request, pk)
    if kind not in list_kinds(request, agent):
        raise Http404
    said = request.POST.get("day") or request.GET.get("day") or ""
    day = read_day(said)
    if said and day is None:
        raise Http404
    return make_key(agent, kind, request.user.pk, day)


def find_agent(request: SignedInRequest, pk: int) -> Agent:
    """One that the person may talk to, or with which they have files from when they might."""
    agent = get_object_or_404(Agent, pk=pk)
    if not agent.is_open_to(request.user) and not agent.profile_files.filter(user=request.user).exists():
        raise Http404
    return agent


def list_kinds(request: SignedInRequest, agent: Agent) -> list[ProfileKind]:
    """Who an agent is, only those read who may talk to it."""
    return [kind for kind in ProfileKind if kind != ProfileKind.SOUL or agent.is_open_to(request.user)]


def may_edit(request: SignedInRequest, key: ProfileKey) -> bool:
    return key.user_id is not None or key.agent.owner_id == request.user.pk


def show(request: SignedInRequest, key: ProfileKey, status: int = 200, **more: Any) -> HttpResponse:
    """`section`: a form that was sent and stays open, at its card or below them."""
    file = read_file(key)
    meter = measure(key.kind, file.text)
    cards = make_cards(file.text, meter.trimmed)
    place = more["section"].place if "section" in more else None
    snapshot, can_edit = take_snapshot(key.agent, request.user.pk), may_edit(request, key)
    context = {
        "agent": key.agent,
        "file": file,
        "kinds": list_kinds(request, key.agent),
        "is_usable": key.agent.is_open_to(request.user),
        "meter": meter,
        "cards": cards,
        "open_card": place if place is not None and place < len(cards) else None,
        "is_whole": request.GET.get("view") == "text",
        "can_edit": can_edit,
        "form": WholeForm(initial={"text": file.text, "version": file.version}),
        "injected": render_profile(snapshot, key.agent.language),
        "injected_length": snapshot.length,
        "days": list_days(key.agent, request.user.pk, read_day(request.GET.get("before", ""))) if key.day else None,
        "changes": list_changes(file, read_number(request.GET, "below")) if can_edit else None,
        "seen": find_newest(key.agent, request.user.pk),
    }
    return render(request, "memories/profile_detail.html", context | more, status=status)


@require_POST
def profile_update(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    """The whole text; where another change came first, what was typed stands beside it."""
    key = find_editable(request, pk, kind)
    form = WholeForm(request.POST)
    if not form.is_valid():
        return show(request, key, 422, form=form, is_whole=True)
    text, kinds = leave_secrets_out(form.cleaned_data["text"], key.agent)
    try:
        change_file(
            key,
            lambda stands: keep_ends(text, stands, end_of(stands)),
            by(request, kinds),
            form.cleaned_data["version"],
        )
    except StaleProfileError as error:
        typed = WholeForm(initial={"text": text, "version": error.current.version})
        return show(request, key, 409, form=typed, is_whole=True, stale=diff_words(error.current.text, text))
    except ProfileTooLongError:
        form.add_error("text", _("The file has become too long to be kept: shorten it."))
        return show(request, key, 422, form=form, is_whole=True)
    return tell_saved(request, key, kinds)


def find_editable(request: SignedInRequest, pk: int, kind: str) -> ProfileKey:
    key = find_key(request, pk, kind)
    if not may_edit(request, key):
        raise Http404
    return key


def by(request: SignedInRequest, kinds: Sequence[str]) -> ProfileChange:
    """`kinds` of secrets were left out."""
    return ProfileChange(Action.EDITED, MemoryRevision.Actor.PERSON, user_id=request.user.pk, left_out=kinds)


def tell_saved(request: SignedInRequest, key: ProfileKey, kinds: Sequence[str]) -> HttpResponse:
    said = _("Saved. New conversations know it; open ones when they are refreshed.")
    messages.success(request, join_sentences(said, explain_left_out(kinds)))
    return redirect(address_of(key, request.POST.get("view", "")))


@require_POST
def profile_section(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    """One section: written anew, added, or removed. What can't be done leaves its form open with what was typed."""
    key = find_editable(request, pk, kind)
    form = SectionForm(request.POST)
    if not form.is_valid():
        return show(request, key, 422, section=form)
    edit, kinds = form.make_edit(key.agent)
    try:
        change_section(key, edit, by(request, kinds))
    except SectionConflictError as error:
        return show_conflict(request, key, edit, error)
    except ProfileTooLongError:
        form.add_error("body", _("The file has become too long to be kept: shorten it."))
        return show(request, key, 422, section=form)
    return tell_saved(request, key, kinds)


def show_conflict(
    request: SignedInRequest, key: ProfileKey, edit: SectionEdit, conflict: SectionConflictError
) -> HttpResponse:
    """What was typed, at the section as it is now, or, where that is gone, as one to add."""
    typed = SectionForm(initial={"number": conflict.number, "heading": edit.heading, "body": edit.body})
    pieces = () if edit.is_removed else diff_words(conflict.body, edit.body)
    told = {"pieces": pieces, "is_gone": conflict.number is None}
    return show(request, key, 409, section=typed, conflict=told)


def address_of(key: ProfileKey, view: str = "") -> str:
    address = reverse("memories:profile_detail", args=[key.agent.pk, key.kind])
    said = [f"day={key.day.isoformat()}" if key.day else "", "view=text" if view == "text" else ""]
    return f"{address}?{'&'.join(filter(None, said))}" if any(said) else address


@require_POST
def profile_preview(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    """What of the text that is being typed would be injected."""
    key = find_key(request, pk, kind)
    form = WholeForm(request.POST)
    text = form.cleaned_data["text"] if form.is_valid() else ""
    meter = measure(key.kind, text)
    return render(request, "memories/_profile_meter.html", {"meter": meter, "is_typed": True})


@require_POST
def profile_restore(request: SignedInRequest, pk: int) -> HttpResponse:
    """The file as it was after, or with `before` before, this change of it; `version` is the one that was shown."""
    editable = ProfileRevision.objects.filter(file__in=ProfileFile.objects.editable_by(request.user))
    revision = get_object_or_404(editable.select_related("file__agent"), pk=pk)
    file, shown, is_before = revision.file, read_number(request.POST, "version"), "before" in request.POST
    key = make_file_key(file)
    change = ProfileChange(Action.RESTORED, MemoryRevision.Actor.PERSON, user_id=request.user.pk)
    try:
        restore(file, revision.version - is_before, change, -1 if shown is None else shown)
    except StaleProfileError as error:
        since = () if shown is None else diff_words(read_version(error.current, shown), error.current.text)
        return show(request, key, 409, restoring={"revision": revision, "is_before": is_before, "pieces": since})
    messages.success(request, _("The file is as it was then."))
    return redirect(address_of(key))
