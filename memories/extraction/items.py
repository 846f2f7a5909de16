"""One item of a model's list, whatever it calls its fields."""

from __future__ import annotations

import re
from typing import Any

from memories.extraction.candidates import Candidate
from memories.models import Memory
from memories.models.types import Category
from memories.smalltalk import is_small_talk
from xiajiao.texts import clip

CONTENTS = ("content", "memory", "fact", "text", "statement", "description", "内容", "记忆", "事实")
CATEGORIES = {"语义": Category.SEMANTIC, "情景": Category.EPISODIC, "程序": Category.PROCEDURAL}
CATEGORIES |= {"fact": Category.SEMANTIC, "event": Category.EPISODIC, "rule": Category.PROCEDURAL}
IMPORTANCE = {"low": 1, "medium": 2, "high": 3, "低": 1, "中": 2, "高": 3}
LONGEST, LONGEST_QUOTE, LONGEST_SUBJECT = 1000, 1000, 100
# Chinese characters; a word of letters or figures counts as two.
SHORTEST = 3
HAN, WORD = (
    re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]"),
    re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+"),
)
# Words of schemas and templates, and what a model says where it has nothing to say.
PLACEHOLDER = re.compile(
    r"\W*(?:string|content|text|none|null|n/?a|example|placeholder|无|没有|示例|内容|…|\.{3})?\W*", re.IGNORECASE
)
REFUSAL = re.compile(
    r"(?:i(?:'m| am) (?:sorry|unable)|sorry|as an ai\b|i (?:can ?not|can't|won't)\b"
    r"|no (?:new |relevant )?(?:facts|memories|information)\b"
    r"|抱歉|对不起|作为(?:一个)?(?:AI|人工智能)|我(?:无法|不能)|(?:没有|未)(?:发现|找到|提取到|提到|值得|需要))",
    re.IGNORECASE,
)


def read_item(item: Any) -> Candidate | None:
    """None for what is no fact: a placeholder, a schema, an apology."""
    if isinstance(item, str):
        item = {"content": item}
    if not isinstance(item, dict):
        return None
    content = read_text(next((item[name] for name in CONTENTS if isinstance(item.get(name), str)), ""), LONGEST)
    if is_too_short(content) or PLACEHOLDER.fullmatch(content) or REFUSAL.match(content) or looks_like_code(content):
        return None
    category = read_category(item.get("category"))
    type_key = item.get("type")
    return Candidate(
        content,
        category,
        type_key.strip().lower() if isinstance(type_key, str) and type_key.strip() else default_type(category),
        read_text(item.get("quote"), LONGEST_QUOTE),
        read_text(item.get("subject"), LONGEST_SUBJECT),
        read_importance(item.get("importance")),
    )


def is_too_short(content: str) -> bool:
    """By script: "别废话" says something, and so does "Be brief"; "好的", "OK" and "Thank you!" don't."""
    length = len(HAN.findall(content)) + 2 * len(WORD.findall(content))
    return length < SHORTEST or is_small_talk(content)


def read_text(value: Any, longest: int) -> str:
    return clip(" ".join(value.split()), longest) if isinstance(value, str) else ""


def looks_like_code(content: str) -> bool:
    """A piece of the reply's own JSON."""
    return content.startswith(("{", "[{", '"')) and content.rstrip(",").endswith(("}", "]", '"', ":"))


def read_category(value: Any) -> str:
    """Semantic, where it is none of them."""
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in Category.values:
        return word
    return next((category for name, category in CATEGORIES.items() if word.startswith(name)), Category.SEMANTIC)


def default_type(category: str) -> str:
    return "feedback" if category == Category.PROCEDURAL else "user"


def read_importance(value: Any) -> int:
    """1 to 3; shares of one and figures up to ten as well."""
    if isinstance(value, str):
        value = IMPORTANCE.get(value.strip().lower(), value)
    try:
        figure = float(value)
    except (TypeError, ValueError):
        return Memory.Importance.MEDIUM
    if 0 <= figure < 1:
        figure = 1 + round(figure * 2)
    elif figure > Memory.Importance.HIGH:
        figure = round(figure * 3 / 10)
    return int(min(max(figure, Memory.Importance.LOW), Memory.Importance.HIGH))
