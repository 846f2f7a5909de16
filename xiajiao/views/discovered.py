"""Model servers that run on this machine and are no providers yet."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from xiajiao.offers import Offer, accept_offer, find_new_servers
from xiajiao.requests import SignedInRequest
from xiajiao.views.staff import staff_only


@staff_only
def discovered_list(request: SignedInRequest) -> HttpResponse:
    return render(request, "xiajiao/_discovered_list.html", {"servers": find_new_servers()})


@staff_only
@require_POST
def discovered_add(request: SignedInRequest) -> HttpResponse:
    """Adds what is really there: the address is compared with a fresh look, never taken from the form."""
    wanted = request.POST.get("base_url", "")
    server = next((server for server in find_new_servers() if server.base_url == wanted), None)
    if server is None:
        messages.error(request, _("That server is no longer there. Start it and look again."))
    else:
        accept_offer(Offer(next(iter(server.models), ""), server))
        messages.success(request, _("%(name)s is added.") % {"name": server.name})
    return redirect("provider_list")
