"""Phone numbers, as Google's library reads them: Chinese ones, American ones as they are written, others with +."""

from __future__ import annotations

import re
from collections.abc import Iterator

from phonenumbers import Leniency, PhoneNumberMatcher

from memories.models.secrets import SecretKind
from memories.redaction.secret import Secret

# No phone number is so long, and the library reads such a run once for each of its digits.
LONG_RUN = re.compile(r"[0-9]{21,}")
REGIONS = (("CN", Leniency.VALID), ("US", Leniency.STRICT_GROUPING))
# Part of an address, or two years.
NO_NUMBER = re.compile(r"\(?[0-9]{4} ?- ?[0-9]{4}\)?")
AMERICAN = re.compile(r"\+?[0-9 ]{0,3}\(?[0-9]{3}\)?[ \-.]")


def find_phone_numbers(text: str) -> Iterator[Secret]:
    """`text` is folded."""
    text = LONG_RUN.sub(lambda found: "x" * len(found[0]), text)
    for region, leniency in REGIONS:
        for found in PhoneNumberMatcher(text, region, leniency):
            is_address = text[max(0, found.start - 1) : found.start] in {"/", "_", "="}
            if is_address or NO_NUMBER.fullmatch(found.raw_string):
                continue
            if region == "CN" or AMERICAN.match(found.raw_string):
                yield Secret(SecretKind.PHONE_NUMBER, found.start, found.end)
