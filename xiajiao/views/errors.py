"""Pages for what went wrong, each with a way on."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template.loader import render_to_string


@login_not_required
def server_error(request: HttpRequest) -> HttpResponse:
    """Rendered without the request: what failed may be the database that the request's user comes from."""
    return HttpResponseServerError(render_to_string("500.html"))
