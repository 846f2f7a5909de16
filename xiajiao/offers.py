"""Models that could answer at once: of the environment's provider, and of servers found on this machine."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from xiajiao.llm.discovery import DiscoveredServer, discover
from xiajiao.llm.sources import has_environment_provider
from xiajiao.models import Provider


@dataclass(frozen=True)
class Offer:
    """One model of one server; without a server it is the environment's provider."""

    model: str
    server: DiscoveredServer | None = None

    @property
    def key(self) -> str:
        return f"{self.server.base_url} {self.model}" if self.server else "environment"


def find_offers() -> list[Offer]:
    """The environment's first. Asks the usual ports of this machine, so it may take a second."""
    environment = [Offer(settings.OPENAI_MODEL)] if has_environment_provider() else []
    return environment + [Offer(model, server) for server in find_new_servers() for model in server.models]


def find_new_servers() -> list[DiscoveredServer]:
    """Servers on this machine that no provider stands for yet."""
    known = {address.rstrip("/") for address in Provider.objects.values_list("base_url", flat=True)}
    return [server for server in discover() if server.base_url.rstrip("/") not in known]


@transaction.atomic
def accept_offer(offer: Offer) -> Provider | None:
    """The server becomes a provider, and the default one where there is none. The environment's is there already."""
    if offer.server is None:
        return None
    provider, is_new = Provider.objects.get_or_create(
        base_url=offer.server.base_url,
        defaults={
            "name": Provider.objects.free_name(offer.server.name),
            "source": Provider.Source.DISCOVERED,
            "default_model": offer.model,
            "model_names": list(offer.server.models),
        },
    )
    if is_new:
        provider.make_default_if_none()
    return provider
