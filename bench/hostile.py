#!/usr/bin/env python3
"""Hostile pages: time and memory of each stage over the size of the page.

    python bench/hostile.py                           # a table of all families, on standard output
    python bench/hostile.py --only "table" --bytes 250000

A family makes pages of any size. Each stage reads a page of BYTES, of twice and of four times that, in processes of
their own that have read a small one: CPU seconds, and the peak of memory above that of such a page. With -o, it
writes the report, with faults of models.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import orjson

from bench.hostile_markup_pages import MARKUP_FAMILIES
from bench.hostile_pages import FAMILIES as COMMON_FAMILIES
from bench.hostile_pages import ORDINARY
from bench.hostile_stages import STAGES, Work, warm_line, with_inputs, work_of

FAMILIES = {**COMMON_FAMILIES, **MARKUP_FAMILIES}
BYTES = 500_000
SIZES = (1, 2, 4)
SMALL_BYTES = 2_000
# CPU seconds and bytes of a process that is ended: beyond any result that would do.
MAX_SECONDS, MAX_MEMORY = 120, 12 << 30
REPEATS = 2
# The peak of memory over the size of a page, at most.
MAX_TIMES = {"dense": 400}  # as --help says of --dense
MAX_TIMES_MEMORY = 40
# CPU over that of ordinary pages below which the report has no growth: a few ticks of the clock.
LEAST_CPU = 0.25
# In the message about a page that is beyond a bound (see `density`).
TOO_DENSE = "the limit for this size"
# The stages of the report, and how often each fault of a model is tried.
REPORTED, MODEL_TRIES = ["segment", "markup", "dense", "score"], 100


@dataclass
class Measured:
    """What one stage needs of one family, for the sizes of pages."""

    sizes: list[int] = field(default_factory=list)  # bytes of the pages
    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)  # bytes
    output: list[int] = field(default_factory=list)  # bytes
    failed: str = ""

    @property
    def growth(self) -> float:
        """How often the time of the half page the largest one takes; 2 is linear."""
        return self.seconds[-1] / max(self.seconds[-2], 1e-4) if len(self.seconds) > 1 else float("nan")

    @property
    def per_megabyte(self) -> float:
        """CPU seconds for a megabyte, of the largest page."""
        return self.seconds[-1] / self.sizes[-1] * 1e6 if self.seconds else float("nan")

    @property
    def times_memory(self) -> float:
        """The peak of memory over the largest page."""
        return self.memory[-1] / self.sizes[-1] if self.memory else 0.0


class Runner:
    """A process that has seen no large page, whose memory none could use again. It starts others, one for each run."""

    def __init__(self, stages: Sequence[str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        own, others = socket.socketpair()
        if not os.fork():
            own.close()
            _serve(others, with_inputs(stages))
            os._exit(0)
        others.close()
        self._socket = own.makefile("rw")

    def run(self, stage: str, line: bytes, small: bytes | None) -> dict[str, Any]:
        """The CPU seconds, the peak of memory and the output of a stage, in a process that has read a *small* line."""
        read, small_read, written = (Path(self._folder.name, name) for name in ("read", "small", "written"))
        read.write_bytes(line)
        small_read.write_bytes(small or b"")
        print(json.dumps([stage, str(read), str(small_read), str(written)]), file=self._socket, flush=True)
        answer: dict[str, Any] = json.loads(self._socket.readline())
        return answer if "failed" in answer else {**answer, "line": written.read_bytes()}


def _serve(requests: socket.socket, stages: Sequence[str]) -> None:
    """Answers the requests of a Runner until it ends."""
    for stage in stages:
        work_of(stage)
    with requests, requests.makefile("rw") as stream:
        for request in stream:
            stage, *paths = json.loads(request)
            print(json.dumps(_in_child(stage, *map(Path, paths))), file=stream, flush=True)


def _in_child(stage: str, read: Path, small: Path, written: Path) -> dict[str, Any]:
    """What a process of its own says of the work on a line."""
    readable, writable = os.pipe()
    child = os.fork()
    if not child:
        os.close(readable)
        work = work_of(stage)
        work(warm_line(STAGES[stage][0]))  # a new process reads its code into memory
        with suppress(Exception):  # nor are modules that are imported for such pages a cost of a large one
            work(small.read_bytes())
        os.write(writable, json.dumps(_measured(work, read, written)).encode())
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if not answer:
        return {"failed": f"ended by signal {status & 127}" if status & 127 else f"status {status >> 8}"}
    found: dict[str, Any] = json.loads(answer)
    return found


def _measured(work: Work, read: Path, written: Path) -> dict[str, Any]:
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    Path("/proc/self/clear_refs").write_text("5")  # the peak of memory is that from now on
    before, line = _status("VmRSS"), read.read_bytes()
    start = time.process_time()
    try:
        output = work(line)
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"[:200]}
    seconds = time.process_time() - start
    found = {"seconds": seconds, "memory": _status("VmHWM") - before, "output": len(output)}
    written.write_bytes(output)
    return found


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {name}")


def measure(
    make: Callable[[int], str], stages: Sequence[str], size: int, repeats: int = REPEATS
) -> dict[str, Measured]:
    """What stages need of the pages of a family, of *size* bytes and multiples. Stages whose input failed are left
    out."""
    found = {stage: Measured() for stage in stages}
    runner = runner_of(tuple(stages))
    small = _small_lines(make, runner, stages)
    for times in SIZES:
        page = page_of(make, size * times)
        lines = {"": orjson.dumps({"id": "a", "url": "http://a.example/", "html": page})}
        for stage in with_inputs(stages):
            before = STAGES[stage][0]
            if before not in lines:
                continue
            times_run = repeats if stage in found else 1
            results = [runner.run(stage, lines[before], small.get(before)) for _ in range(times_run)]
            if any("failed" in result for result in results):
                if stage in found:
                    found[stage].failed = next(result["failed"] for result in results if "failed" in result)
                continue
            lines[stage] = results[0]["line"]
            if stage in found:
                found[stage].sizes.append(len(page.encode()))
                found[stage].seconds.append(min(result["seconds"] for result in results))
                found[stage].memory.append(min(result["memory"] for result in results))
                found[stage].output.append(results[0]["output"])
    return found


@cache
def runner_of(stages: tuple[str, ...]) -> Runner:
    """The runner of stages."""
    return Runner(stages)


def _small_lines(make: Callable[[int], str], runner: Runner, stages: Sequence[str]) -> dict[str, bytes]:
    """What stages read and write for a small page of a family."""
    lines = {"": orjson.dumps({"id": "a", "url": "http://a.example/", "html": page_of(make, SMALL_BYTES)})}
    for stage in with_inputs(stages):
        if (line := lines.get(STAGES[stage][0])) is not None:
            found = runner.run(stage, line, None)
            if "failed" not in found:  # as large pages may
                lines[stage] = found["line"]
    return lines


def page_of(make: Callable[[int], str], size: int) -> str:
    """The page of a family that is about *size* bytes long."""
    count = 64
    while len(make(count)) < size:
        count *= 2
    low, high = count // 2, count
    while high - low > max(1, count // 256):
        middle = (low + high) // 2
        low, high = (middle, high) if len(make(middle)) < size else (low, middle)
    return make(high)


def main() -> None:
    """Prints what stages need of families, or writes the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--stages", default=",".join(STAGES), help="stages, separated by commas")
    parser.add_argument("--bytes", type=int, default=BYTES, help="size of the smallest page (default: %(default)s)")
    parser.add_argument("--all", action="store_true", help="print all stages, not only those that are out of bounds")
    parser.add_argument("-o", "--output", type=Path, help="write the report to this file, of the stages of the report")
    args = parser.parse_args()
    stages = REPORTED if args.output else args.stages.split(",")
    usual = measure(lambda n: ORDINARY * n, stages, args.bytes)
    found: dict[str, dict[str, Measured]] = {}
    for name, make in FAMILIES.items():
        if args.only not in name:
            continue
        found[name] = measure(make, stages, args.bytes)
        for stage, one in found[name].items():
            if args.all or is_wrong(stage, one, usual[stage]):
                print(f"{name}: {stage}: {row(one, usual[stage])}", flush=True)
    if args.output:
        args.output.write_text(report(found, usual, args.bytes), encoding="utf-8")


