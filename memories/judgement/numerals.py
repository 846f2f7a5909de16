"""Numbers written in words, in both languages, to digits."""

from __future__ import annotations

import re

DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
SCALES = {"十": 10, "百": 100, "千": 1000}
# The scale that is left unsaid after another: 三千五 is 三千五百.
BELOW = {"百": "十", "千": "百", "万": "千"}
NUMERAL = "[零〇一二两三四五六七八九十百千万亿]+"
# Before these a Chinese numeral counts; elsewhere it may be part of a word (一起, 统一, 周三).
COUNTED = (
    "个半月|个月|小时|分钟|公里|千米|厘米|平方米|平米|公斤|千克|美元|人民币|周年|年级|楼层|"
    "点钟|点半|点|时|分|秒|月|号|日|岁|元|块|次|年|天|周|人|页|楼|层|米|斤|克|吨|只|条|本|台|套|名|位|倍|万|亿|"
    "口|盆|扇|枚|株|碗|箱|盒|包|袋|桶|幅|顿|份|度|个|遍|杯|瓶|轮|级|款|门|节|集|户|辆|部|期|环|线|折|班|行|字|颗|项|步|双|所|家|种|张|间|篇|场|局|成|%"
)
COUNTED_NUMERAL = re.compile(rf"(?<![周第期统万唯])({NUMERAL})(?=(?:{COUNTED}))")
# Without anything counted it is a number where it has a scale: 三千五 is 3500, 一万二 is 12000.
BARE_NUMERAL = re.compile(
    "(?<![第零〇一二两三四五六七八九十百千万亿])[一二两三四五六七八九][十百千万][零一二两三四五六七八九十百千万]*(?![分多零一二两三四五六七八九十百千万])"
)
COLLOQUIAL = re.compile("([百千万])([一二三四五六七八九])$")
WEEKLY_NUMERAL = re.compile(rf"(?<=每周)({NUMERAL})(?=[次天])")
ORDINAL = re.compile(rf"第({NUMERAL})")
PERCENT = re.compile(rf"百分之({NUMERAL}|\d+)")
# "一下", "一些", "一点" say no number.
A_BIT = re.compile(r"(?<![午上晨十二三四五])一点(?!钟|半|\d)|有一天")
HEIGHT = re.compile(rf"({NUMERAL})米({NUMERAL})")
ENGLISH = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
COMPOUND = re.compile(rf"\b({TENS})[- ]({'|'.join(list(ENGLISH)[1:10])})\b")
SIMPLE = re.compile(rf"\b({'|'.join(word for word in ENGLISH if word not in ('zero', 'one'))})\b")
LARGE = re.compile(r"\b(\d+(?:\.\d+)?|a) (hundred|thousand|million)\b")
MINUTES = re.compile(rf"(?<=点)({NUMERAL})(?=分|[^半钟零〇一二两三四五六七八九十百千万亿]|$)")
NTH = {
    word: value
    for value, word in enumerate(
        "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth".split(),
        3,
    )
}
A_TIME = re.compile(r"一(年|周|天|个月)(?=.{0,3}[一两二三四五六七八九十\d]+次)")
HALVES = (
    (re.compile(r"(?:一个|1个)半小时|\bone and a half hours\b|\ban hour and a half\b"), "90分钟"),
    (re.compile(r"半个?小时|半个?钟头|\bhalf[ -](?:an )?hour\b"), "30分钟"),
    (re.compile(r"半年|\bhalf a year\b"), "6个月"),
)
FREQUENCY = {"once": "1 times", "twice": "2 times", "thrice": "3 times", "a dozen": "12"}
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


def write_digits(text: str) -> str:
    """A normalised text with its number words as digits: "五公里" is "5公里", "twenty-one" is "21"."""
    for pattern, written_out in HALVES:
        text = pattern.sub(written_out, text)
    text = A_TIME.sub(r"每\1", text)
    text = THOUSANDS.sub("", A_BIT.sub("些", text))
    text = PERCENT.sub(lambda match: f"{read_chinese(match[1])}%", text)
    text = HEIGHT.sub(
        lambda match: f"{read_chinese(match[1])}米{''.join(str(DIGITS.get(c, '')) for c in match[2])}", text
    )
    text = BARE_NUMERAL.sub(lambda match: str(read_chinese(match[0])), text)
    for pattern in (WEEKLY_NUMERAL, COUNTED_NUMERAL):
        text = pattern.sub(lambda match: str(read_chinese(match[1])), text)
    text = MINUTES.sub(lambda match: str(read_chinese(match[1])), text)
    text = re.sub(rf"\b({'|'.join(NTH)})\b", lambda match: str(NTH[match[1]]), text)
    text = ORDINAL.sub(lambda match: f"第{read_chinese(match[1])}", text)
    for word, digits in FREQUENCY.items():
        text = re.sub(rf"\b{word}\b", digits, text)
    text = COMPOUND.sub(lambda match: str(ENGLISH[match[1]] + ENGLISH[match[2]]), text)
    text = SIMPLE.sub(lambda match: str(ENGLISH[match[1]]), text)
    return LARGE.sub(write_large, text)


def write_large(match: re.Match[str]) -> str:
    scale = {"hundred": 100, "thousand": 1000, "million": 1_000_000}[match[2]]
    number = 1.0 if match[1] == "a" else float(match[1])
    return f"{number * scale:g}" if number * scale < 1e6 else str(int(number * scale))


def read_chinese(numeral: str) -> int:
    """The value of a Chinese numeral such as 三千五百 or 二零二四; digits are read as they stand."""
    if numeral.isdigit():
        return int(numeral)
    numeral = COLLOQUIAL.sub(lambda match: match[1] + match[2] + BELOW[match[1]], numeral)
    if not set(numeral) & {"十", "百", "千", "万", "亿"}:
        return int("".join(str(DIGITS[character]) for character in numeral))
    for mark, scale in (("亿", 10**8), ("万", 10**4)):
        if mark in numeral:
            high, _, low = numeral.partition(mark)
            return (read_chinese(high) if high else 1) * scale + (read_chinese(low.lstrip("零")) if low else 0)
    return read_below_ten_thousand(numeral)


def read_below_ten_thousand(numeral: str) -> int:
    total, digit = 0, 0
    for character in numeral:
        if character in SCALES:
            total += (digit or 1) * SCALES[character]
            digit = 0
        else:
            digit = DIGITS[character]
    return total + digit
