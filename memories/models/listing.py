"""The indexes of the list of memories: one for each order, which also answers every filter.

Behind what it sorts by, an index holds whatever a filter asks for: to find the few that fit among very many, it is read
from end to end at the most (some ten milliseconds for 100,000), and no row but those that are shown. `person_…` are of
one person's memories, `all_…` of everybody's, which staff look through.
"""

from django.db import models
from django.db.models import Q

ORDERS = {
    "updated": "updated_at",
    "created": "created_at",
    "title": "title_key",
    "importance": "importance",
    "recalls": "recall_count",
    "recalled": "last_recalled_at",
}
ASKED = ["agent", "category", "type", "source", "enabled", "valid_from", "valid_to"]
KEPT = Q(deleted_at__isnull=True)

LIST_INDEXES = [
    index
    for name, column in ORDERS.items()
    for index in (
        models.Index(fields=["user", column, "id", *ASKED], condition=KEPT, name=f"memory_person_{name}"),
        models.Index(fields=[column, "id", "user", *ASKED], condition=KEPT, name=f"memory_all_{name}"),
    )
]
# What begins or ends by the hour, for the figures of the cards: of one person's memories, and of everybody's.
ENDING = Q(enabled=True, deleted_at__isnull=True, valid_to__isnull=False)
BEGUN = Q(enabled=True, deleted_at__isnull=True, valid_to__isnull=True, valid_from__isnull=False)

TIMED_INDEXES = [
    models.Index(
        fields=["valid_to", "user", "agent", "category", "valid_from"], condition=ENDING, name="memory_ending"
    ),
    models.Index(
        fields=["user", "valid_to", "agent", "category", "valid_from"], condition=ENDING, name="memory_person_ending"
    ),
    models.Index(fields=["valid_from", "user", "agent", "category"], condition=BEGUN, name="memory_all_begun"),
    models.Index(fields=["user", "agent", "category", "valid_from"], condition=BEGUN, name="memory_begun"),
]
