"""The provider that OPENAI_API_KEY and OPENAI_BASE_URL describe, as a row that agents can name."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from xiajiao.llm.sources import OPENAI_BASE_URL, has_environment_provider
from xiajiao.models import Provider


@transaction.atomic
def sync_environment_provider() -> Provider | None:
    """Make or renew that row after migrating; no network. Its key is never stored.

    A row whose variables are gone stays for the agents that name it, and is passed over till they are back.
    """
    if not has_environment_provider():
        return None
    provider = Provider.objects.filter(source=Provider.Source.ENVIRONMENT).first()
    provider = provider or Provider(source=Provider.Source.ENVIRONMENT, is_default=not has_default())
    base_url = settings.OPENAI_BASE_URL or OPENAI_BASE_URL
    if provider.base_url != base_url:
        provider.name = free_name(urlsplit(base_url).hostname or "OpenAI", provider)
        provider.model_names = []
    provider.base_url, provider.default_model = base_url, settings.OPENAI_MODEL
    provider.save()
    return provider


def has_default() -> bool:
    return Provider.objects.filter(is_default=True).exists()


def free_name(name: str, provider: Provider) -> str:
    """`name`, or the first of `name 2`, `name 3` … that no other provider has."""
    taken = set(Provider.objects.exclude(pk=provider.pk).values_list("name", flat=True))
    number = 1
    while (free := name if number == 1 else f"{name} {number}") in taken:
        number += 1
    return free
