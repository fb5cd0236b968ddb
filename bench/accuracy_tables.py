"""The tables of accuracy.py, each with the text above it.

sys.stdout.writelines(systems_table(Measurements(work)))
"""

from __future__ import annotations

import json
import math
import multiprocessing
import statistics
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench import roles
from bench.heldout import FOLDS, SEEDS, SETS, SHARES, TEST_FOLDS, of_seed
from bench.support import Record, markdown
from bench.systems import (
    DEFAULT,
    ENGLISH,
    SYSTEMS,
    TEXTS,
    VIEWS,
    Decision,
    Measurements,
    bag_f,
    content_options,
    difference_cells,
    figures,
    select,
)
from ncfilters.dataset import labelled_pages
from ncfilters.dataset.gold import domain, key_of
from ncfilters.dataset.labelling import CLEAN_SHARE
from ncfilters.evaluation.results import Evaluation
from ncfilters.evaluation.systems import System
from ncfilters.features import schema
from ncfilters.selection.expected_f import OPERATING_POINTS
from ncfilters.selection.roles import with_policy_scores
from ncfilters.selection.scored_page import page_of, word_counts
from ncfilters.training.examples import MAX_WORDS, PAGE_EXPONENT

BINS = 10
# The weights of segments, see `ScoredPage`.
AS_IN_TRAINING = "as in training"


class ScoredPage(NamedTuple):
    """The segments of a page: the probability of being clean under the content policy of the gold standard, whether
    each is clean, and its weight in three ways (as in training on pages of one kind, by words, equal). And the expected
    word precision of the text kept (None where none is)."""

    key: str
    probabilities: list[float]
    clean: list[bool]
    weights: dict[str, list[float]]
    precision: float | None


def scored_page(line: bytes) -> ScoredPage | None:
    """The probabilities and labels of a scored record; None for pages that training does not use."""
    page: Record = json.loads(line)
    labelled = labelled_pages.label_page(page)
    if not labelled.is_usable:
        return None
    scores = with_policy_scores(page_of(page["segments"]), labelled.gold.policy).score
    probabilities = [1 / (1 + 2.0 ** -max(min(score, 500), -500)) for score in scores]
    clean = [words > 0 and matched >= CLEAN_SHARE * words for words, matched in zip(labelled.words, labelled.matched)]
    roots = [math.sqrt(min(words, MAX_WORDS)) for words in labelled.words]
    page_weight = (sum(roots) + 1) ** -PAGE_EXPONENT
    weights = {
        AS_IN_TRAINING: [root * page_weight for root in roots],
        "words": [float(words) for words in labelled.words],
        "segments": [1.0] * len(roots),
    }
    sizes = [
        (probability, word_counts([segment["text"]])[0])
        for probability, segment in zip(probabilities, select(page, DEFAULT)["segments"])
        if segment["keep"]
    ]
    words = sum(size for _, size in sizes)
    precision = sum(probability * size for probability, size in sizes) / words if sizes else None
    return ScoredPage(str(key_of(page)), probabilities, clean, weights, precision)


class Bin(NamedTuple):
    """Segments of similar probability: their number and weight, the mean probability, and the share that is clean."""

    segments: int
    weight: float
    probability: float
    clean: float


def calibration_bins(
    probabilities: Sequence[float], clean: Sequence[bool], weights: Sequence[float], number: int = BINS
) -> list[Bin | None]:
    """*number* bins of equal width; None for a bin without weight."""
    sums = [[0.0] * 4 for _ in range(number)]
    for probability, label, weight in zip(probabilities, clean, weights):
        row = sums[min(int(probability * number), number - 1)]
        row[0] += 1
        row[1] += weight
        row[2] += weight * probability
        row[3] += weight * label
    return [Bin(int(n), weight, odd / weight, label / weight) if weight else None for n, weight, odd, label in sums]


def expected_error(bins: Sequence[Bin | None]) -> float:
    """The expected calibration error (per cent): the weighted mean distance of probability and share of clean."""
    filled = [one for one in bins if one]
    total = sum(one.weight for one in filled)
    return 100 * sum(one.weight * abs(one.probability - one.clean) for one in filled) / total


