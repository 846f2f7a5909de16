"""The data folder: where everything that Xiajiao writes lives."""

import hashlib
import os
import secrets
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

# sun_path holds 108 bytes with its closing NUL; see unix(7).
LONGEST_SOCKET_PATH = 107


def prepare_folder(folder: Path) -> Path:
    """Make the data folder where it is missing, closed to other accounts; an empty one that is ours is closed too.

    So is every file that this process and its children make from now on: the folder may be one that others enter.
    Raises ImproperlyConfigured where it can't be made.
    """
    os.umask(0o077)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ImproperlyConfigured(
            f"XIAJIAO_DATA names {folder}: {error.strerror}. Name a folder that this account may make."
        ) from None
    if folder.stat().st_uid == os.getuid() and not any(folder.iterdir()):
        folder.chmod(0o700)
    return folder.resolve()


def read_or_make_secret(path: Path) -> str:
    """The installation's secret; generated with mode 0600 at the first start.

    Raises ImproperlyConfigured where this account may neither read nor make it.
    """
    try:
        if not path.exists():
            make_secret(path)
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        text = f"{path} can't be read or made: {error.strerror}. Give this account the folder, or name another one."
        raise ImproperlyConfigured(f"XIAJIAO_DATA: {text}") from None


def make_secret(path: Path) -> None:
    """Two processes may start at once: the file is linked into place whole, and who comes second has the first's."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(64))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def choose_socket_path(folder: Path) -> Path:
    """The broker's Unix socket: in the data folder, or in a short folder of our own where that path is too long."""
    path = folder / "valkey" / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    short = runtime / f"xiajiao-{os.getuid()}-{digest}"
    if len(os.fsencode(short / "valkey.sock")) > LONGEST_SOCKET_PATH:
        short = Path("/tmp") / short.name  # noqa: S108
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid != os.getuid() or short.stat().st_mode & 0o077:
        raise PermissionError(f"{short} belongs to someone else; remove it or set XDG_RUNTIME_DIR.")
    return short / "valkey.sock"
