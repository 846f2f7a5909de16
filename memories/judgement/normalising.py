"""One spelling for texts that differ only in width, case, spacing or closing marks."""

import re
import unicodedata

SPACES = re.compile(r"\s+")
# A space between a Chinese character and anything else means nothing.
SPACE_AT_HAN = re.compile(r"(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])")
CLOSING = " .。!！;；,，、~～…"


def normalise(text: str) -> str:
    """NFKC, lower case, single spaces, none beside Chinese characters, no closing punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    spaced = SPACES.sub(" ", folded)
    return SPACE_AT_HAN.sub("", spaced).strip(CLOSING)
