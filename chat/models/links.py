from django.db import models
from django.utils import timezone

from chat.models.messages import Message, ToolCall
from memories.models import Memory


class Recalled(models.Model):
    """A memory that an answer knew: its text as it was then, how it scored, and whether the budget cut it."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="recalled")
    memory = models.ForeignKey(Memory, models.SET_NULL, null=True, related_name="recalls")
    content = models.TextField()
    category = models.CharField(max_length=20)
    rank = models.PositiveIntegerField()
    # None for what always goes in: pinned and procedural memories are not searched for.
    score = models.FloatField(null=True)
    score_parts = models.JSONField(default=dict)
    # pinned, procedural or relevant
    reason = models.CharField(max_length=20)
    was_cut = models.BooleanField(default=False)

    class Meta:
        ordering = ["rank", "pk"]


class Remembered(models.Model):
    """A memory that an answer wrote: what the write gate did with it."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="remembered")
    tool_call = models.ForeignKey(ToolCall, models.SET_NULL, null=True, related_name="remembered")
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="remembered_in")
    # The action of the memory's revision: added, reinforced, superseded, ignored, edited, deleted.
    action = models.CharField(max_length=20)
    content = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
