from __future__ import annotations

from django.db import models
from django.db.models import Q

from knowledge.models.documents import Document

HEADING_JOINT = " › "


class ParentChunk(models.Model):
    """What the model reads when a chunk of it was found."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="parents")
    position = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["document", "position"], name="one_parent_a_place")]


class Chunk(models.Model):
    """A piece of a document, which is what a search finds. Its key in both indexes is its primary key as text."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="chunks")
    parent = models.ForeignKey(ParentChunk, models.CASCADE, related_name="chunks")
    position = models.PositiveIntegerField()
    text = models.TextField()
    # Where it stands in its parent's text, in characters; of an edited one, where it stood.
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    # For citations: ["Installation", "Docker"], the page from 1, the sheet by name.
    heading_path = models.JSONField(default=list, blank=True)
    page = models.PositiveIntegerField(null=True, blank=True)
    sheet = models.CharField(max_length=200, blank=True)
    enabled = models.BooleanField(default=True)
    # A person's own words, which a new indexing keeps; `original` is what they took the place of.
    is_edited = models.BooleanField(default=False)
    is_added = models.BooleanField(default=False)
    original = models.TextField(blank=True)
    # The full name of the embedder whose vector stands in the store; empty: none yet.
    embedded_with = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["document", "position", "pk"]
        indexes = [
            models.Index(fields=["document", "position"], name="chunk_place"),
            models.Index(fields=["document"], condition=Q(embedded_with=""), name="chunk_without_vector"),
        ]

    @property
    def searchable(self) -> str:
        """What it is found by: with its headings, for what a chunk is about often stands there alone."""
        return "\n".join(filter(None, [HEADING_JOINT.join(self.heading_path), self.text]))
