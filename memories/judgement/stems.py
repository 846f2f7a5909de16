"""English words without their endings."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "lexicon"
FORMS = (
    "went:go gone:go goes:go ate:eat eaten:eat bought:buy wrote:write written:write ran:run built:build "
    "drank:drink drove:drive driven:drive slept:sleep woke:wake taught:teach thought:think made:make met:meet "
    "sold:sell lost:lose found:find kept:keep began:begin begun:begin spoke:speak spoken:speak sang:sing "
    "swam:swim was:be were:be is:be are:be been:be am:be being:be has:have had:have having:have does:do did:do "
    "done:do children:child kids:kid people:person men:man women:woman wives:wife mice:mouse teeth:tooth "
    "feet:foot got:get gotten:get gave:give given:give took:take taken:take grew:grow grown:grow rose:rise "
    "won:win paid:pay said:say told:tell felt:feel held:hold brought:bring chose:choose chosen:choose "
    "fell:fall broke:break broken:break rode:ride ridden:ride read:read saw:see seen:see knew:know known:know "
    "sent:send spent:spend stood:stand understood:understand wore:wear lent:lend married:married "
    "retired:retired better:good best:good shown:show hid:hide cut:cut put:put set:set quit:quit dying:die "
    "lying:lie flew:fly flown:fly meetings:meeting lenses:lens glasses:glasses movies:movie cookies:cookie "
    "selfies:selfie cities:city using:use used:use uses:use writing:write wanting:want living:live based:based "
    "buses:bus classes:class dishes:dish "
)
IRREGULAR = dict(pair.split(":") for pair in FORMS.split())
# Words whose ending is none.
KEPT = frozenset(
    (
        "lively weekly monthly yearly daily hourly nightly quarterly early only family reply apply supply july italy "
        "news engineering always this his its yes gas bus plus less class dress process address business glass "
        "guess miss pass boss cross chess wireless evening morning during thing nothing something everything "
        "spring string king ring wedding red bed need feed speed seed embed shed hundred sacred indeed exceed "
        "bring sing diabetes series physics mathematics politics economics tennis analysis basis virus status "
        "campus bonus focus corpus kubernetes redis aws js css https ios windows jenkins postgres rails kansas "
        "texas paris athens netherlands pandas as us is was does has sms dns tls canvas christmas perhaps besides "
        "towards headphones "
    ).split()
)
DOUBLED = re.compile(r"([bdglmnprt])\1$")


def stem(word: str) -> str:
    """English inflection taken off; derivation stays: "teachers" is "teacher", "teaching" is "teach"."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word in KEPT or len(word) < 4 or not word.isalpha():
        return word
    return without_ending(word)


def without_ending(word: str) -> str:
    if word.endswith("ly") and word[:-2] in read_vocabulary():
        return word[:-2]
    for ending, replacement in (
        ("ies", "y"),
        ("ied", "y"),
        ("sses", "ss"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("xes", "x"),
        ("toes", "to"),
        ("goes", "go"),
        ("roes", "ro"),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + replacement
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and re.search("[aeiouy]", root):
            return undouble(root)
    return word


def undouble(root: str) -> str:
    """The consonant that an ending doubled: "runn" is "run", "spell" stays."""
    known = read_vocabulary()
    if DOUBLED.search(root) and root not in known:
        return root[:-1]
    return restore_e(root)


def restore_e(root: str) -> str:
    """The "e" that an ending swallowed, where the word-lists know such a word: "liv" is "live", "work" stays."""
    known = read_vocabulary()
    return root + "e" if root + "e" in known and root not in known else root


@cache
def read_vocabulary() -> frozenset[str]:
    """All English words of the word-lists, as they are written there."""
    return frozenset(word for path in FOLDER.glob("*.txt") for word in re.findall(r"[a-z]+", path.read_text("utf-8")))
