"""Knowledge bases: what indexing costs beside the embedder, how soon a PDF is found, how long a search takes.

    python -m benchmarks.kb indexing [--chunks 2000]
    python -m benchmarks.kb pdf [--pages 200] [--rounds 3]
    python -m benchmarks.kb search [--chunks 100000] [--rounds 60] [--folder DIR]

`indexing`: documents of invented sentences in two languages through the pipeline of a worker (file, child that reads
it, chunks, full text, vectors in the database), and the same chunks' texts through the embedder alone, document by
document in turns, in one process. `pdf`: a file sent to a real server with a real worker, until words of its last page
are found; beside it PDFium alone, which takes the text out of the same file. `search`: the search of a turn, best six,
in one base whose vectors are mixtures of embedded sentences, as the texts are; beside it what one would write oneself:
FTS5 over the same terms, a float32 product in numpy over all vectors in memory, reciprocal rank fusion, in turns with
the same questions and vectors. Both leave out the query's own vector, which is measured apart. `--folder` keeps the
base for the next run.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

Figures = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["indexing", "pdf", "search"])
    parser.add_argument("--chunks", type=int, help="2,000 to index, 100,000 to search")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, help="3 PDFs, 60 questions")
    parser.add_argument("--folder", help="kept from one run to the next")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
        os.environ["XJ_BENCH_FOLDER"] = options.folder
    from benchmarks.installation import Installation

    with Installation("--says", "One.") as installation:
        from benchmarks import kb_indexing, kb_pdf, kb_search

        ways: Mapping[str, Callable[[], Figures]] = {
            "indexing": lambda: kb_indexing.measure(options.chunks or 2000),
            "pdf": lambda: kb_pdf.measure(installation, options.pages, options.rounds or 3),
            "search": lambda: kb_search.measure(options.chunks or 100_000, options.rounds or 60),
        }
        report(ways[options.what](), options.json)


def report(figures: Figures, as_json: bool) -> None:
    if as_json:
        print(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        print(f"{name:50} {value}")


if __name__ == "__main__":
    main()
