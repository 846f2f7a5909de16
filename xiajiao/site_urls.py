"""Addresses of the site itself: sign-in, settings, health."""

from django.contrib.auth import views as auth_views
from django.urls import path

from xiajiao.views import appearance, profile

urlpatterns = [
    path("login/", auth_views.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("language/", appearance.language_update, name="language_update"),
    path("theme/", appearance.theme_update, name="theme_update"),
    path("settings/", profile.profile_update, name="profile_update"),
    path("settings/password/", profile.password_update, name="password_update"),
]
