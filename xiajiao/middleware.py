"""What every answer passes: the content security policy, the person's language and time zone, sign-in for fragments."""

import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import resolve_url
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin

from xiajiao.models import User
from xiajiao.timezones import find_zone

POLICY = (
    "default-src 'self'; script-src 'self' 'nonce-{nonce}'; style-src 'self'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

ZONE_COOKIE = "xiajiao_zone"


class ContentSecurityPolicyMiddleware(MiddlewareMixin):
    """No inline script without the nonce, no eval, no inline style, nothing from elsewhere."""

    def process_request(self, request: HttpRequest) -> None:
        request.csp_nonce = secrets.token_urlsafe(16)  # type: ignore[attr-defined]

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        nonce = getattr(request, "csp_nonce", "")
        response.headers.setdefault("Content-Security-Policy", POLICY.format(nonce=nonce))
        return response


class PersonLanguageMiddleware(MiddlewareMixin):
    """The language that a person chose in the profile goes before cookie and browser."""

    def process_request(self, request: HttpRequest) -> None:
        language = getattr(request.user, "language", "")
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()


class PersonTimeZoneMiddleware(MiddlewareMixin):
    """Times are shown, and read from forms, in the zone of the person's browser; js/xiajiao.js says which that is.

    It is kept for what is done for the person without a browser.
    """

    def process_request(self, request: HttpRequest) -> None:
        zone, user = find_zone(request.COOKIES.get(ZONE_COOKIE, "")), request.user
        if isinstance(user, User):
            if zone is not None and zone.key != user.zone:
                User.objects.filter(pk=user.pk).update(zone=zone.key)
            zone = zone or find_zone(user.zone)
        if zone is None:
            timezone.deactivate()
        else:
            timezone.activate(zone)


class SignInMiddleware(LoginRequiredMiddleware):
    """A fragment asked for after the session ended sends the whole page to the sign-in, not a form into the page.

    What is sent stays where it was typed: the answer is 401, and js/xiajiao.js says what to do.
    """

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., Any], view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        answer = super().process_view(request, view_func, view_args, view_kwargs)
        if answer is None or request.headers.get("HX-Request") != "true":
            return answer
        if request.method != "GET":
            return HttpResponse(status=401)
        page = read_path(request.headers.get("HX-Current-URL", ""))
        login = resolve_url(self.get_login_url(view_func))
        return HttpResponse(status=204, headers={"HX-Redirect": f"{login}?{urlencode({'next': page or '/'})}"})


def read_path(address: str) -> str:
    """Empty for what is no address."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""
