#!/usr/bin/env python3
"""Known-item search in pages that several systems cleaned, and what it costs, as in tables 2 to 5 of PyPlexity (2023).

    python bench/retrieval.py ../shared/data            # writes bench/retrieval.md; three minutes
    python bench/retrieval.py ../shared/data -n 50      # of 50 pages, to standard output

Measures retrieval (P@1, MRR, NDCG@10), index size and CPU time. The title of each page of wcxb-dev is a query, and the
page its one answer. DATA is the folder of gold sets; tantivy must be installed. Peers that are installed
(trafilatura, jusText, Resiliparse, readability-lxml) are in the same tables; missing ones are reported and left out.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import known_item, search_index
from bench.peers import missing_note, peer_texts
from bench.support import BENCH, Record, json_line, log, markdown, p_value, read_pages, run_pipe
from ncfilters.errors import ModelError
from ncfilters.evaluation.significance import compare
from ncfilters.page.blocks import visual_blocks
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser
from ncfilters.scoring import registry

REPEATS = 3
# system → its model, and the pipe after nc-segment
SYSTEMS = {
    "ncleaner-en": ("ncleaner-en", "nc-score -m ncleaner-en | nc-select -f jsonl"),
    "ncleaner-nonlexical": ("ncleaner-nonlexical", "nc-score -m ncleaner-nonlexical | nc-select -f jsonl"),
    "en": ("en", "nc-score -m en | nc-select -f jsonl"),
    "justext-en, improved": (
        "justext-en",
        "nc-score -m justext-en --set variant=improved | nc-select --decide justext -f jsonl",
    ),
    "perplexity-en": ("perplexity-en", "nc-score -m perplexity-en | nc-select -f jsonl"),
}
TAGS, VISIBLE, GOLD = "tags removed", "visible text", "gold text"
HEAD = """# Known-item search

`python bench/retrieval.py DATA` writes this page. The title of each of the {pages:,} pages of `wcxb-dev` (`gold.title`)
is a query, and the page is its one answer. The engine is BM25 by {engine}: words in lower case, no stemming, no stop
words, any word of the query. The measures are those of section 4.2 of PyPlexity (2023) with one relevant page: P@1, the
mean reciprocal rank (over all pages), NDCG@10. Wilcoxon's signed-rank test (p, and the queries won and lost) compares
NDCG@10 with that of the visible text.

`{tags}` is everything but tags, scripts and styles, like PyPlexity's tag remover; it includes `<title>`, hidden text
and `<noscript>`. `{visible}` is the output of `nc-render --as text`, `{gold}` the gold standard, mostly without the
title. Our models were trained on these pages and this gold. {missing}"""
FAIR = """
## With titles

The index on disk has positions and no texts. CPU times are those of one thread, medians of {repeats} runs; a query
returns the ten best pages. `title kept`: pages whose text contains the title, word for word.

"""
WITHOUT = """
## Without titles

A title as a query favours some systems: it comes from the page, where it is usually also a heading. A system that keeps
the heading has every word of the query, but our models learn from gold text that titles are not part of it. So here
each title is deleted from the text of its own page, for every system, and the rest of the text must find the page.

"""
COSTS = """
## Costs

