"""Numbers in a statement, each with what it measures, so that "19:00", "晚上七点" and "7 pm" are one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from memories.judgement.normalising import normalise
from memories.judgement.numerals import write_digits

N = r"(\d+(?:\.\d+)?)"
MEASURES = {
    "length": (
        "km=1000 公里=1000 千米=1000 kilometre=1000 kilometer=1000 mile=1609 米=1 m=1 metre=1 meter=1 cm=.01 厘米=.01"
    ),
    "weight": "kg=1 公斤=1 千克=1 kilo=1 kilogram=1 斤=.5 lb=.454 pound=.454 吨=1000 克=.001 gram=.001",
    "bytes": "tb=1e12 gb=1e9 g=1e9 mb=1e6 kb=1e3",
    "age": "岁=1",
    "years": "年=1 year=1 周年=1",
    "months": "个月=1 month=1",
    "weeks": "周=1 week=1 个星期=1 星期=1",
    "days": "天=1 day=1",
    "minutes": "小时=60 hour=60 分钟=1 minute=1 min=1 个小时=60",
    "seconds": "秒=1 second=1 ms=.001 毫秒=.001",
    "money": ("元=1 块=1 块钱=1 dollar=1 usd=1 美元=1 euro=1 eur=1 欧元=1 yuan=1 rmb=1 人民币=1 万元=10000 万=10000"),
    "percent": "%=1 percent=1",
    "times": "次=1 time=1 遍=1",
    "volume": "l=1 litre=1 liter=1 升=1 ml=.001 毫升=.001",
    "floor": "楼=1 层=1 floor=1",
    "area": "平方米=1 平米=1 平=1 sqm=1",
    "degrees": "度=1 degree=1 ℃=1",
    "width": "px=1 像素=1 字符=1 character=1 column=1",
}
# The dimension and the size of a unit in that dimension's own unit.
UNITS = {
    name: (dimension, float(size))
    for dimension, units in MEASURES.items()
    for name, _, size in (unit.partition("=") for unit in units.split())
}
MONTHS = "january february march april may june july august september october november december".split()
MONTH = "|".join([*MONTHS, *(f"{month[:3]}\\.?" for month in MONTHS if month != "may"), "sept"])
MORNING, AFTERNOON = "凌晨|早上|早晨|清晨|上午|早", "中午|下午|傍晚|晚上|夜里|深夜|晚"


@dataclass(frozen=True, order=True)
class Quantity:
    """`dimension` "code" is compared as written; "clock12" is a time of day whose half of the day is not said."""

    dimension: str
    value: str

    def agrees(self, other: Quantity) -> bool:
        """The same number of the same thing; a number without a unit agrees with any unit."""
        if {self.dimension, other.dimension} <= {"clock", "clock12"} and self.dimension != other.dimension:
            return float(self.value) % 12 == float(other.value) % 12
        kinds = {self.dimension, other.dimension}
        return self.value == other.value and (len(kinds) == 1 or "count" in kinds or kinds == {"age", "years"})


Found = list[Quantity]


def extract_quantities(text: str) -> tuple[tuple[Quantity, ...], str]:
    """The quantities of a text, and its normalised rest with a semicolon in their places."""
    rest = write_digits(normalise(text).replace("k8s", "kubernetes"))
    found: Found = []
    for pattern, read in READERS:
        rest = pattern.sub(partial(take, read=read, found=found), rest)
    return tuple(sorted(found)), rest


def take(match: re.Match[str], read: Callable[[re.Match[str]], Quantity | None], found: Found) -> str:
    quantity = read(match)
    if quantity is not None:
        found.append(quantity)
    return ";"


def read_code(match: re.Match[str]) -> Quantity:
    return Quantity("code", re.sub(r"(?<=\d)[ -](?=\d)", "", match[0]).strip("v"))


def read_full_date(match: re.Match[str]) -> Quantity:
    return Quantity("date", f"{int(match[1])}-{int(match[2])}-{int(match[3])}")


def read_chinese_date(match: re.Match[str]) -> Quantity:
    return Quantity("date", f"{int(match[1])}-{int(match[2])}")


def read_month_first(match: re.Match[str]) -> Quantity:
    return Quantity("date", f"{read_month(match[1])}-{int(match[2])}")


def read_day_first(match: re.Match[str]) -> Quantity:
    return Quantity("date", f"{read_month(match[2])}-{int(match[1])}")


def read_month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))


def read_chinese_clock(match: re.Match[str]) -> Quantity:
    half, hour, minute = match[1] or "", int(match[2]), 30 if match[3] == "半" else int(match[4] or 0)
    # 夜里两点 is 2 o'clock, 晚上八点 is 20.
    is_afternoon = half in AFTERNOON.split("|") and (hour > 4 or half in ("中午", "下午"))
    return make_clock(hour, minute, is_afternoon, is_morning=bool(half))


def read_digital_clock(match: re.Match[str]) -> Quantity:
    half, mark = match[1] or "", (match[4] or "").replace(".", "")
    is_afternoon = mark == "pm" or half in AFTERNOON.split("|")
    return make_clock(int(match[2]), int(match[3]), is_afternoon, is_morning=mark == "am" or half in MORNING.split("|"))


def read_english_clock(match: re.Match[str]) -> Quantity:
    mark = match[2].replace(".", "")
    return make_clock(
        int(match[1]), 0, "pm" in mark or "evening" in mark or "afternoon" in mark or "night" in mark, True
    )


def make_clock(hour: int, minute: int, is_afternoon: bool, is_morning: bool) -> Quantity:
    if is_afternoon and hour < 12:
        hour += 12
    is_known = is_afternoon or is_morning or hour > 12 or hour == 0
    return Quantity("clock" if is_known else "clock12", f"{hour + minute / 60:g}")


def read_height(match: re.Match[str]) -> Quantity:
    tail = match[2]
    return Quantity("length", f"{int(match[1]) + int(tail) / 10 ** len(tail):g}")


def read_measure(match: re.Match[str]) -> Quantity:
    dimension, size = UNITS[match[2]]
    return Quantity(dimension, f"{float(match[1]) * size:.12g}")


def read_money(match: re.Match[str]) -> Quantity:
    return Quantity("money", f"{float(match[1]):g}")


def read_count(match: re.Match[str]) -> Quantity | None:
    """As written: 3.10 and 3.1 are two versions."""
    return None if match[1] == "1" else Quantity("count", match[1])


HALF = f"({MORNING}|{AFTERNOON})?"
COUNTERS = "个名位只条本台套辆张把间口盆扇枚株碗箱盒包袋桶幅顿份"
UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
# In this order: what one pattern takes, a later one doesn't see.
READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Quantity | None]], ...] = (
    (
        re.compile(
            r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|\b(?:[\w-]+\.)+(?:com|cn|org|net|io|dev)\b(?:/\S*)?", re.A
        ),
        read_code,
    ),
    (re.compile(r"(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})[日号]?"), read_full_date),
    (re.compile(r"(\d{1,2})月(\d{1,2})[日号]?"), read_chinese_date),
    (re.compile(rf"\b({MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"), read_month_first),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({MONTH})\b"), read_day_first),
    (re.compile(r"(\d{1,2})号(?![楼线店门室院仓机])"), lambda match: Quantity("day", match[1])),
    (
        re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)(?= of (?:each|every|the) month| every month|$|[.,;])"),
        lambda match: Quantity("day", match[1]),
    ),
    (re.compile(r"(\d{1,2})(?:月份|月(?!\d))"), lambda match: Quantity("month", match[1])),
    (
        re.compile(
            rf"\b(?:in|this|next|last|since|until|by|of|for|from|every|each) ({MONTH})\b"
            rf"|\b({'|'.join(MONTHS[5:])}|april)\b"
        ),
        lambda match: Quantity("month", str(read_month(match[1] or match[2]))),
    ),
    (re.compile(rf"{HALF}\s*(?<![\d:])(\d{{1,2}}):(\d{{2}})(?!\d)\s*([ap]\.?m\b\.?)?"), read_digital_clock),
    (re.compile(rf"{HALF}\s*(?<![\d.])(\d{{1,2}})(?:点钟|点|时)(半|(\d{{1,2}})分?|整)?"), read_chinese_clock),
    (
        re.compile(
            r"\b(\d{1,2})(?: o'clock)?(?: in the (?:early )?| at )?\s*"
            r"(am\b|pm\b|[ap]\.m\b\.?|morning\b|evening\b|afternoon\b|night\b)"
        ),
        read_english_clock,
    ),
    (re.compile(r"(?<!\d)(\d)米(\d{1,2})(?!\d)"), read_height),
    (
        re.compile(r"(?<![\w.])(?:\+?\d[\d-]{5,}\d|\d{7,}|#\d+|v\d+(?:\.\d+)+|\d+(?:\.\d+){2,})(?![\w.]*\w)", re.A),
        read_code,
    ),
    (re.compile(rf"[$€£¥]\s*{N}"), read_money),
    (re.compile(rf"{N}[\s-]*(?:years?[ -]olds?)"), lambda match: Quantity("age", f"{float(match[1]):g}")),
    (re.compile(rf"{N}[\s-]*({UNIT})(?:s\b|(?![a-z]|(?<=[周期])[一二三四五六日天末]))"), read_measure),
    (re.compile(r"(?<![a-z0-9._-])(?=[a-z._-]*\d)(?:[a-z]*\d+[a-z]+\w*|[a-z]+-\d+\w*)(?:[._-]\w+)*", re.A), read_code),
    (
        re.compile(rf"(?<=[a-z]){N}(?![\w])|(?<![\w.]){N}(?:\s*[{COUNTERS}])?", re.A),
        lambda match: read_count(re.match(N, match[1] or match[2]) or match),
    ),
)
