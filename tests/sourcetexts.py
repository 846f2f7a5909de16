"""Every text of the interface as it stands in the sources, found without gettext's own programs."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.extract import extract
from django.conf import settings
from django.utils.translation.template import templatize

Text = tuple[str, str]  # msgctxt (empty where there is none), msgid
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
FOLDERS = ("xiajiao", "memories", "knowledge", "chat")


def find_texts() -> dict[Text, str]:
    """The texts, and the file in which each was found first."""
    texts: dict[Text, str] = {}
    for name, source in read_sources():
        for _line, message, _comments, context in extract("python", BytesIO(source.encode()), keywords=KEYWORDS):
            msgid = message if isinstance(message, str) else message[0]
            if msgid:
                texts.setdefault((context or "", msgid), name)
    return texts


def read_sources() -> Iterator[tuple[str, str]]:
    root: Path = settings.BASE_DIR
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
    for path in sorted((root / "templates").rglob("*.*")):
        name = path.relative_to(root).as_posix()
        calls = templatize(path.read_text(encoding="utf-8"), origin=name)
        # What is no text is blotted out but keeps its indentation, at which Python's tokenizer would stumble.
        yield name, "\n".join(line.strip() for line in calls.splitlines())
