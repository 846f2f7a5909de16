from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from xiajiao.models import User


class SignedInRequest(HttpRequest):
    """What a view receives that is not marked `login_not_required`."""

    user: User
    htmx: HtmxDetails
