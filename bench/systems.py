"""The texts of our models and of peers on the gold sets, and their measures: the content of the tables of accuracy.py.

    bench = Measurements(work)
    bench.evaluation("wcxb-dev")           # all systems on these pages

Each text and each evaluation is computed once.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from bench.heldout import INPUTS, LANGUAGES, SNIPPET_SET, Work
from bench.support import Record, log, p_value
from ncfilters import record
from ncfilters.dataset.gold import Gold, gold_of, key_of
from ncfilters.evaluation import results as facts
from ncfilters.evaluation.results import Evaluation
from ncfilters.evaluation.significance import compare
from ncfilters.evaluation.systems import System
from ncfilters.roles import DEFAULT_POLICY
from ncfilters.selection import roles
from ncfilters.selection.decision import DecisionPolicy, policy
from ncfilters.selection.options import ContentOptions, PolicyOptions
from ncfilters.selection.scored_page import page_of
from ncfilters.selection.selector import SelectionOptions, select_text


class Decision(NamedTuple):
    """How segments are selected: nc-select --decide, --favour and -t, and whether under the content policy of the
    page's gold text (see `content_options`) or as nc-select does without options."""

    decide: str
    favour: str = ""
    threshold: float | None = None
    as_gold: bool = True


DEFAULT = Decision("auto", "balance")
WITHOUT_OPTIONS = Decision("auto", "balance", as_gold=False)
# All segments except those that the rules of nc-segment mark; all visible segments.
RULES, EVERYTHING = Decision("rules"), Decision("everything")


class View(NamedTuple):
    """The pages of a table: the set, the language (any if empty), the measures, and the field that groups pages."""

    set: str
    lang: str
    measures: tuple[str, ...]
    by: str = ""


MARKED = ("bag", "cleaneval", "segments", "unlabelled")
VIEWS = {
    "wcxb-dev": View("wcxb-dev", "", ("bag", "required", "forbidden"), "page_type"),
    "cleaneval-dev": View("cleaneval-dev", "", MARKED),
    "dragnet-dev": View("dragnet-dev", "", ("bag",)),
    "l3s-dev": View("l3s-dev", "", ("bag",)),
    "daniel-dev, English": View("daniel-dev", "en", ("bag",)),
    "daniel-dev": View("daniel-dev", "", ("bag",), "lang"),
    SNIPPET_SET: View(SNIPPET_SET, "", ("required", "forbidden")),
}
# The views that have gold text, those of them whose pages are English, and those of the set of several languages.
TEXTS = tuple(name for name, view in VIEWS.items() if "bag" in view.measures)
ENGLISH, DANIEL = TEXTS[:5], TEXTS[4:]


class OwnSystem(NamedTuple):
    """A system of ours: its results (see `heldout`), how it selects segments, and the views it takes part in."""

    reads: tuple[str, ...]
    decision: Decision = DEFAULT
    views: tuple[str, ...] = TEXTS


JUSTEXT = Decision("justext")
SYSTEMS = {
    "`en`": OwnSystem(("en",), views=ENGLISH),
    "`en`, nc-select without options": OwnSystem(("en",), WITHOUT_OPTIONS, ENGLISH),
    "`xx`": OwnSystem(("xx",), views=tuple(VIEWS)),
    "`xx`, nc-select without options": OwnSystem(("xx",), WITHOUT_OPTIONS, tuple(VIEWS)),
    "`xx`, no page of daniel-dev in training": OwnSystem(("xx, unseen",), views=DANIEL),
    "`ncleaner-en`": OwnSystem(("ncleaner-en",), views=ENGLISH),
    "`ncleaner-en`, -el, -pl, -ru, -zh": OwnSystem(
        ("ncleaner-en", *(f"ncleaner-{lang}" for lang in LANGUAGES)), DEFAULT, ("daniel-dev",)
    ),
    "`ncleaner-nonlexical`": OwnSystem(("ncleaner-nonlexical",)),
    "`perplexity-en`": OwnSystem(("perplexity-en",), views=ENGLISH[1:]),
    "`justext-en`": OwnSystem(("justext-en",), JUSTEXT, ENGLISH),
    "`justext-en`, improved": OwnSystem(("justext-en, improved",), JUSTEXT, ENGLISH),
    "`justext-*`": OwnSystem(tuple(f"justext-{lang}" for lang in ("en", *LANGUAGES)), JUSTEXT, ("daniel-dev",)),
    "rules of nc-segment alone": OwnSystem(("all",), RULES),
    "everything on the page": OwnSystem(("all",), EVERYTHING),
}