def report(found: dict[str, dict[str, Measured]], usual: dict[str, Measured], size: int) -> str:
    """The report, in Markdown."""
    from bench import damaged_models

    refused = [name for name, stages in found.items() if TOO_DENSE in stages["segment"].failed]
    lines = [
        "# Hostile pages and damaged models",
        "",
        f"`python bench/hostile.py --bytes {size} -o bench/hostile.md` writes this page.",
        "",
        f"Each of {len(found)} families makes pages of about {size:,}, {2 * size:,} and {4 * size:,} bytes. *Growth* "
        "is the CPU time of the largest over that of the one before (2 is linear; where a limit on large pages begins "
        "between the two, once more). *CPU* is that of a megabyte over a megabyte of ordinary pages; *memory* is the "
        "peak above that of a small page, over the size of the page. All are of the largest page. "
        f"Times are the least of {REPEATS}, and uncertain where they are below 0.1 s: most CPU figures below 8; where "
        f"CPU is less than {LEAST_CPU}, there is no growth.",
        "",
        f"{len(refused)} families are too dense at one of these sizes: an error, before or while blocks are made "
        "([Security](../docs/security.md)). *dense* is `--dense --markup`, which accepts them. The most memory: "
        f"{_most(found, usual)}.",
        "",
        "| family | " + " | ".join(f"{stage}: growth | CPU | memory" for stage in REPORTED) + " |",
        "|---" + "|--:" * 3 * len(REPORTED) + "|",
    ]
    for name, stages in found.items():
        lines.append(f"| {name} | " + " | ".join(_cells(stages[stage], usual[stage]) for stage in REPORTED) + " |")
    lines += ["", "## Models", "", (damaged_models.__doc__ or "").split("\n\n")[2].replace("\n", " "), ""]
    return "\n".join(lines) + "\n" + damaged_models.table(damaged_models.rows(MODEL_TRIES)) + "\n"


