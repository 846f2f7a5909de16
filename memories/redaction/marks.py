"""What stands where a secret stood."""

from __future__ import annotations

import re

from memories.models.secrets import SecretKind

HAN = re.compile(r"[\u3400-\u9fff]")
LETTER = re.compile(r"[A-Za-z]")
MARKS = {
    SecretKind.API_KEY: ("[API 密钥已隐去]", "[API key removed]"),
    SecretKind.PASSWORD: ("[密码已隐去]", "[password removed]"),
    SecretKind.PRIVATE_KEY: ("[私钥已隐去]", "[private key removed]"),
    SecretKind.IDENTITY_NUMBER: ("[身份证号已隐去]", "[identity number removed]"),
    SecretKind.BANK_CARD: ("[银行卡号已隐去]", "[card number removed]"),
    SecretKind.PHONE_NUMBER: ("[电话号码已隐去]", "[phone number removed]"),
}
ANY_MARK = re.compile("|".join(re.escape(mark) for pair in MARKS.values() for mark in pair))


def mark_of(kind: str, is_chinese: bool) -> str:
    chinese, english = MARKS[SecretKind(kind)]
    return chinese if is_chinese else english


def is_chinese(text: str, otherwise: bool) -> bool:
    """The language of a text; `otherwise` where it has no letters of either."""
    if HAN.search(text):
        return True
    return otherwise and not LETTER.search(text)


def hide_marks(text: str) -> str:
    """As long as the text, without the words of marks, in which a secret might be seen."""
    return ANY_MARK.sub(lambda found: "\0" * len(found[0]), text)


def is_nothing_but_marks(text: str) -> bool:
    """Whether a text had secrets in it and nothing else."""
    rest, count = ANY_MARK.subn("", text)
    return count > 0 and re.search(r"\w", rest) is None


def kinds_of_marks(text: str) -> set[str]:
    """Of what secrets there are marks in a text."""
    found = set(ANY_MARK.findall(text))
    return {kind.value for kind, pair in MARKS.items() if found & set(pair)}
