"""API keys and access tokens: by the prefixes that their makers give them, and by the words before them.

Each pattern begins at the beginning of a word or at a rare word and takes no more than it needs, so that reading stays
linear in the length of the text. Shapes are those of the makers' own documentation.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from memories.models.secrets import SecretKind
from memories.redaction.secret import Secret

WORD_START = r"(?<![A-Za-z0-9_\-])"
# A prefix that means nothing else.
SURE = (
    r"sk-ant-[\w\-]{16,}",
    r"sk-(?:proj|svcacct|admin|or-v1)-[\w\-]{16,}",
    r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}",
    r"AIza[\w\-]{30,}",
    r"GOCSPX-[\w\-]{20,}",
    r"ya29\.[\w\-]{20,}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    r"gh[pousr]_[A-Za-z0-9]{20,}",
    r"github_pat_\w{22,}",
    r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w\-]{16,}(?:\.\w{2,})*",
    r"xox[abeoprs]-[A-Za-z0-9\-]{10,}",
    r"xapp-[0-9]-[A-Za-z0-9\-]{10,}",
    r"dckr_pat_[\w\-]{20,}",
    r"pypi-AgE[\w\-]{40,}",
    r"SG\.[\w\-]{16,}\.[\w\-]{16,}",
    r"do[opr]_v1_[a-f0-9]{64}",
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    r"ATATT3[\w=\-]{30,}",
    r"bce-v3/ALTAK-[A-Za-z0-9]{10,}/[a-f0-9]{20,}",
    r"[0-9]{8,10}:AA[\w\-]{33}",
    # JSON Web Tokens: the first two parts are JSON objects in base64.
    r"eyJ[\w\-]{8,}\.eyJ[\w\-]{8,}\.[\w\-]{8,}",
)
# A prefix that a long identifier may have too: what follows must look drawn by lot.
LIKELY = (
    r"sk-[\w\-]{20,}",  # OpenAI's older keys, DashScope, DeepSeek, Moonshot, SiliconFlow
    r"sk_[A-Za-z0-9]{32,}",
    r"whsec_[A-Za-z0-9+/=]{20,}",
    r"AQ\.A[\w\-]{30,}",
    r"LTAI[A-Za-z0-9]{12,}",  # Aliyun
    r"AKID[A-Za-z0-9]{16,}",  # Tencent Cloud
    r"AKLT[A-Za-z0-9]{20,}",  # Volcengine
    r"hf_[A-Za-z0-9]{20,}",
    r"(?:gsk|npm|ntn|jina|fw|r8|pat|sbp)_[A-Za-z0-9]{20,}",
    r"(?:xai|pplx|tvly|nvapi)-[\w\-]{20,}",
    r"(?:lin_api|glsa|figd|api_org)_[\w\-]{20,}",
    r"PMAK-[A-Za-z0-9\-]{30,}",
    r"hv[sbr]\.[\w\-]{20,}",
    r"key-[0-9a-f]{32}",
    r"dapi[0-9a-f]{32}",
    r"[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9])",  # Zhipu
)
PREFIXED = re.compile(rf"{WORD_START}(?:(?P<sure>{'|'.join(SURE)})|{'|'.join(LIKELY)})", re.ASCII)
BEARER = re.compile(r"\b(?i:bearer|authorization[\"']?[ ]?:[ ]?[\"']?basic)[ \t]+([\w.~+/=\-]{16,})", re.ASCII)
WEBHOOK = re.compile(
    r"(?:hooks\.slack\.com/services/|open\.feishu\.cn/open-apis/bot/v2/hook/"
    r"|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=)([\w/\-]{20,})",
    re.ASCII,
)
# "api_key = …", "the secret access key for the server is …", "密钥：…".
NAMED = re.compile(
    r"(?:(?P<key>(?i:(?:api|access|secret|app|client|signing|encryption|subscription|account)[ _\-]?(?:key|secret))"
    r"(?:[ _\-]?(?i:id|secret))?|密钥|秘钥|密匙)|(?<![A-Za-z])(?i:token|secret|credential)s?|(?i:token)(?![A-Za-z])"
    r"|令牌|(?<![A-Za-z])[AS]K(?![A-Za-z]))"
    r"(?=(?:[ ](?i:for|of|on)[ ][^\n:=.,;]{1,40}?)?[\"'\])]{0,2}"
    r"[ \t]{0,3}(?:=>|:=|[:=]|是|为|[ ](?i:is|was)[ ])[ \t]{0,3}[\"'`(]{0,2}([\w+/.=~!@#$%^&*\-]{8,256}))",
    re.ASCII,
)
REST = re.compile(r"[\w+/=~\-]*", re.ASCII)
UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
# A path, an address, a variable or a file, and not what it holds.
REFERENCE = re.compile(r"[/$%.]|https?:|.*\.(?:json|ya?ml|toml|txt|pem|key|env|py|js|ts|md|com|cn|org|net|io)$")
RUN = re.compile(r"[A-Za-z0-9]+")
LONG, SHORT, RUN_LENGTH = 16, 8, 12
# Bits a character: English text has about 2.5 at this length, random hexadecimal more than 3.
RANDOM = 3.0


def find_api_keys(text: str) -> Iterator[Secret]:
    """`text` is folded."""
    for found in PREFIXED.finditer(text):
        if found["sure"] or is_drawn(found[0]):
            yield Secret(SecretKind.API_KEY, *found.span())
    for found in BEARER.finditer(text):
        if has_digit_and_letter(found[1]):
            yield Secret(SecretKind.API_KEY, *found.span(1))
    for found in WEBHOOK.finditer(text):
        yield Secret(SecretKind.API_KEY, *found.span(1))
    yield from find_named(text)


def find_named(text: str) -> Iterator[Secret]:
    """A value that is longer than the pattern looks is taken whole, and what stands in it is not looked at again."""
    reached = 0
    for found in NAMED.finditer(text):
        value, start = found[2].rstrip(".,"), found.start(2)
        if start >= reached and (is_random(value) or (found["key"] and is_short_key(value))):
            rest = REST.match(text, start + len(value))
            reached = start + len(value) if rest is None else rest.end()
            yield Secret(SecretKind.API_KEY, start, reached)


def is_drawn(key: str) -> bool:
    """Whether what follows a prefix was drawn by lot: `sk-learn-based-classifiers-2024` was not."""
    longest = max(RUN.findall(key), key=len)
    if len(longest) < LONG:
        return False
    return has_digit_and_letter(longest) or (len(longest) >= 30 and not longest.islower())


def is_random(value: str) -> bool:
    """Whether a value that was called a key or a token is one."""
    if len(value) < LONG or REFERENCE.match(value) or not has_digit_and_letter(value):
        return False
    if UUID.fullmatch(value):
        return True
    return max(map(len, RUN.findall(value))) >= RUN_LENGTH and entropy(value) >= RANDOM


def is_short_key(value: str) -> bool:
    return len(value) >= SHORT and has_digit_and_letter(value) and not REFERENCE.match(value) and "." not in value


def has_digit_and_letter(value: str) -> bool:
    return any(each.isdigit() for each in value) and any(each.isalpha() for each in value)


def entropy(value: str) -> float:
    """Shannon's, in bits a character."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
