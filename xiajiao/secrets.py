"""Secrets at rest: encrypted with keys derived from the installation's SECRET_KEY."""

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes

PURPOSE = b"xiajiao.secrets.v1"
FINGERPRINTS = b"xiajiao.fingerprints.v1"


class SecretError(Exception):
    """What was stored can't be read: SECRET_KEY is another than the one that encrypted it."""


def encrypt(text: str) -> str:
    """A token for the database; an empty text stays empty."""
    return key_ring().encrypt(text.encode()).decode("ascii") if text else ""


def decrypt(token: str) -> str:
    """The text of a token made with SECRET_KEY or one of SECRET_KEY_FALLBACKS. Raises SecretError."""
    if not token:
        return ""
    try:
        return key_ring().decrypt(token.encode()).decode()
    except InvalidToken:
        raise SecretError("SECRET_KEY has changed since this secret was stored.") from None


def rotate(token: str) -> str:
    """The same secret under the present SECRET_KEY. Raises SecretError."""
    return encrypt(decrypt(token))


def key_ring() -> MultiFernet:
    """The present key first; it encrypts, all decrypt."""
    return MultiFernet([Fernet(derive_key(key)) for key in [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]])


def fingerprint(text: str) -> str:
    """By which a text is known again, and can't be guessed without SECRET_KEY (HMAC-SHA256, hexadecimal)."""
    return fingerprints(text)[0]


def fingerprints(text: str) -> list[str]:
    """Under the present SECRET_KEY first, then under the earlier ones."""
    keys = [derive_key(key, FINGERPRINTS) for key in [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]]
    return [hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest() for key in keys]


def derive_key(secret: str | bytes, purpose: bytes = PURPOSE) -> bytes:
    """HKDF-SHA256 (RFC 5869), so that Django's own uses of SECRET_KEY share no key with ours."""
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(force_bytes(secret))
    return base64.urlsafe_b64encode(derived)
