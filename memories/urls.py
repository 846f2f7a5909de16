"""Addresses of agents and their memories."""

from django.urls import path

from memories.views import agents

app_name = "memories"
urlpatterns = [
    path("agents/", agents.agent_list, name="agent_list"),
    path("agents/add/", agents.agent_create, name="agent_create"),
    path("agents/models/", agents.agent_models, name="agent_models"),
    path("agents/<int:pk>/", agents.agent_update, name="agent_update"),
    path("agents/<int:pk>/copy/", agents.agent_copy, name="agent_copy"),
    path("agents/<int:pk>/archive/", agents.agent_archive, name="agent_archive"),
]
