from django.db import models


class StoredVector(models.Model):
    """One vector of the embedded store, or the trace that it is gone.

    The id is the sequence number that readers follow: a change deletes the row and writes a new one, so it only grows.
    """

    namespace = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    # (dim,) float32, little-endian, L2-normalised; None: deleted.
    vector = models.BinaryField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["namespace", "key"], name="one_vector_a_key")]
        indexes = [
            models.Index(fields=["namespace", "id"], name="vector_news"),
            models.Index(fields=["namespace"], condition=models.Q(vector__isnull=True), name="vector_gone"),
        ]
