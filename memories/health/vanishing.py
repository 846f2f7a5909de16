"""A finding is about a memory as it stood: once that says something else, or counts no longer, it is no finding."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from memories.models import Finding, Memory

# What a judgement rests on. Whether a memory is pinned matters to how often it is recalled alone.
SAYING = {"content", "category", "valid_from"}
COUNTING = {"enabled", "deleted_at", "valid_to", "superseded_by_id"}

# Decisions that changed a memory themselves: they can be taken back as long as it is there.
DEEDS = frozenset({"first", "second", "disable", "pin", "redact"})


def forget_findings(memories: Collection[Memory], changed: Collection[str]) -> None:
    """After these columns changed. What was settled is forgotten too where the text is another one now."""
    findings = Finding.objects.filter(Q(memory__in=memories) | Q(other__in=memories))
    if SAYING & set(changed):
        findings.exclude(decision__in=DEEDS).delete()
    elif COUNTING & set(changed):
        findings.open().delete()
    elif "pinned" in changed:
        findings.open().filter(kind__in=[Finding.Kind.UNUSED, Finding.Kind.OVERUSED]).delete()
