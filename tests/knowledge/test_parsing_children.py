"""Whatever a file does to the child that reads it: the caller gets an answer, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from knowledge.parsing import Limits, ParseError, parse
from knowledge.readers.limits import MEGABYTE
from tests.installation import eventually
from tests.knowledge import zoo
from tests.knowledge.reading import parsed, reason

CALLER = """
import sys
from pathlib import Path
from knowledge.parsing import parse
parse(Path(sys.argv[1]), "hangs.txt", on_progress=lambda *_: print("started", flush=True))
"""


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A file of which no end comes, as a pipe that nobody writes to."""
    path = tmp_path / "endless"
    os.mkfifo(path)
    return path


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children(recursive=True) if "knowledge.readers" in child.cmdline()]


@contextmanager
def no_orphans() -> Iterator[None]:
    yield
    assert children() == []


def test_a_reader_that_hangs_is_killed(endless: Path) -> None:
    with no_orphans(), pytest.raises(ParseError) as caught:
        parse(endless, "hangs.pdf", Limits(seconds=1))

    assert caught.value.code == "timed_out"


def test_what_the_callers_callback_raises_ends_the_child(endless: Path) -> None:
    class CancelledError(Exception):
        pass

    def cancel(_stage: str, _done: int, _total: int) -> None:
        # For an instant a new program has no arguments yet.
        eventually(lambda: len(children()) == 1, "one child")
        raise CancelledError

    with no_orphans(), pytest.raises(CancelledError):
        parse(endless, "hangs.pdf", on_progress=cancel)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGSEGV, "corrupt"), (signal.SIGABRT, "corrupt"), (signal.SIGKILL, "stopped")]
)
def test_a_child_that_dies_by_a_signal_says_why(number: signal.Signals, code: str, endless: Path) -> None:
    def strike(_stage: str, _done: int, _total: int) -> None:
        for child in children():
            child.send_signal(number)

    with no_orphans(), pytest.raises(ParseError) as caught:
        parse(endless, "crashes.pdf", on_progress=strike)

    assert (caught.value.code, number.name in caught.value.detail) == (code, True)


def test_a_child_that_runs_out_of_processor_time_is_stopped(endless: Path) -> None:
    def spend(_stage: str, _done: int, _total: int) -> None:
        for child in children():
            child.send_signal(signal.SIGXCPU)

    with no_orphans(), pytest.raises(ParseError) as caught:
        parse(endless, "spins.pdf", on_progress=spend)

    assert caught.value.code == "timed_out"


def test_a_reader_that_eats_memory_is_stopped() -> None:
    with no_orphans():
        assert reason(b"[" + b"[]," * 8_000_000 + b"0]", "greedy.json", Limits(memory=300 * MEGABYTE)) == "too_large"
        assert reason(zoo.large_workbook(), "greedy.xlsx", Limits(memory=50 * MEGABYTE)) == "too_large"


def test_a_child_dies_with_the_process_that_waits_for_it(endless: Path) -> None:
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, str(endless)], cwd=settings.BASE_DIR, stdout=subprocess.PIPE
    )
    assert caller.stdout is not None
    assert caller.stdout.readline() == b"started\n"
    (child,) = psutil.Process(caller.pid).children()

    caller.kill()
    caller.wait()

    psutil.wait_procs([child], timeout=30)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_the_child_knows_none_of_our_secrets(endless: Path) -> None:
    found: list[dict[str, str]] = []

    def look(_stage: str, _done: int, _total: int) -> None:
        found.extend(child.environ() for child in children())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parse(endless, "looks.txt", on_progress=look)

    assert [set(environment) for environment in found] == [{"PYTHONPATH", "PYTHONUTF8"}]


def test_nothing_of_django_is_loaded_to_read_a_file() -> None:
    code = (
        "import sys, knowledge.readers.__main__;"
        " print(sorted(m for m in sys.modules if m.startswith(('django', 'celery', 'xiajiao'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )

    assert done.stdout == "['xiajiao', 'xiajiao.zips']\n"


def test_progress_names_the_pages(tmp_path: Path) -> None:
    path = tmp_path / "many"
    path.write_bytes(zoo.large_pdf(300))
    seen: list[tuple[str, int, int]] = []

    parse(path, "many.pdf", on_progress=lambda *step: seen.append(step))

    assert seen[0] == ("starting", 0, 0)
    assert {step[0::2] for step in seen[1:]} == {("reading", 300)}


def test_five_hundred_pages_fit_in_little_memory() -> None:
    found = parsed(zoo.large_pdf(), "large.pdf")

    assert (found.pages, len(found.sections)) == (500, 500)
    assert found.sections[499].text.startswith("Page 500 line 0")
    assert found.peak_memory < 150 * MEGABYTE


def test_sixty_thousand_rows_fit_in_little_memory() -> None:
    found = parsed(zoo.large_workbook(), "large.xlsx")

    assert sum(section.text.count("\n") + 1 for section in found.sections) == 59_999
    assert {section.table_header for section in found.sections} == {found.sections[0].table_header}
    assert found.peak_memory < 200 * MEGABYTE
