from django.db import models
from django.utils.translation import gettext_lazy as _


class MemoryMode(models.TextChoices):
    """What a conversation knows of its person, and what it leaves behind."""

    NORMAL = "normal", _("remembers")
    READ_ONLY = "read_only", _("knows what is remembered, and keeps nothing new")
    TEMPORARY = "temporary", _("knows nothing of you and keeps nothing")
