from collections.abc import Callable
from functools import wraps

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse

from xiajiao.requests import SignedInRequest

View = Callable[..., HttpResponse]


def staff_only(view: View) -> View:
    """For those who administer the installation; others get the page that says so."""

    @wraps(view)
    def guarded(request: SignedInRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_staff:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded
