"""How often a search brings what answers a question: by meaning alone, by words alone, and by both together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from knowledge.evaluation.sets import Evidence, Question
from knowledge.models import Chunk, KnowledgeBase
from knowledge.search import Found, search_chunks

DEPTHS = (1, 5, 10)
TOP_K = max(DEPTHS)
# So deep that the best of either side alone are all among what both together have brought.
WIDE = 100
DENSE, LEXICAL, HYBRID = "dense", "lexical", "hybrid"


class DegradedError(Exception):
    """The embedder failed or was too slow: what was measured would not be what is asked for."""


@dataclass
class Tally:
    """Sums over questions; of each question the share of its evidence that is found."""

    questions: int = 0
    found: dict[int, float] = field(default_factory=lambda: dict.fromkeys(DEPTHS, 0.0))
    reciprocal: float = 0.0

    def add(self, ranks: Sequence[int | None]) -> None:
        """`ranks` of the pieces of evidence, from 1; None: not among the best TOP_K."""
        self.questions += 1
        for depth in DEPTHS:
            self.found[depth] += sum(rank is not None and rank <= depth for rank in ranks) / len(ranks)
        self.reciprocal += max((1 / rank for rank in ranks if rank is not None), default=0.0)

    def rates(self) -> dict[str, float]:
        count = max(self.questions, 1)
        recalls = {f"recall@{depth}": round(found / count, 4) for depth, found in self.found.items()}
        return recalls | {"mrr": round(self.reciprocal / count, 4)}


def measure(base: KnowledgeBase, questions: Iterable[Question]) -> dict[str, Tally]:
    """By side. Raises DegradedError."""
    texts = read_texts(base)
    tallies = {side: Tally() for side in (DENSE, LEXICAL, HYBRID)}
    for question in questions:
        evidence = [settle(each, texts) for each in question.evidence]
        for side, found in search_by_sides(base, question.text).items():
            tallies[side].add([rank(each, found) for each in evidence])
    return tallies


def search_by_sides(base: KnowledgeBase, text: str) -> dict[str, Sequence[Found]]:
    """The best TOP_K of each. Raises DegradedError."""
    fused, wide = (search_chunks([base], text, top_k) for top_k in (TOP_K, WIDE))
    if fused.is_degraded or wide.is_degraded:
        raise DegradedError(f"The embedding model gave no vector for {text!r}.")
    dense = {each.hit.key: each.hit.dense_rank for each in wide.found if each.hit.dense_rank is not None}
    lexical = {each.hit.key: each.hit.lexical_rank for each in wide.found if each.hit.lexical_rank is not None}
    by_key = {each.hit.key: each for each in wide.found}
    return {
        DENSE: [by_key[key] for key in sorted(dense, key=dense.__getitem__)[:TOP_K]],
        LEXICAL: [by_key[key] for key in sorted(lexical, key=lexical.__getitem__)[:TOP_K]],
        HYBRID: fused.found,
    }


def read_texts(base: KnowledgeBase) -> Mapping[str, list[str]]:
    """The chunks' texts by the name of their document."""
    texts: dict[str, list[str]] = {}
    for name, text in Chunk.objects.filter(document__base=base).values_list("document__doc_id", "text"):
        texts.setdefault(name, []).append(squeeze(text))
    return texts


def settle(evidence: Evidence, texts: Mapping[str, list[str]]) -> Evidence:
    """Words that lie across a border of chunks are in none of them: then any chunk of the document counts."""
    words = squeeze(evidence.words)
    is_whole = any(words in text for text in texts.get(evidence.document, ()))
    return replace(evidence, words=words if is_whole else "")


def rank(evidence: Evidence, found: Sequence[Found]) -> int | None:
    for number, each in enumerate(found, 1):
        if each.chunk.document.doc_id == evidence.document and evidence.words in squeeze(each.chunk.text):
            return number
    return None


def squeeze(text: str) -> str:
    return "".join(text.split())
