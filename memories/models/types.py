from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop, override
from django.utils.translation import gettext_lazy as _

from memories.models.type_looks import Colour, Icon

# The system types as the first migration words them, for the catalogue of translations.
SYSTEM_TYPE_WORDS = (
    gettext_noop("User profile"),
    gettext_noop("Project knowledge"),
    gettext_noop("Feedback"),
    gettext_noop("Reference"),
    gettext_noop("Preferences, roles and habits of the person"),
    gettext_noop("Progress, decisions and constraints of a project"),
    gettext_noop("How the person wants the agent to behave"),
    gettext_noop("Links, documents and other sources"),
)
# A list asks for each row.
ICONS, COLOURS = frozenset(Icon.values), frozenset(Colour.values)
# What a system type keeps for good.
LOCKED_FIELDS = ("key", "name", "is_system")
KEY_SHAPE = RegexValidator(
    r"^[a-z][a-z0-9_-]*\Z", _("A key begins with a letter and has only a to z, digits, hyphens and underscores.")
)


class Category(models.TextChoices):
    """The three kinds of long-term memory that cognitive science tells apart (Tulving 1972, Squire 1987)."""

    SEMANTIC = "semantic", _("semantic")
    EPISODIC = "episodic", _("episodic")
    PROCEDURAL = "procedural", _("procedural")


class LockedTypeError(models.ProtectedError):
    """A system type can't be deleted or re-keyed, by whatever way."""

    def __init__(self, locked: Any) -> None:
        names = ", ".join(each.key for each in locked)
        super().__init__(f"System types stay as they are: {names}.", set(locked))


class MemoryTypeQuerySet(models.QuerySet["MemoryType"]):
    def usable(self) -> MemoryTypeQuerySet:
        """Without those that are being deleted."""
        return self.filter(moves_to__isnull=True)

    def update(self, **columns: Any) -> int:
        """Raises LockedTypeError where a system type would get another key, name or lose its lock."""
        changed = {name: value for name, value in columns.items() if name in LOCKED_FIELDS}
        if changed:
            locked = self.filter(is_system=True).exclude(Q(**changed))
            if locked.exists():
                raise LockedTypeError(locked)
        return super().update(**columns)


class MemoryType(models.Model):
    """What a memory is about. The four system types can't be deleted or re-keyed; admins add others."""

    key = models.SlugField(
        _("key"),
        max_length=50,
        unique=True,
        validators=[KEY_SHAPE],
        help_text=_("Agents call it by this word: a to z, digits, hyphens, underscores."),
        error_messages={"unique": _("There is a type with this key already.")},
    )
    name = models.CharField(_("name"), max_length=100)
    description = models.CharField(
        _("description"), max_length=500, blank=True, help_text=_("What belongs here; agents choose by it.")
    )
    icon = models.CharField(_("icon"), max_length=50, blank=True, choices=Icon, default=Icon.TAG)
    colour = models.CharField(_("colour"), max_length=20, blank=True, choices=Colour, default=Colour.GREY)
    default_category = models.CharField(
        _("default category"), max_length=20, choices=Category, default=Category.SEMANTIC
    )
    is_system = models.BooleanField(_("system type"), default=False, editable=False)
    # Where its memories go while it is being deleted, and who wants it so; this row is the job.
    moves_to = models.ForeignKey("self", models.PROTECT, null=True, blank=True, editable=False, related_name="+")
    moved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )

    objects = MemoryTypeQuerySet.as_manager()

    class Meta:
        ordering = ["-is_system", "key"]
        verbose_name = _("memory type")
        verbose_name_plural = _("memory types")

    def __str__(self) -> str:
        return self.display_name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Raises LockedTypeError where a system type would get another key or name, or lose its lock."""
        stored = MemoryType.objects.filter(pk=self.pk, is_system=True).first() if self.pk else None
        if stored is not None and any(getattr(self, name) != getattr(stored, name) for name in LOCKED_FIELDS):
            raise LockedTypeError([stored])
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """A word that means one type can't mean another, or a category."""
        words = {self.key.casefold(), self.name.strip().casefold()}
        if words & reserved_words():
            raise ValidationError(_("This is what a category is called: choose another word."))
        if any(words & other.words for other in MemoryType.objects.exclude(pk=self.pk)):
            raise ValidationError(_("Another type is called so already: choose another word."))

    @property
    def display_name(self) -> str:
        """System types are named in the reader's language, others as their admin wrote them."""
        return gettext(self.name) if self.is_system else self.name

    @property
    def words(self) -> set[str]:
        """What it may be called: its key and its name, of a system type in every language; without case."""
        names = spell(self.name) if self.is_system else {self.name}
        return {word.strip().casefold() for word in (self.key, *names)}

    @property
    def display_description(self) -> str:
        """Of a system type in the reader's language, unless an admin wrote another."""
        return gettext(self.description) if self.is_system and self.description else self.description

    @property
    def icon_name(self) -> str:
        """An icon that exists, whatever an older row or an import says."""
        return self.icon if self.icon in ICONS else Icon.TAG.value

    @property
    def tint(self) -> str:
        """A colour of the palette, whatever an older row or an import says."""
        return self.colour if self.colour in COLOURS else Colour.GREY.value


def reserved_words() -> set[str]:
    """What the categories are called, in every language."""
    words = {word.casefold() for value in Category.values for word in spell(value)}
    return words | {f"{word}记忆" for word in words} | {"category", "type", "all"}


def spell(text: str) -> set[str]:
    """A text of the catalogue in each language of the site."""
    words = set()
    for code, _name in settings.LANGUAGES:
        with override(code):
            words.add(gettext(text))
    return words
