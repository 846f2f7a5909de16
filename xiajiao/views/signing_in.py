from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from xiajiao.forms.signing_in import SignInForm
from xiajiao.models import User

sign_in = LoginView.as_view(authentication_form=SignInForm, redirect_authenticated_user=True)


@login_not_required
def login(request: HttpRequest) -> HttpResponseBase:
    """Where nobody has an account yet, the page that says how the first one is made."""
    if not User.objects.exists():
        return redirect("chat:setup")
    return sign_in(request)


def admin_login(request: HttpRequest) -> HttpResponse:
    """Django's admin has no door of its own: who is not signed in comes by ours, who may not enter is told so."""
    if not admin.site.has_permission(request):
        raise PermissionDenied
    page = request.GET.get("next", "")
    is_here = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(page if is_here else reverse("admin:index"))
