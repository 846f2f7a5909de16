from importlib import import_module

from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    name = "memories"

    def ready(self) -> None:
        import_module("memories.receivers")
        import_module("memories.health.vectors")
