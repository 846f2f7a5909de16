from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandParser

from xiajiao.embeddings import get_embedder
from xiajiao.embeddings.centring import FOLDER, measure_centre


class Command(BaseCommand):
    """For those who build Xiajiao: a new local model needs its means once."""

    help = "Measure the mean vectors that relevance is measured without (xiajiao/embeddings/centring.py)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("embedder", help="an alias of settings.EMBEDDERS")

    def handle(self, *_args: Any, embedder: str, **_options: Any) -> None:
        path = FOLDER / f"{embedder}.npz"
        np.savez(path, allow_pickle=False, **measure_centre(get_embedder(embedder)))
        self.stdout.write(str(path))
