"""`manage.py doctor`: what works, what does not, and what to do about it."""

import sys
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext, gettext_lazy, override

from xiajiao.diagnosis import examine
from xiajiao.health import Finding, is_ready
from xiajiao.supervisor.language import terminal_language

NAMES = {
    "settings": gettext_lazy("Settings"),
    "data_folder": gettext_lazy("Data folder"),
    "secret": gettext_lazy("Secret key"),
    "disk": gettext_lazy("Disk"),
    "clock": gettext_lazy("Clock"),
    "running": gettext_lazy("Running"),
    "database": gettext_lazy("Database"),
    "migrations": gettext_lazy("Database version"),
    "broker": gettext_lazy("Broker"),
    "consumers": gettext_lazy("Workers"),
    "embedder": gettext_lazy("Embedding model"),
    "chat_model": gettext_lazy("Chat model"),
}


class Command(BaseCommand):
    help = "Say what works and what does not, with the next step. Exit code 1 where something needed is broken."
    # It reports on them itself.
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        with override(terminal_language()):
            findings = examine()
            for finding in findings:
                self.tell(finding)
            ready = is_ready(findings)
            self.stdout.write(gettext("All is well.") if ready else gettext("Something needs attention."))
        sys.exit(0 if ready else 1)

    def tell(self, finding: Finding) -> None:
        mark = self.style.SUCCESS("ok") if finding.ok else self.style.ERROR("!!")
        self.stdout.write(f"{mark}  {NAMES[finding.part]}: {finding.reason}")
        if finding.next_step:
            self.stdout.write(f"    → {finding.next_step}")
