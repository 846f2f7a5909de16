from django.conf import settings
from django.db import models

from memories.models.agents import Agent


class WriteLock(models.Model):
    """The row that a write to one agent's memories of one person holds, so that two at once make no twins.

    Memories shared by all users lock the agent's row instead: a unique index on (agent, null) holds nothing.
    """

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agent", "user"], name="one_write_lock")]
