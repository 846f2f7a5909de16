from typing import Any

from django.core.management.base import BaseCommand

from chat.interruption import mark_interrupted


class Command(BaseCommand):
    help = "End the answers that were being written when their server died; run before each start of the web server."

    def handle(self, *args: Any, **options: Any) -> None:
        count = mark_interrupted()
        if count:
            self.stdout.write(f"Answers marked as interrupted: {count}")
