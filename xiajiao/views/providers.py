"""Servers of chat models: who administers the installation adds, tests and chooses them."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from xiajiao.forms.providers import ProviderForm
from xiajiao.llm import list_models
from xiajiao.llm.base import ModelError
from xiajiao.llm.errors import explain
from xiajiao.llm.sources import is_offline, source_for, source_of
from xiajiao.models import Provider
from xiajiao.requests import SignedInRequest
from xiajiao.texts import clean, clip
from xiajiao.views.staff import staff_only


@staff_only
def provider_list(request: SignedInRequest) -> HttpResponse:
    source = source_for(None)
    context = {
        "providers": Provider.objects.all(),
        "is_offline": is_offline(source),
        "tested": request.GET.get("tested", ""),
    }
    return render(request, "xiajiao/provider_list.html", context)


@staff_only
def provider_create(request: SignedInRequest) -> HttpResponse:
    form = ProviderForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        provider = form.save()
        provider.make_default_if_none()
        return show_tested(provider)
    return render(request, "xiajiao/provider_create.html", {"form": form}, status=422 if form.errors else 200)


@staff_only
def provider_update(request: SignedInRequest, pk: int) -> HttpResponse:
    provider = find_writable(pk)
    form = ProviderForm(request.POST or None, instance=provider)
    if request.method == "POST" and form.is_valid():
        return show_tested(form.save())
    context = {"form": form, "provider": provider}
    return render(request, "xiajiao/provider_update.html", context, status=422 if form.errors else 200)


@staff_only
@require_POST
def provider_test(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks the server for its models; what it lists is kept for the pickers."""
    provider = get_object_or_404(Provider, pk=pk)
    is_fixed = provider.source == Provider.Source.ENVIRONMENT and bool(settings.OPENAI_MODEL)
    context: dict[str, object] = {"provider": provider, "is_fixed": is_fixed}
    try:
        context["names"] = names = list_models(source_of(provider))
    except ModelError as error:
        context |= {"sentence": explain(error.code), "detail": error.detail}
    else:
        provider.model_names = names or provider.model_names
        provider.save(update_fields=["model_names", "updated_at"])
    return render(request, "xiajiao/_provider_test.html", context)


@staff_only
@require_POST
def provider_model(request: SignedInRequest, pk: int) -> HttpResponse:
    """Which of its models answers for agents that name none."""
    provider = get_object_or_404(Provider, pk=pk)
    provider.default_model = clip(clean(request.POST.get("model", "")).strip(), 200)
    provider.save(update_fields=["default_model", "updated_at"])
    messages.success(request, _("%(model)s answers from now on.") % {"model": provider.default_model})
    return redirect("provider_list")


@staff_only
@require_POST
def provider_default(request: SignedInRequest, pk: int) -> HttpResponse:
    provider = get_object_or_404(Provider.objects.enabled(), pk=pk)
    provider.make_default()
    messages.success(request, _("%(name)s now answers for agents that name no provider.") % {"name": provider.name})
    return redirect("provider_list")


@staff_only
@require_POST
def provider_enabled(request: SignedInRequest, pk: int) -> HttpResponse:
    """Switches a provider on or off; one that is off is no default either."""
    provider = get_object_or_404(Provider, pk=pk)
    provider.enabled = not provider.enabled
    provider.is_default = provider.is_default and provider.enabled
    provider.save(update_fields=["enabled", "is_default", "updated_at"])
    return redirect("provider_list")


@staff_only
@require_POST
def provider_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    provider = find_writable(pk)
    provider.delete()
    messages.success(request, _("%(name)s is deleted, and its key with it.") % {"name": provider.name})
    return redirect("provider_list")


def find_writable(pk: int) -> Provider:
    provider = get_object_or_404(Provider, pk=pk)
    if provider.is_read_only:
        raise Http404
    return provider


def show_tested(provider: Provider) -> HttpResponse:
    """Back to the list, where the new settings are tested at once."""
    response = redirect("provider_list")
    response["Location"] += f"?tested={provider.pk}#provider-{provider.pk}"
    return response
