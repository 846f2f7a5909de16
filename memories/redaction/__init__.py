"""Secrets are left out of memories: found, and replaced by a mark, before anything is embedded, indexed or compared."""

from memories.redaction.fields import (
    Redacted,
    name_kinds,
    redact_changes,
    redact_draft,
    redact_fields,
    redact_text,
)
from memories.redaction.finding import find_secrets
from memories.redaction.secret import Secret

__all__ = [
    "Redacted",
    "Secret",
    "find_secrets",
    "name_kinds",
    "redact_changes",
    "redact_draft",
    "redact_fields",
    "redact_text",
]
