"""Web pages: their main part, without menus, footers and cookie banners.

The usual extractors (trafilatura, readability) throw away tables, short pages and headings, and bring a dozen packages;
here only what a page itself calls navigation is left out, since a lost paragraph costs more than a menu too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from knowledge.readers.html_blocks import Walker, name_of, words
from knowledge.readers.reading import Reading
from knowledge.readers.reasons import ParseError, Reason
from knowledge.readers.sections import Section

CHARSET = re.compile(rb"""(?:<\?xml[^>]{0,100}?encoding|<meta[^>]{0,200}?charset)\s*=\s*["']?\s*([\w-]{2,20})""", re.I)
ASIDE = {"nav", "footer", "aside", "dialog"}
ROLES = {"navigation", "banner", "contentinfo", "search", "dialog", "alert", "menu", "complementary"}
NAMES = re.compile(
    r"\b(nav|navbar|navigation|menu|sidebar|breadcrumbs?|footer|cookies?|consent|share|social|pagination|advert\w*|ads)\b",
    re.I,
)
# Of all the page's text, the share that a part must hold to be called the main one or to be no mere aside.
MAIN_SHARE = 0.4


def read(reading: Reading) -> Iterator[Section]:
    declared = CHARSET.search(reading.head(4096))
    text = reading.text(declared[1].decode("ascii") if declared else "")
    yield from sections_of(text)


def sections_of(text: str, root: tuple[str, ...] = (), is_page: bool = True) -> Iterator[Section]:
    """The sections of a page, under its title; those of a fragment (a letter, a converted file) with all it says."""
    tree = parse(text)
    title = next((words(element) for element in tree.iter("title")), "") if is_page else ""
    body = next(tree.iter("body"), tree)
    part = main_part(body) if is_page else body
    yield from Walker(root + ((title,) if title and title not in headings(part) else ())).walk(part)


def parse(text: str) -> etree._Element:
    """Raises ParseError where nothing in it is HTML."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        tree = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        raise ParseError(Reason.EMPTY, f"no HTML in it: {error}"[:200]) from error
    if tree is None:
        raise ParseError(Reason.EMPTY, "no HTML in it")
    return tree


def headings(part: etree._Element) -> set[str]:
    return {words(element) for element in part.iter("h1")}


def main_part(body: etree._Element) -> etree._Element:
    """The one part marked as main, if it holds enough of the text; else the body without its asides."""
    whole = length(body)
    mains = [element for element in body.iter("main", "article", "div") if is_main(element)]
    if mains and length(mains[0]) >= whole * MAIN_SHARE:
        body = mains[0]
    for element in [element for element in body.iterdescendants() if is_aside(element)]:
        parent = element.getparent()
        if parent is not None and length(element) < whole * MAIN_SHARE:
            keep_tail(element, parent)
            parent.remove(element)
    return body


def is_main(element: etree._Element) -> bool:
    return name_of(element) == "main" or element.get("role") == "main" or element.get("id") == "content"


def is_aside(element: etree._Element) -> bool:
    tag = name_of(element)
    if not tag:
        return False
    names = f"{element.get('class', '')} {element.get('id', '')}"
    is_named = tag in {"div", "ul", "ol", "section", "header"} and NAMES.search(names) is not None
    is_hidden = element.get("hidden") is not None or element.get("aria-hidden") == "true"
    return tag in ASIDE or element.get("role") in ROLES or is_named or is_hidden


def keep_tail(element: etree._Element, parent: etree._Element) -> None:
    """lxml hangs the text behind an element on it; it belongs to what comes before."""
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")


def length(element: etree._Element) -> int:
    """Characters of its text, scripts and spaces left out."""
    total = 0
    for inner in element.iter():
        text = "" if name_of(inner) in {"script", "style"} else inner.text or ""
        tail = "" if inner is element else inner.tail or ""
        total += len(text.strip()) + len(tail.strip())
    return total
