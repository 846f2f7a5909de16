"""Addresses of knowledge bases, their documents and chunks."""

from django.urls import path

from knowledge.views import adding, bases, chunks, document_changes, document_detail, documents, keeping, retrieval

app_name = "knowledge"
urlpatterns = [
    path("knowledge/", bases.base_list, name="base_list"),
    path("knowledge/add/", bases.base_create, name="base_create"),
    path("knowledge/<int:pk>/", documents.base_detail, name="base_detail"),
    path("knowledge/<int:pk>/edit/", bases.base_update, name="base_update"),
    path("knowledge/<int:pk>/preview/", retrieval.base_preview, name="base_preview"),
    path("knowledge/<int:pk>/delete/", bases.base_delete, name="base_delete"),
    path("knowledge/<int:pk>/retry/", bases.base_retry, name="base_retry"),
    path("knowledge/<int:pk>/reindex/", bases.base_reindex, name="base_reindex"),
    path("knowledge/<int:pk>/test/", retrieval.retrieval_test, name="retrieval_test"),
    path("knowledge/<int:pk>/files/", adding.document_create, name="document_create"),
    path("knowledge/<int:pk>/webpages/", adding.webpage_create, name="webpage_create"),
    path("knowledge/documents/<int:pk>/", document_detail.document_detail, name="document_detail"),
    path("knowledge/documents/<int:pk>/file/", documents.document_file, name="document_file"),
    path("knowledge/documents/<int:pk>/edit/", document_changes.document_update, name="document_update"),
    path("knowledge/documents/<int:pk>/cancel/", document_changes.document_cancel, name="document_cancel"),
    path("knowledge/documents/<int:pk>/retry/", document_changes.document_retry, name="document_retry"),
    path("knowledge/documents/<int:pk>/fetch/", document_changes.document_fetch, name="document_fetch"),
    path("knowledge/documents/<int:pk>/embed/", document_changes.document_embed, name="document_embed"),
    path("knowledge/documents/<int:pk>/switch/", document_changes.document_switch, name="document_switch"),
    path("knowledge/documents/<int:pk>/delete/", document_changes.document_delete, name="document_delete"),
    path("knowledge/documents/<int:pk>/restore/", document_changes.document_restore, name="document_restore"),
    path("knowledge/documents/<int:pk>/keep/", keeping.document_keep, name="document_keep"),
    path("knowledge/documents/<int:pk>/chunks/add/", chunks.chunk_create, name="chunk_create"),
    path("knowledge/chunks/<int:pk>/", chunks.chunk_place, name="chunk_place"),
    path("knowledge/chunks/<int:pk>/edit/", chunks.chunk_update, name="chunk_update"),
    path("knowledge/chunks/<int:pk>/undo/", chunks.chunk_undo, name="chunk_undo"),
    path("knowledge/chunks/<int:pk>/switch/", chunks.chunk_switch, name="chunk_switch"),
    path("knowledge/chunks/<int:pk>/delete/", chunks.chunk_delete, name="chunk_delete"),
]
