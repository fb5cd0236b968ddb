"""Texts of our models and of peers on the gold sets, and what they measure: what the tables of accuracy.py are made of.

    bench = Bench(work)
    bench.results("wcxb-dev")           # all systems measured on these pages

Each text and each result is made once.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from heldout import LANGUAGES, Record, Work  # noqa: E402
from papers import say  # noqa: E402

from ncfilters import record  # noqa: E402
from ncfilters.dataset.gold import Gold, gold_of, key_of  # noqa: E402
from ncfilters.evaluation import results as facts  # noqa: E402
from ncfilters.evaluation.report.tables import Table, table_lines  # noqa: E402
from ncfilters.evaluation.results import Evaluation, System  # noqa: E402
from ncfilters.evaluation.significance import compare  # noqa: E402
from ncfilters.selection import formats, policies

# How it is decided, and what is favoured.
Way = tuple[str, str]
DEFAULT: Way = ("auto", "balance")
RULES, EVERYTHING = ("rules", ""), ("everything", "")


class View(NamedTuple):
    """Pages that tables are about: the set, the language (any if empty), the measures, and how they are grouped."""

    set: str
    lang: str
    measures: tuple[str, ...]
    by: str = ""


MARKED = ("bag", "cleaneval", "segments", "unlabelled")
VIEWS = {
    "wcxb-dev": View("wcxb-dev", "", ("bag", "required", "forbidden"), "page_type"),
    "cleaneval-dev": View("cleaneval-dev", "", MARKED),
    "daniel-dev, English": View("daniel-dev", "en", ("bag",)),
    "daniel-dev": View("daniel-dev", "", ("bag",), "lang"),
}
# Where `en` is at home.
ENGLISH = tuple(VIEWS)[:3]


class Ours(NamedTuple):
    """A system of ours: the results it is in (see `heldout`), how it decides, and the views it is in."""

    reads: tuple[str, ...]
    way: Way = DEFAULT
    views: tuple[str, ...] = tuple(VIEWS)


SYSTEMS = {
    "`en`": Ours(("en",), views=ENGLISH),
    "`xx`": Ours(("xx",)),
    "`xx`, no page of daniel-dev in training": Ours(("xx, unseen",), views=tuple(VIEWS)[2:]),
    "`ncleaner-en`": Ours(("ncleaner-en",), views=ENGLISH),
    "`ncleaner-en`, -el, -pl, -ru, -zh": Ours(
        ("ncleaner-en", *(f"ncleaner-{x}" for x in LANGUAGES)), DEFAULT, ("daniel-dev",)
    ),
    "`ncleaner-nonlexical`": Ours(("ncleaner-nonlexical",)),
    "`perplexity-en`": Ours(("perplexity-en",), views=ENGLISH[1:]),
    "`justext-en`": Ours(("justext-en",), ("justext", ""), ENGLISH),
    "`justext-en`, improved": Ours(("justext-en, improved",), ("justext", ""), ENGLISH),
    "`justext-*`": Ours(tuple(f"justext-{x}" for x in ("en", *LANGUAGES)), ("justext", ""), ("daniel-dev",)),
    "rules of nc-segment alone": Ours(("all",), RULES),
    "everything on the page": Ours(("all",), EVERYTHING),
}


# ---- texts and measures ---------------------------------------------------------------------------------------


def decided(segments: Sequence[Record], way: Way, page: Record | None) -> list[bool]:
    """Which segments are kept."""
    how, favour = way
    if way == RULES:
        return ["rule" not in segment for segment in segments]
    if way == EVERYTHING:  # that is shown
        return [segment.get("rule") != record.EMBEDDED for segment in segments]
    favour = "balance" if how == "justext" else favour
    return policies.policy(policies.PolicyOptions(how, favour=favour))(list(segments), page)


def selected(line: bytes, ways: Sequence[Way]) -> tuple[str, list[str]]:
    """The id of a record and its text in each way, with CleanEval markers if its gold has such."""
    page: Record = json.loads(line)
    form = formats.cleaneval if gold_of(page).has_markers else formats.plain
    segments = page.get("segments", [])  # a record that failed has none
    out = []
    for way in ways:
        kept = decided(segments, way, page.get("page"))
        out.append(form([segment for segment, keep in zip(segments, kept) if keep], page))
    return str(key_of(page)), out


class Bench:
    """The texts that results are made into, and what they measure; each is made once."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._texts: dict[tuple[str, Way], dict[str, str]] = {}
        self._results: dict[str, Evaluation] = {}

    def texts(self, name: str, *ways: Way) -> list[dict[str, str]]:
        """The text of each page of a result, by id, in each way."""
        new = [way for way in ways if (name, way) not in self._texts]
        if new:
            say(f"text of {name}")
            with multiprocessing.Pool() as pool, self.work.path(name).open("rb") as file:
                made = list(pool.imap(partial(selected, ways=new), file, 16))
            for place, way in enumerate(new):
                self._texts[name, way] = {key: texts[place] for key, texts in made}
        return [self._texts[name, way] for way in ways]

    def golds(self, view: View, keys: Iterable[str] | None = None) -> dict[str, Gold]:
        """The gold of a view's pages; of those among *keys* only, if these are given."""
        pages = [page for page in self.work.pages(view.set) if not view.lang or page.get("lang") == view.lang]
        golds = {str(key_of(page)): gold_of(page) for page in pages}
        return golds if keys is None else {key: golds[key] for key in keys if key in golds}

    def results(self, name: str) -> Evaluation:
        """All systems, ours and peers, on a view's pages."""
        if name not in self._results:
            view = VIEWS[name]
            systems = []
            for title, ours in SYSTEMS.items():
                if name in ours.views:
                    texts: dict[str, str] = {}
                    for read in ours.reads:
                        texts |= self.texts(read, ours.way)[0]
                    systems.append(System(title, texts, models=set(ours.reads)))
            systems += [System(peer, texts, models={peer}) for peer, texts in self.work.peers(view.set).items()]
            say(f"measuring on {name}")
            self._results[name] = Evaluation(systems, self.golds(view), view.measures)
        return self._results[name]


def figures(results: Evaluation) -> dict[tuple[str, ...], float]:
    """Every figure, by system, measure, part and average."""
    return {
        tuple(fact[k] for k in ("system", "measure", "part", "average")): fact["value"]
        for fact in facts.figures(results)
    }


def f_of(results: Evaluation, number: int) -> list[float]:
    """The bag-F of each page (per cent)."""
    return [100 * (value or 0.0) for value in results.values(number, "bag", "F")]


def difference(ours: Sequence[float], theirs: Sequence[float], interval: bool = True) -> list[str]:
    """Cells: points of difference, with the interval if that is wanted, and p by the t-test and Wilcoxon's."""
    found = compare(ours, theirs)
    cells = [f"{found.difference:+.2f}"]
    if interval:
        cells.append("" if found.t is None else f"{found.t.low:+.2f} … {found.t.high:+.2f}")
    return [
        *cells,
        *("" if test is None else small(test.p) for test in (found.t, found.wilcoxon)[: 2 if interval else 1]),
    ]


def small(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """A table, its first columns to the left."""
    yield from table_lines(Table("", list(head), [list(row) for row in rows], frozenset(range(left))), "markdown")
