#!/usr/bin/env python3
"""The CPU of the main job beside that of other extractors, on the same pages, in turn; and how it grows.

    python bench/speed.py ../shared/data/wcxb-dev.jsonl.xz -n 400     # writes bench/speed.md, and its plot
    python bench/speed.py ../shared/data/wcxb-dev.jsonl.xz -n 400 --peers /tmp/peers
    python bench/speed.py ../shared/data/wcxb-dev.jsonl.xz -n 400 --archives ../shared/data/crawl-sample.warc.gz

Each round runs every job once, and ratios are taken within a round, because machines are noisy. A program reads JSON
lines with the HTML of pages and writes JSON lines, its start-up included; calls are measured in one process. Peers that
are not installed are left out; with --peers, they are installed in an environment of their own. The plot needs
matplotlib.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.peers import PEERS
from bench.support import (
    BENCH,
    Record,
    command_environment,
    cpu_seconds,
    json_line,
    log,
    markdown,
    read_pages,
    run_shell,
)
from ncfilters.scoring import registry

WORKER = BENCH / "speed_worker.py"
PIPE = "nc-segment | nc-score -m {model} | nc-select -f jsonl"
JUSTEXT_PIPE = "nc-segment --profile justext | nc-score -m justext-en | nc-select --decide justext -f jsonl"
PROGRAMS = {
    "the pipe, en": PIPE.format(model="en"),
    "the pipe, ncleaner-en": PIPE.format(model="ncleaner-en"),
    "jusText's rules": JUSTEXT_PIPE,
}
STAGES = ("nc-segment", "nc-score -m en", "nc-select -f jsonl")
CALLS = {"Pipeline.records": "records", "Pipeline.clean": "clean"}
COMPARED = ("Resiliparse", "trafilatura", "jusText", "readability", "turbohtml")
PEER_PACKAGES = ("orjson", "selectolax", *(PEERS[name].package for name in COMPARED), "fastwarc")
NGRAM_MODELS = ("ncleaner-en", "ncleaner-nonlexical")
# The segment stream of the n-gram models is as long as this, so that start-up counts little.
STREAM_MB = 60
# KB of the pages of the plot, and numbers of records in its streams.
PAGE_KB, STREAM_RECORDS = (1, 10, 100, 1_000, 10_000), (10, 100, 1_000, 10_000)
SECTION = (
    "<h2>Section {n} of what the weather did to the town</h2><p>It rained all day in part {n} of the town, and nobody "
    "went out before the evening: the shops had closed early, the buses stood in their depot, and the market was put "
    "off for a week.</p><ul><li>Item {n}, which is short</li><li><a href=/{n}>Another item, a link</a></li></ul>"
    "<div class=nav><a href=/a{n}>Home</a> | <a href=/b{n}>About us and the weather</a></div><p>In the evening of day "
    "{n} the clouds left, the streets dried, and people walked along the river again, as they had done in the days "
    "before all this began.</p>\n"
)

Seconds = dict[str, list[float]]  # job → CPU seconds of each round


@dataclass(frozen=True)
class SpeedOptions:
    """The file of pages, how many of them (all if None), the number of rounds, and the Python of the peers."""

    pages: Path
    number: int | None = None
    rounds: int = 3
    python: str = sys.executable


# ---- jobs -----------------------------------------------------------------------------------------------------


def measure(pages: Path, options: SpeedOptions) -> tuple[Seconds, Seconds]:
    """CPU seconds of programs, and of calls, on the same pages."""
    programs: Seconds = defaultdict(list)
    calls: Seconds = defaultdict(list)
    peers = [name for name in COMPARED if has_peer(name, options.python)]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            log(f"round {number + 1} of {options.rounds}")
            for name, command in PROGRAMS.items():
                programs[name].append(command_cpu(command, pages))
            source = pages
            for stage in STAGES:
                result = Path(folder, stage.split()[0])
                programs[stage].append(command_cpu(f"{stage} >{result}", source))
                source = result
            for name in peers:
                programs[name].append(command_cpu(f"{options.python} {WORKER} {name}", pages))
                calls[name].append(calls_cpu(options.python, name, pages))
            calls["lexbor"].append(calls_cpu(sys.executable, "lexbor", pages))
            for name, job in CALLS.items():
                calls[name].append(calls_cpu(sys.executable, job, pages))
    return programs, calls


def has_peer(name: str, python: str) -> bool:
    """Whether an environment has a peer."""
    code = f"from importlib.metadata import version; print(version({PEERS[name].package!r}))"
    done = subprocess.run([python, "-c", code], capture_output=True, check=False)
    if done.returncode:
        log(f"{name} is not installed: left out")
    return done.returncode == 0


def command_cpu(command: str, source: Path) -> float:
    """CPU seconds of a shell command that reads a file."""
    with source.open("rb") as file:
        return cpu_seconds(lambda: run_shell(command, file))


def calls_cpu(python: str, job: str, pages: Path) -> float:
    """CPU seconds of the calls of a job of the worker."""
    with pages.open("rb") as file:
        done = subprocess.run(
            [python, str(WORKER), "--calls", job],
            stdin=file,
            capture_output=True,
            check=True,
            env=command_environment(),
        )
    return float(done.stdout.split()[0])


def install_peers(folder: Path) -> str:
    """The Python of an environment with the peers, which is made if it does not exist."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "install", "-q"]
        subprocess.run([*pip, "-U", "pip"], check=True)  # that of Python 3.11 fails with the extras of lxml
        subprocess.run([*pip, *PEER_PACKAGES], check=True)
    return str(python)


