from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from xiajiao.forms.signing_in import SignInForm
from xiajiao.models import User

sign_in = LoginView.as_view(authentication_form=SignInForm, redirect_authenticated_user=True)


@login_not_required
def login(request: HttpRequest) -> HttpResponseBase:
    """Where nobody has an account yet, the page that says how the first one is made."""
    if not User.objects.exists():
        return redirect("chat:setup")
    return sign_in(request)
