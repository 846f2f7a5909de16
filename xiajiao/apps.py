from django.apps import AppConfig

# Imported for the system checks that it registers.
import xiajiao.checks  # noqa: F401


class XiajiaoConfig(AppConfig):
    name = "xiajiao"
