"""What every template knows."""

from django.conf import settings
from django.http import HttpRequest

from xiajiao.models import User

THEME_COOKIE = "xiajiao_theme"


def appearance(request: HttpRequest) -> dict[str, str]:
    # A request that is refused for its Host has no user yet.
    theme = getattr(getattr(request, "user", None), "theme", "") or request.COOKIES.get(THEME_COOKIE, "")
    return {
        "theme": theme if theme in User.Theme.values else User.Theme.SYSTEM.value,
        "csp_nonce": getattr(request, "csp_nonce", ""),
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
    }
