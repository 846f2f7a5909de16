"""Statements that tell of a change: "switched from A to B", "从 A 换成 B", "no longer"."""

from __future__ import annotations

import re

VERBS = (
    "换成|换到|换用|换了|更换为|替换为|改成|改为|改到|改用|改在|改喝|改吃|改住|调到|调整为|调整到|调至|搬到|搬去|搬进|搬家到"
    "|转到|转为|转用|切换到|切换为|迁移到|迁到|迁至|升级到|升级为|变成|变为|推迟到|延期到|延到|提前到|跳槽到|转行|转岗|改名为"
    "|更名为|升为|晋升为|提升到|降到|涨到"
)
CHANGE_VERBS = frozenset(VERBS.split("|"))
# A second clause that takes back what was: "…，不坐公交了", "…, no more Gantt charts".
TAKEN_BACK = re.compile(
    r"[，,;](?:而?且|已经|现在|也|就)?(?:不再|不)(?:使?用|坐|乘|喝|吃|住在?|穿|骑|开|看|玩|在|去)([^，,。]+?)了?$"
    r"|[,;] (?:and |but )?(?:no more|no longer(?: us(?:es|ing)| at| in| on| with)?) (.+)$"
)
CHANGE = re.compile(
    rf"{VERBS}|不再|已经不|再也不|戒了|离职|辞职|跳槽|放弃了|又开始|取消了|[，,;][^，,;]{{0,4}}不[^，,;]+了$"
    r"|\b(?:switched|migrated|relocated|renamed|rescheduled|postponed|upgraded|replaced|swapped)\b"
    r"|\bmoved (?:in|into|from)\b"
    r"|\b(?:moved|changed|converted|transferred|shifted|pushed|bumped|promoted|raised|lowered|reduced|increased)\b.*\bto\b"
    r"|\b(?:went|gone|rose|risen|fell|fallen|dropped) (?:up |down )?(?:from \S+ )?to [$€£¥]?\d"
    r"|[,;] (?:and |but )?no more\b"
    r"|\bno longer\b(?! than)|\bany ?more\b|\bquit\b|\bstopped\b|\bgave up\b|\bgiven up\b|\bbec[ao]me\b|\bhas left\b"
    r"|\binstead\b|\bcancell?ed\b|\bstarted \w+ing\b.*\bagain\b"
)
# What stood before the change; it is taken out of the text.
FORMER_VALUES = (
    re.compile(rf"(?:从|由)([^，,。]+?)(?=(?:又|已经|已|就|最近|刚|直接)?(?:{VERBS}))"),
    re.compile(r"(?:不再|不)(?:使?用|住在?|喝|吃|在)([^，,。]+?)了?[，,](?=.*(?:改|换|转|现在|而是))"),
    re.compile(r"(?<=[a-z]) from (?!\d)([^,.;]+?)(?= to\b)"),
    re.compile(r"\b(?:instead of|rather than|in place of) ([^,.;]+)"),
    re.compile(r"\b(?:replaced|swapped|traded)(?: out)? (.+?) (?=with\b|by\b|for\b)"),
    re.compile(r"\bno longer (?:uses?|lives? in|works? (?:at|for)|drinks?) (.+?)(?:,| but| and)(?= .*\bnow\b)"),
)


# When it changed says nothing of what it changed to.
WHEN = re.compile(
    r"上个?月|上周|去年|前年|今年|昨天|最近|刚刚|(?:半|几|两|三|\d+)个?(?:年|月|周|天)前|自?从?(?:去年|今年)(?:起|开始)"
    r"|\b(?:last|this) (?:week|month|year|spring|summer|autumn|winter)\b|\brecently\b|\byesterday\b"
    r"|\b(?:\w+ )?\w+ ago\b"
)


# What is only meant to change has not changed yet.
INTENDED = re.compile(
    r"打算|计划|想要?|准备|考虑|即将"
    r"|\b(?:plans? (?:to|on)|intends?|wants?|hopes?|will|going to|considering|thinking of)\b"
)


def is_change(text: str) -> bool:
    """Whether a normalised text tells that something is no longer as it was."""
    return bool(CHANGE.search(text)) and not INTENDED.search(text)


def part_change(text: str) -> tuple[str, str]:
    """The text without what the change put an end to, and that."""
    if not is_change(text):
        return text, ""
    text, ended = WHEN.sub(" ", text), []
    for pattern in (*FORMER_VALUES, TAKEN_BACK):
        match = pattern.search(text)
        if match:
            ended.append(next(filter(None, match.groups())))
            text = text[: match.start()] + " " + text[match.end() :]
    return text, " ".join(ended)
