"""The engine's own index of `IndexedText`: an FTS5 table in SQLite, a column of lexemes in PostgreSQL."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# Without content, positions and sizes: the terms stand in xiajiao_indexedtext, and the score is made of those.
CREATE = {
    "sqlite": [
        "CREATE VIRTUAL TABLE xiajiao_fulltext USING fts5("
        "terms, content='', detail=none, columnsize=0, tokenize='unicode61 remove_diacritics 0')",
        "CREATE VIRTUAL TABLE xiajiao_fulltext_vocabulary USING fts5vocab('xiajiao_fulltext', 'row')",
    ],
    "postgresql": [
        "ALTER TABLE xiajiao_indexedtext ADD COLUMN lexemes tsvector",
        "CREATE INDEX xiajiao_fulltext ON xiajiao_indexedtext USING gin (lexemes)",
    ],
}
DROP = {
    "sqlite": ["DROP TABLE xiajiao_fulltext_vocabulary", "DROP TABLE xiajiao_fulltext"],
    "postgresql": ["DROP INDEX xiajiao_fulltext", "ALTER TABLE xiajiao_indexedtext DROP COLUMN lexemes"],
}


def create(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in CREATE[editor.connection.vendor]:
        editor.execute(statement)


def drop(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in DROP[editor.connection.vendor]:
        editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("xiajiao", "0002_stored_vectors_and_indexed_texts")]

    operations = [migrations.RunPython(create, drop)]
