"""Addresses of conversations."""

from django.urls import URLPattern, path

from chat.views import (
    answers,
    attachments,
    conversations,
    following,
    forgettings,
    home,
    losses,
    memory_forgetting,
    messages,
    provenance,
    setup,
    turns,
)

app_name = "chat"
urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("setup/", setup.setup, name="setup"),
    path("setup/<str:token>/", setup.setup, name="setup"),
    path("conversations/new/", turns.conversation_create, name="conversation_create"),
    path("conversations/new/files/", attachments.attachment_begin, name="attachment_begin"),
    path("conversations/", conversations.conversation_list, name="conversation_list"),
    path("conversations/<int:conversation_id>/", conversations.conversation_detail, name="conversation_detail"),
    path("conversations/<int:conversation_id>/rename/", conversations.conversation_update, name="conversation_update"),
    path("conversations/<int:conversation_id>/delete/", conversations.conversation_delete, name="conversation_delete"),
    path(
        "conversations/<int:conversation_id>/restore/", conversations.conversation_restore, name="conversation_restore"
    ),
    path("conversations/<int:conversation_id>/earlier/", conversations.message_list, name="message_list"),
    path("conversations/<int:conversation_id>/messages/", turns.message_create, name="message_create"),
    path("conversations/<int:conversation_id>/files/", attachments.attachment_list, name="attachment_list"),
    path("conversations/<int:conversation_id>/files/add/", attachments.attachment_create, name="attachment_create"),
    path("conversations/<int:conversation_id>/files/chips/", attachments.attachment_chips, name="attachment_chips"),
    path("messages/<int:message_id>/", answers.answer_detail, name="answer_detail"),
    path("messages/<int:message_id>/sources/<int:number>/", answers.source_detail, name="source_detail"),
    path("messages/<int:message_id>/memories/", provenance.message_memories, name="message_memories"),
    path("memories/forget/", forgettings.forgetting_list, name="forgetting_list"),
    path("memories/forget/preview/", forgettings.forgetting_preview, name="forgetting_preview"),
    path("memories/forget/confirm/", forgettings.forgetting_create, name="forgetting_create"),
    path("forgotten/<int:forgetting_id>/", forgettings.forgetting_detail, name="forgetting_detail"),
    path("forgotten/<int:forgetting_id>/agree/", forgettings.forgetting_agree, name="forgetting_agree"),
    path("forgotten/<int:forgetting_id>/dismiss/", forgettings.forgetting_dismiss, name="forgetting_dismiss"),
    path("forgotten/<int:forgetting_id>/retry/", forgettings.forgetting_retry, name="forgetting_retry"),
    path("memories/<int:memory_id>/forget/", memory_forgetting.memory_forget, name="memory_forget"),
    path("memories/<int:memory_id>/sources/", provenance.memory_sources, name="memory_sources"),
    path("losses/", losses.source_loss_list, name="source_loss_list"),
    path("losses/notice/", losses.source_loss_notice, name="source_loss_notice"),
    path("losses/all/", losses.source_loss_update_all, name="source_loss_update_all"),
    path("losses/undo/", losses.source_loss_undo, name="source_loss_undo"),
    path("losses/<int:loss_id>/", losses.source_loss_update, name="source_loss_update"),
    path("messages/<int:message_id>/text/", answers.message_text, name="message_text"),
    path("messages/<int:message_id>/edit/", turns.message_update, name="message_update"),
    path("messages/<int:message_id>/delete/", messages.message_delete, name="message_delete"),
    path("messages/<int:message_id>/restore/", messages.message_restore, name="message_restore"),
    path("messages/<int:message_id>/answers/", turns.answer_create, name="answer_create"),
    path("messages/<int:message_id>/stop/", turns.answer_stop, name="answer_stop"),
    path("messages/<int:message_id>/read/", turns.branch_update, name="branch_update"),
    path("messages/<int:message_id>/stream/", following.turn_stream, name="turn_stream"),
]
