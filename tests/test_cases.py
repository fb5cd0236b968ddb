"""Golden cases: cases/<verb>.toml has a table for each, named by its symptom.

    command    run by bash in a folder of its own; bin/ of this checkout comes first on PATH, $T is an empty folder to
               write to, and `data` is tests/data
    input      standard input, or
    make       a Python program that writes it (what is big or binary)
    files      other files of the folder, by their path; `input` and `make` are files there, too
    output     standard output, to the byte
    errors     standard error, to the byte; without it only a traceback there is a failure
    status     the exit status, where it is not 0

What is no text is a table with `base64`. `NC_UPDATE=1 pytest -n0 tests/test_cases.py` writes anew what is expected;
read it before you commit it.
"""

from __future__ import annotations

import base64
import difflib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
TABLES = sorted(HERE.glob("cases/*.toml"))
# Cases that take more than two seconds.
SLOW = {"segment/html-and-a-closed-pipe", "train/word-models-by-estimator"}
TIMEOUT = 120  # seconds: what takes longer hangs
SHOWN = 40  # lines of a difference
FIELDS = ("command", "input", "make", "status", "output", "errors", "files")
# What other people's programs say of an error differs from version to version.
SAID = re.compile(
    rb"(not JSON|not MessagePack|cannot be written as \w+|compressed content|\w+Error"
    rb"|standard input|broken\.gz|--url-match): [^\"\n]*"
)

Case = dict[str, Any]


def read_cases(table: Path) -> dict[str, Case]:
    """The cases of a command, by their symptoms."""
    cases: dict[str, Case] = tomllib.loads(table.read_text(encoding="utf-8"))
    return cases


def content(value: str | dict[str, str]) -> bytes:
    """The bytes that a text of a table stands for."""
    return value.encode() if isinstance(value, str) else base64.b64decode(value["base64"])


def stored(data: bytes) -> str | dict[str, str]:
    """The opposite of `content`."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.encodebytes(data).decode()}


def write_cases(table: Path, cases: dict[str, Case]) -> None:
    """Writes the cases of a command, in the order of their names."""
    parts = []
    for name, case in sorted(cases.items()):
        fields = [f"{field} = {_literal(case[field])}\n" for field in FIELDS if field in case and field != "files"]
        files = [f"{_key(path)} = {_literal(value)}\n" for path, value in sorted(case.get("files", {}).items())]
        parts.append(f"[{_key(name)}]\n{''.join(fields)}")
        parts += [f"[{_key(name)}.files]\n{''.join(files)}"] if files else []
    table.write_text("\n".join(parts), encoding="utf-8", newline="\n")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else f'"{name}"'


def _literal(value: str | int | dict[str, str]) -> str:
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return f"{{ base64 = {_literal(value['base64'])} }}"
    if re.fullmatch(r"[^\x00-\x08\x0a-\x1f\x7f']*", value):
        return f"'{value}'"
    if "'''" not in value and not value.endswith("'") and not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", value):
        return f"'''\n{value}'''"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"""\n' + re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda sign: f"\\u{ord(sign[0]):04x}", escaped) + '"""'


def run(case: Case, folder: Path) -> tuple[bytes, bytes, int]:
    """Standard output, standard error and exit status of a case, which gets an empty folder."""
    here, target = folder / "case", folder / "target"
    here.mkdir()
    target.mkdir()
    (here / "data").symlink_to(HERE / "data")
    for name, value in {
        **{key: case[key] for key in ("input", "make") if key in case},
        **case.get("files", {}),
    }.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_bytes(content(value))
    given = content(case.get("input", ""))
    if "make" in case:
        given = subprocess.run([sys.executable, "make"], cwd=here, capture_output=True, check=True).stdout
    path = os.pathsep.join([str(HERE.parent / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("NC_", "PYTHON"))}
    environment |= {"PATH": path, "T": str(target), "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": ""}
    command = ["bash", "-c", case["command"]]
    done = subprocess.run(command, cwd=here, env=environment, input=given, capture_output=True, timeout=TIMEOUT)
    return done.stdout, done.stderr, done.returncode


def differences(case: Case, out: bytes, err: bytes, status: int) -> str:
    """What is not as expected, for people to read; empty if all is."""
    report = []
    for name, got in (("output", out), ("errors", err)):
        if name not in case:
            continue
        wanted, got = (SAID.sub(rb"\1: ...", data) for data in (content(case[name]), got))
        if got != wanted:
            lines = difflib.unified_diff(*(_lines(data) for data in (wanted, got)), name, "got", lineterm="")
            report += [line[:300] for line in list(lines)[:SHOWN]]
    if b"Traceback (most recent call last)" in err:
        report.append(err.decode(errors="backslashreplace"))
    if status != case.get("status", 0):
        report.append(f"exit status {status}, not {case.get('status', 0)}; standard error:")
        report.append(err.decode(errors="backslashreplace")[-2000:])
    return "\n".join(report)


def _lines(data: bytes) -> list[str]:
    return data.decode(errors="backslashreplace").replace("\r", "\\r").split("\n")


def updated(case: Case, out: bytes, err: bytes, status: int) -> Case:
    """The case with what came as what is expected; standard error only where it was expected before, or nothing was."""
    new = {**case, "output": stored(out), "status": status}
    if "errors" in case or "output" not in case:
        new["errors"] = stored(err)
    if not status:
        del new["status"]
    return new


def _parameter(table: Path, name: str) -> Any:
    full = f"{table.stem}/{name}"
    return pytest.param(table, name, id=full, marks=[pytest.mark.slow] if full in SLOW else [])


@pytest.mark.parametrize(("table", "name"), [_parameter(table, name) for table in TABLES for name in read_cases(table)])
def test_case(table: Path, name: str, tmp_path: Path) -> None:
    """The command does what it is expected to."""
    cases = read_cases(table)
    case = cases[name]
    out, err, status = run(case, tmp_path)
    report = differences(case, out, err, status)
    if os.environ.get("NC_UPDATE"):
        if report or "output" not in case:
            write_cases(table, {**cases, name: updated(case, out, err, status)})
    elif report:
        pytest.fail(f"{table}: {name}\n{case['command']}\n{report}", pytrace=False)


@pytest.mark.parametrize("text", ["", "a\n", "it's\n'''\\ \"\"\"\n", "\r\n\x00\x7f é\t", "\n", "ends'", "a: 'b'"])
def test_tables_hold_any_text(text: str, tmp_path: Path) -> None:
    case = {"command": text, "input": stored(text.encode() + b"\xff"), "status": 2, "files": {"a/b.txt": text}}
    write_cases(tmp_path / "x.toml", {"it-is-1.0": case})
    assert read_cases(tmp_path / "x.toml") == {"it-is-1.0": case}
    assert content(case["input"]) == text.encode() + b"\xff"
