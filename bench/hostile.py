#!/usr/bin/env python3
"""Hostile pages: the time and memory of nc-segment over those of an ordinary page of the same size.

    python bench/hostile.py --bytes 100000                        # what is out of bounds
    python bench/hostile.py --bytes 100000 -o bench/hostile.md    # the report, of all families

A family makes pages of any size: BYTES, and four times that. Each is read in a process that has read a small one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.hostile_pages import FAMILIES, ORDINARY, Make, repeated
from ncfilters.errors import RecordError
from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.streams.writers import json_line

BYTES, SIZES = 100_000, (1, 4)
STAGES = {"segment": PageOptions(), "markup": PageOptions(markup=True)}
# CPU over that of an ordinary page; memory over the size of the page.
MAX_CPU, MAX_MEMORY = 10, {"segment": 40, "markup": 80}
# CPU seconds that a measurement takes at least, because the clock is coarse; those and the bytes that end a process.
LEAST_SECONDS, MOST_SECONDS, MOST_BYTES = 0.1, 100, 12 << 30


class Measured(NamedTuple):
    """What a page needs: CPU seconds, bytes of memory; and the error if it is refused, or another failure."""

    seconds: float
    memory: int
    refused: str = ""
    failed: str = ""


def page_of(make: Make, size: int) -> str:
    """The page of a family that is about *size* bytes long."""
    count = 64
    while len(make(count)) < size:
        count *= 2
    low, high = count // 2, count
    while high - low > max(1, count // 256):
        middle = (low + high) // 2
        low, high = (middle, high) if len(make(middle)) < size else (low, middle)
    return make(high)


def measure(make: Make, size: int, options: PageOptions) -> Measured:
    """What the page of a family of *size* bytes needs, in a process of its own."""
    page = page_of(make, size)
    readable, writable = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        for small in (ORDINARY, page_of(make, 2_000)):
            _error_of(small, options)
        os.write(writable, json.dumps(_measured(page, options)).encode())
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        answer = pipe.read()
    status = os.waitpid(child, 0)[1]
    return Measured(*json.loads(answer)) if answer else Measured(0, 0, "", f"status {status}")


def _error_of(page: str, options: PageOptions) -> tuple[str, str]:
    """Reads a page. The error that refuses it, or another failure."""
    try:
        json_line(segment_record({"id": "a", "url": "http://a.example/", "html": page}, options))
    except RecordError as error:
        return str(error), ""
    except Exception as error:
        return "", f"{type(error).__name__}: {error}"
    return "", ""


def _measured(page: str, options: PageOptions) -> Measured:
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak of memory is that from now on
    before = _status("VmRSS")
    errors = _error_of(page, options)
    memory = _status("VmHWM") - before
    start, times = time.process_time(), 0
    while not times or time.process_time() - start < LEAST_SECONDS:
        _error_of(page, options)
        times += 1
    return Measured((time.process_time() - start) / times, memory, *errors)


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {name}")


def cells(make: Make, size: int, stage: str, usual: float) -> tuple[str, bool]:
    """The cells of the report for a page: CPU and memory; and whether one is out of bounds. *usual* is the CPU of an
    ordinary byte."""
    found = measure(make, size, STAGES[stage])
    num_bytes = len(page_of(make, size).encode())
    cpu, memory = found.seconds / num_bytes / usual, found.memory / num_bytes
    if found.failed:
        return f"{found.failed} | ", True
    if found.refused:
        what = found.refused.partition("has more than ")[2].partition(", the limit")[0]
        return f"{cpu:.1f} | {what}", cpu > MAX_CPU
    return f"{cpu:.1f} | {memory:.0f}", cpu > MAX_CPU or memory > MAX_MEMORY[stage]


def main(argv: list[str] | None = None) -> None:
    """Prints what is out of bounds, or writes the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--bytes", type=int, default=BYTES, help="size of the smaller page (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, help="write the report to this file")
    args = parser.parse_args(argv)
    columns = [(times * args.bytes, stage) for times in SIZES for stage in STAGES]
    names = [f"{stage}, {size // 1000} KB: CPU | memory" for size, stage in columns]
    out = [
        "# Hostile pages",
        "",
        f"`python bench/hostile.py --bytes {args.bytes} -o bench/hostile.md` writes this page.",
        "",
        "*CPU* is that of a byte over that of a byte of ordinary pages; *memory* is the peak above that of a small "
        "page, over the size of the page; or what the page is refused for ([Security](../docs/security.md)).",
        f"What is read may take {MAX_CPU} times the CPU and {MAX_MEMORY['segment']} times its size in memory, "
        f"{MAX_MEMORY['markup']} with `--markup`.",
        "",
        f"| family | {' | '.join(names)} |",
        "|---" + "|--:|---" * len(columns) + "|",
    ]
    usual = {column: _usual(*column) for column in columns}
    for name, make in FAMILIES.items():
        if args.only in name:
            found = [cells(make, *column, usual[column]) for column in columns]
            out.append(f"| {name} | {' | '.join(cell for cell, _ in found)} |")
            if any(is_wrong for _, is_wrong in found):
                print(out[-1], flush=True)
    if args.output:
        args.output.write_text("\n".join(out) + "\n", encoding="utf-8")


def _usual(size: int, stage: str) -> float:
    return measure(repeated(ORDINARY), size, STAGES[stage]).seconds / size


if __name__ == "__main__":
    main()
