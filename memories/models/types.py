from __future__ import annotations

from django.db import models
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.utils.translation import gettext_lazy as _

# The system types as the first migration names them, for the catalogue of translations.
SYSTEM_TYPE_NAMES = (
    gettext_noop("User profile"),
    gettext_noop("Project knowledge"),
    gettext_noop("Feedback"),
    gettext_noop("Reference"),
)
# Icons that a type may have; each is a file of static/vendor/lucide.
ICONS = (
    "tag user-round users-round bot heart house briefcase graduation-cap folder book-open link message-square-text"
    " lightbulb brain star flag list-checks calendar-clock history map-pin plane languages code git-branch server"
    " monitor wrench shield wallet gift utensils music camera dumbbell paw-print"
).split()


class Category(models.TextChoices):
    """The three kinds of long-term memory that cognitive science tells apart (Tulving 1972, Squire 1987)."""

    SEMANTIC = "semantic", _("semantic")
    EPISODIC = "episodic", _("episodic")
    PROCEDURAL = "procedural", _("procedural")


class Colour(models.TextChoices):
    """The palette of css/types.css: each is legible on light and on dark."""

    GREY = "grey", pgettext_lazy("colour", "grey")
    RED = "red", pgettext_lazy("colour", "red")
    AMBER = "amber", pgettext_lazy("colour", "amber")
    GREEN = "green", pgettext_lazy("colour", "green")
    TEAL = "teal", pgettext_lazy("colour", "teal")
    BLUE = "blue", pgettext_lazy("colour", "blue")
    VIOLET = "violet", pgettext_lazy("colour", "violet")
    PINK = "pink", pgettext_lazy("colour", "pink")


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

    @property
    def icon_name(self) -> str:
        """An icon that exists, whatever an older row or an import says."""
        return self.icon if self.icon in ICONS else "tag"

    @property
    def tint(self) -> str:
        """A colour of the palette, whatever an older row or an import says."""
        return self.colour if self.colour in Colour.values else Colour.GREY