def pooled_segments(pages: Sequence[ScoredPage], way: str) -> tuple[list[float], list[bool], list[float]]:
    """The segments of pages: probabilities, labels, and weights."""
    weights = [weight for page in pages for weight in page.weights[way]]
    probabilities = [value for page in pages for value in page.probabilities]
    return probabilities, [label for page in pages for label in page.clean], weights


POLICIES = ("auto", "threshold", "expected", "viterbi")
# Bits, for nc-select -t; `threshold` for precision and recall is 1 and -1.
THRESHOLDS = (-2.0, 2.0, 3.0)

SYSTEMS_TEXT = """
## All models and peers

P, R and bag-F: bags of words, means over pages (WCXB). required, forbidden: snippets that must and must not appear.
ce-P, ce-R, ce-F: aligned words, segment markers included (cleaneval.py, pooled over pages). markers, unlabelled: F of
segment markers with and without their letter; peers print no markers. The last columns compare bag-F with that of the
best peer, page by page: the difference in points, the 95 % interval and p of the paired t-test, and p of Wilcoxon's
signed-rank test.

Annotators disagree about what belongs to the text. So `en` and `xx` select it under the content policy of each gold
standard, which the line above the table names as options of nc-select: WCXB's gold text has captions, but no titles;
that of DAnIEL, Dragnet and L3S-GN1 is the article; CleanEval's has all that somebody wrote for the page. The rows below
them are of the same scores, by nc-select without options.

The other models tell no roles and score under one policy. `ncleaner-en` and `ncleaner-nonlexical` learn from wcxb-dev
alone: there they are cross-validated in {folds} folds, on the other sets they are measured as they are (14 sites of
those have other pages in wcxb-dev). `ncleaner-el` to `-zh` are cross-validated. `perplexity-en` was trained
on the gold of wcxb-dev (bench/cleaning.md has its cross-validation there). The rules of `justext-*` are not trained.
"""
SEEDS_TEXT = """
## Several seeds

bag-F over {seeds} cross-validations, each with a seed of its own for folds, initial weights and the order of pages: the
mean, and the lowest and the highest.

"""
DECIDERS_TEXT = """
## Decision policies and operating points

Other decision policies on the same scores: those of `xx` on daniel-dev, and of `en` on the other sets. The content
policy is that of each gold standard, as above. `auto` with `balance` is the default; for these models it is
`expected`.

"""
ABLATION_TEXT = """
## What each part contributes

`en` trained on {train} and tested on the others ({tested} of the {folds} folds: {counts}). bag-F, the difference from
the first row in points, and p of the paired t-test. A group of features (`nc-train structure --without GROUP`), or
embedded content, is left out in training and in use. Groups overlap: the contribution of one group alone is larger than
the loss without it. The last rows have the scores of the first row and other decision policies. Rely on a difference on
one set only if its p is small and no other set contradicts it: of some fifty tests, two or three are below 0.05 by
chance.

"""
CURVE_TEXT = """
## Does more data still help?

`en` trained on a share of those sites and tested on the same pages ({counts}). A larger share includes the smaller
ones. Points and p compare bag-F with the row above. `more` is the cross-validation of the first table.

"""
CALIBRATION_TEXT = """
## Calibration

Segments of {pages:,} pages by the probability of being clean that `en` states under the content policy of their gold
standard, and the share that is clean. Segments are weighted as in training and calibration (by the square root of their
words; those of long pages count less), and by words.

"""
PRECISION_TEXT = """
For the text that nc-select keeps of {pages:,} pages, the odds predict a word precision of {stated:.1f}; it is
{actual:.1f} (means over pages).{picture} With the file that `nc-train structure --cv {folds} --scored en.jsonl` writes,
`nc-select -f jsonl en.jsonl | nc-eval` has a table of how well the `quality` that nc-select predicts agrees with it.
"""


# Heading → measure, part, average. A view has the columns whose measures it has.
COLUMNS = {
    "P": ("bag", "P", "macro"), "R": ("bag", "R", "macro"), "bag-F": ("bag", "F", "macro"),
    "required": ("required", "", "macro"), "forbidden": ("forbidden", "", "macro"), "ce-P": ("cleaneval", "P", "micro"),
    "ce-R": ("cleaneval", "R", "micro"), "ce-F": ("cleaneval", "F", "micro"), "markers": ("segments", "F", "micro"),
    "unlabelled": ("unlabelled", "F", "micro"),
}  # fmt: skip
# The columns after them, where there are peers.
AGAINST = ("F less {}'s", "95 % interval", "t: p", "Wilcoxon p")


