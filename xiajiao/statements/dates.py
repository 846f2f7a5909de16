"""Put the day in the place of words like "tomorrow", which mean nothing when they are read later."""

from __future__ import annotations

import re
from datetime import date, timedelta

DAYS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "今天": 0,
    "今日": 0,
    "明天": 1,
    "明日": 1,
    "大后天": 3,
    "后天": 2,
}
PARTS = {"昨晚": (-1, "晚上"), "今早": (0, "早上"), "今晚": (0, "晚上"), "明早": (1, "早上"), "明晚": (1, "晚上")}
YEARS = {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
ENGLISH_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
CHINESE_WEEKDAYS = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
WEEKS = {"上": -1, "下": 1, "这": 0, "本": 0, "last": -1, "next": 1, "this": 0}

CHINESE = re.compile(
    rf"(?P<part>{'|'.join(PARTS)})|(?P<day>{'|'.join(DAYS)})|(?P<year>{'|'.join(YEARS)})|(?P<month>[上下]个?月"
    r"|这个月|本月)"
    r"|(?P<week>[上下这本])个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])|(?P<whole>[上下这本])个?(?:周"
    r"|星期)(?![一-六日天末])"
)
ENGLISH = re.compile(
    rf"\b(?:(?P<day>{'|'.join(ENGLISH_DAYS)})|(?P<week>last|next|this)\s+(?P<weekday>{'|'.join(WEEKDAYS)})"
    r"|(?P<whole>last|next|this)\s+(?P<unit>week|month|year))\b",
    re.IGNORECASE,
)


def resolve_dates(text: str, now: date) -> str:
    """Days as 2026-12-01, weeks by their Monday, months and years by name; other words stay."""
    text = CHINESE.sub(lambda match: spaced(chinese_date(match, now)), text)
    text = ENGLISH.sub(lambda match: english_date(match, now), text)
    return re.sub(r"  +", " ", text).strip()


def chinese_date(match: re.Match[str], now: date) -> str:
    found = match.groupdict()
    if found["part"]:
        offset, part = PARTS[found["part"]]
        return f"{shift(now, offset)} {part}"
    if found["day"]:
        return shift(now, DAYS[found["day"]])
    if found["year"]:
        return f"{now.year + YEARS[found['year']]} 年"
    if found["month"]:
        year, month = shift_month(now, WEEKS[found["month"][0]])
        return f"{year} 年 {month} 月"
    if found["weekday"]:
        return weekday_of(now, WEEKS[found["week"]], CHINESE_WEEKDAYS[found["weekday"]])
    return f"{weekday_of(now, WEEKS[found['whole']], 0)} 那周"


def english_date(match: re.Match[str], now: date) -> str:
    found = {name: text.lower() if text else text for name, text in match.groupdict().items()}
    if found["day"]:
        return f"on {shift(now, ENGLISH_DAYS[found['day']])}"
    if found["weekday"]:
        return f"on {weekday_of(now, WEEKS[found['week']], WEEKDAYS.index(found['weekday']))}"
    offset = WEEKS[found["whole"]]
    if found["unit"] == "week":
        return f"in the week of {weekday_of(now, offset, 0)}"
    if found["unit"] == "year":
        return f"in {now.year + offset}"
    year, month = shift_month(now, offset)
    return f"in {year}-{month:02}"


def spaced(day: str) -> str:
    """With the blanks that stand between Chinese and figures."""
    return f" {day} " if day[-1].isdigit() else f" {day}"


def shift(now: date, days: int) -> str:
    return (now + timedelta(days=days)).isoformat()


def weekday_of(now: date, weeks: int, weekday: int) -> str:
    """The day in the week that lies `weeks` from this one; weeks begin on Monday."""
    return shift(now, weeks * 7 + weekday - now.weekday())


def shift_month(now: date, months: int) -> tuple[int, int]:
    count = now.year * 12 + now.month - 1 + months
    return count // 12, count % 12 + 1
