#!/usr/bin/env python3
"""Known-item search over pages cleaned by several systems, in the spirit of tables 2 and 3 of PyPlexity 2023.

    pip install '.[search]' && python bench/retrieval.py ../shared/data  # writes bench/retrieval.md; three minutes

The title of each page of wcxb-dev is a query, the page its answer. Wants the folder of gold sets. Peers that are
installed (trafilatura, jusText, Resiliparse, readability-lxml) stand in the same tables; those and models that are
missing are named and left out.
"""

from __future__ import annotations

import argparse
import json
import lzma
import multiprocessing
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ncfilters.errors import ModelError

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from papers import PEERS, peers, say  # noqa: E402

from ncfilters import retrieval  # noqa: E402
from ncfilters.evaluation.efficiency import search_index
from ncfilters.evaluation.report.tables import Table, table_lines  # noqa: E402
from ncfilters.evaluation.significance import compare  # noqa: E402
from ncfilters.page import block_builder, html_parser, text_dump
from ncfilters.scoring import registry

BIN = HERE.parent / "bin"
REPEATS = 3
# System: its model, and what comes behind nc-segment.
SYSTEMS = {
    "ncleaner-en": ("ncleaner-en", "nc-score -m ncleaner-en | nc-select -f jsonl"),
    "ncleaner-nonlexical": ("ncleaner-nonlexical", "nc-score -m ncleaner-nonlexical | nc-select -f jsonl"),
    "en": ("en", "nc-score -m en | nc-select -f jsonl"),
    "justext-en, improved": (
        "justext-en",
        "nc-score -m justext-en --profile improved | nc-select --decide justext -f jsonl",
    ),
    "perplexity-en": ("perplexity-en", "nc-score -m perplexity-en | nc-select -f jsonl"),
}
TAGS, VISIBLE, GOLD = "tags removed", "visible text", "gold text"
HEAD = """# Known-item search

`python bench/retrieval.py DATA` writes this page. The title of each of the {pages:,} pages of `wcxb-dev` (`gold.title`)
is a query and the page its one answer; BM25 by {engine}, words in lower case without stemming or stop words, any
of the query's words. The measures are those of section 4.2 of PyPlexity 2023, with one relevant page: P@1, the mean
reciprocal rank (over all pages), NDCG@10. Wilcoxon's signed-rank test (p, and how many queries are won and lost)
compares NDCG@10 with that of the visible text.

`{tags}` is everything but tags, scripts and styles, in the spirit of PyPlexity's tag remover, so also `<title>`, hidden
text and `<noscript>`. `{visible}` is what `nc-render --as text` shows, `{gold}` what people kept, mostly without
the title. Our models were trained on these pages and this gold. {missing}"""
FAIR = """
## With titles

Index size on disk with positions, without texts; CPU times of one thread, medians of {repeats}; of a query, the ten
best pages. `title kept`: the pages whose text still has the title, word for word.

"""
WITHOUT = """
## Without titles

A title as a query is not fair to all: it comes from the page, where it mostly stands as a heading, too, and who keeps
the heading has every word of the query, while our models learnt from gold text that titles are not part of it. So here
each title is deleted from the text of its own page, wherever it stands there, for every system: what finds the page is
what it says besides.

"""
NOTES = """
Gold text, from which nothing is missing by mistake, has an NDCG@10 of {gains[0]:.1f} with titles and {gains[2]:.1f}
without, the visible text {gains[1]:.1f} and {gains[3]:.1f}. The words of a title stand in headings, menus and lists of
related pages, too; a system may lose this much by cleaning well. {same} pages have the title of another, which only one
of them can be first for.
"""


@dataclass(frozen=True)
class Searched:
    """What came of the queries to a collection."""

    ranks: list[retrieval.Rank]
    bytes: int
    indexing: float
    query: float


def page_texts(record: dict[str, Any]) -> tuple[str, str]:
    """A page's text without tags, and its visible text."""
    blocks = block_builder.blocks(html_parser.parse_html(record["html"]))
    tree = html_parser.parse_html(record["html"])
    tree.strip_tags(["script", "style"])
    return tree.root.text(separator=" ") if tree.root else "", text_dump.dump(blocks)


