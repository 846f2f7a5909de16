"""A process of test_jobs.py: a worker that goes on with one import until it is done, or killed."""

import sys

from memories.models import Import
from memories.transfer.importing import advance_import


def main(pk: str) -> None:
    job = Import.objects.get(pk=pk)
    print("ready", flush=True)
    sys.stdin.readline()
    while advance_import(job):
        pass
