from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = _("Memories")

    def ready(self) -> None:
        import_module("memories.offering")
        import_module("memories.receivers")
        import_module("memories.health.vectors")
        import_module("memories.health.bulk_changes")
        import_module("memories.health.indexes")
        import_module("memories.health.transfers")
        import_module("memories.places")
        import_module("memories.approval.places")
        import_module("memories.profiles.places")
        import_module("memories.transfer.places")
