"""Golden cases: cases/<verb>/<symptom>/ has a shell command and what must come of it.

    cmd              run by bash in the case's folder; bin/ of this checkout comes first on PATH, and $T is an empty
                     folder to write to
    input            standard input (input.bin where it is no text), or
    make             a Python program that writes it (what is big or binary)
    expected         standard output, to the byte
    expected_err     standard error, to the byte; without it only a traceback there is a failure
    expected_status  the exit status, where it is not 0

`NC_UPDATE=1 pytest tests/test_cases.py` writes anew what is expected; read it before you commit it.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
CASES = sorted(path.parent for path in HERE.glob("cases/*/*/cmd"))
# Cases that take more than two seconds.
SLOW = {"segment/html-and-a-closed-pipe", "train/word-models-by-estimator"}
TIMEOUT = 120  # seconds: what takes longer hangs
SHOWN = 40  # lines of a difference


# What other people's programs say of an error differs from version to version.
SAID = re.compile(
    rb"(not JSON|not MessagePack|cannot be written as \w+|compressed content|\w+Error"
    rb"|standard input|broken\.gz|cmd|--url-match): [^\"\n]*"
)


def run(case: Path, folder: Path) -> tuple[bytes, bytes, int]:
    """Standard output, standard error and exit status of a case."""
    path = os.pathsep.join([str(HERE.parent / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("NC_", "PYTHON"))}
    environment |= {"PATH": path, "T": str(folder), "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        ["bash", "-c", (case / "cmd").read_text()],
        cwd=case,
        env=environment,
        input=given(case),
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    return done.stdout, done.stderr, done.returncode


def given(case: Path) -> bytes:
    """The standard input of a case."""
    for name in ("input", "input.bin"):
        if (case / name).exists():
            return (case / name).read_bytes()
    if (case / "make").exists():
        return subprocess.run([sys.executable, "make"], cwd=case, capture_output=True, check=True).stdout
    return b""


def differences(case: Path, out: bytes, err: bytes, status: int) -> str:
    """What is not as expected, for people to read; empty if all is."""
    report = []
    for name, got in (("expected", out), ("expected_err", err)):
        file = case / name
        if not file.exists():
            continue
        wanted, got = (SAID.sub(rb"\1: ...", data) for data in (file.read_bytes(), got))
        if got != wanted:
            lines = difflib.unified_diff(*(_lines(data) for data in (wanted, got)), name, "got", lineterm="")
            report += [line[:300] for line in list(lines)[:SHOWN]]
    if b"Traceback (most recent call last)" in err:
        report.append(err.decode(errors="backslashreplace"))
    if status != wanted_status(case):
        report.append(f"exit status {status}, not {wanted_status(case)}; standard error:")
        report.append(err.decode(errors="backslashreplace")[-2000:])
    return "\n".join(report)


def _lines(data: bytes) -> list[str]:
    return data.decode(errors="backslashreplace").replace("\r", "\\r").split("\n")


def wanted_status(case: Path) -> int:
    """The exit status a case expects."""
    file = case / "expected_status"
    return int(file.read_text()) if file.exists() else 0


def update(case: Path, out: bytes, err: bytes, status: int) -> None:
    """Writes what came as what is expected; standard error only where it was expected before, or nothing was."""
    new = not (case / "expected").exists()
    (case / "expected").write_bytes(out)
    if new or (case / "expected_err").exists():
        (case / "expected_err").write_bytes(err)
    if status:
        (case / "expected_status").write_text(f"{status}\n")
    else:
        (case / "expected_status").unlink(missing_ok=True)


def case_parameter(case: Path) -> Any:
    """A case as a parameter: its identifier is verb/symptom."""
    name = f"{case.parent.name}/{case.name}"
    return pytest.param(case, id=name, marks=[pytest.mark.slow] if name in SLOW else [])


@pytest.mark.parametrize("case", [case_parameter(case) for case in CASES])
def test_case(case: Path, tmp_path: Path) -> None:
    """The command does what it is expected to."""
    out, err, status = run(case, tmp_path)
    if os.environ.get("NC_UPDATE"):
        update(case, out, err, status)
        return
    report = differences(case, out, err, status)
    if report:
        pytest.fail(f"{case}\n{(case / 'cmd').read_text().strip()}\n{report}", pytrace=False)