def systems_table(bench: Measurements) -> Iterator[str]:
    """All models and peers on each set, and the significance of differences."""
    yield filled(SYSTEMS_TEXT, folds=FOLDS)
    for name in VIEWS:
        results = bench.evaluation(name)
        values = figures(results)
        columns = {head: key for head, key in COLUMNS.items() if key[0] in results.names}
        has_text = name in TEXTS  # else there is no bag-F to compare
        f = [bag_f(results, number) if has_text else [] for number in range(len(results.systems))]
        peers = [number for number, system in enumerate(results.systems) if has_text and system.name not in SYSTEMS]
        best_peer = max(peers, key=lambda number: math.fsum(f[number]), default=None)
        rows = []
        for number, system in enumerate(results.systems):
            row = [
                system.name,
                *(f"{values[system.name, which, part, average]:.2f}" for which, part, average in columns.values()),
            ]
            if best_peer is not None:
                row += difference_cells(f[number], f[best_peer]) if number != best_peer else [""] * len(AGAINST)
            rows.append(row)
        against = [] if best_peer is None else [AGAINST[0].format(results.systems[best_peer].name), *AGAINST[1:]]
        yield f"\n### {name}\n\n{len(results.keys):,} pages; gold text as {policy_options(bench, name)}:\n\n"
        yield from markdown(["", *columns, *against], rows)


def policy_options(bench: Measurements, name: str) -> str:
    """The options of nc-select that ask for the content policy of a view's gold standard."""
    contents = dict.fromkeys(map(content_options, bench.golds(VIEWS[name]).values()))
    asked = (
        f"`--policy {content.policy}{''.join(f' --without {role}' for role in sorted(content.excluded))}`"
        for content in contents
    )
    return " or ".join(asked)


def groups_table(bench: Measurements) -> Iterator[str]:
    """bag-F by page type and by language."""
    yield "\n## By type of page and by language\n"
    for name, view in VIEWS.items():
        if not view.by:
            continue
        results = bench.evaluation(name)
        groups = results.field_values(view.by)
        names = sorted(set(groups))
        rows = [
            [system.name, *group_means(bag_f(results, at), groups, names)] for at, system in enumerate(results.systems)
        ]
        if name == "daniel-dev":  # and the systems for English pages alone
            english = bench.evaluation("daniel-dev, English")
            listed = [system.name for system in results.systems]
            for at, system in enumerate(english.systems):
                if system.name not in listed:
                    values = group_means(bag_f(english, at), english.field_values(view.by), names)
                    rows.append([system.name, *values])
        counts = [f"{group} ({groups.count(group)})" for group in names]
        yield f"\nbag-F on `{name}` by `{view.by}` (pages):\n\n"
        yield from markdown(["", *counts], rows)


def group_means(values: Sequence[float], groups: Sequence[str], names: Sequence[str]) -> list[str]:
    """The mean value of each named group, "" for a group without values."""
    out = []
    for name in names:
        members = [value for value, group in zip(values, groups) if group == name]
        out.append(f"{math.fsum(members) / len(members):.2f}" if members else "")
    return out


def seeds_table(bench: Measurements) -> Iterator[str]:
    """How much the figures of `en` and `xx` depend on the seed."""
    yield filled(SEEDS_TEXT, seeds=len(SEEDS) + 1)
    rows = []
    for title, own in SYSTEMS.items():
        if own.reads not in (("en",), ("xx",)):
            continue
        (name,) = own.reads
        systems = [
            System(result, bench.texts(result, own.decision)[0])
            for result in (name, *(of_seed(name, seed) for seed in SEEDS))
        ]
        row = [title]
        for view in TEXTS:
            if view in own.views:
                results = Evaluation(systems, bench.golds(VIEWS[view]), ["bag"])
                means = [statistics.fmean(bag_f(results, number)) for number in range(len(systems))]
                row.append(f"{statistics.fmean(means):.2f} ({min(means):.2f} to {max(means):.2f})")
            else:
                row.append("")
        rows.append(row)
    yield from markdown(["", *TEXTS], rows)


