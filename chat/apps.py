from importlib import import_module

from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "chat"

    def ready(self) -> None:
        import_module("chat.evaluation.forgetting")
        import_module("chat.extraction.health")
        import_module("chat.forgetting.health")
        import_module("chat.indexing_health")
        import_module("chat.places")
        import_module("chat.profile_places")
        import_module("chat.extraction.places")
        import_module("chat.receivers")
        import_module("chat.registrations")
        import_module("chat.waiting")
