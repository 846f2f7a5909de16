"""States, reasons and warnings of documents as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from django.utils.text import format_lazy
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from knowledge.indexing import CRASHED, GONE, NO_ROOM, OF_THE_WEB, ORPHANS, UNREADABLE
from knowledge.models import Document
from knowledge.parsing import Oddity, Reason
from knowledge.parsing.words import ODDITIES, REASONS, Text, Words
from knowledge.webpages.failures import WORDS, Failure

STAGES: Mapping[str, Text] = {
    "starting": _("starting"),
    "fetching": _("fetching the page"),
    "reading": _("reading"),
    "unpacking": _("unpacking"),
    "chunking": _("cutting into chunks"),
    "saving": _("saving"),
}
OURS: Mapping[str, Words] = {
    CRASHED: Words(
        _("Whatever read this file broke off several times."), _("Try again; or save it in another format.")
    ),
    GONE: Words(_("The original is no longer here."), _("Upload the file again.")),
    NO_ROOM: Words(_("The disk is full."), _("Make room on it, then try again.")),
    UNREADABLE: Words(
        _("The original can't be read from the disk."),
        _("Check the disk and the permissions of the data folder, then try again."),
    ),
}
KEPT = _("Some chunks of your own have no place in the file as it is now; they stand at the end.")
# The page of a document is where an encoding is chosen.
ENCODING_NAMES = {
    "utf-8": "UTF-8",
    "gb18030": "GB18030 (GBK)",
    "big5hkscs": "Big5",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
    "cp1252": "Windows-1252",
}


def explain_reason(document: Document) -> Words | None:
    """What is the matter, and what to do next; None where nothing is."""
    code = document.reason
    if code in OURS:
        return OURS[code]
    with suppress(ValueError):
        if code.startswith(OF_THE_WEB):
            return Words(WORDS[Failure(code.removeprefix(OF_THE_WEB))], "")
        return REASONS[Reason(code)]
    return None


def explain_warnings(document: Document) -> Iterator[Text]:
    for warning in document.warnings:
        oddity, detail = warning.get("oddity", ""), warning.get("detail", "")
        with suppress(ValueError):
            said = KEPT if oddity == ORPHANS else ODDITIES[Oddity(oddity)]
            yield format_lazy("{} ({})", said, detail) if detail else said


def say_stage(document: Document) -> str:
    """How far a running one is: `reading 3/12`."""
    if document.state == Document.State.QUEUED:
        return _t("waiting")
    stage = str(STAGES.get(document.stage, document.stage))
    if document.total:
        return f"{stage} {document.done}/{document.total}"
    return f"{stage} {document.done}" if document.done else stage


def name_encoding(encoding: str) -> str:
    return ENCODING_NAMES.get(encoding, encoding.replace("_", "-").upper())


OBSTACLES: Mapping[str, Text] = {
    "deleted": _("Its document is deleted."),
    "document_off": _("Its document is switched off. Switch it on."),
    "chunk_off": _("The chunk is switched off. Switch it on."),
    "embedder_down": _("The embedding model doesn't answer: words alone were searched."),
    "no_vector": _("It has no vector yet, so that words alone find it. Wait until the semantic index is done."),
    "other_model": _("Its vector was made by another model. Wait until it is embedded again."),
    "no_word": _("It holds none of the question's words."),
    "under_floor": _("It fits too little: its meaning is under the floor, and it holds too few of the words."),
}


def explain_obstacle(code: str) -> Text:
    return OBSTACLES.get(code, code)
