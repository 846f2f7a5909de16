"""The language of the person at the terminal."""

from django.conf import settings


def terminal_language() -> str:
    """`zh-hans` where the terminal's locale is a Chinese one, else `en`. That locale need not be installed."""
    return "zh-hans" if settings.TERMINAL_LOCALE.lower().startswith("zh") else "en"
