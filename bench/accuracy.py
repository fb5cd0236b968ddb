#!/usr/bin/env python3
"""How accurate all models are, side by side with peers, on pages of sites that they have not seen.

    python bench/accuracy.py ../shared/data --work work          # writes bench/accuracy.md; an hour on two cores
    python bench/accuracy.py ../shared/data --only deciders      # one of its tables, to standard output
    python bench/accuracy.py ../shared/data --pages 60           # of so many pages of each set, to try it

Wants the folder of gold sets. What is trained and scored stays in the folder --work, so that a second run continues
there (`heldout`); a change to the program or the data begins anew. Peers that are installed (trafilatura, jusText,
Resiliparse, readability-lxml) stand in the same tables; those that are not are named and left out.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from calibrated import BINS, Stated, binned, error_of, pooled, stated  # noqa: E402
from heldout import EMBEDDED, FOLDS, SHARES, TESTED, Work, is_installed  # noqa: E402
from measured import DEFAULT, ENGLISH, SYSTEMS, VIEWS, Bench, Way, difference, f_of, figures, markdown  # noqa: E402
from papers import PEERS, say  # noqa: E402

from ncfilters.dataset.gold import domain, key_of  # noqa: E402
from ncfilters.evaluation import results as facts  # noqa: E402
from ncfilters.evaluation.results import Evaluation, System  # noqa: E402
from ncfilters.evaluation.signatures import signatures  # noqa: E402
from ncfilters.features import feature_groups
from ncfilters.selection.expected_f import OPERATING_POINTS  # noqa: E402

WAYS = ("auto", "threshold", "expected", "viterbi", "page")
FAVOURS = tuple(OPERATING_POINTS)


# ---- tables ---------------------------------------------------------------------------------------------------

# Heading → measure, part, average; what a view has no measure for is left out.
COLUMNS = {
    "P": ("bag", "P", "macro"),
    "R": ("bag", "R", "macro"),
    "bag-F": ("bag", "F", "macro"),
    "required": ("required", "", "macro"),
    "forbidden": ("forbidden", "", "macro"),
    "ce-P": ("cleaneval", "P", "micro"),
    "ce-R": ("cleaneval", "R", "micro"),
    "ce-F": ("cleaneval", "F", "micro"),
    "markers": ("segments", "F", "micro"),
    "unlabelled": ("unlabelled", "F", "micro"),
}
# Behind them, where there are peers.
AGAINST = ("F less {}'s", "95 % interval", "t: p", "Wilcoxon p")


def systems(bench: Bench) -> Iterator[str]:
    """All models and peers on each set, and what is significant."""
    yield said(SYSTEMS_TEXT, folds=FOLDS)
    for name in VIEWS:
        results = bench.results(name)
        found = figures(results)
        columns = {head: key for head, key in COLUMNS.items() if key[0] in results.names}
        f = [f_of(results, number) for number in range(len(results.systems))]
        peers = [number for number, system in enumerate(results.systems) if system.name not in SYSTEMS]
        best = max(peers, key=lambda number: math.fsum(f[number]), default=None)
        rows = []
        for number, system in enumerate(results.systems):
            row = [
                system.name,
                *(f"{found[system.name, which, part, how]:.2f}" for which, part, how in columns.values()),
            ]
            if best is not None:
                row += difference(f[number], f[best]) if number != best else [""] * len(AGAINST)
            rows.append(row)
        against = [] if best is None else [AGAINST[0].format(results.systems[best].name), *AGAINST[1:]]
        yield f"\n{name}, {len(results.keys):,} pages:\n\n"
        yield from markdown(["", *columns, *against], rows)


def groups(bench: Bench) -> Iterator[str]:
    """bag-F by page type and by language."""
    yield "\n## By type of page and by language\n"
    for name, view in VIEWS.items():
        if not view.by:
            continue
        results = bench.results(name)
        of = results.field_values(view.by)
        names = sorted(set(of))
        rows = [[system.name, *means(f_of(results, at), of, names)] for at, system in enumerate(results.systems)]
        if name == "daniel-dev":  # and who is there on the English pages only
            english = bench.results("daniel-dev, English")
            there = [system.name for system in results.systems]
            for at, system in enumerate(english.systems):
                if system.name not in there:
                    rows.append([system.name, *means(f_of(english, at), english.field_values(view.by), names)])
        counts = [f"{group} ({of.count(group)})" for group in names]
        yield f"\nbag-F on `{name}` by `{view.by}` (pages):\n\n"
        yield from markdown(["", *counts], rows)


def means(values: Sequence[float], of: Sequence[str], names: Sequence[str]) -> list[str]:
    """The mean of the values of each group that has any."""
    out = []
    for name in names:
        some = [value for value, group in zip(values, of) if group == name]
        out.append(f"{math.fsum(some) / len(some):.2f}" if some else "")
    return out


def operating_points(bench: Bench) -> Iterator[str]:
    """Deciders, and what is favoured."""
    yield DECIDERS_TEXT
    ways = [(how, favour) for how in WAYS for favour in FAVOURS]
    read = {"wcxb-dev": "en", "cleaneval-dev": "en", "daniel-dev": "xx"}
    found = {}
    for name, result in read.items():
        made = [System(" ".join(way), texts) for way, texts in zip(ways, bench.texts(result, *ways))]
        found[name] = figures(Evaluation(made, bench.golds(VIEWS[name]), ["bag"]))
    rows = [
        [*way, *(f"{found[name][' '.join(way), 'bag', part, 'macro']:.2f}" for name in read for part in "PRF")]
        for way in ways
    ]
    yield from markdown(["--decide", "--favour", *(f"{name} {part}" for name in read for part in "PRF")], rows, 2)


def held_out(bench: Bench, named: Mapping[str, tuple[str, Way]]) -> dict[str, Evaluation]:
    """On the pages of each English view that are held out from ablations: systems by their name, result and way."""
    keys = [str(key_of(page)) for page in bench.work.records("test")]
    made = [System(name, bench.texts(result, way)[0]) for name, (result, way) in named.items()]
    return {name: Evaluation(made, golds, ["bag"]) for name in ENGLISH if (golds := bench.golds(VIEWS[name], keys))}


def trained_on(bench: Bench, name: str) -> str:
    """How many pages and sites there are to train on."""
    pages = list(bench.work.records(name))
    return f"{len(pages):,} pages of {len({domain(page) for page in pages}):,} sites"


WITHOUT_EMBEDDED = {
    "noscript": "`<noscript>`",
    "json-ld": "JSON-LD",
    "other": "data of scripts, templates, frames, shadow roots, meta",
}


def ablations(bench: Bench) -> Iterator[str]:
    """What each group of features brings, the decider, and content that pages do not show."""
    named = {"nothing": ("complete", DEFAULT)}
    named |= {f"{about} (`{group}`)": (f"without {group}", DEFAULT) for group, about in feature_groups.ABOUT.items()}
    named |= {about: (f"without {kind}", DEFAULT) for kind, about in WITHOUT_EMBEDDED.items()}
    named |= {f"`--decide {how}`": ("complete", (how, "balance")) for how in ("expected", "threshold", "viterbi")}
    found = held_out(bench, named)
    rows = []
    for number, name in enumerate(named):
        row = [name]
        for results in found.values():
            f = f_of(results, number)
            row += [f"{math.fsum(f) / len(f):.2f}", *(difference(f, f_of(results, 0), False) if number else ["", ""])]
        rows.append(row)
    counts = ", ".join(f"{len(results.keys)} of {name}" for name, results in found.items())
    yield said(ABLATION_TEXT, train=trained_on(bench, "train"), tested=TESTED, folds=FOLDS, counts=counts)
    yield from markdown(["left out", *(cell for name in found for cell in (name, "points", "p"))], rows)


def curve(bench: Bench) -> Iterator[str]:
    """The learning curve."""
    sizes = {share: trained_on(bench, f"train, {share}") for share in SHARES} | {"all": trained_on(bench, "train")}
    named = {share: (share, DEFAULT) for share in SHARES} | {"all": ("complete", DEFAULT), "more": ("en", DEFAULT)}
    sizes["more"] = f"{FOLDS - 1} folds of {FOLDS}, of {trained_on(bench, 'english')}"
    found = held_out(bench, named)
    yield said(CURVE_TEXT, counts=", ".join(f"{len(results.keys)} of {name}" for name, results in found.items()))
    rows = []
    for number, name in enumerate(named):
        row = [name, sizes[name]]
        for results in found.values():
            some = figures(results)
            row += [f"{some[name, 'bag', part, 'macro']:.2f}" for part in "PRF"]
            row += difference(f_of(results, number), f_of(results, number - 1), False) if number else ["", ""]
        rows.append(row)
    head = ["share", "trained on", *(cell for name in found for cell in (f"{name} P", "R", "F", "points", "p"))]
    yield from markdown(head, rows, 2)


def calibration(bench: Bench, pictures: Path | None = None) -> Iterator[str]:
    """Whether the odds of `en` are what they say."""
    with multiprocessing.Pool() as pool, bench.work.path("en").open("rb") as file:
        pages = [page for page in pool.imap(stated, file, 16) if page]
    sets = {name: [page for page in pages if page.key.startswith(name.partition("-")[0])] for name in ENGLISH}
    ways = list(pages[0].weights)
    # sets weigh as in training: a page of a large one less
    most = max(map(len, sets.values()))
    factors = {page.key: math.sqrt(most / len(some)) for some in sets.values() for page in some}
    yield said(CALIBRATION_TEXT, pages=len(pages))
    bins = {way: binned(*pooled(pages, way, factors if way == ways[0] else {})) for way in ways[:2]}
    rows = []
    for place, both in enumerate(zip(*bins.values())):
        cells = [f"{100 * value:.1f}" if found else "" for found in both for value in (found or (0,) * 4)[2:]]
        rows.append(
            [f"{place / BINS:.1f} to {(place + 1) / BINS:.1f}", f"{both[0].segments if both[0] else 0:,}", *cells]
        )
    yield from markdown(["stated", "segments", "stated, mean", "clean", "by words: stated", "clean"], rows)
    yield "\nExpected calibration error, points, of the same bins:\n\n"
    rows = [
        [name, *(f"{error_of(binned(*pooled(some, way, {}))):.2f}" for way in ways)]
        for name, some in sets.items()
        if some
    ]
    rows.append(
        ["all", *(f"{error_of(binned(*pooled(pages, way, factors if way == ways[0] else {}))):.2f}" for way in ways)]
    )
    yield from markdown(["", *(way if way == ways[0] else f"by {way}" for way in ways)], rows)
    yield from precision(bench, pages, pictures)


def precision(bench: Bench, pages: Sequence[Stated], pictures: Path | None) -> Iterator[str]:
    """The precision that the odds of the kept segments promise of each page, and what it is."""
    expected = {page.key: page.precision for page in pages if page.precision is not None}
    both = []
    texts = bench.texts("en", DEFAULT)[0]
    for name in ENGLISH:
        golds = bench.golds(VIEWS[name], expected)
        if golds:
            results = Evaluation([System("en", texts)], golds, ["bag"])
            both += [(expected[key], value or 0.0) for key, value in zip(results.keys, results.values(0, "bag", "P"))]
    if not both:  # nothing is kept of any page
        return
    stated_, actual = ([100 * value for value in values] for values in zip(*both))
    mean = [math.fsum(values) / len(both) for values in (stated_, actual)]
    picture = "" if pictures is None else " The picture shows it page by page."
    yield said(PRECISION_TEXT, pages=len(both), stated=mean[0], actual=mean[1], folds=FOLDS, picture=picture)
    if pictures is None:
        return
    from ncfilters.evaluation.report import plots as drawn

    drawn.save(drawn.calibration(stated_, actual, "en, from the odds of what is kept"), pictures, "calibration")
    yield f"\n![expected and actual precision]({pictures.name}/calibration.png)\n"


# ---- the document ---------------------------------------------------------------------------------------------

HEAD = """# Accuracy