def archives(paths: Sequence[Path], options: SpeedOptions) -> Iterator[str]:
    """The table of nc-warc beside fastwarc, which decodes nothing of the same archive; both with their start-up."""
    commands = ("nc-warc", f"{options.python} {WORKER} fastwarc")
    rows = []
    for path in paths:
        ours, theirs = zip(*([command_cpu(command, path) for command in commands] for _ in range(options.rounds)))
        size = f"{path.stat().st_size / 1e6:.1f}"
        rows.append([path.name, ratio(ours, theirs), size, *(f"{statistics.median(s):.2f}" for s in (ours, theirs))])
    yield from ("## Archives: nc-warc over fastwarc, which decodes nothing", "")
    yield from markdown(["", "ratio of CPU", "MB", "nc-warc, s", "fastwarc, s"], rows)
    yield ""


# ---- growth ---------------------------------------------------------------------------------------------------


def growth(folder: Path, rounds: int) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """The least CPU seconds of the pipe for one page by its KB, and for a stream by its number of records, both without
    start-up."""
    command, source = PROGRAMS["the pipe, en"], folder / "growth.jsonl"

    def least(lines: Sequence[bytes]) -> float:
        source.write_bytes(b"".join(lines))
        return min(command_cpu(command, source) for _ in range(rounds))

    empty = least([])
    sizes = [(float(size), least([json_line({"id": 0, "html": page_of(size)})]) - empty) for size in PAGE_KB]
    page = json_line({"id": 0, "html": page_of(20)})
    streams = [(float(number), least([page] * number) - empty) for number in STREAM_RECORDS]
    return sizes, streams


def page_of(kilobytes: int) -> str:
    """A page of about this size."""
    number = max(1, round(kilobytes * 1000 / len(SECTION)))
    return "<title>Rain</title><article>" + "".join(SECTION.format(n=n) for n in range(number)) + "</article>"


def plot(sizes: Sequence[tuple[float, float]], streams: Sequence[tuple[float, float]], path: Path) -> bool:
    """Draws both, and a line of proportional growth; whether matplotlib is installed."""
    try:
        from matplotlib.figure import Figure  # an optional dependency
    except ImportError:
        log("matplotlib is not installed: no plot")
        return False
    figure = Figure((9, 3.5), layout="constrained")
    for axes, points, label in zip(figure.subplots(1, 2), (sizes, streams), ("KB of one page", "records of 20 KB")):
        x, y = zip(*points)
        axes.loglog(x, y, "o-", label="measured")
        axes.loglog(x, [y[-1] * at / x[-1] for at in x], ":", label="in proportion")
        axes.set(xlabel=label, ylabel="CPU seconds, without start-up")
        axes.legend()
    figure.savefig(path, metadata={"Date": None})
    return True


# ---- the report -----------------------------------------------------------------------------------------------


