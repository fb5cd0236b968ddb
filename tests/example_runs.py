"""Runs examples in a folder that looks like a user's, and describes what they print and write.

folder = checkout(tmp_path)
run_block(["nc-segment page.html > segments.jsonl", "wc -l segments.jsonl"], folder)
# [Run(command="nc-segment …", output="", status=0), Run(command="wc -l …", output="1 segments.jsonl\\n", status=0)]
"""

from __future__ import annotations

import hashlib
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
    "kenlm": r"\.arpa\.bin|\.binary",
    "sentencepiece": "--sentencepiece",
    "justext": "justext:[A-Z]",
    "tantivy": "--savings",
    "matplotlib": "--plot",
    "scipy": r"nc-(?:train|tune|eval)",
    "starlette": "nc-inspect",
}
TIMEOUT = 600  # seconds: what takes longer hangs
SHOWN_LINES, SHOWN_CHARACTERS, SHOWN_FILES = 8, 100, 6
# Files whose lines are counted; others, such as figures, depend on the versions of libraries.
COUNTED_SUFFIXES = frozenset((".txt", ".jsonl", ".md", ".vert", ".xml", ".wet", ".arpa", ".align"))
# command → where the part of its output begins that differs from run to run
_UNSTEADY = {"--savings": "Inverted index"}
# Separates the outputs of commands; their exit status follows.
_SEPARATOR = "\x1e"
_MESSAGE = re.compile(r"nc-[a-z]+: ")
# What varies from run to run or with the versions of libraries.
_VARYING = [
    re.compile(r"\b(?P<kept>(?:python|scipy|rapidfuzz|tantivy) |ncfilters[: ])\d[\w.]*"),
    re.compile(r"(?P<kept>\b)\d+(?:\.\d+)?(?= s\b| ms\b)|(?<=passed, )\d+(?= deselected)", re.M),
    re.compile(r"(?P<kept>(?:passed|deselected) in )[\d.]+s(?: \(\d+:\d\d:\d\d\))?$", re.M),
    re.compile(r"(?P<kept>\b)[\d,.]+(?= (?:records|pages)/s)"),
]


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


def described(run: Run) -> str:
    """The command, and what it prints below it, indented; of long output the beginning and a checksum."""
    output = run.output
    for option, beginning in _UNSTEADY.items():
        if option in run.command and beginning in output:
            output = f"{output[: output.index(beginning)]}{beginning} …\n"
    for pattern in _VARYING:
        output = pattern.sub(r"\g<kept>#", output)
    lines = output.splitlines()
    shown = [line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…" for line in lines]
    if shown != lines or len(lines) > SHOWN_LINES:
        rest = max(0, len(lines) - SHOWN_LINES)
        checksum = hashlib.sha256(output.encode()).hexdigest()[:12]
        shown = [*shown[:SHOWN_LINES], f"… {rest} more lines; SHA-256 of all: {checksum}"]
    if run.status:
        shown.append(f"[exit status {run.status}]")
    return "".join(f"{line}\n" for line in [run.command, *(f"    {line}".rstrip() for line in shown)])


def file_states(folder: Path) -> dict[str, tuple[int, int]]:
    """The files of the user in the folder by their paths, with what changes when they are written."""
    own = {path.name for path in ROOT.iterdir()}
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_size)
        for entry in folder.iterdir()
        if entry.name not in own and not entry.name.startswith(".")
        for path in ([entry] if entry.is_file() else entry.rglob("*"))
        if path.is_file()
    }


def described_changes(folder: Path, before: dict[str, tuple[int, int]]) -> str:
    """The files that were written, with their lines; of many in a folder, their number."""
    after = file_states(folder)
    written = sorted(name for name, state in after.items() if before.get(name) != state)
    out = []
    for top in dict.fromkeys(name.split("/")[0] for name in written):
        names = [name for name in written if name.split("/")[0] == top]
        empty = f", {sum(1 for name in names if not after[name][1])} of them empty"
        if len(names) > SHOWN_FILES:
            out.append(f"    + {top}/: {len(names)} files{empty if not empty.startswith(', 0') else ''}\n")
        else:
            out += [f"    + {name}: {_size(folder / name)}\n" for name in names]
    return "".join(out)


def _size(path: Path) -> str:
    data = path.read_bytes()
    if not data:
        return "empty"
    return f"{len(data.splitlines())} lines" if path.suffix in COUNTED_SUFFIXES else "not empty"
