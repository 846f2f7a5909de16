"""Full text in PostgreSQL: an array of lexemes with a GIN index; no parser sees the terms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from django.db import connection

from xiajiao.fulltext.base import BaseTextIndex, Ids
from xiajiao.fulltext.encoding import encode_all
from xiajiao.models import IndexedText

UPSERT = """
INSERT INTO xiajiao_indexedtext (namespace, key, terms, lexemes) VALUES (%s, %s, %s, array_to_tsvector(%s))
ON CONFLICT (namespace, key) DO UPDATE SET terms = excluded.terms, lexemes = excluded.lexemes
"""
COUNT = "SELECT count(*) FROM (SELECT 1 FROM xiajiao_indexedtext WHERE lexemes @@ %s::tsquery LIMIT %s) AS held"
FIND = "SELECT id FROM xiajiao_indexedtext WHERE lexemes @@ %s::tsquery LIMIT %s"


class PostgresTextIndex(BaseTextIndex):
    def replace(self, namespace: str, texts: Mapping[str, str]) -> None:
        # In the order of their keys: two writers of the same rows wait for each other, not each for the other.
        rows = [(namespace, key, terms, encode_all(namespace, terms.split())) for key, terms in sorted(texts.items())]
        with connection.cursor() as cursor:
            cursor.executemany(UPSERT, rows)

    def remove(self, namespace: str, keys: Collection[str] | None) -> None:
        rows = IndexedText.objects.filter(namespace=namespace)
        (rows if keys is None else rows.filter(key__in=list(keys))).delete()

    def count(self, terms: Sequence[str], limit: int) -> dict[str, int]:
        if not terms:
            return {}
        statement = "SELECT " + ", ".join([f"({COUNT})"] * len(terms))
        with connection.cursor() as cursor:
            cursor.execute(statement, [part for term in terms for part in (term, limit)])
            return dict(zip(terms, cursor.fetchone(), strict=True))

    def find(self, term: str, limit: int) -> Ids:
        with connection.cursor() as cursor:
            cursor.execute(FIND, [term, limit])
            return np.array([row[0] for row in cursor.fetchall()], dtype=np.int64)
