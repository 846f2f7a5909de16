"""After the account: who the first agent is, and the way on into the chat."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from memories.forms.personas import WelcomeForm
from memories.models import Agent
from memories.profiles.introducing import introduce, is_untouched
from memories.redaction.wording import explain_left_out
from xiajiao.llm import list_models
from xiajiao.llm.base import ModelError
from xiajiao.llm.sources import source_of
from xiajiao.models import Provider
from xiajiao.requests import SignedInRequest


@never_cache
def persona_update(request: SignedInRequest) -> HttpResponse:
    """Who the first agent is, and what it calls the person; skipped, it stays as it was made."""
    agent = Agent.objects.owned_by(request.user).unarchived().order_by("pk").first()
    if agent is None or "skip" in request.POST or not is_untouched(agent):
        return redirect(lead_on())
    form = WelcomeForm(request.POST or None, initial={"name": agent.name})
    if request.method == "POST" and form.is_valid():
        agent.name = form.cleaned_data["name"]
        agent.save(update_fields=["name", "updated_at"])
        kinds = introduce(agent, form.persona, form.cleaned_data["called"])
        if kinds:
            messages.info(request, explain_left_out(kinds))
        return redirect(lead_on())
    return render(request, "chat/persona_update.html", {"form": form}, status=422 if form.errors else 200)


def lead_on() -> str:
    """Into the chat, or first to the choice of a model where the provider has more than one and none is named."""
    provider = Provider.objects.enabled().filter(is_default=True).first()
    if provider is None or source_of(provider).model or len(list_quietly(provider)) < 2:
        return reverse("chat:home")
    return f"{reverse('provider_list')}?tested={provider.pk}#provider-{provider.pk}"


def list_quietly(provider: Provider) -> list[str]:
    """None where it does not answer now: the first message will say why."""
    try:
        return list_models(source_of(provider))
    except ModelError:
        return []
