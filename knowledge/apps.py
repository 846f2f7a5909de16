from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class KnowledgeConfig(AppConfig):
    name = "knowledge"
    verbose_name = _("Knowledge bases")

    def ready(self) -> None:
        import_module("knowledge.evaluation.retrieval")
        import_module("knowledge.offering")
        import_module("knowledge.receivers")
        import_module("knowledge.forms.agents")
