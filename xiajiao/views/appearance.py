"""Language and light or dark: changed from every page, signed in or not."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from xiajiao.context import THEME_COOKIE
from xiajiao.models import User

YEAR = 60 * 60 * 24 * 365


@login_not_required
@require_POST
def language_update(request: HttpRequest) -> HttpResponse:
    response = go_back(request)
    language = request.POST.get("language", "")
    if language in dict(settings.LANGUAGES):
        response.set_cookie(settings.LANGUAGE_COOKIE_NAME, language, max_age=YEAR, samesite="Lax")
        keep_choice(request, language=language)
    return response


@login_not_required
@require_POST
def theme_update(request: HttpRequest) -> HttpResponse:
    response = go_back(request)
    theme = request.POST.get("theme", "")
    if theme in User.Theme.values:
        response.set_cookie(THEME_COOKIE, theme, max_age=YEAR, samesite="Lax")
        keep_choice(request, theme=theme)
    return response


def keep_choice(request: HttpRequest, **columns: str) -> None:
    if request.user.is_authenticated:
        User.objects.filter(pk=request.user.pk).update(**columns)


def go_back(request: HttpRequest) -> HttpResponseRedirect:
    """To the page that was left, never to another site."""
    target = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        target = resolve_url(settings.LOGIN_REDIRECT_URL)
    return HttpResponseRedirect(target)
