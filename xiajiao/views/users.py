"""The people of this installation, for those who administer it."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from xiajiao.forms.passwords import NewPasswordForm
from xiajiao.forms.users import UserForm
from xiajiao.models import User
from xiajiao.requests import SignedInRequest
from xiajiao.views.staff import staff_only


@staff_only
def user_list(request: SignedInRequest) -> HttpResponse:
    return render(request, "xiajiao/user_list.html", {"people": User.objects.order_by("-is_active", "username")})


@staff_only
def user_create(request: SignedInRequest) -> HttpResponse:
    form = UserForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = form.save()
        messages.success(request, _("%(name)s can sign in now.") % {"name": person.username})
        return redirect("user_list")
    return render(request, "xiajiao/user_create.html", {"form": form}, status=422 if form.errors else 200)


@staff_only
def user_password(request: SignedInRequest, pk: int) -> HttpResponse:
    person = find_person(request, pk)
    form = NewPasswordForm(person, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("%(name)s has a new password.") % {"name": person.username})
        return redirect("user_list")
    context = {"form": form, "person": person}
    return render(request, "xiajiao/user_password.html", context, status=422 if form.errors else 200)


@staff_only
@require_POST
def user_active(request: SignedInRequest, pk: int) -> HttpResponse:
    """Locks a person out or lets them in again; what belongs to them stays."""
    person = find_person(request, pk)
    person.is_active = not person.is_active
    person.save(update_fields=["is_active"])
    return redirect("user_list")


def find_person(request: SignedInRequest, pk: int) -> User:
    """Another person; only a superuser changes a superuser, or any administrator could become one."""
    person = get_object_or_404(User.objects.exclude(pk=request.user.pk), pk=pk)
    if person.is_superuser and not request.user.is_superuser:
        raise PermissionDenied
    return person