Energy and CO2 by equation 9 of the paper (section 5.1.3), as in its tables 4 and 5: {watts:g} W (the default, 170, is
that of its computers), {carbon:g} kg of CO2 a kWh. The index is that of the pages with titles, the queries are a
million.
{cleaning}
"""
NOTES = """
Gold text, which is complete, has an NDCG@10 of {gains[0]:.1f} with titles and {gains[2]:.1f} without; the
visible text has {gains[1]:.1f} and {gains[3]:.1f}. The words of a title also occur in headings, menus and lists of
related pages: a system may lose this much by cleaning well. {same} pages share their title with another page, and only
one of them can be first.
"""


@dataclass(frozen=True)
class SearchResult:
    """The ranks of the pages, the size of the index in bytes, and CPU seconds: for indexing, and for a query."""

    ranks: list[known_item.Rank]
    bytes: int
    indexing: float
    query: float


@dataclass(frozen=True)
class Rates:
    """The constants of equation 9, and the CPU seconds that the cleaning of the pages took, by system."""

    watts: float = 170.0  # the thermal design power of the authors' nodes: two Xeon E5-2630 v4 of 85 watts
    carbon: float = 0.341  # kg of CO2 equivalent per kWh where they are
    cleaning: tuple[tuple[str, float], ...] = ()

    def energy(self, seconds: float) -> float:
        """The kWh of *seconds* of computing."""
        return seconds / 3600 * self.watts / 1000

    def emissions(self, seconds: float) -> float:
        """The kg of CO2 of *seconds* of computing."""
        return self.energy(seconds) * self.carbon


def break_even(cleaning: float, before: SearchResult, after: SearchResult) -> float | None:
    """The number of queries after which the savings equal the cost of *cleaning* (CPU seconds for all pages): 0 if
    faster indexing alone saves as much, None if no number of queries does."""
    owed = cleaning + after.indexing - before.indexing
    saved = before.query - after.query
    if owed <= 0:
        return 0.0
    return owed / saved if saved > 0 else None


def page_texts(record: Record) -> tuple[str, str]:
    """A page's text without tags, and its visible text."""
    blocks = blocks_of_tree(html_parser.parse_html(record["html"]))
    tree = html_parser.parse_html(record["html"])
    tree.strip_tags(["script", "style"])
    return tree.root.text(separator=" ") if tree.root else "", visual_blocks.dump(blocks)


def own_texts(records: Sequence[Record]) -> Iterator[tuple[str, list[str]]]:
    """The text of each page by each of our models that is installed."""
    pages = b"".join(json_line({"id": n, "html": record["html"]}) for n, record in enumerate(records))
    segmented = run_pipe("nc-segment", pages)
    for name, (_, command) in SYSTEMS.items():
        if name not in missing_models():
            log(name)
            selected = map(json.loads, run_pipe(command, segmented).splitlines())
            texts = {record["id"]: record.get("text", "") for record in selected}
            yield name, [texts.get(n, "") for n in range(len(records))]


def missing_models() -> list[str]:
    """The systems whose model is not installed."""
    out = []
    for name, (model, _) in SYSTEMS.items():
        try:
            registry.find(model)
        except ModelError:
            out.append(name)
    return out


def collections(records: Sequence[Record]) -> Iterator[tuple[str, list[str]]]:
    """Each system and its texts, the complete text of the pages first."""
    log("text of the pages")
    with multiprocessing.Pool() as pool:
        tags, visible = zip(*pool.imap(page_texts, records, 8))
    yield TAGS, list(tags)
    yield VISIBLE, list(visible)
    yield from own_texts(records)
    for name, texts in peer_texts(records):
        log(name)
        yield name, texts
    yield GOLD, [record["gold"]["text"] for record in records]


def search(texts: Sequence[str], queries: Sequence[Sequence[str]]) -> SearchResult:
    """The results of *queries*, each about the text at its position."""
    times = []
    for at in range(REPEATS):
        with search_index.Index(texts) as index:
            times.append((index.seconds, index.time(queries) / len(queries)))
            if not at:
                ranks = [known_item.rank_of(n, index.ranking(query)) for n, query in enumerate(queries)]
                size = index.bytes
    return SearchResult(ranks, size, *(statistics.median(values) for values in zip(*times)))


# ---- tables -------------------------------------------------------------------------------------------------


def quality_cells(results: dict[str, SearchResult]) -> dict[str, list[str]]:
    """The cells of P@1, MRR, NDCG@10 and the comparison with the visible text, per cent."""
    gains = {name: list(map(known_item.ndcg, result.ranks)) for name, result in results.items()}
    out = {}
    for name, result in results.items():
        cells = [f"{100 * value:.1f}" for value in known_item.mean_measures(result.ranks).values()]
        test = compare(gains[name], gains[VISIBLE])
        p = "" if test.wilcoxon is None else p_value(test.wilcoxon.p)
        out[name] = [*cells, p, "" if name == VISIBLE else f"{test.wins}/{test.losses}"]
    return out


HEADER = ["", *known_item.MEASURES, "Wilcoxon p", "won/lost"]


