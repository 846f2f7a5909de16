from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who signs in. Staff may look at and correct everybody's memories."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("As the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES, blank=True)
    theme = models.CharField(_("appearance"), max_length=10, choices=Theme, default=Theme.SYSTEM)
    # That of the browser they came with last, by its name; where they are not asked, this says which day it is.
    zone = models.CharField(max_length=130, blank=True, editable=False)