def ours(records: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """The text of each page by each of our models that is there."""
    pages = "".join(json.dumps({"id": n, "html": record["html"]}) + "\n" for n, record in enumerate(records))
    segmented = _piped("nc-segment", pages.encode())
    for name, (_, command) in SYSTEMS.items():
        if name not in missing_models():
            say(name)
            texts = {out["id"]: out.get("text", "") for out in map(json.loads, _piped(command, segmented).splitlines())}
            yield name, [texts.get(n, "") for n in range(len(records))]


def _piped(command: str, data: bytes) -> bytes:
    """What a pipe of the filters makes of *data*."""
    path = os.pathsep.join([str(BIN), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        f"set -o pipefail; {command}",
        shell=True,
        executable="bash",
        input=data,
        stdout=subprocess.PIPE,
        env={**os.environ, "PATH": path},
        check=False,
    )
    if done.returncode > 1:  # 1: of some page there is no text
        raise SystemExit(f"{command}: exit status {done.returncode}")
    return done.stdout


def missing_models() -> list[str]:
    """The systems whose model is not installed."""
    out = []
    for name, (of, _) in SYSTEMS.items():
        try:
            registry.find(of)
        except ModelError:
            out.append(name)
    return out


def collections(records: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Each system and its texts, the page's own text first."""
    say("text of the pages")
    with multiprocessing.Pool() as pool:
        tags, visible = zip(*pool.imap(page_texts, records, 8))
    yield TAGS, list(tags)
    yield VISIBLE, list(visible)
    yield from ours(records)
    for name, texts in peers(records):
        say(name)
        yield name, texts
    yield GOLD, [record["gold"]["text"] for record in records]


def searched(texts: Sequence[str], queries: Sequence[Sequence[str]]) -> Searched:
    """What comes of *queries*, each about the text in its place."""
    made = []
    for at in range(REPEATS):
        with search_index.Index(texts) as some:
            made.append((some.seconds, some.time(queries) / len(queries)))
            if not at:
                ranks = [retrieval.rank(some.ranking(query), n) for n, query in enumerate(queries)]
                size = some.bytes
    return Searched(ranks, size, *(statistics.median(values) for values in zip(*made)))


# ---- tables -------------------------------------------------------------------------------------------------


def quality(found: dict[str, Searched]) -> dict[str, list[str]]:
    """The cells of P@1, MRR, NDCG@10 and the comparison with the visible text, per cent."""
    gains = {name: list(map(retrieval.ndcg, one.ranks)) for name, one in found.items()}
    out = {}
    for name, one in found.items():
        cells = [f"{100 * value:.1f}" for value in retrieval.figures(one.ranks).values()]
        test = compare(gains[name], gains[VISIBLE])
        p = "" if test.wilcoxon is None else f"{test.wilcoxon.p:.4f}" if test.wilcoxon.p >= 0.0001 else "<0.0001"
        out[name] = [*cells, p, "" if name == VISIBLE else f"{test.wins}/{test.losses}"]
    return out


HEADER = ["", *retrieval.MEASURES, "Wilcoxon p", "won/lost"]


def full_table(found: dict[str, Searched], kept: dict[str, float]) -> Table:
    """Quality, titles kept, size and times."""
    whole = found[VISIBLE]
    rows = []
    for name, cells in quality(found).items():
        one = found[name]
        size = f"{one.bytes / 1e6:.2f} ({100 * one.bytes / whole.bytes:.0f} %)"
        times = [f"{one.indexing:.2f}", f"{1e3 * one.query:.3f}"]
        rows.append([name, *cells, f"{100 * kept[name]:.0f} %", size, *times])
    return Table("", [*HEADER, "title kept", "index, MB", "indexing, s", "query, ms"], rows)


def document(data: Path, number: int | None) -> Iterator[str]:
    """bench/retrieval.md, piece by piece."""
    with lzma.open(data / "wcxb-dev.jsonl.xz") as file:
        records = [json.loads(line) for line in file][:number]
    titles = [record["gold"]["title"] or "" for record in records]
    queries = [search_index.index_words(title) for title in titles]
    missing = [*missing_models(), *(name for name, (package, _) in PEERS.items() if not _is_installed(package))]
    left_out = f"Not installed, and left out: {', '.join(missing)}." if missing else ""
    say(left_out or "all systems are installed")
    yield (
        HEAD.format(
            pages=len(records), engine=search_index.engine(), tags=TAGS, visible=VISIBLE, gold=GOLD, missing=left_out
        ).rstrip()
        + "\n"
    )
    whole: dict[str, Searched] = {}
    less: dict[str, Searched] = {}
    kept = {}
    for name, texts in collections(records):
        whole[name] = searched(texts, queries)
        bare = [retrieval.without(text, title) for text, title in zip(texts, titles)]
        less[name] = searched(bare, queries)
        kept[name] = sum(text != other for text, other in zip(texts, bare)) / len(texts)
    yield FAIR.format(repeats=REPEATS)
    yield from table_lines(full_table(whole, kept), "markdown")
    yield WITHOUT
    rows = [[name, *cells] for name, cells in quality(less).items()]
    yield from table_lines(Table("", HEADER, rows), "markdown")
    gains = [100 * retrieval.figures(some[name].ranks)["NDCG@10"] for some in (whole, less) for name in (GOLD, VISIBLE)]
    yield NOTES.format(gains=gains, same=len(titles) - len(set(titles)))


def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of gold sets")
    parser.add_argument("-n", type=int, help="the first so many pages, written to standard output (default: all)")
    args = parser.parse_args()
    text = "".join(document(args.data, args.n))
    if args.n:
        print(text, end="")
    else:
        (HERE / "retrieval.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
