"""Reasons and remarks as a person reads them: what is the matter, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from knowledge.readers.limits import Limits
from knowledge.readers.reasons import Oddity, Reason

Text = str | Promise
MOST = Limits()


@dataclass(frozen=True)
class Words:
    what: Text
    next_step: Text


REASONS: dict[Reason, Words] = {
    Reason.ENCRYPTED: Words(
        _("The file opens with a password only."), _("Save it without the password, then upload it again.")
    ),
    Reason.NO_TEXT_LAYER: Words(
        _("The pages are pictures: there is no text in the file."),
        _("Run it through text recognition (OCR), then upload the result."),
    ),
    Reason.EMPTY: Words(_("There is nothing to read in the file."), _("Check that it is the right file.")),
    Reason.CORRUPT: Words(
        _("The file is damaged or cut off."),
        _("Open it in its own program and save it anew, or fetch it once more, then upload it again."),
    ),
    Reason.UNSUPPORTED: Words(
        _("Files of this kind can't be read."),
        _("Save it as PDF, DOCX, XLSX, PPTX, HTML or plain text, then upload that."),
    ),
    Reason.TOO_LARGE: Words(
        format_lazy(
            _(
                "The file is too large, or unpacks to too much: of one file at most {size} MB, {characters} characters"
                " of text, {rows} rows and {pages} pages are read."
            ),
            size=settings.KB_FILE_MAX_MB,
            characters=f"{MOST.characters:,}",
            rows=f"{MOST.rows:,}",
            pages=f"{MOST.pages:,}",
        ),
        _("Split it into smaller files, then upload those."),
    ),
    Reason.TOO_MANY_CHUNKS: Words(
        _("It would be cut into more than 50,000 chunks."),
        _("Choose larger chunks or fewer separators in the settings of the base, or split the file."),
    ),
    Reason.ENCODING_UNCERTAIN: Words(
        _("It can't be told in which encoding the text is written."),
        _("Choose the encoding, then try again; or save the file as UTF-8."),
    ),
    Reason.TIMED_OUT: Words(
        _("Reading the file took too long and was stopped."), _("Try again, or split it into smaller files.")
    ),
    Reason.STOPPED: Words(
        _("The system stopped the reading of the file, most likely for want of memory."),
        _("Try again when less is going on, or split the file."),
    ),
}

ODDITIES: dict[Oddity, Text] = {
    Oddity.PAGES_WITHOUT_TEXT: _("Some pages are pictures without text; they can't be searched."),
    Oddity.PAGES_DAMAGED: _("Some pages are damaged and were left out."),
    Oddity.BYTES_REPLACED: _("Some characters could not be read. If there are many, choose another encoding."),
    Oddity.ATTACHMENT_SKIPPED: _("Some attachments could not be read and were left out."),
    Oddity.OUTPUT_CUT: _("What some cells of the notebook printed is very long; its end was left out."),
    Oddity.PART_DAMAGED: _("A part of the file is damaged and was left out."),
}
