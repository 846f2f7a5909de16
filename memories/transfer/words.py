"""Categories, types and importance in the words of other systems, Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.models import Memory
from memories.models.types import Category

CATEGORIES = {
    Category.SEMANTIC: "semantic 语义 语义记忆 语义性 语义性记忆 fact facts 事实 knowledge 知识",
    Category.EPISODIC: "episodic 情景 情景记忆 情节 情节记忆 事件 event events episode",
    Category.PROCEDURAL: "procedural 程序 程序性 程序记忆 程序性记忆 procedure rule rules 规则",
}
TYPES = {
    "user": "user 用户 用户画像 profile userprofile preference preferences 偏好 用户偏好 个人 个人偏好",
    "project": "project projects 项目 项目知识 projectknowledge 项目信息",
    "feedback": "feedback 反馈 行为反馈 用户反馈 instruction instructions",
    "reference": "reference references 引用 引用资源 参考 参考资料 resource resources link links 资源",
}
IMPORTANCE = {
    Memory.Importance.LOW: "low 低",
    Memory.Importance.MEDIUM: "medium normal 中",
    Memory.Importance.HIGH: "high critical 高",
}
# What a heading says of the paragraphs under it, where it is none of the words above.
HEADING_CATEGORIES = [
    (
        Category.PROCEDURAL,
        r"规则|规范|习惯|风格|约定|流程|方式|要求|不要|偏好|\b(?:rules?|styles?|conventions?|workflow"
        r"|how to|preferences?|guidelines?|instructions?|habits?)\b",
    ),
    (
        Category.EPISODIC,
        r"日志|历史|近期|最近|事件|经历|进展|决定|决策|对话|\b(?:logs?|history|recent|events?|timeline|decisions?|sessions?)\b",
    ),
]
HEADING_TYPES = [
    ("feedback", r"反馈|纠正|行为|规则|要求|\b(?:feedback|corrections?|rules?|guidelines?|instructions?)\b"),
    ("reference", r"引用|参考|链接|资源|文档|\b(?:references?|links?|resources?|docs?|bookmarks?)\b"),
    ("project", r"项目|工程|架构|技术栈|\b(?:projects?|architecture|stack|codebase|repos?(?:itor(?:y|ies))?)\b"),
]


def fold(word: str) -> str:
    return re.sub(r"[\s_\-]+", "", word).lower().removesuffix("memory").removesuffix("memories")


def find_word(table: dict[str, str], word: str) -> str:
    """The key of the table whose words this one is among; empty where there is none."""
    folded = fold(word)
    return next((key for key, words in table.items() if folded in words.split()), "")


def find_category(word: str) -> str:
    return find_word({str(key): words for key, words in CATEGORIES.items()}, word)


def find_type_key(word: str) -> str:
    return find_word(TYPES, word)


def find_importance(word: str) -> int:
    """Medium where it says nothing that is known."""
    found = find_word({str(int(level)): words for level, words in IMPORTANCE.items()}, word)
    return int(found) if found else Memory.Importance.MEDIUM


def guess_by_heading(heading: str) -> tuple[str, str]:
    """Category and type key of what stands under a heading."""
    category, key = find_category(heading), find_type_key(heading)
    if key:
        return category or default_category(key), key
    category = category or match(HEADING_CATEGORIES, heading) or Category.SEMANTIC
    return category, match(HEADING_TYPES, heading) or "user"


def default_category(type_key: str) -> str:
    return Category.PROCEDURAL if type_key == "feedback" else Category.SEMANTIC


def match(table: Sequence[tuple[str, str]], heading: str) -> str:
    return next((key for key, pattern in table if re.search(pattern, heading, re.IGNORECASE)), "")
