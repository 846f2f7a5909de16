import re
from collections import Counter
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

from tests.sourcetexts import find_texts

# A context, where there is one, and a msgid, as they are written there.
ENTRY = re.compile(r'^((?:msgctxt (?:".*"\n)+)?)msgid ((?:".*"\n)+)', re.MULTILINE)
PLACEHOLDER = re.compile(r"%\(\w+\)[\d.]*[sdf]|%[sd]")


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with (settings.BASE_DIR / "locale/zh_Hans/LC_MESSAGES/django.po").open("rb") as file:
        return read_po(file, locale="zh_Hans")


def messages_of(catalogue: Catalog) -> Iterator[tuple[str, str, str]]:
    """Context, msgid and translation; Chinese has one plural form."""
    for message in catalogue:
        if message.id:
            yield message.context or "", first(message.id), first(message.string)


def first(text: str | tuple[str, ...] | list[str]) -> str:
    return text if isinstance(text, str) else text[0]


def test_every_text_is_in_the_chinese_catalogue(catalogue: Catalog) -> None:
    known = {(context, msgid) for context, msgid, _translation in messages_of(catalogue)}
    missing = [f"{name}: {msgid}" for (context, msgid), name in find_texts().items() if (context, msgid) not in known]
    assert not missing, "\n".join(missing)


def test_the_catalogue_holds_nothing_that_no_source_says(catalogue: Catalog) -> None:
    said = set(find_texts())
    assert not [msgid for context, msgid, _translation in messages_of(catalogue) if (context, msgid) not in said]


def test_nothing_stands_in_the_catalogue_twice() -> None:
    """Of two, one wins unseen, and msgfmt compiles neither."""
    text = (settings.BASE_DIR / "locale/zh_Hans/LC_MESSAGES/django.po").read_text(encoding="utf-8")
    assert [entry for entry, count in Counter(ENTRY.findall(text)).items() if count > 1] == []


def test_every_text_is_translated(catalogue: Catalog) -> None:
    assert not [msgid for _context, msgid, translation in messages_of(catalogue) if not translation.strip()]
    fuzzy: list[Message] = [message for message in catalogue if message.id and message.fuzzy]
    assert not [message.id for message in fuzzy]


def test_translations_keep_the_placeholders(catalogue: Catalog) -> None:
    broken = [
        msgid
        for _context, msgid, translation in messages_of(catalogue)
        if translation and not set(PLACEHOLDER.findall(translation)) <= set(PLACEHOLDER.findall(msgid))
    ]
    assert not broken


def test_system_types_have_the_names_that_people_know_in_chinese(catalogue: Catalog) -> None:
    names = {msgid: translation for _context, msgid, translation in messages_of(catalogue)}
    shown = [names[name] for name in ("User profile", "Project knowledge", "Feedback", "Reference")]
    assert shown == ["用户画像", "项目知识", "行为反馈", "引用资源"]