def deciders_table(bench: Measurements) -> Iterator[str]:
    """Decision policies and operating points."""
    yield DECIDERS_TEXT
    ways = [Decision(how, favour) for how in POLICIES for favour in OPERATING_POINTS]
    ways += [Decision("justext"), *(Decision("threshold", "", bits) for bits in THRESHOLDS)]
    read = {name: "xx" if name == "daniel-dev" else "en" for name in SETS}
    values = {}
    for name, result in read.items():
        systems = [System(str(way), texts) for way, texts in zip(ways, bench.texts(result, *ways))]
        values[name] = figures(Evaluation(systems, bench.golds(VIEWS[name]), ["bag"]))
    rows = [
        [
            way.decide if way.threshold is None else f"{way.decide} -t {way.threshold:g}",
            way.favour,
            *(f"{values[name][str(way), 'bag', part, 'macro']:.2f}" for name in read for part in "PRF"),
        ]
        for way in ways
    ]
    yield from markdown(["--decide", "--favour", *(f"{name} {part}" for name in read for part in "PRF")], rows, 2)


def held_out_evaluations(bench: Measurements, systems: Mapping[str, tuple[str, Decision]]) -> dict[str, Evaluation]:
    """For each English view, the systems (result and decision by name) on the pages that ablations are tested on."""
    keys = [str(key_of(page)) for page in bench.work.records("test")]
    outputs = [System(name, bench.texts(result, decision)[0]) for name, (result, decision) in systems.items()]
    return {name: Evaluation(outputs, golds, ["bag"]) for name in ENGLISH if (golds := bench.golds(VIEWS[name], keys))}


def training_size(bench: Measurements, name: str) -> str:
    """The number of pages and sites of a result."""
    pages = list(bench.work.records(name))
    return f"{len(pages):,} pages of {len({domain(page) for page in pages}):,} sites"


EMBEDDED_CONTENT = {
    "noscript": "`<noscript>`",
    "json-ld": "JSON-LD",
    "other": "data of scripts, templates, frames, shadow roots, meta",
}


def ablation_table(bench: Measurements) -> Iterator[str]:
    """What each group of features, embedded content and the decision policy contribute."""
    systems = {"nothing": ("complete", DEFAULT)}
    systems |= {
        f"{about} (`{group}`)": (f"without {group}", DEFAULT) for group, about in schema.GROUP_DESCRIPTIONS.items()
    }
    systems |= {about: (f"without {kind}", DEFAULT) for kind, about in EMBEDDED_CONTENT.items()}
    systems |= {
        f"`--decide {how}`": ("complete", Decision(how, "balance")) for how in ("expected", "threshold", "viterbi")
    }
    evaluations = held_out_evaluations(bench, systems)
    rows = []
    for number, name in enumerate(systems):
        row = [name]
        for results in evaluations.values():
            f = bag_f(results, number)
            row.append(f"{math.fsum(f) / len(f):.2f}")
            row += difference_cells(f, bag_f(results, 0), False) if number else ["", ""]
        rows.append(row)
    counts = ", ".join(f"{len(results.keys)} of {name}" for name, results in evaluations.items())
    yield filled(ABLATION_TEXT, train=training_size(bench, "train"), tested=TEST_FOLDS, folds=FOLDS, counts=counts)
    yield from markdown(["left out", *(cell for name in evaluations for cell in (name, "points", "p"))], rows)


def curve_table(bench: Measurements) -> Iterator[str]:
    """The learning curve."""
    sizes = {share: training_size(bench, f"train, {share}") for share in SHARES} | {
        "all": training_size(bench, "train")
    }
    systems = {share: (share, DEFAULT) for share in SHARES} | {"all": ("complete", DEFAULT), "more": ("en", DEFAULT)}
    sizes["more"] = f"{FOLDS - 1} folds of {FOLDS}, of {training_size(bench, 'english')}"
    evaluations = held_out_evaluations(bench, systems)
    counts = ", ".join(f"{len(results.keys)} of {name}" for name, results in evaluations.items())
    yield filled(CURVE_TEXT, counts=counts)
    rows = []
    for number, name in enumerate(systems):
        row = [name, sizes[name]]
        for results in evaluations.values():
            values = figures(results)
            row += [f"{values[name, 'bag', part, 'macro']:.2f}" for part in "PRF"]
            f = bag_f(results, number)
            row += difference_cells(f, bag_f(results, number - 1), False) if number else ["", ""]
        rows.append(row)
    head = ["share", "trained on", *(cell for name in evaluations for cell in (f"{name} P", "R", "F", "points", "p"))]
    yield from markdown(head, rows, 2)


