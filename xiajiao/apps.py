from django.apps import AppConfig


class XiajiaoConfig(AppConfig):
    name = "xiajiao"
