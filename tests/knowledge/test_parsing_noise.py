"""No bytes make the reader hang, or the caller see anything but sections or a ParseError."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from knowledge.parsing import Limits, ParseError, parse
from knowledge.readers import formats
from knowledge.readers.limits import MEGABYTE
from knowledge.readers.reading import Reading
from tests.knowledge import zoo
from tests.knowledge.reading import parsed

ENDINGS = "txt md csv tsv json jsonl log py html pdf docx pptx xlsx xls ods epub ipynb eml zip".split()
SMALL = Limits(seconds=60, memory=700 * MEGABYTE)
# Beginnings that lead a file to each of the readers of text.
STARTS = [
    b"",
    b"<!doctype html>",
    b"%PDF-1.7\n",
    b"From: a\nTo: b\nSubject: c\n",
    b'{"nbformat": 4, "cells": ',
    b"a,b\n",
]
MAKERS: dict[str, Callable[[], bytes]] = {
    "a.pdf": lambda: zoo.pdf(["虾饺", "two"], {1: "甲"}),
    "a.docx": zoo.word,
    "a.pptx": zoo.slides,
    "a.xlsx": zoo.workbook,
    "a.xls": zoo.old_workbook,
    "a.ods": zoo.open_workbook,
    "a.epub": zoo.book,
    "a.eml": zoo.letter,
}


@given(st.sampled_from(STARTS), st.binary(max_size=2000), st.sampled_from(ENDINGS))
@settings(max_examples=400, deadline=None)
@example(b"", b"\xd6\xaa", "txt")
@example(b"", b"\xff\xfe\x00", "csv")
@example(b"", b"[" * 5000, "json")
@example(b"", b'{"cells": 3}', "ipynb")
@example(b"", b"<table><tr><td rowspan=99999999999>" * 50, "html")
@example(b"", b"<div>" * 400, "html")
@example(b"", b"<!---->" * 1100 + b"<x", "html")
@example(b"", b'"' * 1000, "csv")
@example(b"", b"Subject: =?utf-8?q?=ff?=\nContent-Type: multipart/mixed; boundary=\n\n--\n", "eml")
def test_noise_is_read_or_refused(start: bytes, content: bytes, ending: str) -> None:
    assert reads_or_refuses(start + content, f"noise.{ending}")


@given(st.text(max_size=500), st.sampled_from(["txt", "md", "csv", "html", "json", "eml", "ipynb"]))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str, ending: str) -> None:
    assert reads_or_refuses(text.encode("utf-8", "surrogatepass"), f"text.{ending}")


def reads_or_refuses(content: bytes, name: str) -> bool:
    """In this process, where a reader's own failure shows as what it is; the child would say `corrupt`."""
    try:
        for section in formats.read(Reading(name, content)):
            assert isinstance(section.text, str)
    except ParseError:
        pass
    return True


@pytest.mark.parametrize("name", MAKERS)
def test_damaged_documents_are_read_or_refused(name: str) -> None:
    """Whatever is overwritten, cut out or doubled: in the child, since the libraries are in C and Rust."""
    whole, dice = MAKERS[name](), random.Random(name)
    for _ in range(12):
        damaged = bytearray(whole)
        for _ in range(dice.randint(1, 20)):
            at = dice.randrange(len(damaged))
            damaged[at : at + dice.randint(0, 8)] = dice.randbytes(dice.randint(0, 8))
        assert outcome(bytes(damaged), name) != "timed_out"


def outcome(content: bytes, name: str) -> str:
    try:
        return str(bool(parsed(content, name, SMALL).sections))
    except ParseError as error:
        return str(error.code)


@given(st.text(alphabet=st.characters(), max_size=300))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_name_will_do(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    path = tmp_path_factory.getbasetemp() / "named"
    path.write_bytes(b"dumpling")

    assert parse(path, name).sections[0].text == "dumpling"
