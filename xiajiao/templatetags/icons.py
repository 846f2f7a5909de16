import re
from functools import cache

from django import template
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
ICONS = settings.BASE_DIR / "static" / "vendor" / "lucide"


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """A lucide icon as inline SVG, hidden from screen readers: the words beside it say what it means."""
    svg = (ICONS / f"{name}.svg").read_text(encoding="utf-8")
    shapes = re.sub(r"\s+", " ", svg[svg.index(">", svg.index("<svg")) + 1 :]).strip()
    head = '<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"'
    # Our own files, named by our own templates.
    return mark_safe(f'{head} stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{shapes}')  # noqa: S308