Made by `python bench/accuracy.py DATA`, on {pages}. {missing}All figures are per cent.
Every model here was trained without the sites it is measured on: `nc-train --cv {folds} --scored` deals the pages into
{folds} folds by domain. `en` has the English pages of the three sets in training, `xx` all of them.
"""
SYSTEMS_TEXT = """
## All models and peers

P, R and bag-F: bags of words, means over pages (WCXB). required, forbidden: snippets that must and must not appear.
ce-P, ce-R, ce-F: words aligned, segment markers being words (cleaneval.py, pooled); markers: their F, with and without
the letter. Peers print no markers. The last columns compare bag-F with that of the best peer, page by page: the
difference in points, the 95 % interval and p of the paired t-test, p of Wilcoxon's signed-rank test.

Ours decide by nc-select's defaults. `ncleaner-*` are of {folds} folds, too. `perplexity-en` was trained on the gold of
wcxb-dev (bench/cleaning.md cross-validates it there). The rules of `justext-*` are not trained.
"""
DECIDERS_TEXT = """
## Deciders and operating points

The same scores, decided in other ways: those of `en` on wcxb-dev and cleaneval-dev, of `xx` on daniel-dev. `auto` with
`balance` is the default; for these models it is `page`: `expected`, but nothing of pages without text.