def full_table(results: dict[str, SearchResult], kept: dict[str, float]) -> Iterator[str]:
    """Quality, titles kept, index sizes and times."""
    visible = results[VISIBLE]
    rows = []
    for name, cells in quality_cells(results).items():
        result = results[name]
        size = f"{result.bytes / 1e6:.2f} ({100 * result.bytes / visible.bytes:.0f} %)"
        times = [f"{result.indexing:.2f}", f"{1e3 * result.query:.3f}"]
        rows.append([name, *cells, f"{100 * kept[name]:.0f} %", size, *times])
    yield from markdown([*HEADER, "title kept", "index, MB", "indexing, s", "query, ms"], rows)


def costs_table(results: dict[str, SearchResult], rates: Rates) -> Iterator[str]:
    """Energy and CO2 of indexing and of a million queries, and the number of queries that pay for the cleaning."""
    cleaning = dict(rates.cleaning)
    rows = []
    for name, result in results.items():
        seconds = (result.indexing, 1e6 * result.query)
        cells = [f"{kind(of):.2g}" for of in seconds for kind in (rates.energy, rates.emissions)]
        if cleaning:
            queries = break_even(cleaning[name], results[TAGS], result) if name in cleaning else None
            cells.append("" if name not in cleaning else "never" if queries is None else f"{queries:,.0f}")
        rows.append([name, *cells])
    header = ["", "indexing, kWh", "kg CO2", "queries, kWh", "kg CO2"]
    yield from markdown([*header, *(["queries that pay for the cleaning"] if cleaning else [])], rows)


def document(data: Path, number: int | None, rates: Rates) -> Iterator[str]:
    """The pieces of bench/retrieval.md."""
    records = read_pages(data / "wcxb-dev.jsonl.xz", number)
    titles = [record["gold"]["title"] or "" for record in records]
    queries = [search_index.index_words(title) for title in titles]
    missing = missing_note(missing_models())
    log(missing or "all systems are installed")
    names = {"tags": TAGS, "visible": VISIBLE, "gold": GOLD}
    yield HEAD.format(pages=len(records), engine=search_index.engine(), missing=missing, **names).rstrip() + "\n"
    with_titles: dict[str, SearchResult] = {}
    without_titles: dict[str, SearchResult] = {}
    kept = {}
    for name, texts in collections(records):
        with_titles[name] = search(texts, queries)
        rest = [known_item.without_phrase(text, title) for text, title in zip(texts, titles)]
        without_titles[name] = search(rest, queries)
        kept[name] = sum(text != other for text, other in zip(texts, rest)) / len(texts)
    yield FAIR.format(repeats=REPEATS)
    yield from full_table(with_titles, kept)
    yield WITHOUT
    yield from markdown(HEADER, [[name, *cells] for name, cells in quality_cells(without_titles).items()])
    given = "; ".join(f"{name} {seconds:g} s" for name, seconds in rates.cleaning)
    cleaning = (
        f"CPU time of cleaning: {given}." if given else "Cleaning, as `--cleaning-seconds` gives it, is left out."
    )
    gains = [
        100 * known_item.mean_measures(results[name].ranks)["NDCG@10"]
        for results in (with_titles, without_titles)
        for name in (GOLD, VISIBLE)
    ]
    yield NOTES.format(gains=gains, same=len(titles) - len(set(titles)))
    yield COSTS.format(watts=rates.watts, carbon=rates.carbon, cleaning=cleaning)
    yield from costs_table(with_titles, rates)


def seconds_of(argument: str) -> tuple[str, float]:
    """A system and the CPU seconds of its cleaning."""
    name, _, seconds = argument.rpartition("=")
    return name, float(seconds)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of gold sets")
    parser.add_argument("-n", type=int, metavar="N", help="use N pages, write to standard output (default: all)")
    parser.add_argument("--watts", type=float, default=Rates.watts, metavar="W", help="power (default: %(default)s)")
    parser.add_argument(
        "--carbon", type=float, default=Rates.carbon, metavar="KG", help="kg of CO2 per kWh (default: %(default)s)"
    )
    parser.add_argument(
        "--cleaning-seconds", type=seconds_of, action="append", default=[], metavar="SYSTEM=S", help="CPU seconds"
    )
    args = parser.parse_args()
    rates = Rates(args.watts, args.carbon, tuple(args.cleaning_seconds))
    text = "".join(document(args.data, args.n, rates))
    if args.n:
        print(text, end="")
    else:
        (BENCH / "retrieval.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
