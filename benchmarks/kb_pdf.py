"""`pdf` of benchmarks/kb.py; Django is set up before this is imported."""

from __future__ import annotations

import http.client
import random
import time
from statistics import median
from typing import Any

import pypdfium2

from benchmarks.installation import Installation
from benchmarks.kb_texts import write_paragraph
from benchmarks.people import sign_in
from knowledge.models import Document, KnowledgeBase
from knowledge.namespaces import chunk_namespace
from tests.knowledge.zoo import pdf
from xiajiao import fulltext
from xiajiao.celery import app
from xiajiao.consumers import unserved_queues
from xiajiao.models import User
from xiajiao.supervisor.lineup import worker

LINES, WIDTH = 40, 80
LOOK = 0.05
BOUNDARY = "benchmark-of-xiajiao"


def measure(installation: Installation, pages: int, rounds: int) -> dict[str, Any]:
    installation.start(*worker().arguments)
    while unserved_queues(app):
        time.sleep(0.2)
    owner = User.objects.create(username="bench")
    base = KnowledgeBase.objects.create(name="Bench", owner=owner)
    cookie, times, bare, answered = sign_in(owner), [], [], []
    size = 0
    for number in range(rounds):
        content = write_pdf(random.Random(number), pages, f"Quillimax{number}")
        size = len(content)
        began = time.perf_counter()
        upload(installation.port, cookie, base.pk, content, f"{number}.pdf")
        answered.append(time.perf_counter() - began)
        while not fulltext.search([chunk_namespace(base.pk)], f"Quillimax{number}", 1):
            time.sleep(LOOK)
        times.append(time.perf_counter() - began)
        bare.append(read_alone(content))
    return {
        "pages, megabytes of a file": f"{pages}, {size / 1e6:.1f}",
        "chunks of a file": Document.objects.filter(base=base).latest("pk").chunk_count,
        "upload answered, s (median, slowest)": show(answered),
        "upload until found by its words, s": show(times),
        "PDFium alone, s": show(bare),
        "ratio of the medians": round(median(times) / median(bare), 1),
    }


def show(seconds: list[float]) -> str:
    return f"{median(seconds):.2f}  {max(seconds):.2f}"


def write_pdf(chooser: random.Random, pages: int, marker: str) -> bytes:
    """Full pages, English and Chinese; the marker stands on the last."""
    texts = []
    for number in range(1, pages + 1):
        lines = [write_paragraph(chooser, WIDTH)[:WIDTH] for _line in range(LINES)]
        texts.append("\n".join([*lines, marker if number == pages else f"Page {number}"]))
    return pdf(texts)


def upload(port: int, cookie: str, base_id: int, content: bytes, name: str) -> None:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    body = f"{head}Content-Type: application/pdf\r\n\r\n".encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
    headers = {"Cookie": cookie, "X-CSRFToken": "a" * 32, "Host": "localhost"}
    headers["Content-Type"] = f"multipart/form-data; boundary={BOUNDARY}"
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", f"/knowledge/{base_id}/files/", body, headers)
    response = connection.getresponse()
    response.read()
    assert response.status == 302, response.status
    connection.close()


def read_alone(content: bytes) -> float:
    began = time.perf_counter()
    with pypdfium2.PdfDocument(content) as document:
        for page in document:
            page.get_textpage().get_text_range()
    return time.perf_counter() - began
