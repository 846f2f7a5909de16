"""`manage.py memories …`: what the panel does, for scripts and for who sits at the server."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from memories.filtering import STATES
from memories.models import Import, Memory
from memories.terminal.forgetting import forget
from memories.terminal.looking import list_memories, search_memories, show_memory, show_stats
from memories.terminal.transferring import bring_in, take_out
from memories.transfer.formats import NAMES
from memories.transfer.plans import JSONLINES, SUFFIXES

DEEDS: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "list": list_memories,
    "search": search_memories,
    "show": show_memory,
    "stats": show_stats,
    "export": take_out,
    "import": bring_in,
    "forget": forget,
}


class Command(BaseCommand):
    help = "Look at memories, take them out, bring them in, forget them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        looked = what.add_parser("list", help="the newest first")
        found = what.add_parser("search", help="by meaning and words, with why")
        found.add_argument("words", nargs="+")
        for each in (looked, found):
            add_filters(each)
            each.add_argument("--limit", type=int, default=50, help="0 for all")
        add_filters(what.add_parser("stats", help="how many there are"))
        shown = what.add_parser("show", help="one memory with its history")
        shown.add_argument("id", help="its number: 12 or M12")
        shown.add_argument("--json", action="store_true", help="print JSON")
        add_export(what.add_parser("export", help="write memories to a file, or to the terminal"))
        add_import(what.add_parser("import", help="say what a file would bring; with --yes, bring it in"))
        add_forget(what.add_parser("forget", help="say what would be forgotten for good; with --yes, forget it"))

    def handle(self, **options: Any) -> None:
        for line in DEEDS[options["what"]](options):
            self.stdout.write(line)


def add_choices(parser: ArgumentParser) -> None:
    parser.add_argument("--agent", help="of one agent: its name, or its number")
    parser.add_argument("--category", choices=Memory.Category.values)
    parser.add_argument("--type", help="the key of a memory type")


def add_filters(parser: ArgumentParser) -> None:
    parser.add_argument("--user", help="of one person; without it, of everybody")
    add_choices(parser)
    parser.add_argument("--state", choices=STATES, default="active")
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each memory")


def add_export(parser: ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", default="-", help="- for the terminal")
    parser.add_argument("--user", help="of one person; without it, of everybody")
    add_choices(parser)
    parser.add_argument("--format", choices=list(SUFFIXES), default=JSONLINES)


def add_import(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--user", required=True, help="who imports; staff may import for others")
    parser.add_argument("--for", dest="person", help="whose memories they become (staff); `file`: as the file says")
    parser.add_argument("--agent", help="into one agent: its name, or its number")
    parser.add_argument("--format", choices=NAMES, default="", help="recognised where it is not said")
    parser.add_argument("--conflicts", choices=Import.Conflicts.values, default=Import.Conflicts.KEEP)
    parser.add_argument("--bring-back", action="store_true", help="bring back what was deleted or forgotten here")
    parser.add_argument("--yes", action="store_true", help="write it; without this nothing is written")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_forget(parser: ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", help="what it is about, or numbers of memories: 12 or M12")
    parser.add_argument("--user", required=True, help="whose word it is: of their memories")
    add_choices(parser)
    parser.add_argument("--messages", action="store_true", help="the texts of messages that say it go too")
    parser.add_argument("--yes", action="store_true", help="do it; without this nothing is removed")
    parser.add_argument("--json", action="store_true", help="print JSON")
