"""The memory tools as agents are offered them, in the words of who allows them; a docstring is for the model."""

from django.utils.translation import gettext_lazy as _

from memories.tools import MEMORY_TOOLS
from xiajiao.tools import offer

LABELS = {
    "memory_write": _("Remember something new"),
    "memory_search": _("Look something up in its memory"),
    "memory_update": _("Correct a memory"),
    "memory_delete": _("Forget a memory when asked to"),
    "memory_forget": _("Propose to forget something for good; you confirm it"),
    "memory_list_types": _("Know the memory types"),
    "memory_stats": _("Count its memories"),
}

for tool in MEMORY_TOOLS:
    offer(tool, LABELS[tool.name])
