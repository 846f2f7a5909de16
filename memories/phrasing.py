"""A person's own words turned into those in which memories are written: "my dog" becomes "the user's dog".

It brings questions much nearer to their answers: with e5, "我的职业" has a relevance of 0.03 to
"用户是 Python 后端开发", "用户的职业" one of 0.28, while requests that are about nobody stay where they were.
"""

from __future__ import annotations

import re
from collections.abc import Callable

# Not in 我们 (an agent's episodes say 我们 too), nor where the person only asks for something: 帮我, 给我, 告诉我.
I_IN_CHINESE = re.compile(r"(?<![帮给替为向跟叫让陪教诉自])我(?!们)")
SELF = {"i": "the user", "my": "the user's", "mine": "the user's", "me": "the user", "myself": "the user"}
AUXILIARIES = {"am": "is", "do": "does", "have": "has", "don't": "doesn't", "haven't": "hasn't"}
SHORT_FORMS = {"'m": " is", "'ve": " has", "'d": " would", "'ll": " will"}
REQUESTS = r"(?<!tell )(?<!give )(?<!help )(?<!show )(?<!let )(?<!send )(?<!teach )(?<!remind )(?<!make )"
REPLACEMENTS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (re.compile(r"\b(am|do|have|don't|haven't) I\b", re.I), lambda found: f"{AUXILIARIES[found[1].lower()]} the user"),
    (re.compile(r"\bI('m|'ve|'d|'ll)\b"), lambda found: f"the user{SHORT_FORMS[found[1]]}"),
    (re.compile(r"\bI am\b"), lambda _found: "the user is"),
    (re.compile(r"\b(I|[Mm]y|[Mm]ine|[Mm]yself)\b"), lambda found: SELF[found[1].lower()]),
    (re.compile(rf"{REQUESTS}\bme\b", re.I), lambda _found: "the user"),
]


def in_third_person(message: str) -> str:
    text = I_IN_CHINESE.sub("用户", message.replace("’", "'"))
    for pattern, replace in REPLACEMENTS:
        text = pattern.sub(replace, text)
    return text
