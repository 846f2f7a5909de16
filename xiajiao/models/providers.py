from __future__ import annotations

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _


class ProviderQuerySet(models.QuerySet["Provider"]):
    def enabled(self) -> ProviderQuerySet:
        return self.filter(enabled=True)

    def free_name(self, name: str, besides: int | None = None) -> str:
        """`name`, or the first of `name 2`, `name 3` … that no provider has but the one with the key `besides`."""
        taken = set(self.exclude(pk=besides).values_list("name", flat=True))
        number = 1
        while (free := name if number == 1 else f"{name} {number}") in taken:
            number += 1
        return free


class Provider(models.Model):
    """A server of chat models. Its key is encrypted at rest; the environment's key is never stored."""

    class Source(models.TextChoices):
        MANUAL = "manual", _("added here")
        ENVIRONMENT = "environment", _("from the environment")
        DISCOVERED = "discovered", _("found on this machine")
        GGUF = "gguf", _("model file of this installation")

    name = models.CharField(_("name"), max_length=100, unique=True)
    # No URLField: http://ollama:11434 is a good address, and URLField refuses hosts without a dot.
    base_url = models.CharField(_("base URL"), max_length=500, blank=True)
    encrypted_key = models.TextField(blank=True, editable=False)
    model_names = models.JSONField(_("models"), default=list, blank=True)
    default_model = models.CharField(_("default model"), max_length=200, blank=True)
    source = models.CharField(_("origin"), max_length=20, choices=Source, default=Source.MANUAL, editable=False)
    is_default = models.BooleanField(_("used by agents that name none"), default=False)
    enabled = models.BooleanField(_("enabled"), default=True)
    created_at = models.DateTimeField(_("added at"), auto_now_add=True)
    updated_at = models.DateTimeField(_("changed at"), auto_now=True)

    objects = ProviderQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("model provider"), _("model providers")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_default"], condition=models.Q(is_default=True), name="one_default_provider"
            )
        ]

    def __str__(self) -> str:
        return self.name

    def make_default(self) -> None:
        """The one that answers for agents that name none; there is one at most."""
        with transaction.atomic():
            Provider.objects.filter(is_default=True).update(is_default=False)
            Provider.objects.filter(pk=self.pk).update(is_default=True)
        self.is_default = True

    def make_default_if_none(self) -> None:
        """As above, where no enabled one is that yet."""
        if not Provider.objects.enabled().filter(is_default=True).exists():
            self.make_default()

    @property
    def is_read_only(self) -> bool:
        return self.source in {self.Source.ENVIRONMENT, self.Source.GGUF}
