#!/usr/bin/env python3
"""CPU of the whole job, and of peers beside it, on the same pages in the same run; and the speed of the scoring.

    pip install . trafilatura justext && python bench/speed.py ../shared/data/wcxb-dev.jsonl.xz

Prints CPU milliseconds a page: of the three filters with everything (start-up, reading, writing), with our model and as
jusText, and of each peer inside its extraction alone. Ratios are what counts; machines are noisy. A peer that is not
installed is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ncfilters.scoring import registry
from ncfilters.streams import readers

BIN = Path(__file__).resolve().parent.parent / "bin"
STAGES = ["nc-segment", "nc-score -m en", "nc-select -f jsonl"]
JUSTEXT = ["nc-segment --profile justext", "nc-score -m justext-en", "nc-select --decide justext -f jsonl"]


def trafilatura() -> Callable[[str], object]:
    """The whole extraction, as its documentation has it."""
    from trafilatura import extract

    return lambda html: extract(html, include_comments=True, include_tables=True)


def justext() -> Callable[[str], object]:
    """The English stop list."""
    import justext

    words = justext.get_stoplist("English")
    return lambda html: [
        p.text for p in justext.justext(html.encode(), words, encoding="utf-8") if not p.is_boilerplate
    ]


def cpu_of(command: str, stdin: Path) -> float:
    """CPU seconds of a shell command, its processes included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    path = f"{BIN}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with stdin.open("rb") as file:
        subprocess.run(
            command, shell=True, stdin=file, stdout=subprocess.DEVNULL, check=True, env={**os.environ, "PATH": path}
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", help="records with html")
    parser.add_argument("-n", type=int, default=0, help="so many pages (default: all)")
    parser.add_argument("--rounds", type=int, default=3, help="(default: %(default)s)")
    args = parser.parse_args()
    with open(args.pages, "rb", 0) as raw:
        records = [r for r in readers.Source([(args.pages, raw)], 1 << 30) if isinstance(r, dict)][: args.n or None]
    peers = {}
    for name, make in (("trafilatura", trafilatura), ("justext", justext)):
        try:
            peers[name] = make()
        except ImportError:
            print(f"{name} is not installed: left out", file=sys.stderr)
    rounds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder, "pages.jsonl")
        pages.write_text("".join(json.dumps({"id": n, "html": r["html"]}) + "\n" for n, r in enumerate(records)))
        for _ in range(args.rounds):
            rounds.setdefault("whole job", []).append(cpu_of(" | ".join(STAGES), pages))
            rounds.setdefault("jusText's job", []).append(cpu_of(" | ".join(JUSTEXT), pages))
            given = pages
            for stage in STAGES:
                result = Path(folder, stage.split()[0])
                rounds.setdefault(stage, []).append(cpu_of(f"{stage} > {result}", given))
                given = result
            for name, extract in peers.items():
                start = time.process_time()
                for record in records:
                    extract(record["html"])
                rounds.setdefault(name, []).append(time.process_time() - start)
        for name, seconds in rounds.items():
            line = f"{name:20} {statistics.median(seconds) / len(records) * 1e3:8.2f} ms a page"
            for job in ("whole job", "jusText's job") if name in peers else ():
                ratios = [ours / theirs for ours, theirs in zip(rounds[job], seconds)]
                line += f"   {job} / {name}: {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"
            print(line)
        report_scoring(Path(folder, "nc-segment"), args.rounds)


def report_scoring(segmented: Path, rounds: int) -> None:
    """The filter on a segment stream, and the scoring alone, in MB of segment text a second of CPU."""
    with segmented.open("rb") as lines:
        texts = [s["text"] for line in lines for s in json.loads(line)["segments"]]
    size = sum(len(text.encode()) for text in texts) / 1e6
    # a longer stream, so that start-up does not count
    many = segmented.with_suffix(".many")
    copies = max(1, round(60 / size))
    with many.open("wb") as out:
        for _ in range(copies):
            out.write(segmented.read_bytes())
    for name in ("ncleaner-en", "ncleaner-nonlexical"):
        ngram = registry.load(name)
        speeds, filters = [], []
        for _ in range(rounds):
            start = time.process_time()
            for at in range(0, len(texts), 1000):
                ngram.score_texts(texts[at : at + 1000])  # type: ignore[attr-defined]
            speeds.append(size / (time.process_time() - start))
            seconds = cpu_of(f"nc-score -m {name}", many)
            filters.append(copies * size / seconds)
        print(
            f"{name}: scoring {statistics.median(speeds):.0f} MB of text a second; as a filter "
            f"{statistics.median(filters):.1f}"
        )


if __name__ == "__main__":
    main()