def roles_tables(bench: Measurements) -> Iterator[str]:
    """Roles, titles, and what is kept besides the main text."""
    yield from roles.tables({name: bench.work.path(name) for name in roles.MODELS})


def calibration_table(bench: Measurements, plots_folder: Path | None = None) -> Iterator[str]:
    """Whether the odds of `en` are calibrated; with a folder, also as a plot."""
    with multiprocessing.Pool() as pool, bench.work.path("en").open("rb") as file:
        pages = [page for page in pool.imap(scored_page, file, 16) if page]
    sets = {name: [page for page in pages if page.key.startswith(name.partition("-")[0])] for name in ENGLISH}

    def bins(some: Sequence[ScoredPage], way: str) -> list[Bin | None]:
        return calibration_bins(*pooled_segments(some, way))

    yield filled(CALIBRATION_TEXT, pages=len(pages))
    rows = []
    for place, both in enumerate(zip(bins(pages, AS_IN_TRAINING), bins(pages, "words"))):
        cells = [f"{100 * value:.1f}" if one else "" for one in both for value in (one or (0,) * 4)[2:]]
        segments = f"{both[0].segments:,}" if both[0] else "0"
        rows.append([f"{place / BINS:.1f} to {(place + 1) / BINS:.1f}", segments, *cells])
    yield from markdown(["stated", "segments", "stated, mean", "clean", "by words: stated", "clean"], rows)
    yield "\nExpected calibration error, points, of the same bins:\n\n"
    ways = list(pages[0].weights)
    groups = {name: some for name, some in sets.items() if some} | {"all": pages}
    rows = [[name, *(f"{expected_error(bins(some, way)):.2f}" for way in ways)] for name, some in groups.items()]
    yield from markdown(["", *(way if way == AS_IN_TRAINING else f"by {way}" for way in ways)], rows)
    yield from precision_text(bench, pages, plots_folder)


def precision_text(bench: Measurements, pages: Sequence[ScoredPage], plots_folder: Path | None) -> Iterator[str]:
    """The word precision that the odds of the selected segments predict for each page, and the actual precision."""
    expected = {page.key: page.precision for page in pages if page.precision is not None}
    both = []
    texts = bench.texts("en", DEFAULT)[0]
    for name in ENGLISH:
        golds = bench.golds(VIEWS[name], expected)
        if golds:
            results = Evaluation([System("en", texts)], golds, ["bag"])
            both += [(expected[key], value or 0.0) for key, value in zip(results.keys, results.values(0, "bag", "P"))]
    if not both:  # no page has selected text
        return
    predicted, actual = ([100 * value for value in values] for values in zip(*both))
    mean = [math.fsum(values) / len(both) for values in (predicted, actual)]
    picture = "" if plots_folder is None else " The picture shows it page by page."
    yield filled(PRECISION_TEXT, pages=len(both), stated=mean[0], actual=mean[1], folds=FOLDS, picture=picture)
    if plots_folder is None:
        return
    from bench.paper_figures import calibration  # matplotlib is an optional dependency
    from ncfilters.evaluation import plots

    plots.save(calibration(predicted, actual, "en, from the odds of what is kept"), plots_folder, "calibration")
    yield f"\n![expected and actual precision]({plots_folder.name}/png)\n"


def filled(text: str, **values: Any) -> str:
    """A text with its values, its paragraphs wrapped; empty lines around it stay."""
    body = text.strip("\n")
    paragraphs = body.format(**values).split("\n\n")
    wrapped = (some if some[0] == "#" else textwrap.fill(some, 120, break_on_hyphens=False) for some in paragraphs)
    return text.replace(body, "\n\n".join(wrapped))
