"""Memory types: everybody sees them, administrators make, change and delete them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memories.forms.types import MemoryTypeForm, TypeRemovalForm
from memories.models import MemoryType
from memories.tasks import remove_type
from memories.type_removal import AT_ONCE, RemovalError, begin_removal, carry_on
from xiajiao.nudging import nudge
from xiajiao.requests import SignedInRequest
from xiajiao.views.staff import staff_only


@require_GET
def type_list(request: SignedInRequest) -> HttpResponse:
    types = MemoryType.objects.select_related("moves_to")
    if request.user.is_staff:
        types = types.annotate(memory_count=Count("memories"))
    return show(request, "type_list", types=types)


@staff_only
def type_create(request: SignedInRequest) -> HttpResponse:
    form = MemoryTypeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return tell(request, _("The type “%(name)s” is there.") % {"name": form.save().display_name})
    return show(request, "type_create", 422 if form.errors else 200, form=form)


@staff_only
def type_update(request: SignedInRequest, pk: int) -> HttpResponse:
    memory_type = get_object_or_404(MemoryType.objects.usable(), pk=pk)
    form = MemoryTypeForm(request.POST or None, instance=memory_type)
    if request.method == "POST" and form.is_valid():
        form.save()
        return tell(request, _("Saved."))
    return show(request, "type_update", 422 if form.errors else 200, form=form, type=MemoryType.objects.get(pk=pk))


@staff_only
def type_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Few memories are moved at once, many in the background."""
    memory_type = get_object_or_404(MemoryType.objects.usable(), pk=pk)
    if memory_type.is_system:
        raise PermissionDenied
    form = TypeRemovalForm(request.POST if request.method == "POST" else None, memory_type=memory_type)
    if request.method == "POST" and form.is_valid():
        try:
            begin_removal(memory_type, form.cleaned_data["target"], request.user)
        except RemovalError:
            # Another administrator was quicker.
            get_object_or_404(MemoryType.objects.usable(), pk=pk)
            form.add_error("target", _("The types have changed just now. Choose once more."))
        else:
            return tell(request, finish_or_queue(memory_type))
    context: dict[str, Any] = {"form": form, "type": memory_type, "count": memory_type.memories.count()}
    return show(request, "type_delete", 422 if form.errors else 200, **context)


def finish_or_queue(memory_type: MemoryType) -> str:
    if not carry_on(memory_type.pk, AT_ONCE):
        return _("The type “%(name)s” is deleted.") % {"name": memory_type.name}
    nudge(remove_type, memory_type.pk)
    return _("The memories of “%(name)s” are moving; then the type is deleted.") % {"name": memory_type.name}


def tell(request: SignedInRequest, said: str) -> HttpResponse:
    """Back to the list, in the dialog or on its page."""
    if not request.htmx:
        messages.success(request, said)
        return redirect("memories:type_list")
    types = MemoryType.objects.select_related("moves_to").annotate(memory_count=Count("memories"))
    response = show(request, "type_list", types=types, said=said)
    response["HX-Trigger"] = "memory-changed"
    return response


def show(request: SignedInRequest, name: str, status: int = 200, **context: Any) -> HttpResponse:
    template = f"memories/_{name}.html" if request.htmx else f"memories/{name}.html"
    return render(request, template, context, status=status)
