from django.db import transaction

from memories.languages import as_agent_language
from memories.starting import make_first_agent
from xiajiao.models import User
from xiajiao.offers import Offer, accept_offer


@transaction.atomic
def set_up(user: User, language: str, offer: Offer | None) -> User:
    """Saves the first person as who administers everything, with an agent to talk to and the chosen model."""
    user.is_staff = user.is_superuser = True
    user.language = as_agent_language(language)
    user.save()
    provider = accept_offer(offer) if offer else None
    if provider is not None:
        provider.make_default()
    make_first_agent(user, user.language)
    return user