def report(programs: Seconds, calls: Seconds, pages: int) -> Iterator[str]:
    """The lines of the tables: ratios, then milliseconds."""
    for title, seconds, ours, start in (
        ("Programs: JSON lines in, JSON lines out, start-up included", programs, [*PROGRAMS], ""),
        ("Calls in one process", calls, [*CALLS], "lexbor"),
    ):
        theirs = [name for name in (start, *COMPARED) if name in seconds]
        yield from (f"## {title}", "", "Ratios of CPU, the median of rounds (from the least to the highest).", "")
        rows = [[f"{name} over", *[ratio(seconds[name], seconds[other]) for other in theirs]] for name in ours]
        yield from markdown(["", *theirs], rows)
        yield from ("", "Milliseconds a page.", "")
        yield from markdown(
            ["", "median", "least", "highest"], [[name, *spread(seconds[name], pages)] for name in seconds]
        )
        yield ""


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """The median of the ratios within rounds, and their range."""
    ratios = [one / other for one, other in zip(ours, theirs)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"


def spread(seconds: Sequence[float], pages: int) -> list[str]:
    """The median, the least and the highest in milliseconds a page."""
    return [f"{value / pages * 1e3:.2f}" for value in (statistics.median(seconds), min(seconds), max(seconds))]


def throughput(segmented: Path, rounds: int) -> Iterator[str]:
    """The MB of segment text per CPU second that n-gram models score, alone in Python and as a filter; and the words
    an hour, the unit of Evert (2008)."""
    with segmented.open("rb") as lines:
        texts = [segment["text"] for line in lines for segment in json.loads(line)["segments"]]
    size, words = sum(len(text.encode()) for text in texts) / 1e6, sum(len(text.split()) for text in texts)
    copies = max(1, round(STREAM_MB / size))
    stream = segmented.with_suffix(".stream")
    with stream.open("wb") as out:
        for _ in range(copies):
            with segmented.open("rb") as source:
                shutil.copyfileobj(source, out)
    rows = []
    for name in NGRAM_MODELS:
        model: Any = registry.load(name)
        alone, filters = [], []
        for _ in range(rounds):
            start = time.process_time()
            for at in range(0, len(texts), 1000):
                model.score_texts(texts[at : at + 1000])
            alone.append(size / (time.process_time() - start))
            filters.append(copies * size / command_cpu(f"nc-score -m {name}", stream))
        speed = statistics.median(filters)
        per_hour = speed * words / size * 3600 / 1e6
        rows.append([name, f"{statistics.median(alone):.0f}", f"{speed:.0f}", f"{per_hour:,.0f}"])
    columns = ["", "in Python, MB/s", "as a filter, MB/s", "as a filter, million words an hour"]
    yield from ("## N-gram models: text scored on one core", "", *markdown(columns, rows), "")


def growth_lines(sizes: Sequence[tuple[float, float]], streams: Sequence[tuple[float, float]]) -> Iterator[str]:
    """The tables of growth."""
    yield from ("## Growth", "", "CPU of the pipe with `en`, without start-up, the least of the rounds.", "")
    rows = [[f"{size:,.0f} KB", f"{seconds * 1e3:.1f}", f"{seconds / size * 1e6:.0f}"] for size, seconds in sizes]
    yield from markdown(["one page of", "ms", "ms a MB"], rows)
    rows = [[f"{number:,.0f}", f"{seconds:.2f}", f"{seconds / number * 1e3:.2f}"] for number, seconds in streams]
    yield from ("", *markdown(["records of 20 KB", "s", "ms a record"], rows), "")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path, metavar="PAGES", help="records with html")
    parser.add_argument("-n", type=int, metavar="N", help="use N pages (default: all)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument("--peers", type=Path, metavar="DIR", help="install the peers in an environment in DIR")
    parser.add_argument("--archives", type=Path, nargs="+", default=[], metavar="FILE", help="WARC files to be read")
    parser.add_argument("-o", type=Path, default=BENCH / "speed.md", metavar="FILE", help="default: %(default)s")
    args = parser.parse_args()
    options = SpeedOptions(args.pages, args.n, args.rounds, install_peers(args.peers) if args.peers else sys.executable)
    records: list[Record] = read_pages(options.pages, options.number)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = folder / "pages.jsonl"
        pages.write_bytes(b"".join(json_line({"id": n, "html": record["html"]}) for n, record in enumerate(records)))
        loads = [os.getloadavg()[0]]
        programs, calls = measure(pages, options)
        run_shell(f"nc-segment {pages} > {folder / 'segmented'}")
        more = [*throughput(folder / "segmented", options.rounds)]
        more += archives(args.archives, options) if args.archives else []
        sizes, streams = growth(folder, options.rounds)
        loads.append(os.getloadavg()[0])
    plot_path = args.o.with_name(f"{args.o.stem}-growth.svg")
    size = statistics.mean(len(record["html"]) for record in records) / 1e3
    set_name = args.pages.name.partition(".")[0]
    about = (
        f"By `bench/speed.py`: {len(records)} pages of {set_name}, {size:.0f} KB of HTML each; "
        f"{options.rounds} rounds; Python {platform.python_version()}, {os.cpu_count()} cores. The load of the machine "
        f"was {min(loads):.1f} to {max(loads):.1f}: times are for comparison within a round."
    )
    tables = [*report(programs, calls, len(records)), *more, *growth_lines(sizes, streams)]
    lines = ["# Speed", "", about, "", *(line.rstrip("\n") for line in tables)]
    if plot(sizes, streams, plot_path):
        lines += [f"![CPU by size of page and by length of stream]({plot_path.name})", ""]
    args.o.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
