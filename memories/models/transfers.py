"""Imports and exports: jobs whose rows are the truth about them, and what has come in from where."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memories.models.agents import Agent
from memories.models.memories import Memory
from xiajiao.models import ClaimedJob, User


class ImportQuerySet(models.QuerySet["Import"]):
    def for_user(self, user: User) -> ImportQuerySet:
        """Those that this person began; nobody else sees them, staff neither."""
        return self.filter(user=user)


class ExportQuerySet(models.QuerySet["Export"]):
    def for_user(self, user: User) -> ExportQuerySet:
        """Those that this person asked for; nobody else sees them, staff neither."""
        return self.filter(user=user)


class Transfer(ClaimedJob):
    """A job in slices; `cursor` says how far it is."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    # A name of our own under the data folder; empty where the file is gone.
    stored_as = models.CharField(max_length=100, blank=True)
    size = models.BigIntegerField(default=0)
    cursor = models.PositiveIntegerField(default=0)
    position = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    error = models.CharField(max_length=50, blank=True)

    class Meta:
        abstract = True
        ordering = ["-created_at", "-pk"]

    @property
    def percent(self) -> int:
        return min(100, int(100 * self.position / self.total)) if self.total else 0


class Import(Transfer):
    """A file on its way in: first looked through (the dry run), then, when the person says so, written."""

    class State(models.TextChoices):
        CHECKING = "checking", _("being looked through")
        CHECKED = "checked", _("looked through")
        WRITING = "writing", _("being imported")
        LINKING = "linking", _("being linked")
        DONE = "done", _("imported")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")

    class Conflicts(models.TextChoices):
        KEEP = "keep", _("Keep what is here")
        NEWER = "newer", _("Take the file's where it was changed later")
        FILE = "file", _("Take the file's")

    WORKED_AT = (State.CHECKING, State.WRITING, State.LINKING)

    given_name = models.CharField(max_length=200, blank=True)
    format = models.CharField(max_length=30, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.CHECKING)
    # None: as the file says; an agent that is missing is made.
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    # Whose memories they become; None: as the file says, which staff alone may ask for.
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    conflicts = models.CharField(max_length=10, choices=Conflicts, default=Conflicts.KEEP)
    brings_back = models.BooleanField(default=False)
    # Lines by what is to become of them, and by what became of them.
    forecast = models.JSONField(default=dict, blank=True)
    outcome = models.JSONField(default=dict, blank=True)
    # Names of agents and keys of types that are made.
    makes = models.JSONField(default=dict, blank=True)

    objects = ImportQuerySet.as_manager()

    class Meta(Transfer.Meta):
        indexes = [models.Index(fields=["user", "-created_at"], name="import_person")]

    @property
    def was_written(self) -> bool:
        """Whether anything of it may have come in."""
        return self.state not in {self.State.CHECKING, self.State.CHECKED} and bool(self.outcome)


class ImportLine(models.Model):
    """One line of a file (a row, an item): what is to become of it, and what became of it."""

    class Outcome(models.TextChoices):
        """Worded in memories/transfer/wording.py."""

        ADD = "add"
        REINFORCE = "reinforce"
        SUPERSEDE = "supersede"
        RESTORE = "restore"
        CONFLICT = "conflict"
        IGNORE = "ignore"
        INVALID = "invalid"

    transfer = models.ForeignKey(Import, models.CASCADE, related_name="lines")
    # Its place among all that the file holds; several items may stand in one line.
    place = models.PositiveIntegerField()
    line = models.PositiveIntegerField()
    forecast = models.CharField(max_length=20, choices=Outcome)
    outcome = models.CharField(max_length=20, choices=Outcome, blank=True)
    # Code and figures of why, worded by the page.
    reason = models.CharField(max_length=40, blank=True)
    details = models.JSONField(default=dict, blank=True)
    # The beginning of its text; emptied when the file goes.
    excerpt = models.CharField(max_length=200, blank=True)
    # The memory that it became, or the one here that it is about.
    memory = models.ForeignKey(Memory, models.SET_NULL, null=True, blank=True, related_name="+")
    # Of our own format: the id in the file; finds the line again for its revisions.
    uid = models.UUIDField(null=True, blank=True)

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["transfer", "place"], name="one_line_a_place")]
        indexes = [
            models.Index(fields=["transfer", "forecast", "place"], name="import_line_forecast"),
            models.Index(fields=["transfer", "outcome", "place"], name="import_line_outcome"),
            models.Index(fields=["transfer", "uid"], name="import_line_uid"),
        ]


class ImportedText(models.Model):
    """What has come in from another system: the same item of the same file changes nothing a second time."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    # SHA-256 of format, id and text there.
    key = models.CharField(max_length=64)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agent", "user", "key"], name="imported_once")]


class Export(Transfer):
    """A large file on its way out; `wanted` says of what."""

    class State(models.TextChoices):
        WRITING = "writing", _("being written")
        READY = "ready", _("ready")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")
        GONE = "gone", _("removed")

    WORKED_AT = (State.WRITING,)

    format = models.CharField(max_length=20)
    wanted = models.JSONField(default=dict)
    state = models.CharField(max_length=20, choices=State, default=State.WRITING)

    objects = ExportQuerySet.as_manager()

    class Meta(Transfer.Meta):
        indexes = [models.Index(fields=["user", "-created_at"], name="export_person")]


class Installation(models.Model):
    """The one row that names this installation, so that numbers of its conversations are told from others'."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)


class ForeignNumber(models.Model):
    """The number of a conversation, message or job of another installation.

    Memories and revisions that come from there hold the negative of this row's key in its place: it names nothing
    here, and an export gives it back as it was.
    """

    home = models.UUIDField()
    number = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["home", "number"], name="one_foreign_number")]
