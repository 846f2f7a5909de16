"""The language of the person at the terminal."""

import locale


def terminal_language() -> str:
    """`zh-hans` where the terminal's locale is a Chinese one, else `en`."""
    locale.setlocale(locale.LC_ALL, "")
    name = locale.getlocale(locale.LC_MESSAGES)[0] or ""
    return "zh-hans" if name.lower().startswith(("zh", "chinese")) else "en"
