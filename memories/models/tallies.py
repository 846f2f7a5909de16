from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from memories.models.agents import Agent
from memories.models.types import Category


class MemoryTally(models.Model):
    """How many memories of one category an agent has of one person (null: shared by its users), without counting them.

    Of those that are enabled, not deleted and hold without a time: whether the others hold is a question of the hour.
    Each agent and person with memories has a row at least: these rows also say where there is something to search.
    """

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="tallies")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    category = models.CharField(max_length=20, choices=Category)
    count = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["agent", "user", "category"], condition=Q(user__isnull=False), name="one_tally_of_a_person"
            ),
            models.UniqueConstraint(
                fields=["agent", "category"], condition=Q(user__isnull=True), name="one_tally_of_all_users"
            ),
        ]
