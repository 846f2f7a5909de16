import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models.bulk import BulkChange
from memories.models.memories import Memory


class MemoryRevision(models.Model):
    """One change of a memory: who, when, why, and what stood there before."""

    class Action(models.TextChoices):
        ADDED = "added", _("added")
        IGNORED = "ignored", _("heard again, word for word")
        REINFORCED = "reinforced", _("said again in other words")
        SUPERSEDED = "superseded", _("replaced by a newer memory")
        REVIVED = "revived", _("came back")
        EDITED = "edited", _("edited")
        ENABLED = "enabled", _("enabled")
        DISABLED = "disabled", _("disabled")
        DELETED = "deleted", _("deleted")
        RESTORED = "restored", _("restored")

    class Actor(models.TextChoices):
        PERSON = "person", _("person")
        AGENT = "agent", _("agent")
        EXTRACTION = "extraction", _("extraction")
        IMPORT = "import", _("import")
        SYSTEM = "system", _("system")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="revisions")
    action = models.CharField(max_length=20, choices=Action)
    actor = models.CharField(max_length=20, choices=Actor)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    conversation_id = models.BigIntegerField(null=True, blank=True)
    # The person's message on which it rests, and the answer in whose turn an agent did it.
    message_id = models.BigIntegerField(null=True, blank=True)
    answer_id = models.BigIntegerField(null=True, blank=True)
    # Why, for a person: the gate's scores and guards as plain data, worded by the page that shows them.
    reason = models.JSONField(default=dict, blank=True)
    # The row's columns before the change; empty for the first revision.
    before = models.JSONField(default=dict, blank=True)
    # The text that was offered, where it did not become the content (heard again, word for word).
    offered = models.TextField(blank=True)
    # Where many memories were changed at once.
    bulk = models.ForeignKey(BulkChange, models.SET_NULL, null=True, blank=True, related_name="revisions")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["memory", "at", "id"], name="revision_newest")]

    def points_to(self, name: str) -> int:
        """Key of the row that the reason names so; 0 where it names none, or one that never came in here."""
        key = self.reason.get(name)
        return key if isinstance(key, int) else 0
