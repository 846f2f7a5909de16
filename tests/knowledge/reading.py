"""Parse bytes as an upload would be: written to a file whose name says nothing, and read in a child."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from knowledge.parsing import Limits, Parsed, ParseError, parse


def parsed(content: bytes, name: str, limits: Limits | None = None, encoding: str = "") -> Parsed:
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return parse(Path(file.name), name, limits, encoding)


def text_of(content: bytes, name: str, encoding: str = "") -> str:
    return "\n".join(section.text for section in parsed(content, name, encoding=encoding).sections)


def reason(content: bytes, name: str, limits: Limits | None = None) -> str:
    with pytest.raises(ParseError) as caught:
        parsed(content, name, limits)
    return str(caught.value.code)
