"""Run one command that must not outlive the process that asked for it: `launcher.py <parent pid> <command> …`.

Started as a plain script with the standard library alone, so that it costs a few milliseconds.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading

# <linux/prctl.h>: the signal that this process gets when its parent ends; kept over execve(2).
PR_SET_PDEATHSIG = 1


def tie_to_parent(parent: int) -> bool:
    """Ask Linux to kill this process when `parent` ends. False where the system has no such call.

    A parent that ended before the call is noticed too: the process ends at once.
    """
    if not sys.platform.startswith("linux"):
        return False
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    return True


def guard(lifeline: int, command: list[str]) -> int:
    """Elsewhere: stay between the two, and end the whole group when the lifeline's other end is closed."""
    child = subprocess.Popen(command)  # noqa: S603

    def wait_for_parent() -> None:
        os.read(lifeline, 1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=wait_for_parent, daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    signal.signal(signal.SIGQUIT, lambda *_: child.send_signal(signal.SIGQUIT))
    return child.wait()


def main(arguments: list[str]) -> int:
    parent, lifeline, command = int(arguments[0]), int(arguments[1]), arguments[2:]
    if tie_to_parent(parent):
        os.close(lifeline)
        os.execv(command[0], command)  # noqa: S606
    return guard(lifeline, command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
