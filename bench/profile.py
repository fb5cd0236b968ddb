#!/usr/bin/env python3
"""Where the CPU of a page goes: each part of `nc-segment | nc-score -m en | nc-select -f jsonl`, beside its floor.

    python bench/profile.py ../shared/data/{wcxb,cleaneval,daniel}-dev.jsonl.xz > bench/profile.md
    python bench/profile.py ../shared/data/wcxb-dev.jsonl.xz --pages 20 --rounds 1              # a quick look

Prints a table for each set: CPU milliseconds per page and per MB of HTML, and the share of all; of several rounds, the
least. The parts run in one process, each over all pages before the next one. The floor of a part is the least work that
it could be, done by the same libraries: for the walk, lexbor's own walk over the text of the tree.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import orjson
from ncfilters.segmentation.line_segmenter import segment_line

from bench.support import log, read_lines
from ncfilters.evaluation.report.tables import Table, table_lines
from ncfilters.features.document import Document
from ncfilters.features.matrix import feature_parts
from ncfilters.features.segment_table import build_table
from ncfilters.page import (
    compiled_core,
    condensed_html,
    density,
    hidden_content,
    html_parser,
    limits,
    page_lines,
    walks,
)
from ncfilters.page.columns import page_in_columns
from ncfilters.page.html_source import HtmlSource
from ncfilters.page.metadata import page_head
from ncfilters.page.page_options import DEFAULT_OPTIONS, PageOptions
from ncfilters.scoring import registry
from ncfilters.scoring.line_scorer import choice_of, find_line_model, line_parser
from ncfilters.scoring.scorer import Scorer
from ncfilters.scoring.structure.inference import infer
from ncfilters.segmentation import page_language, segmenter
from ncfilters.selection import policies
from ncfilters.selection.selector import select_text
from ncfilters.streams.compression import decompress
from ncfilters.streams.json_lines import WrittenLine
from ncfilters.streams.readers import record_lines
from ncfilters.streams.runner import MAX_RECORD
from ncfilters.streams.writers import json_line
from ncfilters.text import language

MODEL = "en"
# What nc-score does with lines in its compiled core.
LINES = "nc-score: JSON, features, network"
# Pages that nc-score takes at once.
BATCH_PAGES = 20


class Profile:
    """The CPU seconds of parts and of their floors; of several rounds, the least."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self.floors: dict[str, float] = {}

    def time(
        self, part: str, function: Callable[[Any], Any], items: Iterable[Any], is_floor: bool = False
    ) -> list[Any]:
        """The results of *function* for *items*, whose CPU is that of *part*."""
        given = list(items)
        start = time.process_time()
        out = [function(item) for item in given]
        seconds = time.process_time() - start
        times = self.floors if is_floor else self.parts
        times[part] = min(seconds, times.get(part, seconds))
        return out

    def floor(self, part: str, function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        """As `time`, for the floor of a part."""
        return self.time(part, function, items, is_floor=True)


def profile_segmenting(profile: Profile, lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """The records of nc-segment in Python, whose parts are measured."""
    records = profile.time("JSON in", orjson.loads, lines)
    pages = [record["html"] for record in records]
    limited = profile.time("limits of the markup", limits.limit_markup, pages)
    profile.floor("limits of the markup", lambda html: html.count("<"), pages)
    trees = profile.time("parsing", html_parser.lexbor_tree, limited)
    whole = profile.time("(limits, parsing, shadow roots)", html_parser.parse_html, pages)
    heads = profile.time("head", page_head.head_of_page, whole)
    holders: list[list[Any]] = [[] for _ in whole]
    visible = profile.time("walk, paths", lambda pair: walks.blocks(*pair), zip(whole, holders))
    profile.floor("walk, paths", lambda tree: tree.root.text(), trees)
    found = list(zip(visible, whole, holders))
    blocks = profile.time("hidden content", lambda args: hidden_content.add_hidden_content(*args), found)
    segments = profile.time("cleaning, types, rules", segmenter.segment_blocks, blocks)
    profile.floor("cleaning, types, rules", lambda own: "".join([segment["text"] for segment in own]), segments)
    samples = [page_language.likely_text(own) for own in segments]
    out = [{"id": number, "head": head, "segments": own} for number, (head, own) in enumerate(zip(heads, segments))]
    out = profile.time("language", page_language.with_language, out)
    profile.floor("language", language.identify, samples)
    return out


def profile_lines(profile: Profile, lines: Sequence[bytes]) -> list[bytes]:
    """The lines of nc-segment with its compiled cores, whose parts are measured. What is between two of them is the
    difference of two measures (see `finished`)."""
    pages = profile.time("line to UTF-8", page_lines.page_of_line, lines)
    profile.floor("line to UTF-8", bytearray, lines)
    sources = [page[1] for page in pages if page is not None]
    shorter = profile.time("shorter form", condensed_html.condensed, sources)
    pairs = list(zip(sources, shorter))
    profile.time(
        "memory of the tree", lambda pair: density.check_tree(pair[0], pair[1] and pair[1].num_attributes), pairs
    )
    trees = profile.time("parsing, limits, shadow roots", parsed, pairs)
    profile.floor("parsing, limits, shadow roots", html_parser.lexbor_tree, [source.utf8 for source in sources])
    profile.time("head", page_head.head_of_page, trees)
    profile.floor("walk, paths", lambda tree: tree.root.text(), trees)
    del trees
    visible = PageOptions(embedded=False)
    profile.time("(visible page)", lambda source: page_in_columns(source, visible) and None, sources)
    profile.time("(page)", lambda source: page_in_columns(source, DEFAULT_OPTIONS) and None, sources)
    out = profile.time("(line)", segment_line, lines)
    return [line for line in out if line is not None]


def parsed(page: tuple[HtmlSource, condensed_html.CondensedHtml | None]) -> Any:
    """The tree of a page, of its shorter form if it has one."""
    source, shorter = page
    return html_parser.parse_html(source) if shorter is None else html_parser.lexbor_tree(shorter.utf8)


def profile_scoring(profile: Profile, records: Sequence[dict[str, Any]], lines: Sequence[bytes]) -> list[bytes]:
    """The lines of nc-score, whose parts are measured; with the compiled core, all of them are one."""
    named = registry.load_named(MODEL)
    parameters = named.model.parameters  # type: ignore[attr-defined] # a structure model
    weights = parameters.network.weights["first"]
    inputs = [np.zeros((len(record["segments"]), len(weights)), np.float32) for record in records]
    if line_model := find_line_model(MODEL):
        profile.floor(LINES, lambda values: values @ weights, inputs)
        scored = profile.time(LINES, line_parser(choice_of(line_model)), lines)
        if all(type(record) is WrittenLine for record in scored):
            return [record.line for record in scored]
        profile.parts.pop(LINES)
    profile.floor("network", lambda values: values @ weights, inputs)
    profile.time("JSON of segments, in", orjson.loads, lines)
    batches = [list(records[at : at + BATCH_PAGES]) for at in range(0, len(records), BATCH_PAGES)]
    documents = [[Document.of_record(record) for record in batch] for batch in batches]
    tables = profile.time("segment table", build_table, documents)
    profile.time("features", lambda table: list(feature_parts(table)), tables)
    profile.time("(features and network)", lambda table: infer(parameters, table), tables)
    written = profile.time("(scoring)", Scorer([named]), batches)
    return profile.time("JSON of scores, out", json_line, [record for batch in written for record in batch])


def read_input(name: str) -> int:
    """The number of lines of a file that is read as the filters read it."""
    with Path(name).open("rb") as file:
        return sum(1 for _ in record_lines(decompress(file)[0], MAX_RECORD, lambda size: None))


def profile_pages(profile: Profile, lines: Sequence[bytes]) -> None:
    """One round over the pages."""
    with tempfile.NamedTemporaryFile() as file:
        file.writelines(lines)
        file.flush()
        profile.time("reading", read_input, [file.name])
    if walks.walk_in_use() == compiled_core.COMPILED:
        written = profile_lines(profile, lines)
        segmented = [orjson.loads(line) for line in written]
    else:
        segmented = profile_segmenting(profile, lines)
        written = profile.time("JSON of segments, out", json_line, segmented)
    scored = profile_scoring(profile, segmented, written)
    policy = policies.policy()
    read = profile.time("JSON of scores, in", orjson.loads, scored)
    selected = profile.time("decision and text", lambda record: select_text(record, policy), read)
    profile.time("JSON of text, out", json_line, selected)


def finished(profile: Profile) -> dict[str, float]:
    """The parts that make up the whole: what is measured together is split."""
    parts = dict(profile.parts)
    if "(line)" in parts:
        visible, page, line = (parts.pop(name) for name in ("(visible page)", "(page)", "(line)"))
        before = sum(
            parts[name] for name in ("shorter form", "memory of the tree", "parsing, limits, shadow roots", "head")
        )
        parts["walk, paths"] = max(0.0, visible - before)
        parts["hidden content"] = max(0.0, page - visible)
        parts["segments, language, JSON"] = max(0.0, line - parts["line to UTF-8"] - page)
    else:
        together = parts.pop("(limits, parsing, shadow roots)")
        parts["shadow roots"] = max(0.0, together - parts["limits of the markup"] - parts["parsing"])
    if "(scoring)" in parts:  # in Python
        network, scoring = parts.pop("(features and network)"), parts.pop("(scoring)")
        parts["network"] = max(0.0, network - parts["features"])
        parts["calibration, roles, fields"] = max(0.0, scoring - network - parts["segment table"])
    return parts


def print_profile(name: str, lines: Sequence[bytes], rounds: int) -> None:
    """Measures the pages of a set, and prints a table."""
    profile = Profile()
    for number in range(rounds):
        log(f"{name}: round {number + 1} of {rounds}")
        profile_pages(profile, lines)
    size = sum(len(orjson.loads(line)["html"].encode("utf-8", "replace")) for line in lines) / 1e6
    parts, all_parts = finished(profile), sum(finished(profile).values())
    rows = []
    for part, seconds in sorted(parts.items(), key=lambda item: -item[1]):
        floor = profile.floors.get(part)
        rows.append([part, *cells(seconds, lines, size), f"{seconds / all_parts:.0%}", floor_cell(floor, lines)])
    rows.append(["all", *cells(all_parts, lines, size), "100%", ""])
    title = f"{name}: {len(lines)} pages, {size:.1f} MB of HTML, the walk in {walks.walk_in_use()}"
    header = ["part", "ms a page", "ms a MB", "share", "floor, ms a page"]
    print("".join(table_lines(Table(title, header, rows), "markdown")), flush=True)


def cells(seconds: float, lines: Sequence[bytes], size: float) -> list[str]:
    """Milliseconds per page and per MB."""
    return [f"{seconds / len(lines) * 1e3:.3f}", f"{seconds / size * 1e3:.2f}"]


def floor_cell(seconds: float | None, lines: Sequence[bytes]) -> str:
    """Milliseconds per page of a floor, if there is one."""
    return "" if seconds is None else f"{seconds / len(lines) * 1e3:.3f}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="PAGES", help="records with html")
    parser.add_argument("--pages", type=int, default=100, metavar="N", help="pages of each set (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (default: %(default)s)")
    args = parser.parse_args()
    print("# Where the CPU of a page goes\n")
    print(
        f"By `bench/profile.py`: {args.pages} pages of each set, the least of {args.rounds} rounds; model `{MODEL}`.\n"
    )
    for file in args.files:
        print_profile(file.name.partition(".")[0], read_lines(file)[: args.pages], args.rounds)


if __name__ == "__main__":
    main()