def _most(found: dict[str, dict[str, Measured]], usual: dict[str, Measured]) -> str:
    """The most memory of each stage over the size of a page, and the family that takes it."""
    out = []
    for stage in usual:
        whole = {name: stages[stage].times_memory for name, stages in found.items() if not stages[stage].failed}
        name, most = max(whole.items(), key=lambda one: one[1])
        out.append(f"{stage} {most:.0f} times the page ({name})")
    return ", ".join(out)


def _cells(one: Measured, usual: Measured) -> str:
    if one.failed or not one.seconds:
        return f"{'too dense' if TOO_DENSE in one.failed else one.failed or 'no input'} | | "
    cpu = one.per_megabyte / usual.per_megabyte
    growth = f"{one.growth:.1f}" if cpu > LEAST_CPU and len(one.sizes) > 1 else "–"
    return f"{growth} | {cpu:.1f} | {one.times_memory:.0f}"


def is_wrong(stage: str, found: Measured, usual: Measured) -> bool:
    """Whether the growth, the time or the memory of a stage is out of bounds."""
    slow = found.growth > 2.4 and found.seconds[-1] > 0.05
    is_large = found.times_memory > MAX_TIMES.get(stage, MAX_TIMES_MEMORY)
    return bool(found.failed) or slow or found.per_megabyte > 10 * usual.per_megabyte or is_large


def row(found: Measured, usual: Measured) -> str:
    """What was measured, in a line."""
    if found.failed or not found.sizes:
        return found.failed or "no input"
    times = " ".join(f"{seconds:.2f}" for seconds in found.seconds)
    return (
        f"{times} s, growth {found.growth:.2f}, CPU {found.per_megabyte / usual.per_megabyte:.1f} x, "
        f"memory {found.times_memory:.0f} x, output {found.output[-1] / found.sizes[-1]:.1f} x"
    )


if __name__ == "__main__":
    main()
