"""Addresses of agents and their memories."""

from django.urls import path

from memories.views import agents, memories

app_name = "memories"
urlpatterns = [
    path("agents/", agents.agent_list, name="agent_list"),
    path("agents/add/", agents.agent_create, name="agent_create"),
    path("agents/models/", agents.agent_models, name="agent_models"),
    path("agents/<int:pk>/", agents.agent_update, name="agent_update"),
    path("agents/<int:pk>/copy/", agents.agent_copy, name="agent_copy"),
    path("agents/<int:pk>/archive/", agents.agent_archive, name="agent_archive"),
    path("memories/", memories.memory_list, name="memory_list"),
    path("memories/add/", memories.memory_create, name="memory_create"),
    path("memories/<int:pk>/", memories.memory_detail, name="memory_detail"),
    path("memories/<int:pk>/edit/", memories.memory_update, name="memory_update"),
    path("memories/<int:pk>/switch/", memories.memory_switch, name="memory_switch"),
    path("memories/<int:pk>/delete/", memories.memory_delete, name="memory_delete"),
    path("memories/<int:pk>/restore/", memories.memory_restore, name="memory_restore"),
    path("memories/revisions/<int:pk>/undo/", memories.memory_undo, name="memory_undo"),
]
