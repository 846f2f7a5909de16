"""What the person at the terminal reads when Xiajiao is ready."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from django.utils.translation import gettext

from xiajiao.setup_link import make_setup_link


def ready_lines() -> str:
    """The address, the setup link while no user exists, and how to stop."""
    try:
        lines = [gettext("Xiajiao is ready: %(url)s") % {"url": settings.BASE_URL}, *setup_lines()]
    finally:
        connection.close()
    last = gettext("Stop it with Ctrl-C. Logs: %(path)s") % {"path": settings.DATA_DIR / "logs"}
    return "\n".join(["", *lines, last])


def setup_lines() -> list[str]:
    if get_user_model().objects.exists():
        return []
    return [gettext("Nobody has an account yet. Make the first one here: %(url)s") % {"url": make_setup_link()}]
