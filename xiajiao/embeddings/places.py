"""Vectors of queries, from which a text could be guessed."""

from django.utils.translation import gettext_lazy as _

from xiajiao.embeddings.queries import clear_queries, count_queries
from xiajiao.places import Forgotten, Place, register


def count(forgotten: Forgotten) -> int:
    return count_queries()


def scrub(forgotten: Forgotten) -> int:
    """All of them: which of them are about it nobody can tell."""
    return clear_queries()


register(Place("query_vectors", _("cached vectors of searches"), count, scrub, rank=10, is_outside=True))
