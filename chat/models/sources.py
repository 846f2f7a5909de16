from django.db import models

from chat.models.messages import Message, ToolCall
from knowledge.models import Chunk


class Source(models.Model):
    """What a document said to an answer: the text as it was sent, and the number by which the answer cites it."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="sources")
    # None for what was in the prompt.
    tool_call = models.ForeignKey(ToolCall, models.SET_NULL, null=True, related_name="sources")
    chunk = models.ForeignKey(Chunk, models.SET_NULL, null=True, related_name="+")
    number = models.PositiveIntegerField()
    # `handbook.pdf, p. 3`
    label = models.CharField(max_length=600)
    content = models.TextField()
    # Where in it the chunk stands that was found, in characters.
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    score_parts = models.JSONField(default=dict)
    was_cut = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["message", "number"], name="one_source_a_number")]
