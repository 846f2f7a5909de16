from django.db import models
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

# The system types as the first migration names them, for the catalogue of translations.
SYSTEM_TYPE_NAMES = (
    gettext_noop("User profile"),
    gettext_noop("Project knowledge"),
    gettext_noop("Feedback"),
    gettext_noop("Reference"),
)


class Category(models.TextChoices):
    """The three kinds of long-term memory that cognitive science tells apart (Tulving 1972, Squire 1987)."""

    SEMANTIC = "semantic", _("semantic")
    EPISODIC = "episodic", _("episodic")
    PROCEDURAL = "procedural", _("procedural")


class MemoryType(models.Model):
    """What a memory is about. The four system types can't be deleted or re-keyed; admins add others."""

    key = models.SlugField(_("key"), max_length=50, unique=True)
    name = models.CharField(_("name"), max_length=100)
    description = models.CharField(_("description"), max_length=500, blank=True)
    icon = models.CharField(_("icon"), max_length=50, blank=True)
    colour = models.CharField(_("colour"), max_length=20, blank=True)
    default_category = models.CharField(
        _("default category"), max_length=20, choices=Category, default=Category.SEMANTIC
    )
    is_system = models.BooleanField(_("system type"), default=False, editable=False)

    class Meta:
        ordering = ["-is_system", "key"]
        verbose_name = _("memory type")
        verbose_name_plural = _("memory types")

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """System types are named in the reader's language, others as their admin wrote them."""
        return gettext(self.name) if self.is_system else self.name
