"""Addresses of agents and their memories."""

from django.urls import path

from memories.views import (
    agents,
    as_of,
    health,
    memories,
    memory_changes,
    memory_detail,
    memory_undoing,
    memory_writing,
    types,
)

app_name = "memories"
urlpatterns = [
    path("agents/", agents.agent_list, name="agent_list"),
    path("agents/add/", agents.agent_create, name="agent_create"),
    path("agents/models/", agents.agent_models, name="agent_models"),
    path("agents/<int:pk>/", agents.agent_update, name="agent_update"),
    path("agents/<int:pk>/copy/", agents.agent_copy, name="agent_copy"),
    path("agents/<int:pk>/archive/", agents.agent_archive, name="agent_archive"),
    path("memories/", memories.memory_list, name="memory_list"),
    path("memories/add/", memory_writing.memory_create, name="memory_create"),
    path("memories/as-of/", as_of.memory_as_of, name="memory_as_of"),
    path("memories/<int:pk>/", memory_detail.memory_detail, name="memory_detail"),
    path("memories/<int:pk>/row/", memories.memory_row, name="memory_row"),
    path("memories/<int:pk>/edit/", memory_writing.memory_update, name="memory_update"),
    path("memories/<int:pk>/switch/", memory_changes.memory_switch, name="memory_switch"),
    path("memories/<int:pk>/pin/", memory_changes.memory_pin, name="memory_pin"),
    path("memories/<int:pk>/delete/", memory_changes.memory_delete, name="memory_delete"),
    path("memories/<int:pk>/restore/", memory_changes.memory_restore, name="memory_restore"),
    path("memories/revisions/<int:pk>/undo/", memory_undoing.memory_undo, name="memory_undo"),
    path("memories/revisions/<int:pk>/rewind/", memory_undoing.memory_rewind, name="memory_rewind"),
    path("memories/types/", types.type_list, name="type_list"),
    path("memories/types/add/", types.type_create, name="type_create"),
    path("memories/types/<int:pk>/", types.type_update, name="type_update"),
    path("memories/types/<int:pk>/delete/", types.type_delete, name="type_delete"),
    path("memories/health/", health.health, name="health"),
    path("memories/health/settle/", health.finding_settle, name="finding_settle"),
    path("memories/health/reopen/", health.finding_reopen, name="finding_reopen"),
    path("memories/health/look/", health.health_look, name="health_look"),
    path("memories/health/retry/", health.job_retry, name="job_retry"),
]
