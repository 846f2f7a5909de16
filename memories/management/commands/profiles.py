"""`manage.py profiles …`: the files of an agent as a folder, out and in."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import override

from memories.terminal.files import bring_files_in, take_files_out
from xiajiao.supervisor.language import terminal_language

DEEDS: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {"export": take_files_out, "import": bring_files_in}


class Command(BaseCommand):
    help = "Write SOUL, USER, MEMORY and DAILY of an agent into a folder, and read them from one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        out = what.add_parser("export", help="SOUL.md, memories/USER.md, memories/MEMORY.md, memories/daily/*.md")
        add_whose(out)
        out.add_argument("--overwrite", action="store_true", help="also what is no earlier export")
        brought = what.add_parser("import", help="what differs becomes the file; what stood there is kept")
        add_whose(brought)
        brought.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")

    def handle(self, **options: Any) -> None:
        with override(terminal_language()):
            for line in DEEDS[options["what"]](options):
                self.stdout.write(line)


def add_whose(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--agent", help="its name, or its number; not needed where there is one")
    parser.add_argument("--user", help="whose files with it; not needed where there is one person")
    parser.add_argument("--json", action="store_true", help="print JSON")
