"""A person's own settings."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _

from xiajiao.forms.passwords import OwnPasswordForm
from xiajiao.forms.profile import ProfileForm
from xiajiao.requests import SignedInRequest


def profile_update(request: SignedInRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        person = form.save()
        if person.language:
            translation.activate(person.language)
        messages.success(request, _("Saved."))
        response = redirect("profile_update")
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return response
    return render(request, "xiajiao/profile_update.html", {"form": form}, status=422 if form.errors else 200)


def password_update(request: SignedInRequest) -> HttpResponse:
    form = OwnPasswordForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(request, _("Your password is changed. Other devices are signed out."))
        return redirect("profile_update")
    return render(request, "xiajiao/password_update.html", {"form": form}, status=422 if form.errors else 200)
