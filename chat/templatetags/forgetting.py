"""What the templates of forgetting ask for."""

from __future__ import annotations

from django import template

from chat.forgetting.receipts import Backups, find_backups
from chat.models import Forgetting

register = template.Library()


@register.simple_tag
def backups(forgetting: Forgetting | str) -> Backups | None:
    """Those that may hold it: all, or of something that is forgotten those that are older."""
    return find_backups(forgetting.finished_at if isinstance(forgetting, Forgetting) else None)
