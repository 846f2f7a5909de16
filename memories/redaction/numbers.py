"""Numbers with a checksum: Chinese identity numbers and bank cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from stdnum import luhn
from stdnum.cn import ric
from stdnum.exceptions import ValidationError

from memories.models.secrets import SecretKind
from memories.redaction.secret import Secret

DIGIT = r"[ \-]?[0-9]"
NO_NUMBER_BEFORE = r"(?<![0-9])(?<![0-9][.,])"
# Place, day of birth, order, check digit. Looked for at each beginning of a number: one may stand before another.
IDENTITY = re.compile(
    rf"{NO_NUMBER_BEFORE}(?=([1-9]{DIGIT}{{5}}[ \-]?(?:1[ \-]?[89]|2[ \-]?0){DIGIT}{{2}}[ \-]?[01]{DIGIT}"
    rf"[ \-]?[0-3]{DIGIT}{DIGIT}{{3}}[ \-]?[0-9Xx])(?![0-9A-Za-z]))"
)
# The old form has no check digit: only where it is called so.
CALLED_IDENTITY = re.compile(
    r"(?:身份证|身份證|(?i:identity|(?<![a-z])id)[ ](?i:card|number|no\b))[^0-9\n]{0,12}"
    rf"([1-9]{DIGIT}{{7}}[ \-]?[01]{DIGIT}[ \-]?[0-3]{DIGIT}{DIGIT}{{3}})(?![0-9])"
)
CARD = re.compile(
    rf"(?<![0-9A-Za-z_/#]){NO_NUMBER_BEFORE}(?=("
    r"[0-9]{13,19}|[0-9]{4}(?:[ \-]{1,3}[0-9]{4}){2,3}(?:[ \-]{1,3}[0-9]{1,4})?"
    r"|[0-9]{4}[ \-][0-9]{6}[ \-][0-9]{4,5}|[0-9]{6}[ \-][0-9]{7,13})(?![0-9A-Za-z_])(?![.,][0-9]))"
)
# Issuers' ranges and the lengths of their numbers (ISO/IEC 7812 as the networks publish them). The last but one line:
# debit cards of Chinese banks that are older than UnionPay's 62.
RANGES = (
    (re.compile(r"62|81[0-7]"), range(16, 20)),
    (re.compile(r"4"), (16, 19)),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"35(?:2[89]|[3-8])"), range(16, 20)),
    (re.compile(r"6011|64[4-9]|65"), range(16, 20)),
    (re.compile(r"30[0-5]|36|3[89]"), (14, 16)),
    (re.compile(r"220[0-4]"), range(16, 20)),
    (re.compile(r"6304|6759|676[1-3]"), range(16, 20)),
    (re.compile(r"9558|9559|601428|405512|603367"), range(16, 20)),
)
# Visa's of thirteen digits look like the bar codes of goods: only where they are called cards.
OLD_VISA, CALLED_CARD = re.compile(r"4[0-9]{12}"), re.compile(r"卡|(?i:card|visa|debit|credit)")
OTHER_NUMBER = re.compile(
    r"(?:(?:订单|訂單|运单|快递|物流|单|流水|编|批次|序列|发票|条码|条形码|版本|会话|消息|群|追踪)(?:号码?|編號)?"
    r"|(?i:order|tracking|parcel|invoice|transaction|serial|ticket|request|trace|message|build|isbn|imei|barcode|\bid|uid)"
    r"(?:[ ](?i:no\.?|number|id|code))?)[ ]?(?:是|为|(?i:is|was))?[ :#=\"]{0,3}$"
)
BEFORE = 30


def find_identity_numbers(text: str) -> Iterator[Secret]:
    """`text` is folded."""
    for found in IDENTITY.finditer(text):
        if is_identity_number(compact(found[1])):
            yield Secret(SecretKind.IDENTITY_NUMBER, *found.span(1))
    for found in CALLED_IDENTITY.finditer(text):
        if is_date(f"19{compact(found[1])[6:12]}"):
            yield Secret(SecretKind.IDENTITY_NUMBER, *found.span(1))


def find_bank_cards(text: str) -> Iterator[Secret]:
    """`text` is folded."""
    for found in CARD.finditer(text):
        before = text[max(0, found.start(1) - BEFORE) : found.start(1)]
        if is_card(compact(found[1]), before):
            yield Secret(SecretKind.BANK_CARD, *found.span(1))


def compact(number: str) -> str:
    return number.replace(" ", "").replace("-", "").upper()


def is_identity_number(number: str) -> bool:
    """The checksum of ISO 7064, and a day that there was. Places are not looked at: they come and go."""
    if not is_date(number[6:14]):
        return False
    return ric.calc_check_digit(number) == number[-1]


def is_date(digits: str) -> bool:
    try:
        datetime.strptime(digits, "%Y%m%d")
    except ValueError:
        return False
    return True


def is_card(number: str, before: str) -> bool:
    if not 13 <= len(number) <= 19 or OTHER_NUMBER.search(before):
        return False
    is_known = any(prefix.match(number) and len(number) in lengths for prefix, lengths in RANGES)
    if not is_known and not (OLD_VISA.fullmatch(number) and CALLED_CARD.search(before)):
        return False
    return is_luhn(number)


def is_luhn(number: str) -> bool:
    try:
        luhn.validate(number)
    except ValidationError:
        return False
    return len(set(number)) > 1
