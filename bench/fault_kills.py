"""Processes that are killed at random moments: whether every document comes out exactly once when the job is resumed.

    print(table(rows(kills=50, folder=Path("work"))))

Each job cleans NUM_FILES files, each to an output of its own. It is started, and a process of it is killed (SIGKILL) at
a random moment; then it is started again, until it has been killed so often, and once more. The outputs are compared
with those of a job that nobody disturbs. Workers are killed within one run, of which no document may be missing; one
that is worked on alone when two workers in turn are killed is an error record.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRAWL = ROOT / "tests" / "data" / "crawl.jsonl"
NUM_FILES = 8
SEED = 18
SECONDS = 4.0  # in which a process is killed, at first
MAX_SECONDS = 120.0  # after which a process that has not ended is called hanging
STAGES = ("nc-warc", "nc-segment", "nc-score", "nc-select")
# Complete outputs are skipped; an output has its name when all stages have ended well.
PIPE = """set -o pipefail
for file in in/*.warc.gz; do
    out=out/$(basename "$file" .warc.gz).jsonl
    [ -e "$out" ] && continue
    nc-warc "$file" | nc-segment | nc-score | nc-select -f jsonl > "$out.part" && mv "$out.part" "$out" || exit
done"""
CLEAN = "exec nc-clean --resume --no-metadata -j 2 -f jsonl -o out in/*.warc.gz"
WORKERS = "exec nc-clean -j 2 -f jsonl in/*.warc.gz in/*.warc.gz in/*.warc.gz > out/all.jsonl"


@dataclass
class Kills:
    """What came of killing one kind of process."""

    kills: int = 0
    hanging: int = 0  # others that did not end
    tracebacks: int = 0
    told: int = 0  # messages that an input is truncated
    documents: int = 0  # that should come out
    lost: int = 0
    doubled: int = 0
    changed: int = 0  # without an error
    marked: int = 0  # error records
    statuses: Counter[int] = field(default_factory=Counter)

    def compare(self, expected: list[bytes], found: list[bytes]) -> None:
        """Counts what is missing, doubled and changed in the lines of an output."""
        ids = [[json.loads(line)["id"] for line in lines] for lines in (expected, found)]
        wanted, got = Counter(ids[0]), Counter(ids[1])
        self.documents += len(expected)
        self.lost += sum((wanted - got).values())
        self.doubled += sum((got - wanted).values())
        self.marked += sum(b'"error":' in line for line in found)
        if ids[0] == ids[1]:
            self.changed += sum(a != b and b'"error":' not in b for a, b in zip(expected, found))


def write_inputs(folder: Path) -> None:
    """Archives of the project's sample pages."""
    folder.mkdir()
    pages = [json.loads(line) for line in CRAWL.read_bytes().splitlines()]
    for number in range(NUM_FILES):
        with (folder / f"c{number:02}.warc.gz").open("wb") as file:
            for page in pages[number % 3 :: 2]:
                html = page["html"].encode()
                head = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:{number}:{page['id']}>\r\n"
                head += f"Content-Type: text/html\r\nContent-Length: {len(html)}\r\n\r\n"
                file.write(gzip.compress(head.encode() + html + b"\r\n\r\n", mtime=0))


def start(job: str, folder: Path) -> subprocess.Popen[bytes]:
    """Starts a shell with the job, in a process group of its own."""
    path = os.pathsep.join([str(ROOT / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return subprocess.Popen(
        ["bash", "-c", job],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stderr=(folder / "errors").open("ab"),
        start_new_session=True,
    )


def below(pid: int) -> list[int]:
    """The processes below a process, parents first."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [process for child in children for process in (int(child), *below(int(child)))]


def stage(name: str) -> Callable[[int], list[int]]:
    """Finds the processes of a stage below a shell."""

    def find(pid: int) -> list[int]:
        return [process for process in below(pid) if f"/{name}\0".encode() in _command(process)]

    return find


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() + b"\0"
    except OSError:
        return b""


def workers(pid: int) -> list[int]:
    """The workers of nc-clean, which are below its server."""
    return [process for server in below(pid)[:1] for process in below(server)]


def killed(job: str, find: Callable[[int], list[int]], folder: Path, kills: int) -> Kills:
    """Starts a job, kills what *find* finds, and starts it again, until it has been killed so often."""
    out, moments = Kills(), random.Random(SEED)
    seconds = SECONDS  # between the start and the kill, adapted to the speed of the machine
    while out.kills < kills:
        process = start(job, folder)
        time.sleep(moments.uniform(0, seconds))
        victims = find(process.pid)
        if process.poll() is not None:  # too late
            seconds *= 0.9
            forget_some(folder / "out")
        elif not victims:  # too early
            seconds = min(seconds * 1.1, MAX_SECONDS / 4)
            end(process)
        else:
            os.kill(moments.choice(victims), signal.SIGKILL)
            out.kills += 1
            if not wait(process, out):
                forget_some(folder / "out")
    finish(job, folder, out)
    return out


def wait(process: subprocess.Popen[bytes], out: Kills) -> bool:
    """Waits for a job that was disturbed. Returns whether it did not reach its end."""
    try:
        status = process.wait(MAX_SECONDS)
    except subprocess.TimeoutExpired:
        out.hanging += 1
        end(process)
        return True
    out.statuses[status] += 1
    return status != 0


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends all processes of a job that were started here."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def forget_some(outputs: Path) -> None:
    """Removes half of the outputs of a job that has reached its end, so that there is work again."""
    for path in sorted(outputs.glob("*.jsonl"))[::2]:
        if path.name != "manifest.jsonl":
            path.unlink()


def finish(job: str, folder: Path, out: Kills) -> None:
    """Runs the job to its end, and reads what all runs wrote to standard error."""
    forget_some(folder / "out")
    process = start(job, folder)
    if process.wait(MAX_SECONDS * 10):
        out.hanging += 1
    errors = (folder / "errors").read_bytes()
    out.tracebacks += errors.count(b"Traceback")
    out.told += errors.count(b"truncated")


def lines(folder: Path) -> dict[str, list[bytes]]:
    """The lines of each output."""
    return {path.name: path.read_bytes().splitlines() for path in folder.glob("*.jsonl") if path.stem != "manifest"}


def killed_workers(folder: Path, kills: int) -> Kills:
    """Kills workers of nc-clean at random moments of runs that are not resumed."""
    out, moments = Kills(), random.Random(SEED)
    expected: list[bytes] = []
    while out.kills < kills:
        process = start(WORKERS, folder)
        while process.poll() is None:
            time.sleep(moments.uniform(0, 0.5) if expected else 0.1)
            victims = workers(process.pid) if expected else []
            if victims and out.kills < kills:
                os.kill(moments.choice(victims), signal.SIGKILL)
                out.kills += 1
        out.statuses[process.returncode] += 1
        found = (folder / "out" / "all.jsonl").read_bytes().splitlines()
        if expected:
            out.compare(expected, found)
        expected = expected or found  # of the first run, which nobody disturbs
    out.tracebacks += (folder / "errors").read_bytes().count(b"Traceback")
    return out


def rows(kills: int, folder: Path, stages: Sequence[str] = STAGES) -> list[tuple[str, Kills]]:
    """The counts for each kind of process, each killed so often, in a folder for the files."""
    write_inputs(folder / "in")
    expected: dict[str, list[bytes]] = {}
    found: list[tuple[str, Kills]] = []
    jobs: list[tuple[str, str, Callable[[int], list[int]]]] = [("", CLEAN, lambda pid: [])]
    jobs += [(f"{name}, in a pipe", PIPE, stage(name)) for name in stages]
    jobs += [
        ("nc-clean --resume", CLEAN, lambda pid: [pid]),
        ("the server of workers", CLEAN, lambda pid: below(pid)[:1]),
    ]
    for number, (name, job, find) in enumerate(jobs):
        place = folder / str(number)
        (place / "out").mkdir(parents=True)
        (place / "in").symlink_to(folder / "in")
        if not name:  # nobody disturbs it
            assert start(job, place).wait() == 0
            expected = lines(place / "out")
            continue
        count = killed(job, find, place, kills)
        written = lines(place / "out")
        for file, wanted in expected.items():
            count.compare(wanted, written.pop(file, []))
        count.doubled += sum(map(len, written.values()))
        found.append((name, count))
    place = folder / "workers"
    (place / "out").mkdir(parents=True)
    (place / "in").symlink_to(folder / "in")
    found.append(("a worker of nc-clean, not resumed", killed_workers(place, kills)))
    return found


def table(rows: list[tuple[str, Kills]]) -> str:
    """The counts as a table."""
    text = [
        "| killed | kills | documents | lost | doubled | changed | error records | others that hang | tracebacks | "
        "told as truncated |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, count in rows:
        figures = (count.kills, count.documents, count.lost, count.doubled, count.changed, count.marked)
        figures += (count.hanging, count.tracebacks, count.told)
        text.append(f"| {name} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
    return "\n".join(text)
