"""Agents: who has them sees them, who owns them changes them."""

from uuid import uuid4

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memories.forms.agents import AgentForm
from memories.forms.personas import PersonaForm
from memories.languages import as_agent_language
from memories.models import Agent, MemoryRevision, ProfileRevision
from memories.profiles.editing import ProfileChange
from memories.profiles.introducing import introduce
from memories.profiles.souls import put_soul, read_soul
from memories.redaction.wording import explain_left_out
from memories.starting import read_first_prompt
from memories.wording import join_sentences
from xiajiao.forms.parts import FormPart, make_parts
from xiajiao.llm.sources import source_for
from xiajiao.models import Provider
from xiajiao.requests import SignedInRequest, read_number, read_switch


def agent_list(request: SignedInRequest) -> HttpResponse:
    agents = Agent.objects.for_user(request.user).select_related("owner", "provider").with_counts(request.user)
    context = {
        "agents": agents.unarchived(),
        "archived": agents.filter(owner=request.user, archived_at__isnull=False),
        "left": Agent.objects.left_by(request.user),
        "default_source": source_for(None),
    }
    return render(request, "memories/agent_list.html", context)


def agent_create(request: SignedInRequest) -> HttpResponse:
    language = as_agent_language(translation.get_language() or "")
    initial = {"language": language, "base_prompt": read_first_prompt(language)}
    form = AgentForm(request.POST or None, instance=Agent(owner=request.user), initial=initial)
    parts, persona = make_parts("agent", request.POST or None, request.user), PersonaForm(request.POST or None)
    if request.method == "POST" and persona.is_valid() and save(form, parts):
        agent = form.instance
        kinds = introduce(agent, persona.persona, persona.cleaned_data["called"])
        said = _("%(name)s is ready to talk.") % {"name": agent.name}
        messages.success(request, join_sentences(said, explain_left_out(kinds)))
        return redirect("memories:agent_list")
    context = {"form": form, "parts": parts, "persona": persona}
    status = 422 if persona.errors or has_errors(form, parts) else 200
    return render(request, "memories/agent_create.html", context, status=status)


def has_errors(form: AgentForm, parts: list[FormPart]) -> bool:
    return any(each.errors for each in [form, *parts])


def save(form: AgentForm, parts: list[FormPart]) -> bool:
    """False where something in them needs another look."""
    if not all([form.is_valid(), *(part.is_valid() for part in parts)]):
        return False
    with transaction.atomic():
        agent = form.save()
        for part in parts:
            part.save(agent.pk)
    return True


def agent_update(request: SignedInRequest, pk: int) -> HttpResponse:
    agent = get_object_or_404(Agent.objects.owned_by(request.user), pk=pk)
    form = AgentForm(request.POST or None, instance=agent)
    parts = make_parts("agent", request.POST or None, request.user, agent.pk)
    if request.method == "POST" and save(form, parts):
        messages.success(request, _("Saved. It counts from the next message on."))
        return redirect("memories:agent_list")
    context = {"form": form, "parts": parts, "agent": agent, "names": names_of(agent.provider)}
    return render(request, "memories/agent_update.html", context, status=422 if has_errors(form, parts) else 200)


@require_POST
def agent_copy(request: SignedInRequest, pk: int) -> HttpResponse:
    """The settings without the memories: those belong to the agent that gathered them."""
    agent = get_object_or_404(Agent.objects.owned_by(request.user), pk=pk)
    parts = make_parts("agent", None, request.user, agent.pk)
    soul = read_soul(agent)
    agent.pk, agent.uid, agent.archived_at, agent.is_shared = None, uuid4(), None, False
    agent._state.adding = True
    agent.name = _("%(name)s (copy)") % {"name": agent.name[:60]}
    agent.save()
    for part in parts:
        part.copy_to(agent.pk)
    put_soul(agent, soul, ProfileChange(ProfileRevision.Action.CREATED, MemoryRevision.Actor.SYSTEM))
    messages.success(request, _("The copy has the same settings and an empty memory."))
    return redirect("memories:agent_update", agent.pk)


@require_POST
def agent_archive(request: SignedInRequest, pk: int) -> HttpResponse:
    """Puts an agent away or brings it back; its conversations and memories stay."""
    agent = get_object_or_404(Agent.objects.owned_by(request.user), pk=pk)
    is_away = read_switch(request.POST, agent.is_archived)
    agent.archived_at = (agent.archived_at or timezone.now()) if is_away else None
    agent.save(update_fields=["archived_at", "updated_at"])
    return redirect("memories:agent_list")


def agent_models(request: SignedInRequest) -> HttpResponse:
    """Names for the model picker of the agent's form."""
    chosen = read_number(request.GET, "provider")
    provider = Provider.objects.enabled().filter(pk=chosen).first() if chosen is not None else None
    return render(request, "memories/_agent_models.html", {"names": names_of(provider)})


def names_of(provider: Provider | None) -> list[str]:
    provider = provider or Provider.objects.enabled().filter(is_default=True).first()
    return provider.model_names if provider else []
