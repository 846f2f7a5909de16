"""Passwords, where somebody says that something is one, and those inside of connection strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memories.models.secrets import SecretKind
from memories.redaction.secret import Secret

WORD = r"[!#-&(-;=?-Z\\^-z|~]{3,128}"
VALUE = rf"(?:\"(?P<quoted>[^\"\n\0]{{3,100}})\"|'(?P<single>[^'\n\0]{{3,100}})'|(?P<bare>{WORD}))"
# What follows is looked at and not passed over: it may be the next statement.
ENGLISH = re.compile(
    r"(?i:password|passwd|passphrase|passcode|(?<![A-Za-z])(?:pwd|pin(?:[ ]code)?)(?![A-Za-z]))[\"'\])]{0,2}(?=(?P<sep>"
    r"(?:[ ](?i:for|of|to|on|at)[ ][^\n:=.,;\"]{1,40}?)?(?P<verb>[ \t]{0,3}(?:=>|:=|[:=])\s{0,3}"
    r"|[ ](?i:(?:is|was)(?:[ ](?:now|still|just|called))?"
    r"|(?:(?:is|was|has[ ]been)[ ])?(?:changed|set|reset)[ ]to|to)[ ])|[ ]{1,3})"
    rf"{VALUE})"
)
CHINESE = re.compile(
    r"(?:密码|密碼|口令|(?i:pin)码)(?:\([^)\n]{0,20}\))?"
    r"(?:我们?|你|他|她|也|还|都|就|现在|目前|已经?|刚|重新|被|给|设置?|設|修?改|换|更新|重置|统一|一直|仍然?|默认|初始){0,4}+"
    rf"(?=(?P<sep>(?P<verb>\s{{0,3}}(?:(?:是|为了?|為|叫|成了?|[:=])[ ]?){{1,2}}\s{{0,3}})|[ ]{{0,3}}){VALUE})"
)
# "hunter2 is my password", "hunter2是我的密码".
REVERSED = re.compile(
    r"(?<![!-~])(?P<bare>[!-~]{6,64}+)(?:"
    r"[ ](?i:is|was)[ ](?i:my|our|the|his|her|their|your)[ ](?:[A-Za-z\-]{1,20}[ ]){0,3}"
    r"(?i:password|passcode)(?![A-Za-z]|[ ](?i:manager|policy|reset|hash|vault|field))"
    r"|\s?(?:就?是|当|当作)(?:我们?|你|他|她|公司|家里?)的?[\u4e00-\u9fffA-Za-z\-]{0,6}?(?:密码|口令))"
)
# postgres://user:password@host; what stands before `://` need not be read.
CONNECTION = re.compile(r"://[^\s:/@?#\"'<>]{0,100}:(?P<bare>[^\s/@\"'<>\0]{1,200})@(?=[\w\[])")
# What a sentence says of a password, and not what it is.
SAID_OF_IT = set(
    "required optional none empty null nil unknown unset missing forgotten changed reset expired wrong incorrect"
    " invalid correct valid weak strong secret protected secure hidden encrypted hashed stored saved kept shared needed"
    " necessary true false yes not the and too also very set policy manager field here below above same different new"
    " old long short easy hard case-sensitive n/a tbd password passphrase"
    " 必填 选填 可选 空 无 错误 正确 未知 保密 你的密码".split()
)
# AES-256, SHA1, base64: how it is kept.
METHOD = re.compile(r"(?i:aes|des|rsa|sha|md|hmac|base|bcrypt|scrypt|argon|pbkdf|utf|gpg|pgp)-?\d*[\w\-]*")
PLACEHOLDER = re.compile(r"[<{$%\[(]|([*x•.\-_?X#])\1*$|(?i:your|my|example|xxx|changeme)[_\-]")
DATE = re.compile(r"(?:19|20)\d\d[-/.]\d{1,2}(?:[-/.]\d{1,2})?")
RANGE = re.compile(r"\d{1,3}[-~]\d{1,3}")
# Behind a number that counts something.
UNIT = re.compile(
    r"\s{0,2}(?:位|个|個|字|次|天|年|月|版|号|级|分钟|小时"
    r"|(?i:characters?|chars?|digits?|letters?|days?|times?|minutes?|hours?|years?)\b)"
)
CLAUSE_END = re.compile(r"\s*(?:$|[\n,.;。，；、!！?？)）]|\S{1,20}\s?[:=])")
SYMBOLS = set("!@#$%^&*_+=~|\\?")


def find_passwords(text: str) -> Iterator[Secret]:
    """`text` is folded."""
    for found in CONNECTION.finditer(text):
        if not PLACEHOLDER.match(found["bare"]):
            yield Secret(SecretKind.PASSWORD, *found.span("bare"))
    for pattern, is_chinese in ((ENGLISH, False), (CHINESE, True)):
        for found in pattern.finditer(text):
            span = read_value(text, found, is_chinese)
            if span is not None:
                yield Secret(SecretKind.PASSWORD, *span)
    for found in REVERSED.finditer(text):
        value = found["bare"].strip("\"'(),.:;")
        start = found.start("bare") + found["bare"].index(value)
        if len(value) >= 6 and is_mixed(value) and not METHOD.fullmatch(value):
            yield Secret(SecretKind.PASSWORD, start, start + len(value))


def read_value(text: str, found: re.Match[str], is_chinese: bool) -> tuple[int, int] | None:
    """Where the value of a statement stands; None where the sentence is about the password and doesn't say it."""
    verb = (found["verb"] or "").strip()
    for name in ("quoted", "single"):
        if found[name] is not None:
            return found.span(name) if verb and not is_no_value(found[name]) else None
    value = found["bare"].rstrip(".,;:)?'")
    end = found.start("bare") + len(value)
    if len(value) < 3 or is_no_value(value) or UNIT.match(text, end):
        return None
    return (found.start("bare"), end) if is_said(value, verb, is_chinese, text[end : end + 24]) else None


def is_said(value: str, verb: str, is_chinese: bool, rest: str) -> bool:
    """Whether the value is one, the less the words before it say so the more by its looks."""
    if not verb:
        return len(value) >= 6 and (is_mixed(value) or (value.isdigit() and is_chinese))
    if verb[-1] in ":=>":
        return is_unusual(value) or CLAUSE_END.match(rest) is not None
    if is_chinese:
        return is_unusual(value) or value.isalpha()
    return is_mixed(value) if verb.lower() == "to" else is_unusual(value)


def is_no_value(value: str) -> bool:
    if value.casefold() in SAID_OF_IT or PLACEHOLDER.match(value):
        return True
    return any(pattern.fullmatch(value) for pattern in (METHOD, DATE, RANGE))


def is_unusual(value: str) -> bool:
    """Whether it has what words don't have: four digits, or a digit or sign among the letters."""
    if value.isdigit():
        return len(value) >= 4
    return is_mixed(value) or bool(SYMBOLS & set(value.rstrip("!?")))


def is_mixed(value: str) -> bool:
    """Letters, and a digit or sign among them."""
    has_letter = any(each.isalpha() for each in value)
    return has_letter and any(each.isdigit() or each in SYMBOLS for each in value.rstrip("!?"))
