"""Runs examples in a folder that looks like a user's.

folder = checkout(tmp_path)
run_block(["nc-segment page.html > segments.jsonl", "wc -l segments.jsonl"], folder)
# [Run(command="nc-segment …", output="", status=0), Run(command="wc -l …", output="1 segments.jsonl\\n", status=0)]
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from examples import ROOT, Block

CHANGED = {"CONTRIBUTING.md": ("ncfilters", "tests")}  # what a document changes, besides bin
PROGRAMS = ("jq", "parallel", "zstd", "xz", "lynx", "git", "less", "make", "snakemake")  # what an example may want
# library → the command that wants it
LIBRARIES = {
    "kenlm": r"\.arpa|\.binary", "sentencepiece": r"sp\.model", "justext": "justext:[A-Z]", "matplotlib": "--plot",
    "scipy": r"nc-(?:train|eval)", "starlette": "nc-inspect",
}  # fmt: skip
TIMEOUT = 600  # seconds: what takes longer hangs
# Separates the outputs of commands; their exit status follows.
_SEPARATOR = "\x1e"
_MESSAGE = re.compile(r"nc-[a-z]+: ")


@dataclass(frozen=True)
class Run:
    """A command of an example: what it printed on standard output and standard error, and its exit status."""

    command: str
    output: str
    status: int


def checkout(folder: Path, document: str) -> Path:
    """Makes the folder look like the checkout; what the document changes is a copy. `curl` prints page.html."""
    for path in ROOT.iterdir():
        if not (folder / path.name).exists():
            (folder / path.name).symlink_to(path)
    for name in ("bin", *CHANGED.get(document, ())):
        (folder / name).unlink()
        shutil.copytree(ROOT / name, folder / name, symlinks=True)
    (folder / "bin" / "curl").write_text("#!/bin/sh\nexec cat page.html\n")
    (folder / "bin" / "curl").chmod(0o755)
    return folder


def write(files: Sequence[Block], folder: Path) -> None:
    """Writes the files that a document shows; what a file has already stays before it."""
    for block in files:
        with (folder / block.title).open("a", encoding="utf-8") as file:
            file.write(f"{block.code}\n")


def matches(wanted: Sequence[str], got: str) -> bool:
    """Whether the output is what a document shows, wherever messages stand in it."""
    lines = messages_last("".join(f"{line}\n" for line in wanted)).splitlines()
    pattern = "".join(
        r"(?:.*\n)*" if line == "…" else re.escape(line.rstrip()).replace("…", ".*") + r"[ ]*\n" for line in lines
    )
    got = messages_last(got)
    return re.fullmatch(pattern, got if got.endswith("\n") or not got else got + "\n") is not None


def messages_last(output: str) -> str:
    """*output* with the messages of filters after all else: in a pipe they come at any time."""
    lines = output.splitlines(keepends=True)
    return "".join(sorted(lines, key=lambda line: _MESSAGE.match(line) is not None))


def missing(code: str) -> list[str]:
    """The programs and libraries that a piece of shell wants and that are not installed."""
    programs = [name for name in PROGRAMS if re.search(rf"\b{name}\b(?!\.)", code) and not shutil.which(name)]
    libraries = [name for name, use in LIBRARIES.items() if re.search(use, code) and not importlib.util.find_spec(name)]
    return programs + libraries


def run_block(commands: Sequence[str], folder: Path) -> list[Run]:
    """Runs the commands in one shell, as a terminal shows them: with standard error among standard output."""
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("NC_", "PYTEST_"))}
    environment |= {"PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONPATH": str(folder), "HOME": str(folder)}
    lines = [f"{command}\nprintf '{_SEPARATOR}%s{_SEPARATOR}' $?" for command in commands]
    done = subprocess.run(
        ["bash", "-c", "\n".join(["set -o pipefail", *lines])],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIMEOUT,
        check=False,
    )
    output = done.stdout.decode(errors="backslashreplace")
    for place in (folder, ROOT):
        output = output.replace(str(place), "/home/user")
    parts = output.split(_SEPARATOR)
    assert len(parts) == 2 * len(commands) + 1, f"{commands} ended before the end:\n{parts[-1]}"
    return [
        Run(command, messages_last(parts[2 * n]) if "|" in command else parts[2 * n], int(parts[2 * n + 1]))
        for n, command in enumerate(commands)
    ]
