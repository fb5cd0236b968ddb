#!/usr/bin/env python3
"""CPU time of the main job and of peers on the same pages, in turn; and the throughput of the n-gram models.

    python bench/speed.py ../shared/data/wcxb-dev.jsonl.xz           # to standard output; README and docs quote it
    python bench/speed.py ../shared/data/wcxb-dev.jsonl.xz -n 100    # of 100 pages

Measures CPU milliseconds per page: of the three filters, start-up, reading and writing included, by the model `en` and
by the rules of jusText; and of trafilatura and jusText, their extraction alone. Ratios are taken within a round,
because machines are noisy. Peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.peers import PEERS
from bench.support import Record, cpu_seconds, json_line, log, read_pages, run_shell
from ncfilters.scoring import registry

STAGES = ["nc-segment", "nc-score -m en", "nc-select -f jsonl"]
JUSTEXT_STAGES = ["nc-segment --profile justext", "nc-score -m justext-en", "nc-select --decide justext -f jsonl"]
JOBS = {"whole job": STAGES, "jusText's job": JUSTEXT_STAGES}
COMPARED = ("trafilatura", "jusText")
NGRAM_MODELS = ("ncleaner-en", "ncleaner-nonlexical")
# The segment stream of the filters is as long as this, so that start-up counts little.
STREAM_MB = 60


@dataclass(frozen=True)
class SpeedOptions:
    """The file of pages, how many of them (all if None), and the number of rounds."""

    pages: Path
    number: int | None = None
    rounds: int = 3


def measure(records: Sequence[Record], folder: Path, rounds: int) -> dict[str, list[float]]:
    """CPU seconds of each job, filter and peer in each round. The filters leave their output in *folder*."""
    pages = folder / "pages.jsonl"
    pages.write_bytes(b"".join(json_line({"id": n, "html": record["html"]}) for n, record in enumerate(records)))
    out: dict[str, list[float]] = defaultdict(list)
    peers = {name: PEERS[name] for name in COMPARED if PEERS[name].version}
    for peer in peers.values():
        peer.extract("<p>warm-up", "en")
    for _ in range(rounds):
        for name, stages in JOBS.items():
            out[name].append(command_cpu(" | ".join(stages), pages))
        source = pages
        for stage in STAGES:
            result = folder / stage.split()[0]
            out[stage].append(command_cpu(f"{stage} >{result}", source))
            source = result
        for name, peer in peers.items():
            start = time.process_time()
            for record in records:
                peer.extract(record["html"], "en")
            out[name].append(time.process_time() - start)
    return out


def command_cpu(command: str, source: Path) -> float:
    """CPU seconds of a shell command that reads a file."""
    with source.open("rb") as file:
        return cpu_seconds(lambda: run_shell(command, file))


def print_times(seconds: dict[str, list[float]], pages: int) -> None:
    """Prints the medians per page, and for peers the ratios of our jobs to them."""
    for name, values in seconds.items():
        line = f"{name:20} {statistics.median(values) / pages * 1e3:8.2f} ms a page"
        for job in JOBS if name in COMPARED else ():
            ratios = [ours / theirs for ours, theirs in zip(seconds[job], values)]
            line += f"   {job} / {name}: {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"
        print(line)


def print_throughput(segmented: Path, rounds: int) -> None:
    """Prints the MB of segment text per CPU second that n-gram models score, alone and as a filter."""
    with segmented.open("rb") as lines:
        texts = [segment["text"] for line in lines for segment in json.loads(line)["segments"]]
    size = sum(len(text.encode()) for text in texts) / 1e6
    copies = max(1, round(STREAM_MB / size))
    stream = segmented.with_suffix(".stream")
    with stream.open("wb") as out:
        for _ in range(copies):
            with segmented.open("rb") as source:
                shutil.copyfileobj(source, out)
    for name in NGRAM_MODELS:
        model: Any = registry.load(name)
        alone, filters = [], []
        for _ in range(rounds):
            start = time.process_time()
            for at in range(0, len(texts), 1000):
                model.score_texts(texts[at : at + 1000])
            alone.append(size / (time.process_time() - start))
            filters.append(copies * size / command_cpu(f"nc-score -m {name}", stream))
        scoring, filtering = statistics.median(alone), statistics.median(filters)
        print(f"{name}: scoring {scoring:.0f} MB of text a second; as a filter {filtering:.1f}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path, metavar="PAGES", help="records with html")
    parser.add_argument("-n", type=int, metavar="N", help="use N pages (default: all)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (default: %(default)s)")
    args = parser.parse_args()
    options = SpeedOptions(args.pages, args.n, args.rounds)
    for name in COMPARED:
        if not PEERS[name].version:
            log(f"{name} is not installed: left out")
    records = read_pages(options.pages, options.number)
    with tempfile.TemporaryDirectory() as folder:
        print_times(measure(records, Path(folder), options.rounds), len(records))
        print_throughput(Path(folder, "nc-segment"), options.rounds)


if __name__ == "__main__":
    main()
