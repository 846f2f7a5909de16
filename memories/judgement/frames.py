"""What kind of statement it is: an attribute with one value, a list that grows, an event, a plan."""

from __future__ import annotations

import re
from functools import cache

from memories.judgement.alignment import Alignment
from memories.judgement.lexicon import read_lines, split
from memories.judgement.reading import Reading, Term

PAST = re.compile(
    r"[去来看学做吃用住玩参试听读写买打见][过了](?!敏)|曾|以前|过去|昨[天日晚]|前[天年]|去年|上周|上个|上星期|刚[才刚]|那[天年次]|参加了|去了|买了|面试了"
    r"|\b(?:yesterday|last (?:week|month|year|night|spring|summer|autumn|fall|winter)|ago|used to|formerly|previously|once|went|visited|attended"
    r"|bought|ran|saw|met|had|was|were|did|fixed|reviewed|finished|watched|joined|took|gave|got|lost|found|received|ate"
    r"|read(?= the)|ordered|travelled|traveled|flew|moved out|tried|studied|worked|lived)\b"
)
FORMER = re.compile(r"曾|以前|过去|原来|\b(?:used to|formerly|previously|former)\b")
FUTURE = re.compile(
    r"打算|计划|将要|即将|准备|明[天年日]|后[天年]|下[周个]|想要?[去学买换做当]"
    r"|\b(?:will|plans?|planning|going to|intends?|tomorrow|next (?:week|month|year)|wants? to|hopes?|would like to)\b"
)
CHANGE = re.compile(
    r"换成|换到|换了|改成|改为|改用|切换|转用|转到|迁移到|迁到|搬到|搬去|调整为|升级到|现在|不再|已经不|从此|变成"
    r"|\b(?:switch(?:ed)? to|moved? to|migrated? to|changed? to|now|no longer|anymore|upgraded? to|replaced|instead)\b"
)
COPULA = re.compile(
    r"(?:的.{1,8}|^[^的]{2,10})(?:是|为|叫|设为|定为|设置为|采用|选用|用的是|定在)|'s [\w' -]+ (?:is|are)\b|^(?:the|our) [\w' -]+ (?:is|are|must be|should be)\b"
)
COMPARISON = re.compile(r"比|而不是|而非|胜过|多于|优于|\b(?:over|than|rather|instead of|prior to|before|after)\b")


@cache
def read_attributes() -> dict[str, frozenset[str]]:
    sections: dict[str, frozenset[str]] = {}
    name = ""
    for line in read_lines("attributes.txt"):
        if line.startswith("["):
            name = line.strip("[]")
        else:
            sections[name] = frozenset(split(line, ",")) | sections.get(name, frozenset())
    return sections


def tense(text: str) -> str:
    """ "former", "future", "past" or "present" of a normalised text; the first that shows."""
    for name, pattern in (("former", FORMER), ("future", FUTURE), ("past", PAST)):
        if pattern.search(text):
            return name
    return "present"


def is_subject(term: Term) -> bool:
    return term.group in read_attributes()["subject"]


def is_single_valued(new: Reading, old: Reading, alignment: Alignment) -> bool:
    """Whether both statements give the same attribute a value, and it can have only one at a time."""
    attributes, shared = read_attributes(), alignment.concepts
    if shared & attributes["single"]:
        return True
    if shared & attributes["many"]:
        return False
    if any(a.group in attributes["one of"] for a, _ in alignment.clashing):
        return True
    if CHANGE.search(new.text) or CHANGE.search(old.text):
        return True
    return bool(COPULA.search(new.text) and COPULA.search(old.text))
