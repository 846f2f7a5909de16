"""The table of vectors: what was written after a number, and under which lock a number is given."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from django.db import connection

from xiajiao.batches import batched
from xiajiao.models import StoredVector
from xiajiao.vectorstores.base import Vector

# The key of a row that tells readers to forget what they hold of a namespace and to read it again.
RESTART = ""
# Above so many traces of deleted vectors a namespace is rid of them, and its readers read it again.
MOST_TRACES = 2000
LATEST = """
SELECT %s, (SELECT max(id) FROM xiajiao_storedvector WHERE namespace = %s),
       (SELECT count(*) FROM xiajiao_storedvector WHERE namespace = %s AND id = %s)
"""
# SQLite takes 500 questions in one.
QUESTIONS = 100


@dataclass(frozen=True)
class News:
    """A change of one key; None: its vector is gone."""

    number: int
    key: str
    vector: Vector | None


def read_latest(known: Mapping[str, int]) -> dict[str, tuple[int, bool]]:
    """Of each namespace the latest number (0: it is empty), and whether the row of the `known` number still stands."""
    found: dict[str, tuple[int, bool]] = {}
    with connection.cursor() as cursor:
        for batch in batched(known.items(), QUESTIONS):
            values = [value for name, number in batch for value in (name, name, name, number)]
            cursor.execute(" UNION ALL ".join([LATEST] * len(batch)), values)
            found |= {name: (latest or 0, bool(stands)) for name, latest, stands in cursor.fetchall()}
    return found


def read_news(namespace: str, after: int) -> Iterator[News]:
    """In the order of their numbers; at most one for each key."""
    rows = StoredVector.objects.filter(namespace=namespace, pk__gt=after).order_by("pk")
    for number, key, vector in rows.values_list("pk", "key", "vector").iterator():
        yield News(number, key, None if vector is None else to_vector(vector))


def read_vectors(namespace: str, keys: Iterable[str]) -> dict[str, Vector]:
    found: dict[str, Vector] = {}
    rows = StoredVector.objects.filter(namespace=namespace, vector__isnull=False)
    for batch in batched(keys):
        stored = rows.filter(key__in=batch).values_list("key", "vector")
        found |= {key: to_vector(vector) for key, vector in stored if vector is not None}
    return found


def read_vectors_from(places: Mapping[str, Collection[str]]) -> dict[tuple[str, str], Vector]:
    """Of few keys in several namespaces, by both, with one question."""
    wanted = {(namespace, key) for namespace, keys in places.items() for key in keys}
    found: dict[tuple[str, str], Vector] = {}
    rows = StoredVector.objects.filter(namespace__in=list(places), vector__isnull=False)
    for batch in batched(sorted({key for _namespace, key in wanted})):
        stored = rows.filter(key__in=batch).values_list("namespace", "key", "vector")
        found |= {(name, key): to_vector(vector) for name, key, vector in stored if vector and (name, key) in wanted}
    return found


def read_keys(namespace: str, keys: Iterable[str]) -> list[str]:
    """Those of the keys that have a vector."""
    rows = StoredVector.objects.filter(namespace=namespace, vector__isnull=False)
    return [key for batch in batched(keys) for key in rows.filter(key__in=batch).values_list("key", flat=True)]


def list_keys(namespace: str) -> set[str]:
    """All that have a vector."""
    rows = StoredVector.objects.filter(namespace=namespace, vector__isnull=False)
    return set(rows.values_list("key", flat=True))


def read_dimension(namespace: str) -> int | None:
    rows = StoredVector.objects.filter(namespace=namespace, vector__isnull=False)
    vector = rows.values_list("vector", flat=True).first()
    return None if vector is None else len(to_vector(vector))


def write(namespace: str, rows: Collection[StoredVector]) -> None:
    """Replace the rows of the same keys, under new numbers. In a transaction that holds the namespace."""
    for batch in batched(rows):
        StoredVector.objects.filter(namespace=namespace, key__in=[row.key for row in batch]).delete()
        StoredVector.objects.bulk_create(batch)


def sweep_traces(namespace: str) -> None:
    """Remove the traces of deleted vectors where they are many."""
    traces = StoredVector.objects.filter(namespace=namespace, vector__isnull=True)
    if traces.count() > MOST_TRACES:
        traces.delete()
        write(namespace, [StoredVector(namespace=namespace, key=RESTART)])


def hold(namespace: str) -> None:
    """Let no other transaction number rows of this namespace until the current one has ended.

    Otherwise a later number might be visible before an earlier one, which a reader would then never see. SQLite has one
    writer at a time as it is.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"vectors:{namespace}"])


def is_in_transaction() -> bool:
    return connection.in_atomic_block or not connection.get_autocommit()


def to_vector(blob: bytes | memoryview) -> Vector:
    return np.frombuffer(blob, dtype="<f4")


def to_blob(vector: Vector) -> bytes:
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()
