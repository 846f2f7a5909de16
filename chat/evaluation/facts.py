"""Facts to be planted: each has a marker that stands nowhere else, and so can be looked for in bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

THINGS = {
    "en": "boat dog horse parrot bicycle guitar village garden bakery dentist server laptop blog band school car "
    "tortoise neighbour teacher locker printer cottage tractor canoe piano".split(),
    "zh": "船 狗 马 鹦鹉 自行车 吉他 村子 花园 面包店 牙医 服务器 笔记本 博客 乐队 学校 汽车 "
    "乌龟 邻居 老师 柜子 打印机 小屋 拖拉机 皮划艇 钢琴".split(),
}
SAID = {"en": "Remember that my {thing} is called {marker}.", "zh": "请记住：我的{thing}叫{marker}。"}
KEPT = {"en": "The user's {thing} is called {marker}", "zh": "用户的{thing}叫{marker}"}
ASKED = {"en": "What is my {thing} called?", "zh": "我的{thing}叫什么名字？"}
# Letters that the full-text index writes as they are, and Chinese characters that nobody puts together.
LETTERS = "abcdefghijklmnopqrstuvwxy"
CHARACTERS = (
    "鳐岚墨璟澜珺翊崟芃荻淇沄漪颢霁骞垚焱淼犇羴鱻麤灥皛皕嘦嫑巭乜囧槑烎砳咘氽孖茕瓞岜峁嵎崴嶂巉帔庋弁彧彳徂怍"
    "怿恂悝惇慊戢扃抟拊揆搴摅撄攸敉斛旃昃昶晞晷曷杲枵栀栒桁梏棣楹榫槭橐檠欸歃殂毖毵氲汩沆泐洄浃浜涓淬渌渑溽滦漕漶潆澍濉瀵灏炱烀焐煳熳"
)


@dataclass(frozen=True)
class Fact:
    """`said` is what a person says, `kept` what is remembered of it, `asked` the question that it answers."""

    language: str
    marker: str
    said: str
    kept: str
    asked: str

    @property
    def traces(self) -> list[bytes]:
        """What would be left of the marker in a file: whole, or the part that an index with shared beginnings keeps;
        as UTF-8, as UTF-16 and as JSON escapes it."""
        parts = [self.marker.lower(), self.marker[-8:].lower()] if self.language == "en" else split(self.marker)
        texts = {*parts, self.marker}
        escaped = {json.dumps(text)[1:-1].encode() for text in texts}
        return sorted({text.encode() for text in texts} | {text.encode("utf-16-le") for text in texts} | escaped)


def split(marker: str) -> list[str]:
    """The pairs of characters by which it is indexed, and itself."""
    return [marker, *(marker[at : at + 2] for at in range(len(marker) - 1))]


def make_facts(count: int, seed: int = 7) -> list[Fact]:
    """The same for the same seed, half of them English and half Chinese; at most 50."""
    generator = random.Random(seed)  # noqa: S311  markers, no secrets
    markers = {"en": make_words(generator), "zh": make_names(generator)}
    languages = [("en", "zh")[number % 2] for number in range(count)]
    return [
        make_fact(language, THINGS[language][number // 2], next(markers[language]))
        for number, language in enumerate(languages)
    ]


def make_fact(language: str, thing: str, marker: str) -> Fact:
    said, kept, asked = (forms[language].format(thing=thing, marker=marker) for forms in (SAID, KEPT, ASKED))
    return Fact(language, marker, said, kept, asked)


def make_words(generator: random.Random) -> Iterator[str]:
    while True:
        yield "".join(generator.choices(LETTERS, k=14)).capitalize()


def make_names(generator: random.Random) -> Iterator[str]:
    characters = generator.sample(CHARACTERS, len(CHARACTERS))
    for start in range(0, len(characters) - 3, 4):
        yield "".join(characters[start : start + 4])
