"""The first visit: an account and a model."""

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from chat.forms.setup import SetupForm
from chat.settingup import set_up
from xiajiao.models import User
from xiajiao.offers import find_offers
from xiajiao.setup_link import is_setup_token, use_setup_token


@login_not_required
@never_cache
@sensitive_post_parameters("password1", "password2")
def setup(request: HttpRequest, token: str = "") -> HttpResponse:
    """Only while nobody has an account, and only with the link that was printed where Xiajiao was started."""
    if User.objects.exists():
        return render(request, "chat/setup_done.html", status=410)
    if not is_setup_token(token):
        return render(request, "chat/setup_closed.html", status=403)
    form = SetupForm(request.POST or None, offers=find_offers())
    if request.method == "POST" and form.is_valid():
        if not use_setup_token(token):
            # Somebody else with the same link was faster by a moment.
            return render(request, "chat/setup_done.html", status=410)
        user = set_up(form.save(commit=False), translation.get_language(), form.offer)
        login(request, user)
        return redirect("chat:persona_update")
    return render(request, "chat/setup.html", {"form": form}, status=422 if form.errors else 200)
