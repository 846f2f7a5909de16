"""Pages for what went wrong, each with a way on."""

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import DisallowedHost
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
    return HttpResponseServerError(render_to_string("500.html"))
