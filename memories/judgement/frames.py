"""What kind of statement it is: an attribute with one value, a list that grows, an event, a plan."""

from __future__ import annotations

import re

from memories.judgement.alignment import Alignment
from memories.judgement.attributes import read_attributes
from memories.judgement.reading import Reading

SUBJECT = r"(?:user|team|company|he|she|they|we|i|user's [\w-]+)(?: (?:also|just|recently|already))?"
# Verbs whose past tells of a state that lasts: who moved lives there now.
LASTING = (
    "cancel|subscrib|ask|want|request|prefer|lik|lov|hat|enjoy|requir|suffer|start|quit|leav|left|dropp|mov|switch|retir|marri"
    "|divorc|chang|migrat|replac|swapp|trad|nam|call|bas|upgrad|stopp|sign|register|enrol|us|rais|adopt|own|ne|decid|agre"
)
ED_NOUNS = "speed|need|feed|seed|shed|breed|weed|bed|red"
IRREGULAR_PAST = (
    "went|bought|ran|saw|met|had|did|took|gave|got(?! married)|lost|found|ate|read(?= the)|flew|broke|wrote|made|won"
    "|sold|spent|caught|fell|drove|swam|taught|sent|came|told|said|heard|paid"
)
PAST = re.compile(
    "(?<!退)[去来看学做吃玩试听读写买打见点]了|[去来看学做吃用住玩试听读写买打见到]过(?![敏咸甜辣多])|昨[天日晚]|前[天年]|去年|上周|上个"
    "|上星期|刚[才刚]|参加了|面试了|摔断|弄丢"
    r"|\b(?:yesterday|last (?:week|month|year|night|spring|summer|autumn|fall|winter|semester)|ago|been to)\b"
    rf"|\b{SUBJECT} (?:ha[sd] |have )?(?:{IRREGULAR_PAST}|(?!(?:{LASTING})\w*ed\b|{ED_NOUNS}\b)[a-z]{{2,}}ed)\b"
)
FORMER = re.compile(r"曾|以前|过去|原来|\b(?<!is )(?<!are )(?<!be )used to\b|\b(?:formerly|previously|former)\b")
FUTURE = re.compile(
    r"打算|计划|将要|即将|明[天年日]|后[天年]|下[周个]"
    r"|\b(?:will|plans?|planning|going to|intends?|tomorrow|thinking of)\b"
    r"|\bnext (?:week|month|year|spring|summer|semester)\b"
)
COPULA = re.compile(
    r"(?:的.{1,8}|^[^的]{2,10})(?:是|为|叫|姓|设为|定为|设置为|采用|选用|用的是|定在)"
    r"|'s [\w' -]+ (?:is|are)\b|^(?:the|our|all) (?!user\b(?!'s)|team is)[\w' -]+ (?:is|are|must be|should be)\b"
)
COMPARISON = re.compile(r"比|而不是|而非|胜过|多于|优于|\b(?:over|than|rather|instead of|prior to|before|after)\b")
# Where what comes first and what second is what is said.
ORDER = re.compile(rf"{COMPARISON.pattern}|先.+[再后]|然后|之[前后]|\b(?:first|then|until)\b")
PERSON = re.compile(r"用户|[我他她]|\b(?:user|he|she|i|my|they)\b")


def tense(text: str) -> str:
    """ "former", "future", "past" or "present" of a normalised text; the first that shows."""
    for name, pattern in (("former", FORMER), ("future", FUTURE), ("past", PAST)):
        if pattern.search(text):
            return name
    return "present"


def is_single_valued(new: Reading, old: Reading, alignment: Alignment) -> bool:
    """Whether both statements give the same attribute a value, and it can have only one at a time."""
    attributes, shared = read_attributes(), alignment.concepts
    if new.negations % 2 and old.negations % 2:
        return False  # what something is not is a list
    if shared & attributes["several"]:
        return False
    if shared & attributes["single"] or any(a.group in attributes["one of"] for a, _ in alignment.clashing):
        return True
    if shared & attributes["many"]:
        return False
    texts = new.text, old.text
    is_changed, is_about_things = new.is_change or old.is_change, not any(map(PERSON.search, texts))
    return is_changed or is_about_things or all(map(COPULA.search, texts))
