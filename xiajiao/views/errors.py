"""Pages for what went wrong, each with a way on."""

import sys

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseServerError
from django.template.loader import render_to_string


@login_not_required
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Rendered without the request, which may be what can't be read."""
    context = {"is_unknown_address": isinstance(exception, DisallowedHost)}
    return HttpResponseBadRequest(render_to_string("400.html", context))


@login_not_required
def server_error(request: HttpRequest) -> HttpResponse:
    """Rendered without the request: what failed may be the database that the request's user comes from."""
    if isinstance(sys.exception(), OperationalError):
        # Locked for too long, or out of reach: no fault of the code, and it passes.
        busy = render_to_string("503.html")
        return HttpResponse(busy, status=503, headers={"Retry-After": "5"})
    return HttpResponseServerError(render_to_string("500.html"))
