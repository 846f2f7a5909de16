"""Read settings from the environment; an unreadable value stops the start with one clear sentence."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}


def load_env_file(path: Path) -> None:
    """Take NAME=value lines of a file as environment; what the environment already has wins.

    Blank lines, lines that begin with # and a leading `export` are allowed, quotes around a value are taken off.
    Raises ImproperlyConfigured where a line is neither.
    """
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        text = line.strip().removeprefix("export ")
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.partition("=")
        if not equals or not name.strip().isidentifier():
            raise ImproperlyConfigured(f"Line {number} of {path} is no NAME=value.")
        os.environ.setdefault(name.strip(), unquote(value.strip()))


def unquote(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if is_quoted else value


def env_text(name: str, default: str = "") -> str:
    """The value without surrounding blanks; an empty value counts as unset."""
    return os.environ.get(name, "").strip() or default


def env_int(name: str, default: int) -> int:
    """Raises ImproperlyConfigured where the value is no whole number."""
    value = env_text(name)
    if not value:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None


def env_float(name: str, default: float) -> float:
    """Raises ImproperlyConfigured where the value is no number."""
    value = env_text(name)
    if not value:
        return default
    try:
        return float(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number, not {value!r}.") from None


def env_bool(name: str, default: bool = False) -> bool:
    """Raises ImproperlyConfigured where the value is neither yes nor no."""
    value = os.environ.get(name)
    if value is None:
        return default
    word = value.strip().lower()
    if word in TRUE_WORDS or word in FALSE_WORDS:
        return word in TRUE_WORDS
    raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")


def env_secret(name: str, default: str = "") -> str:
    """The secret itself from NAME, or the content of the file named by NAME_FILE.

    Raises ImproperlyConfigured where that file can't be read.
    """
    path = env_text(f"{name}_FILE")
    if not path:
        return env_text(name, default)
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}_FILE names {path}: {error.strerror}.") from None
