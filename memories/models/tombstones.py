from django.conf import settings
from django.db import models
from django.utils import timezone

from memories.models.agents import Agent


class Tombstone(models.Model):
    """One wording of a memory that a person had forgotten for good: enough to know it again, and no text.

    It keeps agents from writing the same anew out of what was said before. What is said in a newer message counts anew.
    """

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    # HMAC of the normalised content (xiajiao/secrets.py).
    fingerprint = models.CharField(max_length=64)
    # Encrypted, for a text can be guessed from its vector; empty where there was none. Named by its embedder.
    vector = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)
    # Messages up to this one were there when it was forgotten.
    last_message_id = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    # When the files beside the rows were rid of it too.
    tidied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["agent", "user", "fingerprint"], name="tombstone_wording")]
