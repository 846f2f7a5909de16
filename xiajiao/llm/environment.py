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
    provider = provider or Provider(source=Provider.Source.ENVIRONMENT)
    is_new = provider.pk is None
    base_url = settings.OPENAI_BASE_URL or OPENAI_BASE_URL
    if provider.base_url != base_url:
        provider.name = Provider.objects.free_name(urlsplit(base_url).hostname or "OpenAI", provider.pk)
        provider.model_names, provider.default_model = [], ""
    # Without OPENAI_MODEL, the one that was chosen on the page.
    provider.base_url, provider.default_model = base_url, settings.OPENAI_MODEL or provider.default_model
    provider.save()
    if is_new:
        provider.make_default_if_none()
    return provider
