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
import math
import multiprocessing
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any

import tantivy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.peers import missing_note, peer_texts
from bench.support import BENCH, Record, json_line, log, markdown, p_value, read_pages, run_pipe
from ncfilters.errors import ModelError
from ncfilters.evaluation.significance import compare
from ncfilters.page.blocks import visual_blocks
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser
from ncfilters.scoring import registry

Rank = int | None
# Results that NDCG considers.
NDCG_DEPTH = 10


def precision_at_1(rank: Rank) -> float:
    """1 if the page is first, else 0 (equation 3, n = 1)."""
    return float(rank == 1)


def reciprocal_rank(rank: Rank) -> float:
    """1 / rank; 0 where the page is not found. It is the average precision (equation 4) of one relevant page."""
    return 1 / rank if rank else 0.0


def ndcg(rank: Rank, depth: int = NDCG_DEPTH) -> float:
    """The normalised discounted cumulative gain of the first *depth* results (equations 5 and 6).

    The ideal, the page in first place, has a gain of 1.
    """
    return 1 / math.log2(rank + 1) if rank and rank <= depth else 0.0


MEASURES: Mapping[str, Callable[[Rank], float]] = {
    "P@1": precision_at_1,
    "MRR": reciprocal_rank,
    f"NDCG@{NDCG_DEPTH}": ndcg,
}


def mean_measures(ranks: Sequence[Rank]) -> dict[str, float]:
    """The mean of each measure over queries, in [0, 1]. Raises ValueError without queries."""
    if not ranks:
        raise ValueError("no queries")
    return {name: math.fsum(map(measure, ranks)) / len(ranks) for name, measure in MEASURES.items()}


def rank_of(page: int, results: Sequence[int]) -> Rank:
    """The rank of *page* in *results*; None where it is not among them."""
    try:
        return results.index(page) + 1
    except ValueError:
        return None


def without_phrase(text: str, phrase: str) -> str:
    """*text* without the occurrences of *phrase*, in any case and white space."""
    words = phrase.split()
    if not words:
        return text
    return re.sub(r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", " ", text, flags=re.IGNORECASE)


# Bytes that the engine collects in memory before it writes to disk, in its single thread.
HEAP_BYTES = 64_000_000
# Bytes of a word; longer ones (addresses, data) are not indexed. The engine's default.
MAX_WORD_BYTES = 40
# Results of a query.
MAX_HITS = 10
_ANALYSER = "words"


def engine() -> str:
    """The name and version of the engine."""
    return f"tantivy {version('tantivy')}"


@lru_cache(maxsize=1)
def _analyser() -> Any:
    words = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    return words.filter(tantivy.Filter.remove_long(MAX_WORD_BYTES)).filter(tantivy.Filter.lowercase()).build()


def index_words(text: str) -> list[str]:
    """The words of *text* as the index has them."""
    words: list[str] = _analyser().analyze(text)
    return words


class Index:
    """The index of some texts, in a temporary folder (`path`) until it is closed.

    `bytes` is its size on disk; `seconds` is the CPU time to build it, of all threads: the one that indexes, and this
    one, which reads the texts. Raises OSError if there is no disk space.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="nc-index-")
        self.path = Path(self._folder.name)
        schema = tantivy.SchemaBuilder()
        schema.add_unsigned_field("number", fast=True)
        schema.add_text_field("text", tokenizer_name=_ANALYSER)
        self._schema = schema.build()
        index = tantivy.Index(self._schema, path=str(self.path))
        index.register_tokenizer(_ANALYSER, _analyser())
        self.seconds = _cpu_seconds(lambda: _fill(index, texts))
        self.bytes = sum(file.stat().st_size for file in self.path.iterdir())
        index.reload()
        self._searcher = index.searcher()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Deletes the index."""
        self._folder.cleanup()

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def ranking(self, words: Sequence[str]) -> list[int]:
        """The positions of the texts that have any of *words*, best first."""
        result = self._searcher.search(self._query(words), limit=max(len(self), 1), count=False)
        numbers: list[Any] = self._searcher.fast_field_values("number", [address for _, address in result.hits])
        return numbers

    def time(self, queries: Sequence[Sequence[str]]) -> float:
        """The CPU seconds to answer *queries*, one after the other, with MAX_HITS texts each."""
        prepared = [self._query(words) for words in queries]
        search = self._searcher.search

        def run_queries() -> None:
            for query in prepared:
                search(query, limit=MAX_HITS, count=False)

        return _cpu_seconds(run_queries)

    def _query(self, words: Sequence[str]) -> Any:
        terms = [tantivy.Query.term_query(self._schema, "text", word) for word in dict.fromkeys(words)]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])


def _fill(index: Any, texts: Iterable[str]) -> None:
    writer = index.writer(HEAP_BYTES, 1)
    for number, text in enumerate(texts):
        document = tantivy.Document()
        document.add_unsigned("number", number)
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def _cpu_seconds(work: Callable[[], None]) -> float:
    """The CPU seconds of this process with its threads: other load on the machine does not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


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

    ranks: list[Rank]
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
        with Index(texts) as index:
            times.append((index.seconds, index.time(queries) / len(queries)))
            if not at:
                ranks = [rank_of(n, index.ranking(query)) for n, query in enumerate(queries)]
                size = index.bytes
    return SearchResult(ranks, size, *(statistics.median(values) for values in zip(*times)))


# ---- tables -------------------------------------------------------------------------------------------------


def quality_cells(results: dict[str, SearchResult]) -> dict[str, list[str]]:
    """The cells of P@1, MRR, NDCG@10 and the comparison with the visible text, per cent."""
    gains = {name: list(map(ndcg, result.ranks)) for name, result in results.items()}
    out = {}
    for name, result in results.items():
        cells = [f"{100 * value:.1f}" for value in mean_measures(result.ranks).values()]
        test = compare(gains[name], gains[VISIBLE])
        p = "" if test.wilcoxon is None else p_value(test.wilcoxon.p)
        out[name] = [*cells, p, "" if name == VISIBLE else f"{test.wins}/{test.losses}"]
    return out


HEADER = ["", *MEASURES, "Wilcoxon p", "won/lost"]


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
    queries = [index_words(title) for title in titles]
    missing = missing_note(missing_models())
    log(missing or "all systems are installed")
    names = {"tags": TAGS, "visible": VISIBLE, "gold": GOLD}
    yield HEAD.format(pages=len(records), engine=engine(), missing=missing, **names).rstrip() + "\n"
    with_titles: dict[str, SearchResult] = {}
    without_titles: dict[str, SearchResult] = {}
    kept = {}
    for name, texts in collections(records):
        with_titles[name] = search(texts, queries)
        rest = [without_phrase(text, title) for text, title in zip(texts, titles)]
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
        100 * mean_measures(results[name].ranks)["NDCG@10"]
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
