"""Rules that find statements in Chinese clauses."""

from __future__ import annotations

import re

from xiajiao.statements.base import Found
from xiajiao.statements.chinese_words import (
    ASKING,
    DURABLE,
    EVENT,
    EXPLICIT,
    INSTRUCTION,
    KIN,
    KNOWN,
    LEAD,
    LIFE,
    NO_SUBJECT,
    ORDER,
    ORGANISATION,
    PERSON,
    POINTING,
    SELF_STATE,
    TASK,
    TASK_ABOUT_TEXT,
    TIMES,
    TOPIC,
    UNCERTAIN,
    WE,
)

# "Next Wednesday I fly" is "I fly next Wednesday".
TIME_FIRST = re.compile(rf"^(?P<time>{TIMES})(?P<who>我们?(?!的))")
# "Explain a command before you run it" says itself what it is about.
OF_ITSELF = re.compile(r"(?<=[前后时]).*它.*|(?<=[前后时]，).*它.*")
# Whose plan it is goes without saying.
IMPLIED = re.compile(
    r"(?:最近|近期)(?:正|一直)?在(?=学|备考|减肥|健身|准备|找工作|读|戒|追|写)"
    rf"|{TIMES}(?:要|得|准备|打算)(?:去|飞|回|到|搬)(?!的)\S{{2}}"
)
WE_PREFIX = re.compile(
    r"(?:我们|咱们)的?(?=公司|团队|项目|产品|系统|部门|小组|组(?!织)|学校|家|[前后]端|数据库|服务器|代码仓库|仓库|技术栈|接口|网站|应用|线上环境|生产环境|测试环境)"
)


class ChineseReader:
    """Reads the clauses of one sentence in order: later ones may lean on the subject of earlier ones."""

    def __init__(self, has_task: bool) -> None:
        self.has_task = has_task
        self.is_explicit = self.is_hypothetical = False
        self.subject = ""

    def read(self, clause: str, is_question: bool) -> Found | None:
        clause = LEAD.sub("", clause)
        explicit = EXPLICIT.match(clause)
        if explicit:
            self.is_explicit = True
            is_question = is_question and not explicit["polite"]
            clause = LEAD.sub("", clause[explicit.end() :])
        clause = TIME_FIRST.sub(r"\g<who>\g<time>", clause)
        if UNCERTAIN.search(clause):
            self.is_hypothetical = True
        if is_question or self.is_hypothetical or ASKING.search(clause) or len(clause) < 2:
            self.subject = ""
            return None
        return self.instruction(clause) or self.fact(clause) or self.told(clause)

    def instruction(self, clause: str) -> Found | None:
        durable = bool(DURABLE.search(clause))
        pointed = OF_ITSELF.sub("", clause) if durable else clause
        if POINTING.search(pointed) or (TASK.match(clause) and not durable):
            return None
        fits = INSTRUCTION.match(clause) or (
            durable and ORDER.fullmatch(clause) and not clause.startswith(("我", "咱"))
        )
        if not fits or (self.has_task and not (durable or self.is_explicit)):
            return None
        clause = re.sub(r"^(?:请|麻烦|希望)?(?:你|您)(?:要|应该|必须|得|可以|就)?", "", clause)
        return Found(in_third_person(clause), "procedural", "feedback")

    def fact(self, clause: str) -> Found | None:
        if TASK.match(clause) or POINTING.search(clause) or "你" in clause or "您" in clause:
            self.subject = ""
            return None
        for pattern, kind in (
            (WE, "project"),
            (ORGANISATION, "project"),
            (PERSON, "user"),
            (TOPIC, "user"),
            (KNOWN, "user"),
        ):
            if pattern.match(clause):
                self.subject = ""
                content = f"用户的{clause}" if pattern is ORGANISATION and clause[0] not in "我咱" else clause
                return Found(in_third_person(content), category_of(clause), kind)
        return self.own_fact(clause)

    def own_fact(self, clause: str) -> Found | None:
        said = re.match(r"(?:我|本人|俺)(?!们|的|家|司)", clause)
        if said:
            self.subject = "用户"
            rest = clause[said.end() :]
        elif (self.subject and NO_SUBJECT.match(clause)) or IMPLIED.match(clause):
            rest = clause
        else:
            return None
        if EVENT.match(rest) or LIFE.match(rest):
            return Found(f"用户{in_third_person(rest.lstrip())}", "episodic", "user")
        if SELF_STATE.match(rest):
            return Found(f"用户{in_third_person(rest.lstrip())}", category_of(rest), "user")
        return None

    def told(self, clause: str) -> Found | None:
        """What the person asks to be remembered is kept in their own words."""
        is_other = POINTING.search(clause) or TASK.match(clause) or "你" in clause or "您" in clause
        if not self.is_explicit or is_other or len(clause) < 4:
            return None
        return Found(in_third_person(clause), category_of(clause), "reference" if "://" in clause else "user")


def category_of(clause: str) -> str:
    return "episodic" if re.search(r"决定|商定|约定好|敲定|打算|计划(?!书)", clause) else "semantic"


def is_task(clause: str) -> bool:
    clause = LEAD.sub("", clause)
    return bool(TASK.match(clause)) and not DURABLE.search(clause) and not EXPLICIT.match(clause)


def is_about_text(clause: str) -> bool:
    """A task whose text stands in the message itself: to translate, to polish."""
    return bool(TASK_ABOUT_TEXT.search(clause))


def in_third_person(text: str) -> str:
    text = re.sub(r"我司|敝司", "用户的公司", text)
    text = WE_PREFIX.sub("用户的", text)
    text = re.sub(r"我们家|咱们?家", "用户家", text)
    text = re.sub(r"我们|咱们", "用户的团队", text)
    text = re.sub(rf"(?:我|咱)(?={KIN})", "用户的", text)
    return re.sub(r"本人|我", "用户", text).strip(" ，,。：:")
