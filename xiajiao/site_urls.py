"""Addresses of the site itself: sign-in, settings, health."""

from django.contrib.auth import views as auth_views
from django.urls import path

from xiajiao.views import appearance, discovered, embedding, health, profile, providers, signing_in, users

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("login/", signing_in.login, name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("language/", appearance.language_update, name="language_update"),
    path("theme/", appearance.theme_update, name="theme_update"),
    path("settings/", profile.profile_update, name="profile_update"),
    path("settings/password/", profile.password_update, name="password_update"),
    path("settings/models/", providers.provider_list, name="provider_list"),
    path("settings/models/add/", providers.provider_create, name="provider_create"),
    path("settings/models/<int:pk>/", providers.provider_update, name="provider_update"),
    path("settings/models/<int:pk>/test/", providers.provider_test, name="provider_test"),
    path("settings/models/<int:pk>/model/", providers.provider_model, name="provider_model"),
    path("settings/models/<int:pk>/default/", providers.provider_default, name="provider_default"),
    path("settings/models/<int:pk>/enabled/", providers.provider_enabled, name="provider_enabled"),
    path("settings/models/<int:pk>/delete/", providers.provider_delete, name="provider_delete"),
    path("settings/models/discovered/", discovered.discovered_list, name="discovered_list"),
    path("settings/models/discovered/add/", discovered.discovered_add, name="discovered_add"),
    path("settings/models/embedding/", embedding.embedding_state, name="embedding_state"),
    path("settings/people/", users.user_list, name="user_list"),
    path("settings/people/add/", users.user_create, name="user_create"),
    path("settings/people/<int:pk>/password/", users.user_password, name="user_password"),
    path("settings/people/<int:pk>/active/", users.user_active, name="user_active"),
]
