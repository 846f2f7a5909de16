"""Full text: words in any order, found in one namespace or several, by whichever engine the database has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from django.db import connection, transaction
from django.utils.module_loading import import_string

from xiajiao.fulltext.base import BaseTextIndex
from xiajiao.fulltext.searching import CANDIDATES, Namespaces, Narrowed, TextHit, find_texts, names_of
from xiajiao.fulltext.terms import characters, terms
from xiajiao.models import IndexedText

__all__ = [
    "CANDIDATES",
    "Namespaces",
    "Narrowed",
    "TextHit",
    "drop",
    "index",
    "index_terms",
    "list_keys",
    "names_of",
    "read_terms",
    "remove",
    "search",
    "terms",
    "tidy",
]

BACKENDS = {
    "sqlite": "xiajiao.fulltext.sqlite.SQLiteTextIndex",
    "postgresql": "xiajiao.fulltext.postgres.PostgresTextIndex",
}


@lru_cache
def engine(vendor: str) -> BaseTextIndex:
    backend: BaseTextIndex = import_string(BACKENDS[vendor])()
    return backend


@transaction.atomic
def index(namespace: str, texts: Mapping[str, str]) -> None:
    """Insert or replace the texts of these keys, in the caller's transaction."""
    index_terms(namespace, {key: read_terms(text) for key, text in texts.items()})


def read_terms(text: str) -> str:
    """What it is found by. Of many texts this takes longer than to write it: do it before the transaction."""
    return " ".join([*terms(text), *characters(text)])


@transaction.atomic
def index_terms(namespace: str, prepared: Mapping[str, str]) -> None:
    """The same as `index`, of terms that were read before."""
    engine(connection.vendor).replace(namespace, prepared)


@transaction.atomic
def remove(namespace: str, keys: Collection[str]) -> None:
    engine(connection.vendor).remove(namespace, keys)


@transaction.atomic
def drop(namespace: str) -> None:
    """Remove all of a namespace."""
    engine(connection.vendor).remove(namespace, None)


def tidy() -> None:
    """Leave nothing of removed texts in the index's own files; outside a transaction."""
    engine(connection.vendor).tidy()


def list_keys(namespace: str) -> set[str]:
    """Of all texts in it."""
    return set(IndexedText.objects.filter(namespace=namespace).values_list("key", flat=True))


def search(namespaces: Namespaces, query: str, top_k: int) -> list[TextHit]:
    """The best first, at most `top_k`; `Namespaces` may name or choose the keys that count.

    Any text is a query; one without letters or digits finds nothing.
    """
    return find_texts(engine(connection.vendor), namespaces, query, top_k)
