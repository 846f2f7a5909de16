"""Files to text: `parse` reads one in a child process that can be killed; `extract` takes an archive apart."""

from knowledge.parsing.archives import Member, extract
from knowledge.parsing.parsed import Parsed
from knowledge.parsing.running import parse
from knowledge.parsing.weighing import is_too_much_text
from knowledge.readers.encodings import ENCODINGS
from knowledge.readers.limits import Limits
from knowledge.readers.reasons import Oddity, ParseError, Reason, Remark
from knowledge.readers.sections import Section

__all__ = [
    "ENCODINGS",
    "Limits",
    "Member",
    "Oddity",
    "ParseError",
    "Parsed",
    "Reason",
    "Remark",
    "Section",
    "extract",
    "is_too_much_text",
    "parse",
]
