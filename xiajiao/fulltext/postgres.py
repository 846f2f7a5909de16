"""Full text in PostgreSQL: an array of lexemes with a GIN index; no parser sees the terms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from django.db import connection

from xiajiao.fulltext.base import BaseTextIndex, Ids
from xiajiao.fulltext.encoding import encode_all
from xiajiao.models import IndexedText

UPSERT = """
INSERT INTO xiajiao_indexedtext (namespace, key, terms, lexemes) VALUES (%s, %s, %s, array_to_tsvector(%s))
ON CONFLICT (namespace, key) DO UPDATE SET terms = excluded.terms, lexemes = excluded.lexemes
"""
# One plan for all terms: planning a subquery for each would take longer than to answer it.
COUNT = """
SELECT (SELECT count(*) FROM (SELECT 1 FROM xiajiao_indexedtext WHERE lexemes @@ term::tsquery LIMIT %s) AS held)
FROM unnest(%s::text[]) WITH ORDINALITY AS asked (term, place) ORDER BY place
"""
FIND = """
SELECT ARRAY(SELECT id FROM xiajiao_indexedtext WHERE lexemes @@ term::tsquery LIMIT %s)
FROM unnest(%s::text[]) WITH ORDINALITY AS asked (term, place) ORDER BY place
"""


class PostgresTextIndex(BaseTextIndex):
    def replace(self, namespace: str, texts: Mapping[str, str]) -> None:
        # In the order of their keys: two writers of the same rows wait for each other, not each for the other.
        rows = [(namespace, key, terms, encode_all(namespace, terms.split())) for key, terms in sorted(texts.items())]
        with connection.cursor() as cursor:
            cursor.executemany(UPSERT, rows)

    def remove(self, namespace: str, keys: Collection[str] | None) -> None:
        rows = IndexedText.objects.filter(namespace=namespace)
        (rows if keys is None else rows.filter(key__in=list(keys))).delete()

    def tidy(self) -> None:
        """Rows that are gone leave the index when they are vacuumed."""
        with connection.cursor() as cursor:
            cursor.execute("VACUUM xiajiao_indexedtext")

    def count(self, terms: Sequence[str], limit: int) -> dict[str, int]:
        return dict(zip(terms, self._ask(COUNT, terms, limit), strict=True))

    def find(self, groups: Mapping[str, Sequence[str]], limit: int) -> dict[str, Ids]:
        found = self._ask(FIND, [" | ".join(terms) for terms in groups.values()], limit)
        return {name: np.array(ids, dtype=np.int64) for name, ids in zip(groups, found, strict=True)}

    def _ask(self, question: str, terms: Sequence[str], limit: int) -> list[Any]:
        """The answers for all terms in one trip, in their order."""
        with connection.cursor() as cursor:
            cursor.execute(question, [limit, list(terms)])
            return [row[0] for row in cursor.fetchall()]
