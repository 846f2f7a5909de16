"""The rail tells in which room a page is."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from xiajiao.templatetags.rail import ROOMS

# Before anybody is signed in there is none.
WITHOUT = {"chat:setup"}


def list_names(resolver: URLResolver, namespace: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from list_names(each, f"{each.namespace}:" if each.namespace else namespace)
        elif isinstance(each, URLPattern) and each.name:
            yield f"{namespace}{each.name}"


def test_every_page_of_the_apps_is_in_one_room() -> None:
    names = [name for name in list_names(get_resolver()) if name.split(":")[0] in {"chat", "memories", "knowledge"}]
    rooms = {name: [room.url_name for room in ROOMS if name.startswith(room.prefixes)] for name in names}
    assert {name: found for name, found in rooms.items() if len(found) != 1 and name not in WITHOUT} == {}
