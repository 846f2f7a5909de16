from django.db import models

from chat.models.messages import Message
from knowledge.models import Document


class AttachedFile(models.Model):
    """A file of the conversation, and how much of it an answer was given."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="attached")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=500)
    # One of knowledge.consulting.How.
    how = models.CharField(max_length=20)

    class Meta:
        ordering = ["pk"]
