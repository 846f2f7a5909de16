from django.db import models


class IndexedText(models.Model):
    """The terms of one searchable text; the engine's own index beside it knows the row by its id.

    SQLite: the FTS5 table `xiajiao_fulltext`. PostgreSQL: the column `lexemes` of this table, unknown to Django.
    Written by `xiajiao.fulltext` alone, or the two fall apart.
    """

    namespace = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    # As the tokenizer made them, repeated as often as they occur, joined by blanks.
    terms = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["namespace", "key"], name="one_text_a_key")]
