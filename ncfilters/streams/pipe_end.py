"""Where standard output goes in the end, so that a pipe of filters has one progress line, and no text has one in it.

    reports_progress()    # True for `nc-select > corpus.txt`; False for a filter before it, and for `nc-select | less`

A filter is silent if a later process of the pipe is another of ours, which reports, or if the end of the pipe is a
terminal, where the line would stand in the text. The system has to have /proc; elsewhere only the filter's own output
is looked at.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

PROCESSES = Path("/proc")
OUR_NAME = re.compile(rb"nc-[a-z]+")
# Arguments of a command line that may be the name of a program: an interpreter and its options come before it.
MAX_ARGUMENTS = 4
# Processes of a pipe that are followed.
MAX_STAGES = 32


def reports_progress() -> bool:
    """Whether a progress line of this process is the only one, and stands in no text."""
    pid = os.getpid()
    for _ in range(MAX_STAGES):
        target = _target(pid, 1)
        if target is None:  # no /proc, or a process of somebody else
            return pid != os.getpid() or not os.isatty(1)
        if _is_terminal_path(target):
            return False
        if not target.startswith("pipe:"):
            return True
        reader = _reader(target, pid)
        if reader is None:
            return True
        if _is_ours(reader):
            return False
        pid = reader
    return True


def _target(pid: int, descriptor: int) -> str | None:
    """What a descriptor of a process is; None if that is not known."""
    try:
        return os.readlink(PROCESSES / str(pid) / "fd" / str(descriptor))
    except OSError:
        return None


def _reader(pipe: str, writer: int) -> int | None:
    """The process whose standard input is a pipe."""
    try:
        names = os.listdir(PROCESSES)
    except OSError:
        return None
    for name in names:
        if name.isdecimal() and int(name) != writer and _target(int(name), 0) == pipe:
            return int(name)
    return None


def _is_ours(pid: int) -> bool:
    try:
        arguments = (PROCESSES / str(pid) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return any(OUR_NAME.fullmatch(os.path.basename(argument)) for argument in arguments[:MAX_ARGUMENTS])


def _is_terminal_path(target: str) -> bool:
    if not target.startswith("/dev/"):
        return False
    try:
        is_device = stat.S_ISCHR(os.stat(target).st_mode)
    except OSError:
        return target.startswith(("/dev/pts/", "/dev/tty"))
    return is_device and target.startswith(("/dev/pts/", "/dev/tty", "/dev/console"))
