from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models.conversations import Conversation
from xiajiao.models import User


class MessageQuerySet(models.QuerySet["Message"]):
    def for_user(self, user: User) -> MessageQuerySet:
        """Private to the conversation's user, as the conversation is."""
        return self.kept().filter(conversation__user=user, conversation__deleted_at__isnull=True)

    def kept(self) -> MessageQuerySet:
        """Not deleted; its conversation may be."""
        return self.filter(deleted_at__isnull=True)

    def unfinished(self) -> MessageQuerySet:
        return self.filter(status__in=[Message.Status.PENDING, Message.Status.RUNNING])


class Message(models.Model):
    """One message. Siblings share a parent: an edit or a second try stands beside the first, never over it."""

    class Role(models.TextChoices):
        USER = "user", _("you")
        ASSISTANT = "assistant", _("agent")

    class Status(models.TextChoices):
        PENDING = "pending", _("waiting")
        RUNNING = "running", _("writing")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        ERROR = "error", _("failed")
        INTERRUPTED = "interrupted", _("interrupted")

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="messages")
    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="children")
    role = models.CharField(max_length=20, choices=Role)
    content = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.DONE)
    # A code for the page to word in the reader's language, and the provider's own sentence.
    error_code = models.CharField(max_length=50, blank=True)
    error_detail = models.TextField(blank=True)

    # Made by the page that sends: the same form sent twice makes one message.
    submit_token = models.UUIDField(null=True, blank=True, unique=True, editable=False)

    # How far the saved partial goes in the turn's stream; written in one UPDATE with `content`.
    stream_position = models.CharField(max_length=40, blank=True)
    # The web process that writes the answer, and its last sign of life.
    runner = models.CharField(max_length=64, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    stop_requested_at = models.DateTimeField(null=True, blank=True)

    model_name = models.CharField(max_length=200, blank=True)
    provider_name = models.CharField(max_length=100, blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    # Why recall was less than it could be (an empty text: it was whole), and the system prompt as sent.
    recall_degraded = models.CharField(max_length=50, blank=True)
    system_prompt = models.TextField(blank=True)

    # Since when another wording or another answer has taken its place; what stands below it goes along.
    put_aside_at = models.DateTimeField(null=True, blank=True)
    # The same moment for all that was deleted at once. A sweep removes it when nobody may take it back any more.
    deleted_at = models.DateTimeField(null=True, blank=True)
    # Its text is gone for good, since something in it was to be forgotten.
    removed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["status", "heartbeat_at"],
                condition=models.Q(status__in=["pending", "running"]),
                name="message_unfinished",
            ),
            models.Index(fields=["deleted_at"], condition=models.Q(deleted_at__isnull=False), name="message_deleted"),
        ]

    def __str__(self) -> str:
        return self.content[:60]

    @property
    def is_pending(self) -> bool:
        return self.status in {self.Status.PENDING, self.Status.RUNNING}

    @property
    def is_retryable(self) -> bool:
        return self.status in {self.Status.STOPPED, self.Status.ERROR, self.Status.INTERRUPTED}


class ToolCall(models.Model):
    """A tool that the model asked for inside an answer, and its result."""

    class Status(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        ERROR = "error", _("refused")
        INTERRUPTED = "interrupted", _("interrupted")

    message = models.ForeignKey(Message, models.CASCADE, related_name="tool_calls")
    step = models.PositiveIntegerField()
    call_id = models.CharField(max_length=200)
    name = models.CharField(max_length=200)
    arguments = models.TextField(blank=True)
    result = models.TextField(blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.RUNNING)
    # Where in `Message.content` it stands: so many characters had been written before it.
    offset = models.PositiveIntegerField(default=0)
    # The model had read documents by then, which may have moved it to this; their own search and list aside.
    after_documents = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