def content_options(gold: Gold) -> ContentOptions:
    """What the annotators of a gold text count as content."""
    # the policy `main` is that of WCXB's annotators, except that its gold text has no titles
    return ContentOptions(gold.policy, excluded=frozenset(["title"] if gold.policy == DEFAULT_POLICY else ()))


def select(page: Record, decision: Decision) -> Record:
    """The record with its `text`, with CleanEval markers if its gold has them, and with `keep` on its segments, as
    nc-select decides. Pages of a model without roles have the content of nc-select without options."""
    gold = gold_of(page, partial=True)
    segments = page.get("segments", [])  # a record with an error has none
    content = content_options(gold) if decision.as_gold and roles.has_roles(page_of(segments)) else ContentOptions()
    form = "cleaneval" if gold.has_markers else "plain"
    options = SelectionOptions(form, mark_segments=True)
    scored = [segment if "score" in segment else {**segment, "score": 0.0} for segment in segments]
    return select_text({**page, "segments": scored}, _policy(decision, content), options)


def _policy(decision: Decision, content: ContentOptions) -> DecisionPolicy:
    if decision == RULES:
        return lambda segments, page=None, /: [rule is None for rule in page_of(segments).rule]
    if decision == EVERYTHING:
        return lambda segments, page=None, /: [rule != record.EMBEDDED for rule in page_of(segments).rule]
    favour = decision.favour or "balance"
    return policy(PolicyOptions(decision.decide, decision.threshold, favour=favour, content=content))


def selected_texts(line: bytes, ways: Sequence[Decision]) -> tuple[str, list[str]]:
    """The id of a record and its text by each decision."""
    page: Record = json.loads(line)
    return str(key_of(page)), [select(page, decision)["text"] for decision in ways]


class Measurements:
    """The texts of results and their evaluations, each computed once."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._texts: dict[tuple[str, Decision], dict[str, str]] = {}
        self._evaluations: dict[str, Evaluation] = {}

    def texts(self, name: str, *ways: Decision) -> list[dict[str, str]]:
        """For each decision, the text of each page of a result, by id."""
        new = [decision for decision in ways if (name, decision) not in self._texts]
        if new:
            log(f"text of {name}")
            if name in INPUTS:
                self.work.prepare(name)
            with multiprocessing.Pool() as pool, self.work.path(name).open("rb") as file:
                texts = list(pool.imap(partial(selected_texts, ways=new), file, 16))
            for place, decision in enumerate(new):
                self._texts[name, decision] = {key: by_decision[place] for key, by_decision in texts}
        return [self._texts[name, decision] for decision in ways]

    def golds(self, view: View, keys: Iterable[str] | None = None) -> dict[str, Gold]:
        """The gold of a view's pages; of those among *keys* only, if given."""
        pages = [page for page in self.work.pages(view.set) if not view.lang or page.get("lang") == view.lang]
        golds = {str(key_of(page)): gold_of(page, partial=True) for page in pages}
        return golds if keys is None else {key: golds[key] for key in keys if key in golds}

    def evaluation(self, name: str) -> Evaluation:
        """All systems, ours and peers, on a view's pages."""
        if name not in self._evaluations:
            view = VIEWS[name]
            systems = []
            for title, own in SYSTEMS.items():
                if name in own.views:
                    texts: dict[str, str] = {}
                    for read in own.reads:
                        texts |= self.texts(read, own.decision)[0]
                    systems.append(System(title, texts, models=set(own.reads)))
            systems += [System(peer, texts, models={peer}) for peer, texts in self.work.peers(view.set).items()]
            log(f"measuring on {name}")
            self._evaluations[name] = Evaluation(systems, self.golds(view), view.measures)
        return self._evaluations[name]


def figures(evaluation: Evaluation) -> dict[tuple[str, ...], float]:
    """Every figure, by system, measure, part and average."""
    return {
        tuple(fact[key] for key in ("system", "measure", "part", "average")): fact["value"]
        for fact in facts.figures(evaluation)
    }


def bag_f(evaluation: Evaluation, number: int) -> list[float]:
    """The bag-F of each page by a system (per cent)."""
    return [100 * (value or 0.0) for value in evaluation.values(number, "bag", "F")]


def difference_cells(ours: Sequence[float], theirs: Sequence[float], interval: bool = True) -> list[str]:
    """Cells: the difference in points and p by the t-test; with *interval* also its interval, and p by Wilcoxon."""
    test = compare(ours, theirs)
    cells = [f"{test.difference:+.2f}"]
    if interval:
        cells.append("" if test.t is None else f"{test.t.low:+.2f} … {test.t.high:+.2f}")
    tests = (test.t, test.wilcoxon)[: 2 if interval else 1]
    return [*cells, *("" if one is None else p_value(one.p) for one in tests)]
