"""What a file is: by its content first, then by its name."""

from __future__ import annotations

import re

from knowledge.readers.packages import told
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason
from xiajiao.zips import open_zip

# First bytes of what can't be read, and what a person calls it.
FOREIGN = (
    (b"{\\rtf", "rtf"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!", "rar"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x89PNG", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"II*\0", "picture"),
    (b"MM\0*", "picture"),
    (b"RIFF", "picture or sound"),
    (b"ID3", "sound"),
    (b"OggS", "sound"),
    (b"fLaC", "sound"),
    (b"\x7fELF", "program"),
    (b"MZ\x90", "program"),
    (b"SQLite format 3\0", "database"),
)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Names of streams in an OLE file that say what it is; the first that is found counts.
STREAMS = (
    ("EncryptedPackage", "encrypted"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
    ("__properties_version1.0", "msg"),
)
CODE = set(
    "py pyi js mjs cjs ts tsx jsx vue svelte java kt kts scala groovy go rs c h cc cpp cxx hpp hh m mm swift cs fs vb"
    " rb php pl pm lua r jl dart ex exs erl hrl hs clj sql sh bash zsh fish ps1 bat cmd css scss sass less xml xsd xsl"
    " yaml yml toml ini cfg conf properties gradle cmake makefile dockerfile tf proto graphql tex bib diff patch asm s"
    " f90 pas".split()
)
BY_ENDING = {
    **dict.fromkeys(("csv", "tsv", "tab", "xls", "xlsx", "ods"), "csv"),
    **dict.fromkeys(("md", "markdown", "mdown"), "markdown"),
    **dict.fromkeys(("json", "geojson"), "json"),
    **dict.fromkeys(("jsonl", "ndjson"), "jsonl"),
    **dict.fromkeys(("html", "htm", "xhtml"), "html"),
}
# What comments hold is passed over for good, or a page of nothing but comments would be tried in every way.
HTML_START = re.compile(
    r"\s*(<\?xml[^>]{0,200}>\s*)?(?>(?:<!--.*?-->\s*)*)<(!doctype\s+html|html|head|body)\b", re.I | re.S
)
TAG = re.compile(r"<(p|div|table|h[1-6]|ul|span|br)\b[^>]{0,500}>", re.I)
MAIL_START = re.compile(rb"(?:[A-Za-z][A-Za-z0-9-]{1,60}:[^\r\n]{0,2000}\r?\n(?:[ \t][^\r\n]{0,2000}\r?\n){0,60}){3}")
MAIL_HEADER = re.compile(rb"^(received|message-id|mime-version|return-path|from):", re.I | re.M)
NOTEBOOK = re.compile(r'"nbformat"\s*:')


def kind_of(reading: Reading) -> str:
    """The name of its reader in formats.READERS, or `zip`.

    Raises ParseError `empty`, `encrypted`, `unsupported`, or `corrupt` for what only looks like a zip file.
    """
    head = reading.head(8192)
    if reading.is_hollow():
        raise ParseError(Reason.EMPTY, f"{reading.size()} bytes, none of them a letter")
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return kind_of_zip(reading)
    if head.startswith(OLE):
        return kind_of_ole(reading)
    raise_if_foreign(head)
    return kind_of_text(reading, head)


def raise_if_foreign(head: bytes) -> None:
    """Some of the marks are words, with which a text may begin; the files that they mark hold zeros, too."""
    for start, name in FOREIGN:
        if head.startswith(start) and (b"\0" in head or not start.isascii() or name == "rtf"):
            raise ParseError(Reason.UNSUPPORTED, name)
    if head[4:8] == b"ftyp" and b"\0" in head:
        raise ParseError(Reason.UNSUPPORTED, "video")


def kind_of_zip(reading: Reading) -> str:
    with reading.open() as file, told(), open_zip(file, reading.limits.members) as package:
        return kind_of_members(package.namelist())


def kind_of_members(names: list[str]) -> str:
    known = set(names)
    if "[Content_Types].xml" in known:
        for folder, kind in (("word/", "docx"), ("ppt/", "pptx"), ("xl/", "workbook")):
            if any(name.startswith(folder) for name in names):
                return kind
    if "META-INF/container.xml" in known:
        return "epub"
    if "content.xml" in known and "META-INF/manifest.xml" in known:
        return "ods"
    return "zip"


def kind_of_ole(reading: Reading) -> str:
    """Old Office files, and new ones that are locked, which are an old one around the cipher."""
    found = next((kind for name, kind in STREAMS if reading.holds(name.encode("utf-16-le"))), "")
    if found == "encrypted":
        raise ParseError(Reason.ENCRYPTED, "an Office document with a password")
    if found != "xls":
        raise ParseError(Reason.UNSUPPORTED, found or "ole")
    return "workbook"


def kind_of_text(reading: Reading, head: bytes) -> str:
    """Of files that have no mark of their own; that they are no text at all is found when they are decoded."""
    ending = reading.ending
    text = head.decode("latin-1").lstrip("\xef\xbb\xbf")
    if HTML_START.match(text) or (ending in {"html", "htm", "xhtml", "xls", "pdf", "doc", "docx"} and TAG.search(text)):
        return "html"
    if ending == "ipynb" or (ending == "json" and NOTEBOOK.search(text)):
        return "notebook"
    if ending == "eml" or (ending in {"", "msg", "mht"} and MAIL_START.match(head) and MAIL_HEADER.search(head)):
        return "mail"
    if ending in CODE or reading.name.lower() in CODE:
        return "code"
    return BY_ENDING.get(ending, "plain")
