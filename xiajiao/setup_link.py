"""The one-time link with which the first person makes an account. Only its digest is kept, in the data folder."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from django.conf import settings


def make_setup_link() -> str:
    """A new link; the one before it is no longer good."""
    token = secrets.token_urlsafe(24)
    draft = token_path().with_name(f".setup.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(digest(token))
    draft.replace(token_path())
    return f"{settings.BASE_URL.rstrip('/')}/setup/{token}/"


def is_setup_token(token: str) -> bool:
    try:
        kept = token_path().read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return hmac.compare_digest(kept, digest(token))


def use_setup_token(token: str) -> bool:
    """True for exactly one caller: who removes the file has used the link."""
    if not is_setup_token(token):
        return False
    try:
        token_path().unlink()
    except FileNotFoundError:
        return False
    return True


def token_path() -> Path:
    return settings.DATA_DIR / "setup.token"


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
