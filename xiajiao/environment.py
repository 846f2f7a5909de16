"""Read settings from the environment; an unreadable value stops the start with one clear sentence."""

import os
from collections.abc import Collection
from pathlib import Path
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured
from tzlocal import get_localzone_name

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off"}


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
    value = env_text(name)
    word = value.lower()
    if not word:
        return default
    if word in TRUE_WORDS or word in FALSE_WORDS:
        return word in TRUE_WORDS
    raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")


def env_port(name: str, default: int) -> int:
    """Raises ImproperlyConfigured where the value is no port."""
    port = env_int(name, default)
    if not 0 < port < 65_536:
        raise ImproperlyConfigured(f"{name} must lie between 1 and 65535, not {port}.")
    return port


def env_choice(name: str, default: str, choices: Collection[str]) -> str:
    """One of some words in capitals. Raises ImproperlyConfigured where the value is none of them."""
    word = env_text(name, default).upper()
    if word not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {word!r}.")
    return word


def env_zone(name: str, default: str) -> str:
    """The name of a time zone. Raises ImproperlyConfigured where the system knows none of that name."""
    zone = env_text(name, default)
    try:
        ZoneInfo(zone)
    except (OSError, ValueError, LookupError):
        text = f"{name} must be the name of a time zone, such as Asia/Shanghai, not {zone!r}."
        raise ImproperlyConfigured(text) from None
    return zone


def system_zone() -> str:
    """The time zone that this machine is set to; UTC where that can't be told."""
    try:
        return get_localzone_name() or "UTC"
    except (OSError, ValueError, LookupError):
        return "UTC"


def split_address(name: str, address: str, schemes: Collection[str] = ()) -> SplitResult:
    """The parts of the address that a setting holds; without `schemes` any is good.

    Raises ImproperlyConfigured with words that don't repeat the address: it may hold a password.
    """
    try:
        parts = urlsplit(address)
        is_readable = parts.port is None or parts.port > 0
    except ValueError:
        is_readable = False
    if not is_readable:
        raise ImproperlyConfigured(f"{name} is no address that can be read: its host or its port is none.")
    if schemes and parts.scheme not in schemes:
        raise ImproperlyConfigured(f"{name} must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}.")
    return parts


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
