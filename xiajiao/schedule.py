"""What beat nudges, and how often: sweeps that find what no message has told of."""

from __future__ import annotations

from typing import Any


def every(seconds: float, name: str, task: str) -> dict[str, dict[str, Any]]:
    """A nudge that nobody took until the next one comes is forgotten."""
    return {name: {"task": task, "schedule": float(seconds), "options": {"expires": float(seconds)}}}


SCHEDULE: dict[str, dict[str, Any]] = {
    **every(10, "sweep-interrupted", "chat.tasks.sweep_interrupted"),
    **every(300, "purge-deleted", "memories.tasks.purge_deleted"),
    **every(3600, "mend-tallies", "memories.tasks.mend_tallies"),
    **every(300, "tidy-forgotten", "memories.tasks.tidy_forgotten"),
    **every(30, "sweep-forgettings", "chat.tasks.sweep_forgettings"),
    **every(30, "sweep-extractions", "chat.tasks.sweep_extractions"),
    **every(300, "purge-conversations", "chat.tasks.purge_deleted"),
    **every(15, "sweep-bulk-changes", "memories.tasks.sweep_bulk_changes"),
    **every(30, "sweep-transfers", "memories.tasks.sweep_transfers"),
    **every(60, "embed-missing", "memories.tasks.embed_missing"),
    **every(60, "finish-type-removals", "memories.tasks.finish_type_removals"),
    **every(3600, "check-indexes", "memories.tasks.find_index_drift"),
    **every(60, "reindex", "memories.tasks.reindex"),
    **every(15, "sweep-documents", "knowledge.tasks.sweep_documents"),
    **every(3600, "tidy-documents", "knowledge.tasks.tidy_files"),
    **every(60, "look-for-doubts", "memories.tasks.look_for_doubts"),
}
# Jobs that a worker may have been killed at.
SWEPT_AT_START = (
    "knowledge.tasks.sweep_documents",
    "memories.tasks.sweep_bulk_changes",
    "memories.tasks.sweep_transfers",
    "chat.tasks.sweep_forgettings",
    "chat.tasks.sweep_extractions",
    "memories.tasks.reindex",
)
