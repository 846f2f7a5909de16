"""The embedded vector store beside a plain float32 product in numpy, in one process and one run.

    python -m benchmarks.vectors [--sizes 10000 100000] [--dimension 384] [--queries 100] [--vectors file.npy]

What counts are the ratios and the recall; the milliseconds depend on the machine. The vectors are themes with noise,
crowded as sentence vectors are, unless a file of real ones, (n, dim) float32, is given.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A folder of its own always: nobody's data is to be searched, or filled.
FOLDER = tempfile.TemporaryDirectory(prefix="xj-bench-")
os.environ["XIAJIAO_DATA"] = FOLDER.name
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xiajiao.settings")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import django
import numpy as np
from numpy.typing import NDArray

django.setup()

from django.core.management import call_command

from xiajiao.vectorstores.database import DatabaseVectorStore

Matrix = NDArray[np.float32]
TOP = 10


def make_vectors(count: int, dimension: int, chooser: np.random.Generator) -> Matrix:
    common = chooser.standard_normal(dimension) * 2
    themes = chooser.standard_normal((max(count // 50, 1), dimension))
    noise = chooser.standard_normal((count, dimension), dtype=np.float32)
    return normalise(common + themes[chooser.integers(0, len(themes), count)] + noise)


def normalise(vectors: NDArray[np.floating]) -> Matrix:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def find_by_brute_force(vectors: Matrix, query: Matrix) -> list[int]:
    scores = vectors @ query
    best = np.argpartition(-scores, TOP)[:TOP]
    return [int(row) for row in best[np.argsort(-scores[best])]]


def measure(answer: Callable[[Matrix], object], queries: Matrix) -> float:
    """Median milliseconds a query."""
    times = []
    for query in queries:
        start = time.perf_counter()
        answer(query)
        times.append(time.perf_counter() - start)
    return float(np.median(times)) * 1000


def compare(vectors: Matrix, queries: Matrix) -> None:
    count, store = len(vectors), DatabaseVectorStore()
    start = time.perf_counter()
    for at in range(0, count, 5000):
        store.upsert("bench", {str(row): vectors[row] for row in range(at, min(at + 5000, count))})
    written = time.perf_counter() - start
    start = time.perf_counter()
    store.search("bench", queries[0], TOP)
    loaded = time.perf_counter() - start
    print(f"\n{count} x {vectors.shape[1]}: {written:.1f} s to write, {loaded:.2f} s for the first search")

    def search(query: Matrix) -> list[int]:
        return [int(hit.key) for hit in store.search("bench", query, TOP)]

    for query in queries[:20]:
        search(query)
    found = sum(len({*find_by_brute_force(vectors, query)} & {*search(query)}) for query in queries)
    few = [str(row) for row in range(0, count, 100)]
    rows = np.arange(0, count, 100)
    plain = measure(lambda query: find_by_brute_force(vectors, query), queries)
    ours = measure(search, queries)
    plain_few = measure(lambda query: np.argsort(-(vectors[rows] @ query))[:TOP], queries)
    ours_few = measure(lambda query: store.search("bench", query, TOP, keys=few), queries)
    print(f"  all rows    numpy {plain:7.2f} ms   store {ours:7.2f} ms   ratio {ours / plain:5.2f}")
    print(f"  1 % by key  numpy {plain_few:7.2f} ms   store {ours_few:7.2f} ms   ratio {ours_few / plain_few:5.2f}")
    print(f"  recall@{TOP} {found / (TOP * len(queries)):.4f}; {describe(store)}")
    store.drop("bench")


def describe(store: DatabaseVectorStore) -> str:
    cache = store.caches["bench"]
    ready = cache.first_pass
    held = f"{cache.size / 1e6:.0f} MB in memory"
    return f"{held}, first pass hands on {ready.wanted}" if ready and ready.is_worthwhile else f"{held}, full product"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--vectors", type=Path)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    chooser = np.random.default_rng(7)
    for size in options.sizes:
        if options.vectors:
            vectors = normalise(np.load(options.vectors)[:size])
        else:
            vectors = make_vectors(size, options.dimension, chooser)
        noise = chooser.standard_normal((options.queries, vectors.shape[1])) / vectors.shape[1] ** 0.5 / 2
        compare(vectors, normalise(vectors[chooser.integers(0, len(vectors), options.queries)] + noise))


if __name__ == "__main__":
    main()
