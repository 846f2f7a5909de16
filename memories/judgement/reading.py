"""What a statement says, as far as a comparison needs it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

import rjieba

from memories.judgement.changing import is_change, part_change
from memories.judgement.lexicon import Entry, join, load_lexicon, read_lines
from memories.judgement.normalising import normalise
from memories.judgement.quantities import Quantity, extract_quantities
from memories.judgement.tokens import HAN, Token, tokenise

# The language, not the verb: written large in the middle of a sentence.
GO = re.compile(r"(?<=[a-z,\u3400-\u9fff] )Go\b|(?<=[\u3400-\u9fff])Go\b")
PLACE_TAGS = ("ns", "nt")
# What jieba takes for a person's name begins with a family name, or it is a common word (雷声, 香水).
FAMILY_NAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾"
    "夏韦付方白邹孟熊秦邱江尹薛闫段侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
MID_SENTENCE_CAPITAL = re.compile(r"(?<![.!?。]\s)(?<!^)\b[A-Z][\w.+#-]*")
NEGATIONS = "不没未无别"
WHOLE = frozenset("不同 不过 不仅 不断 不管 不如 不安 不良 不足 不久 没事".split())
# "with the lights on": no preposition.
SWITCHED = re.compile(r"(?<!turned)(?<!switched)(?<=[a-z]) (on|off)(?=$|[,;.])")
ARTICLES = frozenset({"a", "an"})
# A hold-all entry for words that no list knows.
UNKNOWN = Entry("", weight=1.0)


@dataclass(frozen=True)
class Term:
    """A word or phrase of a statement as it stands there. `concept` is its bare form where no list knows it."""

    text: str
    concept: str
    sign: int = 1
    group: str = ""
    weight: float = 1.0
    is_name: bool = False
    is_known: bool = True


@dataclass(frozen=True)
class Reading:
    """`terms`: what carries weight, in order. `former`: what a change put an end to. `forms`: all words.

    `light`: concepts that carry little. `negations`: how many.
    """

    text: str
    is_chinese: bool
    terms: tuple[Term, ...]
    former: tuple[Term, ...]
    forms: tuple[str, ...]
    light: frozenset[str]
    quantities: tuple[Quantity, ...]
    negations: int
    is_change: bool

    def has(self, concept: str) -> bool:
        return any(term.concept == concept for term in self.terms)


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    text = GO.sub("golang", text)
    kept, ended = part_change(write_out(normalise(text)))
    quantities, rest = extract_quantities(kept)
    names = find_names(text)
    tokens = tokenise(rest)
    found = [term for piece in find_terms(tokens) for term in split_unknown(piece)]
    has_clock = any(quantity.dimension.startswith("clock") for quantity in quantities)
    # "2 am" says already that it is night.
    said = [term for term in found if term.weight > 0 and not (has_clock and term.group == "daypart")]
    terms = tuple(mark_name(term, names) for term in said)
    return Reading(
        text=normalise(text),
        is_chinese=len(HAN.findall(text)) * 3 > len(re.findall(r"[A-Za-z]", text)),
        terms=terms,
        former=tuple(find_terms(tokenise(ended))),
        forms=tuple(token.form for token in tokens),
        light=frozenset(term.concept for term in found if term.concept.startswith("light:")),
        quantities=quantities,
        negations=sum(term.concept == "not" for term in found),
        is_change=is_change(normalise(text)),
    )


def write_out(text: str) -> str:
    """A normalised text with its idioms in plain words."""
    for idiom, plain in read_idioms():
        text = text.replace(idiom, plain)
    return SWITCHED.sub(r" turned \1", text)


@cache
def read_idioms() -> tuple[tuple[str, str], ...]:
    rows = (line.partition("=") for line in read_lines("idioms.txt"))
    return tuple((idiom.strip(), plain.strip()) for idiom, _, plain in rows)


def find_terms(tokens: list[Token]) -> list[Term]:
    """The longest phrases that the word-lists know; single words where they know none."""
    lexicon = load_lexicon()
    terms, place = [], 0
    while place < len(tokens):
        if tokens[place].form in ARTICLES and (lexicon.find(tokens, place + 1) or (0,))[0] > 1:
            place += 1  # "a night owl" is no night
        length, entry = lexicon.find(tokens, place) or (1, UNKNOWN)
        phrase = tokens[place : place + length]
        terms.append(make_term(" ".join(token.surface for token in phrase), entry, join(phrase)))
        place += length
    return terms


def make_term(text: str, entry: Entry, form: str = "") -> Term:
    text = normalise(text)
    weight = 0.5 if entry is UNKNOWN and len(text) == 1 else entry.weight
    return Term(text, entry.concept or form or text, entry.sign, entry.group, weight, is_known=entry is not UNKNOWN)


def split_unknown(term: Term) -> list[Term]:
    """A Chinese word that no list knows may be made of two that they know: 手冲咖啡 is 手冲 and 咖啡."""
    known = load_lexicon().entries
    if term.is_known or len(term.text) < 2 or not HAN.match(term.text):
        return [term]
    head, tail = term.text[:1], term.text[1:]
    if head in NEGATIONS and (len(tail) > 1 or tail in known or (head in "不没" and term.text not in WHOLE)):
        return [make_term("不", known["不"]), *split_unknown(make_term(tail, known.get(tail, UNKNOWN)))]
    if len(term.text) == 3 and tail[0] == "不":
        return [make_term("不", known["不"]), make_term(head, known.get(head, UNKNOWN))]
    if len(term.text) < 3:
        are_known = all(part in known for part in (head, tail)) and known[head].weight + known[tail].weight > 0
        return [make_term(head, known[head]), make_term(tail, known[tail])] if are_known else [term]
    for cut in [*range(1, len(term.text) - 1), len(term.text) - 1]:
        head, tail = term.text[:cut], term.text[cut:]
        if max((head, tail), key=len) in known and (head in known or tail in known):
            return [make_term(head, known.get(head, UNKNOWN)), make_term(tail, known.get(tail, UNKNOWN))]
    return [term]


def find_names(text: str) -> frozenset[str]:
    """Words that look like proper names: capitals inside an English sentence, jieba's names, Latin words in Chinese."""
    is_chinese = bool(HAN.search(text))
    latin = re.findall(r"[A-Za-z][\w.+#-]*", text) if is_chinese else MID_SENTENCE_CAPITAL.findall(text)
    chinese = [word for word, tag in rjieba.tag(text) if is_chinese_name(word, tag)] if is_chinese else []
    return frozenset(token.form for word in [*latin, *chinese] for token in tokenise(word))


def is_chinese_name(word: str, tag: str) -> bool:
    if not HAN.match(word):
        return False
    return tag in PLACE_TAGS or (tag == "nr" and word[0] in FAMILY_NAMES and len(word) in (2, 3))


def mark_name(term: Term, names: frozenset[str]) -> Term:
    if term.is_known or term.concept not in names:
        return term
    return Term(term.text, term.concept, weight=1.5, is_name=True, is_known=False)
