"""A knowledge base of the house: what its rows must say at any moment, and what must stand in it in the end."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge.chunking import Cut, chunk
from knowledge.namespaces import chunk_namespace
from knowledge.parsing import parse
from tests.crash.house import House
from xiajiao.runners import is_gone

SIZE, OVERLAP, PARENT_SIZE = 64, 8, 256
# Seconds in which a job whose worker died is taken up by another one: a worker starts, and beat sweeps.
TAKEN_UP = 60.0
STATES = """
SELECT d.id, d.state, d.stage, d.done, d.total, d.chunk_count, d.claim,
       coalesce(s.state, ''), coalesce(s.done, 0), coalesce(s.total, 0), coalesce(s.claim, ''),
       (SELECT count(*) FROM knowledge_chunk c WHERE c.document_id = d.id),
       (SELECT count(*) FROM knowledge_chunk c WHERE c.document_id = d.id AND c.embedded_with <> ''),
       (SELECT count(*) FROM xiajiao_indexedtext t JOIN knowledge_chunk c ON t.key = CAST(c.id AS varchar(20))
        WHERE t.namespace = ? AND c.document_id = d.id)
FROM knowledge_document d LEFT JOIN knowledge_semanticindex s ON s.document_id = d.id
WHERE d.base_id = ? AND d.id > ?
"""


@dataclass(frozen=True)
class Row:
    """A document and its semantic index at one moment, with what stands beside them."""

    id: int
    state: str
    stage: str
    done: int
    total: int
    chunk_count: int
    claim: str
    meaning: str
    embedded: int
    to_embed: int
    embedding_claim: str
    chunks: int
    vectors: int
    texts: int

    @property
    def is_settled(self) -> bool:
        return self.state == "ready" and self.meaning == "ready"

    @property
    def claims(self) -> list[str]:
        return [claim for claim in (self.claim, self.embedding_claim) if claim]

    def lies(self) -> list[str]:
        """What the page would say that is not so."""
        said = {
            "ready, and nothing to find": self.state == "ready" and not self.chunks,
            "found by half": self.chunk_count not in {0, self.chunks},
            "chunks that no word finds": self.chunks != self.texts,
            "more done than there is": 0 < self.total < self.done,
            "more vectors than chunks": self.embedded > self.to_embed,
            "vectors that are not there": self.embedded > self.vectors,
            "all vectors, and some lack": self.meaning == "ready" and self.vectors != self.chunks,
            "failed": "failed" in {self.state, self.meaning},
        }
        return [lie for lie, is_told in said.items() if is_told]


class Library:
    def __init__(self, house: House) -> None:
        self.house = house
        sizes = {"chunk_size": str(SIZE), "chunk_overlap": str(OVERLAP), "parent_size": str(PARENT_SIZE)}
        self.base = house.visitor.add_base("Library", embedder="openai", **sizes)
        self.namespace = chunk_namespace(self.base)
        # Of the documents of earlier rounds nothing is asked any more.
        self.last = 0
        # When a claim was first seen whose process was gone.
        self.dead: dict[str, float] = {}

    def add(self, files: dict[str, bytes]) -> None:
        for name, content in files.items():
            self.house.visitor.upload(self.base, name, content)

    def look(self, where: str) -> Sequence[Row]:
        """The rows as they are; fails where they lie, or where a dead worker's job is left lying."""
        rows = [Row(*row) for row in self.house.rows.ask(STATES, self.namespace, self.base, self.last)]
        lies = [(lie, row) for row in rows for lie in row.lies()]
        assert lies == [], f"{lies} ({where})"
        now = time.monotonic()
        claims = [claim for row in rows for claim in row.claims if is_gone(claim.partition("/")[0])]
        self.dead = {claim: self.dead.get(claim, now) for claim in claims}
        assert all(now - since < TAKEN_UP for since in self.dead.values()), f"nobody takes it up: {rows} ({where})"
        return rows

    def check(self, files: dict[str, bytes], where: str) -> None:
        """Each has exactly its chunks, each once, with one text and one vector; then the next round begins."""
        for name, content in files.items():
            question = "SELECT id FROM knowledge_document WHERE base_id = ? AND id > ? AND name = ?"
            [(pk,)] = self.house.rows.ask(question, self.base, self.last, name)
            question = "SELECT position, text FROM knowledge_chunk WHERE document_id = ? ORDER BY position, id"
            found = self.house.rows.ask(question, pk)
            assert found == list(enumerate(cut(name, content))), f"{name} ({where})"
        chunks = "SELECT CAST(c.id AS varchar(20)) FROM knowledge_chunk c JOIN knowledge_document d"
        chunks = f"{chunks} ON c.document_id = d.id WHERE d.base_id = ? ORDER BY 1"
        keys = self.house.rows.ask(chunks, self.base)
        texts = "SELECT key FROM xiajiao_indexedtext WHERE namespace = ? ORDER BY key"
        assert self.house.rows.ask(texts, self.namespace) == keys, where
        vectors = "SELECT key FROM xiajiao_storedvector WHERE namespace LIKE ? AND vector IS NOT NULL ORDER BY key"
        assert self.house.rows.ask(vectors, f"{self.namespace}@%") == keys, where
        [(self.last,)] = self.house.rows.ask("SELECT max(id) FROM knowledge_document WHERE base_id = ?", self.base)


def cut(name: str, content: bytes) -> list[str]:
    """The chunks that must come out."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        sections = parse(Path(file.name), name).sections
    parents = chunk(sections, Cut(SIZE, OVERLAP, PARENT_SIZE))
    return [piece.text for parent in parents for piece in parent.pieces]
