"""`manage.py kb …`: knowledge bases, for scripts and for who sits at the server."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import override
from redis.exceptions import RedisError

from knowledge.tasks import nudge_embedding, nudge_indexing
from knowledge.terminal.indexing import index_paths, reindex
from knowledge.terminal.looking import STATES, list_documents, search
from knowledge.terminal.waiting import Hands
from xiajiao.celery import app
from xiajiao.consumers import unserved_queues
from xiajiao.supervisor.language import terminal_language
from xiajiao.texts import clip

DEEDS: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {"search": search, "list": list_documents}
WORKS: dict[str, Callable[[dict[str, Any], Hands], Iterator[str]]] = {"index": index_paths, "reindex": reindex}
ERASE = "\r\033[K"
INTERRUPTED = 130


class Command(BaseCommand):
    help = "Put files into knowledge bases, look at what is there, search it, read it once more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        add_index(what.add_parser("index", help="files and folders, until they can be searched"))
        add_search(what.add_parser("search", help="as a turn does, with why"))
        add_list(what.add_parser("list", help="documents, the newest first"))
        add_reindex(what.add_parser("reindex", help="read documents once more; what stands serves meanwhile"))

    def handle(self, **options: Any) -> None:
        with override(terminal_language()):
            try:
                for line in self.lines(options):
                    self.show("")
                    self.stdout.write(line)
            except KeyboardInterrupt:
                said = _("Stopped. What is not done yet is carried on by a running Xiajiao, or by the same command.")
                raise CommandError(said, returncode=INTERRUPTED) from None
            except BrokenPipeError:
                # Whoever reads, such as `head`, has seen enough; Python would write the rest at its end.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            finally:
                self.show("")

    def lines(self, options: dict[str, Any]) -> Iterator[str]:
        if options["what"] in DEEDS:
            return DEEDS[options["what"]](options)
        hands = Hands(nudge_indexing, nudge_embedding, has_workers, self.show)
        return WORKS[options["what"]](options, hands)

    def show(self, text: str) -> None:
        """On the last line of a terminal, until the next; nowhere else."""
        if self.stderr.isatty() and sys.stdout.isatty():
            self.stderr.write(f"{ERASE}{clip(text, 100)}", ending="")
            self.stderr.flush()


def has_workers() -> bool:
    try:
        return not unserved_queues(app)
    except RedisError:
        return False


def add_common(parser: ArgumentParser, ids: bool = True) -> None:
    parser.add_argument("--base", help="its name, or its number")
    parser.add_argument("--user", help="whose bases; without it, everybody's")
    if ids:
        parser.add_argument("--doc-id", action="append", help="of one document; may be given several times")
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each document")


def add_waiting(parser: ArgumentParser) -> None:
    waits = parser.add_mutually_exclusive_group()
    waits.add_argument("--no-wait", action="store_true", help="leave it to the workers of a running Xiajiao")
    waits.add_argument("--no-vectors", action="store_true", help="wait for the search by words alone")


def add_index(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files, and folders with all in them")
    add_common(parser, ids=False)
    parser.add_argument("--doc-id", help="of the one file that is named; its name without it")
    parser.add_argument("--create", action="store_true", help="make the base where there is none, with --user")
    parser.add_argument("--tag", action="append", help="may be given several times")
    parser.add_argument("--twins", action="store_true", help="also files whose content is here already")
    taken = parser.add_mutually_exclusive_group()
    taken.add_argument("--replace", action="store_true", help="put a file in the place of what is called so")
    taken.add_argument("--keep-both", action="store_true", help="give it another id where its own is taken")
    add_waiting(parser)


def add_search(parser: ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="TEXT")
    add_common(parser)
    parser.add_argument("--tag", action="append", help="that its document has; several: all of them")
    parser.add_argument("--top-k", type=int, default=5)


def add_list(parser: ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--bases", action="store_true", help="the bases themselves, with what they hold")
    parser.add_argument("--words", help="in name or id")
    parser.add_argument("--state", choices=STATES)
    parser.add_argument("--tag", action="append", help="several: all of them")
    parser.add_argument("--limit", type=int, default=50, help="0 for all")


def add_reindex(parser: ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--failed", action="store_true", help="those alone that failed or were cancelled")
    parser.add_argument("--vectors", action="store_true", help="the vectors alone, by the embedding model of now")
    add_waiting(parser)
