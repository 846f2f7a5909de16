"""The document tools as agents are offered them."""

from django.utils.translation import gettext_lazy as _

from knowledge.tools import KNOWLEDGE_TOOLS
from xiajiao.tools import WRITES, offer

LABELS = {
    "kb_search": _("Search the documents"),
    "kb_list": _("Know which documents there are"),
    "kb_index": _("Index files of its workspace"),
}

for tool in KNOWLEDGE_TOOLS:
    offer(tool, LABELS[tool.name], WRITES if tool.name == "kb_index" else "")
