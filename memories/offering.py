"""The tools for memories and profile files as agents are offered them, in the words of who allows them."""

from django.utils.translation import gettext_lazy as _

from memories.profiles.tools import PROFILE_TOOLS
from memories.tools import MEMORY_TOOLS
from xiajiao.tools import READS, WRITES, offer

LABELS = {
    "memory_write": _("Remember something new"),
    "memory_search": _("Look something up in its memory"),
    "memory_update": _("Correct a memory"),
    "memory_delete": _("Forget a memory when asked to"),
    "memory_forget": _("Propose to forget something for good; you confirm it"),
    "memory_list_types": _("Know the memory types"),
    "memory_stats": _("Count its memories"),
    "profile_read": _("Read its profile files"),
    "profile_add": _("Add to its profile files"),
    "profile_replace": _("Correct its profile files"),
    "profile_remove": _("Remove a section of its profile files"),
}

READING = {"memory_search", "memory_list_types", "memory_stats", "profile_read"}

for tool in (*MEMORY_TOOLS, *PROFILE_TOOLS):
    offer(tool, LABELS[tool.name], READS if tool.name in READING else WRITES)
