"""Bytes to text: byte order mark, NUL bytes, strict UTF-8, what the file declares, and only then a guess."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from itertools import islice

import chardet

from knowledge.readers.reasons import ParseError, Reason

# What a person may choose from; each is a name that Python knows.
ENCODINGS: tuple[str, ...] = ("utf-8", "gb18030", "big5hkscs", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
ENCODINGS += ("cp932", "euc_jp", "cp949", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "koi8_r", "iso8859_15")
KNOWN = {codecs.lookup(name).name for name in (*ENCODINGS, "ascii", "gbk", "big5", "cp950", "euc_jis_2004")}
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# The fewer candidates, the better the guess: two characters of Big5 may be fine Japanese, too.
CHINESE = ("gb18030", "big5", "cp1252")
OTHERS = ("cp932", "euc_jis_2004", "cp949", "cp1250", "cp1251", "cp1253", "cp1254", "koi8-r")
# Bytes outside ASCII from which a guess among all candidates is worth more than one among the Chinese.
ENOUGH = 40
# What chardet calls it, and the wider encodings of the same family to try in turn.
FAMILIES = {
    "gb2312": ("gb18030",),
    "gbk": ("gb18030",),
    "big5": ("cp950", "big5hkscs"),
    "euc-jis-2004": ("euc_jp", "euc_jis_2004"),
    "euc-jp": ("euc_jp", "euc_jis_2004"),
    "euc-kr": ("cp949",),
    "windows-1252": ("cp1252", "iso8859_15"),
}
# The most bytes that chardet is shown.
SAMPLE = 1_000_000
LINES = 10_000
# One broken byte in so many that are no ASCII may be an accident of UTF-8; more are another encoding.
ACCIDENTS = 20
# More control bytes than this share belong to no text; fewer NUL bytes than this share are strays in UTF-8.
BINARY = 0.02
STRAY = 0.2
CONTROLS = bytes({*range(9), *range(14, 32)} - {27})
# What most characters of a text are, whatever its language; bytes of another kind read as UTF-16 are everything else.
ORDINARY = re.compile(
    r"[\t\n\r -~\u00a0-\u00ff\u0370-\u04ff\u2010-\u2026\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]"
)
ORDINARY_SHARE = 0.75
# The 3,755 characters of everyday, two bytes each; two or three of them and nothing else are hardly Big5 by chance.
COMMON_GBK = re.compile(rb"(?:[\xb0-\xd7][\xa1-\xfe])+")
OUTSIDE = re.compile(rb"[\x80-\xff]+")
FEW = 8
# Bytes; a longer text that is sound UTF-8 is UTF-8.
SHORT = 4000
ASCII = bytes(range(128))
# Encodings of languages that write most of their letters in ASCII.
LATIN = {"cp1252", "cp1250", "cp1254", "iso8859_15"}


@dataclass(frozen=True)
class Decoded:
    """Text, how it was read, whether that is a guess, and how many bytes had to be replaced."""

    text: str
    encoding: str
    is_guess: bool = False
    replaced: int = 0


def decode(content: bytes, chosen: str = "", declared: str = "") -> Decoded:
    """The text of a file; `chosen` is a person's word, `declared` the file's own (a charset in HTML).

    Raises ParseError `encoding_uncertain` where nothing fits, `unsupported` for what is no text.
    """
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return lenient(content[len(mark) :], chosen or encoding)
    if chosen:
        return lenient(content, chosen)
    if b"\0" in content:
        return decode_with_nulls(content)
    if is_binary(content):
        raise ParseError(Reason.UNSUPPORTED, "control bytes: no text")
    decoded = decode_utf8(content)
    return decoded or decode_declared(content, declared) or guess(content)


def lenient(content: bytes, encoding: str) -> Decoded:
    """By this encoding, whatever it costs; the replaced are counted."""
    if not is_known(encoding):
        raise ParseError(Reason.ENCODING_UNCERTAIN, f"unknown encoding {encoding[:40]}")
    text = content.decode(encoding, "replace")
    return Decoded(text, encoding, replaced=count_replaced(text, content, encoding))


def count_replaced(text: str, content: bytes, encoding: str) -> int:
    """How many signs of replacement were not in the content from the start."""
    original = "\ufffd".encode(encoding, "ignore")
    return max(0, text.count("\ufffd") - (content.count(original) if original else 0))


def is_known(encoding: str) -> bool:
    """Whether it is a text encoding of this Python; `base64` and `idna` are none."""
    try:
        return codecs.lookup(encoding).name in KNOWN
    except (LookupError, ValueError):
        return False


def decode_with_nulls(content: bytes) -> Decoded:
    """Text with a few stray NUL bytes, which are dropped, or UTF-16 or UTF-32 without a mark."""
    without = content.replace(b"\0", b"")
    if content.count(0) < len(content) * STRAY and (decoded := decode_utf8(without)) and not is_binary(content):
        return decoded
    for encoding in likely_wide(content):
        text = content.decode(encoding, "replace")
        if is_ordinary(text):
            return Decoded(text, encoding, is_guess=True, replaced=text.count("\ufffd"))
    if is_binary(content):
        raise ParseError(Reason.UNSUPPORTED, "NUL bytes: no text")
    return guess(without)


def is_binary(content: bytes) -> bool:
    """By its control bytes, of which text has next to none."""
    sample = content[:SAMPLE]
    return len(sample) - len(sample.translate(None, CONTROLS)) > len(sample) * BINARY + 3


def likely_wide(content: bytes) -> list[str]:
    """The wide encodings whose zeros stand where these do: in UTF-16 of ASCII every second byte."""
    sample = content[:65_536]
    quarters = [sample[start::4].count(0) * 4 / len(sample) for start in range(4)]
    if len(content) % 4 == 0 and quarters[2] + quarters[3] > 1.9:
        return ["utf-32-le"]
    if len(content) % 4 == 0 and quarters[0] + quarters[1] > 1.9:
        return ["utf-32-be"]
    even, odd = quarters[0] + quarters[2], quarters[1] + quarters[3]
    if len(content) % 2 or abs(even - odd) < BINARY:
        return []
    return ["utf-16-le"] if odd > even else ["utf-16-be"]


def decode_utf8(content: bytes) -> Decoded | None:
    """Strictly; or with its cut last character or a few accidents replaced, and counted."""
    try:
        text = content.decode("utf-8")
        if len(content) < SHORT and not text.isascii() and is_rather_gbk(outside(content)):
            return None
        return Decoded(text, "ascii" if text.isascii() else "utf-8")
    except UnicodeDecodeError as error:
        text = content.decode("utf-8", "replace")
        replaced = count_replaced(text, content, "utf-8")
        good = len(text) - len(text.encode("ascii", "ignore")) - replaced
        is_cut = error.reason == "unexpected end of data" and replaced == 1 and good > 1
    return Decoded(text, "utf-8", replaced=replaced) if is_cut or good >= replaced * ACCIDENTS else None


def is_rather_gbk(content: bytes) -> bool:
    """知识 and 联通 in GBK happen to be sound UTF-8, for characters that nobody writes."""
    return COMMON_GBK.fullmatch(content) is not None and not ORDINARY.search(content.decode("utf-8"))


def outside(content: bytes) -> bytes:
    """What of it is not ASCII."""
    return content.translate(None, ASCII)


def decode_declared(content: bytes, declared: str) -> Decoded | None:
    name = "gb18030" if declared.lower() in {"gb2312", "gbk"} else declared.lower()
    if not declared or not is_known(name):
        return None
    try:
        return Decoded(content.decode(name), name)
    except UnicodeDecodeError:
        return None


def guess(content: bytes) -> Decoded:
    """The most likely encoding by its lines that are not ASCII alone, which may come late in a large file."""
    family = likely_family(
        b"".join(islice((line for line in io.BytesIO(content) if not line.isascii()), LINES))[:SAMPLE]
    )
    for encoding in (*family, "gb18030", "cp950", "big5hkscs"):
        try:
            text = content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        if is_ordinary(text) and not (encoding in LATIN and is_mostly_outside(content)):
            return Decoded(text, codecs.lookup(encoding).name, is_guess=True)
    return with_accidents(content, family[0])


def likely_family(lines: bytes) -> tuple[str, ...]:
    """The encodings to try, by what chardet says; by how common the characters are where there are too few for it."""
    count = len(outside(lines))
    if count < FEW and all(map(COMMON_GBK.fullmatch, OUTSIDE.findall(lines))):
        return ("gb18030",)
    candidates = CHINESE + OTHERS if count >= ENOUGH else CHINESE
    answer = chardet.detect(lines, max_bytes=SAMPLE, include_encodings=candidates, no_match_encoding="cp1252")
    best = (answer["encoding"] or "cp1252").lower().replace("_", "-")
    return FAMILIES.get(best, (best,))


def is_mostly_outside(content: bytes) -> bool:
    """Whether more than half of a text that is long enough to say is not ASCII."""
    count = len(outside(content[:SAMPLE]))
    return count > ENOUGH and count * 2 > len(content[:SAMPLE])


def is_ordinary(text: str) -> bool:
    sample = text[:SAMPLE]
    return len(ORDINARY.sub("", sample)) < len(sample) * (1 - ORDINARY_SHARE)


def with_accidents(content: bytes, encoding: str) -> Decoded:
    """By the best guess, if it fits all but a few bytes: a file may be cut in the middle of a character."""
    if is_known(encoding):
        decoded = lenient(content, encoding)
        is_text = is_ordinary(decoded.text) and encoding not in LATIN
        if is_text and (decoded.replaced <= 1 or decoded.replaced * ACCIDENTS * 2 <= len(outside(content))):
            return Decoded(decoded.text, encoding, is_guess=True, replaced=decoded.replaced)
    raise ParseError(Reason.ENCODING_UNCERTAIN, f"no encoding fits; the nearest is {encoding}")
