"""Shell commands at a terminal, as a user types them: what they print there.

at_terminal("nc-segment", typed=b'{"text": "x"}\\n\\x04')    # 'nc-segment: reading from the terminal…'
"""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def at_terminal(
    command: str, folder: Path, typed: bytes = b"", environment: Mapping[str, str] | None = None, width: int = 80
) -> str:
    """What a shell command prints on a terminal of so many columns, which is its input, output and errors where it does
    not redirect them. *typed* is what the user types. Fails after a minute."""
    ours, theirs = pty.openpty()
    bin_folder = folder / ".bin"
    bin_folder.mkdir(exist_ok=True)
    for path in (ROOT / "bin").glob("nc-*"):
        if not (bin_folder / path.name).exists():
            (bin_folder / path.name).symlink_to(path)
    python = os.path.dirname(sys.executable)
    variables = {**os.environ, "PATH": f"{bin_folder}:{python}:{os.environ['PATH']}", "COLUMNS": str(width)}
    variables = {name: value for name, value in variables.items() if name not in ("NO_COLOR", "TERM")}
    variables |= {"TERM": "xterm-256color", **(environment or {})}
    process = subprocess.Popen(
        ["bash", "-c", command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=variables,
        start_new_session=True,
    )
    os.close(theirs)
    out, end = b"", time.monotonic() + 60
    if typed:
        time.sleep(0.1)
        os.write(ours, typed)
    while time.monotonic() < end:
        ready, _, _ = select.select([ours], [], [], 0.2)
        if ready:
            try:
                data = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            out += data
        elif process.poll() is not None:
            break
    os.close(ours)
    process.kill() if process.poll() is None else None
    process.wait()
    return out.decode("utf-8", "replace").replace("\r\n", "\n")
