"""Letters: who to whom about what, the text, and the attachments that can be read."""

from __future__ import annotations

from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser

from knowledge.readers import formats, html
from knowledge.readers.encodings import decode
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import Oddity, ParseError, Reason
from knowledge.readers.sections import Section, under

HEADERS = ("Subject", "From", "To", "Cc", "Date")


def read(reading: Reading) -> Iterator[Section]:
    """The letter under its subject; each attachment under the subject and its own name."""
    message = BytesParser(EmailMessage, policy=policy.default).parsebytes(reading.content())
    subject = header(message, "Subject") or reading.name
    head = [f"{name}: {header(message, name)}" for name in HEADERS if header(message, name)]
    yield Section("\n".join(head), (subject,))
    body = message.get_body(("plain", "html"))
    if isinstance(body, EmailMessage):
        yield from body_sections(body, (subject,))
    attachments = list(message.iter_attachments()) if message.is_multipart() else []
    for number, attachment in enumerate(attachments, 1):
        reading.progress("reading", number, len(attachments))
        yield from under((subject,), attached(attachment, reading, number))


def header(message: EmailMessage, name: str) -> str:
    """A header's text; broken ones make the parser itself fail."""
    try:
        return " ".join(str(message.get(name, "")).split())
    except (ValueError, TypeError, AttributeError, IndexError, MessageError):
        return ""


def body_sections(body: EmailMessage, path: tuple[str, ...]) -> Iterator[Section]:
    text = text_of(body)
    if body.get_content_type() == "text/html":
        yield from html.sections_of(text, path, is_page=False)
    else:
        yield Section(text.replace("\r\n", "\n"), path)


def text_of(part: EmailMessage) -> str:
    """By the ladder of all texts, with the part's own charset as what it declares: that is often wrong."""
    return decode(payload(part), declared=part.get_content_charset("") or "").text


def payload(part: EmailMessage) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def attached(part: EmailMessage, reading: Reading, number: int) -> Iterator[Section]:
    """An attachment by the reader of its kind; one that can't be read is remarked, the letter stands."""
    name = part.get_filename() or f"attachment {number}"
    if reading.depth >= reading.limits.depth:
        reading.remark(Oddity.ATTACHMENT_SKIPPED, name)
        return
    is_letter = part.get_content_type() == "message/rfc822"
    content = b"".join(bytes(inner) for inner in part.iter_parts()) if is_letter else payload(part)
    inner = reading.inner(name if not is_letter else f"{name}.eml", content)
    try:
        yield from under((name,), formats.read(inner))
    except ParseError as error:
        if error.code == Reason.TOO_LARGE:
            raise
        reading.remark(Oddity.ATTACHMENT_SKIPPED, f"{name}: {error.code}")
