from django.db import models

from memories.models.memories import Memory


class MemoryTag(models.Model):
    """One tag of one memory, so that a tag can be looked for; `Memory.tags` is what is shown, in its order."""

    memory = models.ForeignKey(Memory, models.CASCADE, related_name="tag_rows", db_index=False)
    tag = models.CharField(max_length=50)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "tag"], name="one_tag_a_memory")]
        indexes = [models.Index(fields=["tag", "memory"], name="memory_tag_memory")]

    def __str__(self) -> str:
        return self.tag
