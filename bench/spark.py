#!/usr/bin/env python3
"""nc-spark beside nc-clean, and two workers of Spark beside one: wall time and CPU on the same pages.

    python bench/spark.py ../shared/data/crawl-sample.warc.gz -o bench/spark.md
    python bench/spark.py crawl.warc.gz --copies 2 --only "one worker"     # a quick look

The archive is read as often as --copies says, and by the workers also SMALLER times less often. Workers are those of a
standalone cluster on loopback: a master, and one or two workers. A worker, its executor and the Python of that have one
core of the machine together (taskset); the driver and the master take what is left. CPU is that of all processes, seen
every TICK seconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]  # instead of bench/, whose profile.py is not Python's

from sparks import Cluster  # noqa: E402

TICK = 0.2
COPIES = 300
SMALLER = 5
# What a process is called, by a part of its command line: the first that it has.
PARTS = {
    "pyspark.daemon": "Python of executors", "CoarseGrainedExecutorBackend": "executors",
    "deploy.master": "master and workers", "deploy.worker": "master and workers", "SparkSubmit": "driver",
    "bin/nc-": "command",
}  # fmt: skip


@dataclass
class Run:
    """What a run took: seconds of wall time, and of CPU by the kind of process; the number of records it wrote."""

    wall: float = 0.0
    records: int = 0
    cpu: Counter[str] = field(default_factory=Counter)


def process_cpu(session: int) -> Iterator[tuple[int, str, float]]:
    """The processes of a session: number, kind (empty for one that has ended), and the seconds of CPU that each has
    taken itself."""
    tick = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*"):
        try:
            after_name = (path / "stat").read_text().rpartition(")")[2].split()
            if int(after_name[3]) == session:
                line = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
                kind = next((kind for part, kind in PARTS.items() if part in line), "other" if line else "")
                yield int(path.name), kind, (int(after_name[11]) + int(after_name[12])) / tick
        except (OSError, ValueError):  # it has ended
            continue


@contextmanager
def counted_cpu(session: int, to: Counter[str]) -> Iterator[None]:
    """Counts the CPU that the processes of a session take in the block. Processes may come and go."""
    before = {process: seconds for process, _, seconds in process_cpu(session)}
    last: dict[int, tuple[str, float]] = {}
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(TICK):
            for process, kind, seconds in process_cpu(session):
                last[process] = (kind or last.get(process, ("other", 0.0))[0], seconds)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
        for process, (kind, seconds) in last.items():
            to[kind] += seconds - before.get(process, 0.0)


def measured(command: Sequence[str], output: Path) -> Run:
    """Runs a command of this checkout, which writes JSON lines to *output*, a file or a folder."""
    run = Run()
    start = time.perf_counter()
    with counted_cpu(os.getsid(0), run.cpu):
        subprocess.run([sys.executable, *command], check=True, env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"})
    run.wall = time.perf_counter() - start
    files = [output] if output.is_file() else sorted(output.glob("result=*/part-*"))
    run.records = sum(path.read_bytes().count(b"\n") for path in files)
    return run


def clean(files: Sequence[str], folder: Path, processes: int) -> Run:
    """nc-clean."""
    out = folder / "clean.jsonl"
    return measured([str(ROOT / "bin/nc-clean"), "-j", str(processes), "-o", str(out), *files], out)


def spark(files: Sequence[str], folder: Path, master: str) -> Run:
    """nc-spark."""
    out = folder / "out"
    options = ["--master", master, "-f", "jsonl", "--overwrite", "-o", str(out)]
    return measured([str(ROOT / "bin/nc-spark"), *options, *files], out)


def on_cluster(files: Sequence[str], folder: Path, workers: int) -> Run:
    """nc-spark on a cluster, which is there before."""
    cluster = Cluster(Path(tempfile.mkdtemp(dir=folder)), workers, pinned=True)
    try:
        return spark(files, folder, cluster.url)
    finally:
        cluster.close()


CLUSTERS = {"one worker": 1, "two workers": 2}
# The sizes of what a cluster reads: no page, a part of the copies, all.
SIZES = ("nothing", "a part", "all")


def runs() -> dict[str, Callable[[Sequence[str], Path], Run]]:
    """What is measured, by its name: functions of all files and the folder to write to."""
    out: dict[str, Callable[[Sequence[str], Path], Run]] = {
        "nc-clean -j 1": lambda files, folder: clean(files, folder, 1),
        "nc-clean -j 2": lambda files, folder: clean(files, folder, 2),
        "nc-spark --master 'local[2]'": lambda files, folder: spark(files, folder, "local[2]"),
    }
    for cluster in CLUSTERS:
        for size in SIZES:
            out[f"nc-spark, {cluster}, {size}"] = partial(_cluster_run, CLUSTERS[cluster], size)
    return out


def _cluster_run(workers: int, size: str, files: Sequence[str], folder: Path) -> Run:
    parts = {"nothing": [str(folder / "empty.jsonl")], "a part": files[: len(files) // SMALLER], "all": files}
    return on_cluster(parts[size], folder, workers)


# A ratio of wall times that is reported: its name, and the two runs.
RATIOS = {
    "nc-clean -j 1 over -j 2": ("nc-clean -j 1", "nc-clean -j 2"),
    "nc-spark local[2] over nc-clean -j 2": ("nc-spark --master 'local[2]'", "nc-clean -j 2"),
    **{
        f"one worker over two, {size}": (f"nc-spark, one worker, {size}", f"nc-spark, two workers, {size}")
        for size in SIZES
    },
}


def fitted(found: Sequence[Run]) -> tuple[float, float]:
    """The seconds that a run of no records takes, and those that each record adds: a straight line (least squares)."""
    slope, start = statistics.linear_regression([run.records for run in found], [run.wall for run in found])
    return start, slope


def growth(found: dict[str, Run]) -> list[str]:
    """What each cluster takes at the start and for each record, if it was measured with all sizes."""
    fits = {}
    for cluster in CLUSTERS:
        measured = [found.get(f"nc-spark, {cluster}, {size}") for size in SIZES]
        if all(measured):
            fits[cluster] = fitted([run for run in measured if run])
    lines = [f"| {name} | {start:.1f} | {1e3 * slope:.2f} |" for name, (start, slope) in fits.items()]
    if len(fits) == len(CLUSTERS):
        (one, rate_one), (two, rate_two) = fits.values()
        lines.append(f"| one over two | {one / two:.2f} | {rate_one / rate_two:.2f} |")
    head = "| wall time = start + records × time of a record | start, s | of a record, ms |"
    return ["", head, "|---|--:|--:|", *lines] if lines else []


def report(found: dict[str, Run], archive: str, copies: int) -> str:
    """The report, in Markdown."""
    kinds = sorted({kind for run in found.values() for kind, seconds in run.cpu.items() if seconds >= 1})
    lines = [
        "# Spark beside nc-clean",
        "",
        f"`python bench/spark.py {archive} --copies {copies} -o bench/spark.md` writes this page, on a machine of "
        f"{os.cpu_count()} cores, with a load of {os.getloadavg()[0]:.1f} at the end.",
        "",
        "Seconds of wall time, with the start of Spark, and of CPU, by the kind of process. Each worker has one core",
        "of the machine, for its executor and the Python of that. It reads nothing (one record), a part",
        f"(1 of {SMALLER} copies), or all.",
        "",
        "| run | records | wall, s | CPU, s | " + " | ".join(kinds) + " |",
        "|---" + "|--:" * (3 + len(kinds)) + "|",
    ]
    for name, run in found.items():
        parts = " | ".join(f"{run.cpu[kind]:.1f}" if run.cpu[kind] else "" for kind in kinds)
        lines.append(f"| {name} | {run.records:,} | {run.wall:.1f} | {run.cpu.total():.1f} | {parts} |")
    lines += ["", "| wall time | |", "|---|--:|"]
    for name, (one, other) in RATIOS.items():
        if one in found and other in found:
            lines.append(f"| {name} | {found[one].wall / found[other].wall:.2f} |")
    lines += growth(found)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures, and prints or writes the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", help="a WARC file")
    parser.add_argument("--copies", type=int, default=COPIES, help="how often it is read (default: %(default)s)")
    parser.add_argument("--only", default="", help="runs whose name contains this")
    parser.add_argument("-o", "--output", type=Path, help="write the report to this file")
    args = parser.parse_args()
    if os.getsid(0) != os.getpid():  # a session of its own, whose processes are counted
        sys.exit(subprocess.run([sys.executable, *sys.argv], start_new_session=True, check=False).returncode)
    found: dict[str, Run] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [str(folder / f"{number:04}.warc.gz") for number in range(args.copies)]
        for file in files:
            os.symlink(os.path.abspath(args.archive), file)
        (folder / "empty.jsonl").write_text('{"id": "a", "text": "Text."}\n')
        for run, measure in runs().items():
            if args.only in run:
                found[run] = measure(files, folder)
                print(f"{run}: {found[run].wall:.1f} s", file=sys.stderr, flush=True)
    text = report(found, args.archive, args.copies)
    if args.output:
        args.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
