"""Functions that the benchmarks share: the commands of this checkout, pages of gold sets, results in Markdown.

records = read_pages(Path("data/wcxb-dev.jsonl.xz"), 100)
segments = run_pipe("nc-segment", b"".join(map(json_line, records)))
"""

from __future__ import annotations

import json
import lzma
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from ncfilters.evaluation.tables import Table, table_lines

Record = dict[str, Any]

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
BIN = ROOT / "bin"


def log(message: str) -> None:
    """Reports progress on standard error."""
    print(message, file=sys.stderr, flush=True)


# ---- pages ----------------------------------------------------------------------------------------------------


def read_lines(path: Path) -> list[bytes]:
    """The lines of a file, compressed with xz or not."""
    with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
        return list(file)


def read_pages(path: Path, number: int | None = None) -> list[Record]:
    """The records of a file, compressed with xz or not; the first *number* of them, if given."""
    with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
        return [json.loads(line) for line in islice(file, number)]


def json_line(record: Record) -> bytes:
    """A record as a line of JSON."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


# ---- commands -------------------------------------------------------------------------------------------------


def command_environment() -> dict[str, str]:
    """The environment in which commands are those of this checkout and run one thread each.

    Threads that wait for each other over small matrices make training many times slower. Modules are compiled once, as
    those of an installation are.
    """
    path = os.pathsep.join([str(BIN), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}


def run_shell(command: str, stdin: bytes | IO[bytes] | None = None, stdout: int = subprocess.DEVNULL) -> bytes:
    """Runs a shell command and returns its output, if *stdout* is PIPE. Exits if it fails; status 1 is no failure,
    because it means that some records have errors."""
    given: dict[str, Any] = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    done = subprocess.run(
        f"set -o pipefail; {command}",
        shell=True,
        executable="bash",
        stdout=stdout,
        env=command_environment(),
        check=False,
        **given,
    )
    if done.returncode > 1:
        raise SystemExit(f"{command}: exit status {done.returncode}")
    return done.stdout or b""


def run_pipe(command: str, data: bytes) -> bytes:
    """The output of a pipe of filters that reads *data*."""
    return run_shell(command, data, subprocess.PIPE)


def cpu_seconds(work: Callable[[], object]) -> float:
    """The user and system CPU time that *work* takes, in this process and in those that it starts and waits for."""
    before = _cpu_used()
    work()
    return _cpu_used() - before


def _cpu_used() -> float:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(some.ru_utime + some.ru_stime for some in used)


# ---- results --------------------------------------------------------------------------------------------------


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """The lines of a table. The first *left* columns are flush left."""
    yield from table_lines(Table("", list(header), [list(row) for row in rows], frozenset(range(left))), "markdown")


def p_value(p: float) -> str:
    """A p-value with four decimals."""
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"