"""
ABLATION_TEXT = """
## What each part brings

`en` trained on {train} and tested on the others ({tested} of the {folds} folds: {counts}). bag-F, the difference from
the first row in points, and p of the paired t-test. A group of features (`nc-train structure --without GROUP`) is left
out in training and in use, and so is what pages do not show. Groups tell of the same things in other words: what one
brings alone is more than what is lost without it. The last rows have the first row's scores, decided otherwise.

"""
CURVE_TEXT = """
## Does more data still help?

`en` trained on a share of those sites, the smaller share being part of the larger, and tested on the same pages
({counts}). Points and p compare bag-F with the row above. `more` is the cross-validation of the first table.

"""
CALIBRATION_TEXT = """
## Calibration

Segments of {pages:,} pages by the probability of being clean that the odds of `en` state, and how many are: of segments
weighed as in training and when odds are calibrated (square root of words; those of long pages and large sets less), and
of words.

"""
PRECISION_TEXT = """
Of the text that nc-select keeps of {pages:,} pages the odds promise a word precision of {stated:.1f}; it is
{actual:.1f} (means over pages).{picture} `nc-select -f jsonl en.jsonl | nc-eval --plot DIR` draws how well the
`quality` that nc-select predicts agrees with it, where en.jsonl is what `nc-train structure --cv {folds} --scored
en.jsonl` writes.
"""

# name → what makes it, and the results of jobs that it reads
_OF_SYSTEMS = tuple(dict.fromkeys(read for ours in SYSTEMS.values() for read in ours.reads if read != "all"))
_WITHOUT = tuple(f"without {name}" for name in (*feature_groups.GROUPS, *EMBEDDED))
TABLES: dict[str, tuple[Callable[..., Iterator[str]], tuple[str, ...]]] = {
    "systems": (systems, _OF_SYSTEMS),
    "groups": (groups, _OF_SYSTEMS),
    "deciders": (operating_points, ("en", "xx")),
    "ablation": (ablations, ("complete", *_WITHOUT)),
    "curve": (curve, ("complete", "en", *SHARES)),
    "calibration": (calibration, ("en",)),
}


def said(text: str, **what: Any) -> str:
    """A text about what was found, its paragraphs filled anew; the empty lines around it stay."""
    body = text.strip("\n")
    paragraphs = body.format(**what).split("\n\n")
    filled = (some if some[0] == "#" else textwrap.fill(some, 120, break_on_hyphens=False) for some in paragraphs)
    return text.replace(body, "\n\n".join(filled))


def document(bench: Bench, names: Sequence[str], pictures: Path | None) -> Iterator[str]:
    """bench/accuracy.md, or some of its tables, piece by piece."""
    missing = [name for name, (package, _) in PEERS.items() if not is_installed(package)]
    left_out = f"Not installed, and left out: {', '.join(missing)}. " if missing else ""
    say(left_out or "all peers are installed")
    work = bench.work
    work.make(name for table in names for name in TABLES[table][1])
    work.prepare("all")
    counts = ", ".join(f"{sum(1 for _ in work.pages(name)):,} pages of {name}" for name in work.files)
    yield said(HEAD, pages=counts, missing=left_out, folds=FOLDS)
    for name in names:
        make = TABLES[name][0]
        yield from make(bench, pictures) if make is calibration else make(bench)
    if len(names) == len(TABLES):
        notes = HERE / "accuracy-notes.md"
        yield notes.read_text(encoding="utf-8") if notes.exists() else ""
        yield "\n## Signatures\n\n"
        signed = (fact["signature"] for name in VIEWS for fact in signatures(bench.results(name)))
        yield "".join(f"    {signature}\n" for signature in dict.fromkeys(signed))


def options() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of gold sets")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep what is made here, and go on with what is there")
    parser.add_argument("--only", choices=TABLES, metavar="TABLE", help=f"one table: {', '.join(TABLES)}")
    parser.add_argument("--pages", type=int, metavar="N", help="so many pages of each set (default: all)")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="where to write (bench/accuracy.md, if it is whole)"
    )
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="trainings at a time (default: one for each core)")
    return parser


def main() -> None:
    """The command."""
    args = options().parse_args()
    output = args.output or (None if args.only or args.pages else HERE / "accuracy.md")
    pictures = output.with_suffix("") if output else None
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Work(args.work or Path(folder), args.data, args.pages, args.jobs))
        text = "".join(document(bench, [args.only] if args.only else list(TABLES), pictures))
    if output:
        output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
