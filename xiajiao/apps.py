from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

# Imported for the application that shared tasks belong to, and for the system checks that are registered there.
import xiajiao.celery  # noqa: F401
import xiajiao.checks  # noqa: F401


class XiajiaoConfig(AppConfig):
    name = "xiajiao"
    verbose_name = _("Xiajiao")

    def ready(self) -> None:
        import_module("xiajiao.embeddings.places")
