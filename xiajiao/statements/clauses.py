"""Cut a message into sentences and clauses, and leave out what the person did not say themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
QUOTED_LINE = re.compile(r"^\s*(?:>|\|).*$", re.MULTILINE)
CODE_LINE = re.compile(
    r"^.*(?:[;{}]\s*$|\)\s*:\s*$|==|=>|\w\(\)|^\s*(?:import|from|def|class|return|SELECT|INSERT|#include"
    r"|const|let|var"
    r"|Traceback|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?|INFO|WARN(?:ING)?|ERROR|DEBUG|File \"|\$|at \w+\.)\b).*$",
    re.MULTILINE,
)
QUOTATION = re.compile(
    r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"\n]*\"|《[^》]*》|`[^`\n]*`|(?<!\w)'[^'\n]+'(?!\w)|‘[^’]*’(?!\w)"
)
HELD = re.compile("[\ue000-\uf8ff]")
# A full stop ends a sentence before a blank alone: v1.2.3 and example.com stay whole.
SENTENCE = re.compile(
    r"[^。！？!?；;\n]+?(?:[。！？!?；;\n]+|(?<!\b[A-Za-z])(?<!\be\.g)(?<!\bi\.e)(?<!\b[MD]r)\.(?=\s|$)|$)"
)
# Where another sentence points at them ("what is wrong with this CV?"), the lines of a list are what it points at.
LISTED_LINE = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)、])\s+.*$", re.MULTILINE)
POINTED = re.compile(
    r"[这那][份段个些]|上面|下面|以上|以下|\b(?:this|these|that|the (?:above|following)|above|below)\b", re.IGNORECASE
)
CJK = re.compile(r"[\u3400-\u9fff]")
COMMA = re.compile(r"[，,](?!\d)")
# What continues a list: words without a verb of their own, as in "FastAPI, PostgreSQL 和 Redis".
CONDITION = re.compile(
    r"(?:以后|今后|往后|从现在(?:起|开始)|从今(?:以后|往后)?|默认情况下|(?:以后)?(?:每次|每当|当我|凡是).*"
    r"|(?:please,? )?(?:from now on|in (?:the )?future|going forward|by default|whenever .*|when i .*"
    r"|every time .*|each time .*))",
    re.IGNORECASE,
)
LISTED = re.compile(r"[\s\w.+#/-]*", re.ASCII)
THEREUPON = re.compile(r"(?:最后|然后)?(?:再|才)(?!说|见)")
JOINTS = re.compile(r"和|与|及|以及|还有|等")
ENGLISH_START = re.compile(
    r"(?:and |but |so |also |because |since |then |now )*(?:i|i['’]\w+|my|our|we|we['’]\w+|please|do|don['’]t"
    r"|never|always|keep"
    r"|use|reply|answer|respond|be|call|avoid|no|he|she|they|you|your|it|if|when|what|how|why|can|could|would|should"
    r"|write|give|show|help|translate|remember|stop|from now on|the company|company|team|project|live|work)\b",
    re.IGNORECASE,
)
ENGLISH_JOINT = re.compile(
    r",\s+|\s+(?=(?:and|but|so|because) (?:now )?(?:i|i['’]\w+|my|our|we|please|don['’]t|never|always|keep|also)\b)"
    r"|\s+[-–—]+\s+",
    re.IGNORECASE,
)

MY_PAIR = re.compile(r"my (?:\w+ ){1,2}and i\b", re.IGNORECASE)


@dataclass
class Sentence:
    """Clauses in order; `is_question` speaks of the last one."""

    clauses: list[str]
    is_question: bool


@dataclass
class Speech:
    """A person's own words: quotations are held out of sight, so that no rule reads them, and put back later."""

    text: str
    quotations: list[str] = field(default_factory=list)

    def restore(self, text: str) -> str:
        return HELD.sub(lambda held: self.quotations[ord(held[0]) - 0xE000], text)

    def sentences(self) -> list[Sentence]:
        found = []
        for match in SENTENCE.finditer(self.text):
            sentence = match[0].strip()
            body = sentence.rstrip("。！？!?；;. \n")
            if body:
                found.append(Sentence(split_clauses(body), sentence.endswith(("?", "？"))))
        return found


def own_words(text: str) -> str:
    """Without what is pasted between fences or behind marks of quotation."""
    return QUOTED_LINE.sub("\n", FENCED.sub("\n", text))


def read_speech(text: str) -> Speech:
    """The message without code, quoted lines and the inside of quotations."""
    text = CODE_LINE.sub("\n", own_words(HELD.sub("", text)))
    if POINTED.search(LISTED_LINE.sub("", text)):
        text = LISTED_LINE.sub("", text)
    speech = Speech("")

    def hold(match: re.Match[str]) -> str:
        speech.quotations.append(match[0])
        return chr(0xE000 + len(speech.quotations) - 1) if len(speech.quotations) <= 6000 else ""

    speech.text = QUOTATION.sub(hold, text)
    return speech


def split_clauses(sentence: str) -> list[str]:
    """What only says when something holds stays with the clause that says what."""
    is_chinese = bool(CJK.search(sentence))
    clauses = split_chinese(sentence) if is_chinese else split_english(sentence)
    joined: list[str] = []
    for clause in clauses:
        if joined and CONDITION.fullmatch(joined[-1]):
            joined[-1] += f"，{clause}" if is_chinese else f", {clause}"
        else:
            joined.append(clause)
    return joined


def split_chinese(sentence: str) -> list[str]:
    clauses: list[str] = []
    for piece in COMMA.split(sentence):
        piece = piece.strip()
        if clauses and THEREUPON.match(piece) and "先" in clauses[-1]:
            clauses[-1] += f"，{piece}"
        elif clauses and piece and LISTED.fullmatch(JOINTS.sub("", piece)):
            clauses[-1] += f"、{piece}"
        elif piece:
            clauses.append(piece)
    return clauses


def split_english(sentence: str) -> list[str]:
    """A comma parts two clauses only where the next words begin one."""
    clauses: list[str] = []
    rest = 0
    for joint in ENGLISH_JOINT.finditer(sentence):
        is_pair = MY_PAIR.match(sentence, rest)
        if ENGLISH_START.match(sentence, joint.end()) and not (is_pair and is_pair.end() > joint.end()):
            clauses.append(sentence[rest : joint.start()].strip())
            rest = joint.end()
    clauses.append(sentence[rest:].strip())
    return [clause for clause in clauses if clause]
