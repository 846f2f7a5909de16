"""`manage.py up`: start Xiajiao and keep it running."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import override

from xiajiao.checks import TAG
from xiajiao.supervisor.language import terminal_language
from xiajiao.supervisor.starting import StartError, run


class Command(BaseCommand):
    help = "Start Xiajiao: broker, web server, worker and schedule. Ctrl-C stops all. -v 2 shows what they write."
    requires_system_checks = [TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=settings.HOST, help="address to listen on; 0.0.0.0 for the whole network")
        parser.add_argument("--port", type=int, default=settings.PORT)

    def handle(self, *args: Any, host: str, port: int, verbosity: int, **options: Any) -> None:
        if (host, port) != (settings.HOST, settings.PORT):
            restart_with(host, port)
        with override(terminal_language()):
            try:
                run(self.say, is_verbose=verbosity > 1)
            except StartError as error:
                self.stderr.write(str(error))
                sys.exit(1)

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def restart_with(host: str, port: int) -> None:
    """Become the same command with another address: other settings are made of it, and every child inherits it."""
    arguments = [sys.executable, *sys.argv]
    os.execve(sys.executable, arguments, {**os.environ, "HOST": host, "PORT": str(port)})  # noqa: S606
