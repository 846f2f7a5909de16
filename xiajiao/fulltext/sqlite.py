"""Full text in SQLite: FTS5, which learns of a row by its id and terms, and forgets it by the very same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from django.db import connection

from xiajiao.batches import batched
from xiajiao.fulltext.base import BaseTextIndex, Ids
from xiajiao.fulltext.encoding import encode_all
from xiajiao.models import IndexedText

INSERT = "INSERT INTO xiajiao_fulltext(rowid, terms) VALUES (%s, %s)"
# A table without content must be told what it held.
DELETE = "INSERT INTO xiajiao_fulltext(xiajiao_fulltext, rowid, terms) VALUES ('delete', %s, %s)"
OPTIMIZE = "INSERT INTO xiajiao_fulltext(xiajiao_fulltext) VALUES ('optimize')"
FIND = "SELECT rowid FROM xiajiao_fulltext WHERE xiajiao_fulltext MATCH %s ORDER BY rowid DESC LIMIT %s"
# Terms in one question: its parser has a limited depth.
ALTERNATIVES = 100
COUNT = "SELECT term, doc FROM xiajiao_fulltext_vocabulary WHERE term IN ({})"


class SQLiteTextIndex(BaseTextIndex):
    def replace(self, namespace: str, texts: Mapping[str, str]) -> None:
        self.remove(namespace, texts)
        rows = [IndexedText(namespace=namespace, key=key, terms=terms) for key, terms in texts.items()]
        self._write(INSERT, IndexedText.objects.bulk_create(rows))

    def remove(self, namespace: str, keys: Collection[str] | None) -> None:
        rows = IndexedText.objects.filter(namespace=namespace)
        for batch in batched(keys) if keys is not None else [None]:
            found = rows if batch is None else rows.filter(key__in=batch)
            self._write(DELETE, found.iterator())
            found.delete()

    def tidy(self) -> None:
        """One segment of what is there: older ones still name the rows that were deleted."""
        with connection.cursor() as cursor:
            cursor.execute(OPTIMIZE)

    def _write(self, statement: str, rows: Iterable[IndexedText]) -> None:
        written = [(row.pk, " ".join(encode_all(row.namespace, row.terms.split()))) for row in rows]
        with connection.cursor() as cursor:
            cursor.executemany(statement, written)

    def count(self, terms: Sequence[str], limit: int) -> dict[str, int]:
        counts: dict[str, int] = {}
        with connection.cursor() as cursor:
            for batch in batched(terms):
                cursor.execute(COUNT.format(", ".join(["%s"] * len(batch))), batch)
                counts |= dict(cursor.fetchall())
        return counts

    def find(self, groups: Mapping[str, Sequence[str]], limit: int) -> dict[str, Ids]:
        found: dict[str, Ids] = {}
        with connection.cursor() as cursor:
            for name, terms in groups.items():
                ids: list[int] = []
                for batch in batched(terms, ALTERNATIVES):
                    cursor.execute(FIND, [" OR ".join(f'"{term}"' for term in batch), limit])
                    ids += [row[0] for row in cursor.fetchall()]
                found[name] = np.array(ids, dtype=np.int64)
        return found
