"""The results of an evaluation as data: figures, groups, comparisons, calibration of predicted quality.

results = Evaluation(systems, golds, ["words"])
figures(results)[0]    # {"system": "ours", "measure": "words", "part": "F", "average": "micro", "value": 94.1, …}
"""

from __future__ import annotations

import hashlib
import math
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from typing import Any

from ..dataset.gold import Gold
from ..errors import UsageError
from ..installed import __version__
from .metrics import METRICS, precision_recall_f
from .systems import System

# Rows of results, each with the same fields; nc-eval writes them as JSON and TSV.
Facts = list[dict[str, Any]]
# Bins in the table of predicted quality.
CALIBRATION_BINS = 5
# The precision below which a page is of low quality (StupidOS, section 4.4).
LOW_PRECISION = 0.7

# Of a page, by metric: counts (3 integers), or one value; None where the metric does not apply.
PageScores = dict[str, tuple[float, ...] | None]
PARTS = ("F", "P", "R")
# Pages that a process gets at a time, and the least number of pages that justifies more processes.
CHUNK_PAGES, MIN_PARALLEL_PAGES = 16, 64


class Evaluation:
    """Systems evaluated on the same pages: those of *golds*, in their order.

    `rows[system][page]` has the value of each metric. A page without text from a system counts as empty text. `names`
    are the metrics that apply to at least one page. *jobs* is the number of processes (None: one per core).
    """

    def __init__(
        self,
        systems: Sequence[System],
        golds: dict[str, Gold],
        names: Sequence[str],
        ascii: bool = False,
        jobs: int | None = None,
    ) -> None:
        self.systems, self.golds, self.ascii = systems, golds, ascii
        self.keys = list(golds)
        pairs = ((system.texts.get(key, ""), gold) for system in systems for key, gold in golds.items())
        rows = measure_pages(pairs, names, ascii, jobs)
        self.rows = [rows[n * len(golds) : (n + 1) * len(golds)] for n in range(len(systems))]
        self.names = [name for name in names if any(row[name] is not None for row in rows)]

    def values(self, system: int, name: str, part: str) -> list[float | None]:
        """A part of a metric for each page, in [0, 1]."""
        return [score_part(row, name, part) for row in self.rows[system]]

    def field_values(self, name: str) -> list[str]:
        """The value of a field for each page, from its gold record or else from a system's record; "" if there is
        none."""
        out = []
        for key, gold in self.golds.items():
            records = [gold.fields, *(system.fields.get(key, {}) for system in self.systems)]
            out.append(str(next((fields[name] for fields in records if fields.get(name) is not None), "")))
        return out


def figures(results: Evaluation) -> Facts:
    """Every figure of every system: system, measure, part, average, value and sd (per cent), pages."""
    return [
        {"system": system.name, **fact}
        for system, rows in zip(results.systems, results.rows)
        for fact in averages(rows, results.names)
    ]


def group_figures(results: Evaluation, by: str) -> Facts:
    """The means over the pages of each group, like `figures` with the field `group`."""
    groups = results.field_values(by)
    out = []
    for group in sorted(set(groups)):
        for system, rows in zip(results.systems, results.rows):
            members = [row for row, of_page in zip(rows, groups) if of_page == group]
            out += [
                {"system": system.name, "group": group, **fact}
                for fact in averages(members, results.names)
                if fact["average"] == "macro"
            ]
    return out


def page_figures(results: Evaluation, by: str | None = None) -> Facts:
    """Every part of every metric for each page in per cent, the counts, and with *by* the value of that field."""
    out = []
    groups = results.field_values(by) if by else [""] * len(results.keys)
    for system, rows in zip(results.systems, results.rows):
        for key, group, row in zip(results.keys, groups, rows):
            fact: dict[str, Any] = {"system": system.name, "id": key, **({"group": group} if by else {})}
            for name in results.names:
                for which in part_names(name):
                    value = score_part(row, name, which)
                    fact[" ".join(filter(None, (name, which)))] = None if value is None else 100 * value
                if METRICS[name].kind == "counts":
                    for label, count in zip(("TP", "FP", "FN"), row[name] or (None,) * 3):
                        fact[f"{name} {label}"] = count
            out.append(fact)
    return out


def comparisons(results: Evaluation) -> Facts:
    """Each system against the first for each part of each metric: difference in points, tests, wins and losses."""
    from .significance import compare  # scipy is optional and slow to import: only comparisons need it

    out = []
    for number, system in enumerate(results.systems[1:], 1):
        for name in results.names:
            for which in part_names(name):
                both = [
                    (100 * ours, 100 * theirs)
                    for ours, theirs in zip(results.values(number, name, which), results.values(0, name, which))
                    if ours is not None and theirs is not None
                ]
                about = {"baseline": results.systems[0].name, "measure": name, "part": which}
                out.append({"system": system.name, **about, **asdict(compare(*zip(*both)))})
    return out


def calibration(results: Evaluation) -> Facts:
    """Predicted and actual precision of words of each system that predicts them, in [0, 1], in bins with equal numbers
    of pages."""
    out = []
    for number, system in enumerate(results.systems):
        pairs = quality_pairs(results, number)
        for place in range(CALIBRATION_BINS):
            pages = pairs[place * len(pairs) // CALIBRATION_BINS : (place + 1) * len(pairs) // CALIBRATION_BINS]
            if pages:
                predicted, actual = zip(*pages)
                fact = {"system": system.name, "from": predicted[0], "to": predicted[-1], "pages": len(pages)}
                fact |= {"predicted": sum(predicted) / len(pages), "actual": sum(actual) / len(pages)}
                out.append({**fact, "bad": sum(value < LOW_PRECISION for value in actual)})
    return out


def quality_splits(results: Evaluation, minima: Sequence[float]) -> Facts:
    """What each of the *minima* keeps and drops, for each system that predicts quality."""
    return [
        {"system": system.name, **fact}
        for number, system in enumerate(results.systems)
        if system.quality and "words" in results.names
        for minimum in minima
        for fact in quality_split(quality_pairs(results, number), minimum)
    ]


def quality_pairs(results: Evaluation, number: int) -> list[tuple[float, float]]:
    """(predicted quality, precision of words) of each page that has both, by quality, of the system at *number*."""
    if "words" not in results.names:
        return []
    precisions = dict(zip(results.keys, results.values(number, "words", "P")))
    system = results.systems[number]
    return sorted(
        (quality, precision)
        for key, quality in system.quality.items()
        if (precision := precisions.get(key)) is not None and system.texts[key]
    )


def quality_split(pairs: Sequence[tuple[float, float]], minimum: float) -> Facts:
    """The pages that a minimum quality keeps and drops: their number, their mean precision of words, and how many have
    a LOW_PRECISION."""
    out: Facts = []
    for label in ("kept", "dropped"):
        some = [precision for quality, precision in pairs if (quality >= minimum) == (label == "kept")]
        mean = sum(some) / len(some) if some else None
        fact = {"minimum": minimum, "what": label, "pages": len(some), "precision": mean}
        out.append({**fact, "bad": sum(value < LOW_PRECISION for value in some)})
    return out


def measure_page(text: str, gold: Gold, names: Sequence[str], ascii: bool = False) -> PageScores:
    """The value of each metric for a page."""
    row: PageScores = {}
    for name in names:
        value = METRICS[name].compute(text, gold, ascii)
        row[name] = (value,) if isinstance(value, float | int) else value
    return row


def measure_pages(
    pages: Iterable[tuple[str, Gold]], names: Sequence[str], ascii: bool = False, jobs: int | None = None
) -> list[PageScores]:
    """The values of each metric for each page, in order, computed by *jobs* processes (None: one per core).

    Raises UsageError if a process dies.
    """
    jobs, pages = jobs or os.cpu_count() or 1, list(pages)
    measure = partial(measure_page, names=names, ascii=ascii)
    if jobs == 1 or len(pages) < MIN_PARALLEL_PAGES or not names:
        return [measure(*page) for page in pages]
    # start-up: few pages need no processes
    import signal
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    # only the parent handles an interrupt
    with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            return list(pool.map(measure, *zip(*pages), chunksize=CHUNK_PAGES))
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, BrokenExecutor):
                raise UsageError(
                    "a process died during the evaluation: fewer processes (-j 1) leave more memory for each"
                ) from None
            raise


def score_part(row: PageScores, name: str, part: str) -> float | None:
    """One part (F, P, R, or "" for a value) of a metric for a page, in [0, 1]; None where it does not apply."""
    value = row[name]
    if value is None:
        return None
    if METRICS[name].kind == "value":
        return value[0]
    return _parts(name, value)[part]


def _parts(name: str, value: Sequence[float]) -> dict[str, float]:
    matched, wrong, missed = map(int, value)
    precision, recall, f = precision_recall_f((matched, wrong, missed), METRICS[name].empty_score)
    return {"F": f, "P": precision, "R": recall}


def part_names(name: str) -> tuple[str, ...]:
    """The parts of a metric: F, P and R, or "" for a value."""
    return ("",) if METRICS[name].kind == "value" else PARTS


def averages(rows: Sequence[PageScores], names: Sequence[str]) -> Facts:
    """The averages over pages of each part of each metric, in per cent: micro-averages (pooled counts) where there are
    counts, and means with the standard deviation *sd*, which is None for fewer than two pages.

    Metrics that apply to none of the pages are omitted.
    """
    out = []

    def add(name: str, part: str, average: str, value: float, sd: float | None, pages: int) -> None:
        out.append({"measure": name, "part": part, "average": average, "value": value, "sd": sd, "pages": pages})

    for name in names:
        values = [value for row in rows if (value := row[name]) is not None]
        if not values:
            continue
        if METRICS[name].kind == "counts" and name != "bag":  # a bag of the words of all pages is meaningless
            for part, pooled in _parts(name, [sum(counts) for counts in zip(*values)]).items():
                add(name, part, "micro", 100 * pooled, None, len(values))
        for part in part_names(name):
            shares = [100 * share for row in rows if (share := score_part(row, name, part)) is not None]
            mean, sd = mean_and_sd(shares)
            add(name, part, "macro", mean, sd, len(shares))
    return out


def mean_and_sd(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean and the sample standard deviation (None for fewer than two values)."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def signatures(results: Evaluation) -> Facts:
    """How the figures are computed: for each metric its normalisation and library versions, with the data; for each
    system its texts and models."""
    out = []
    golds = (
        (key, "\0".join([gold.marked, gold.plain, *gold.required, "", *gold.forbidden]))
        for key, gold in results.golds.items()
    )
    data = [f"pages:{len(results.keys)}", f"gold:{_digest(golds)}", f"ncfilters:{__version__}"]
    for name in results.names:
        metric = METRICS[name]
        fields = [f"measure:{name}", f"norm:{metric.normalisation}", f"ascii:{'yes' if results.ascii else 'no'}"]
        if metric.library:
            fields.append(f"by:{metric.library} {_library_version(metric.library)}")
        out.append({"measure": name, "source": metric.source, "signature": "|".join([*fields, *data])})
    if len(results.systems) > 1:
        tests = f"tests:paired t, Wilcoxon|intervals:95 %|by:scipy {_library_version('scipy')}"
        out.append({"measure": "comparison", "source": "Evert 2008, section 4", "signature": "|".join([tests, *data])})
    for system in results.systems:
        texts = _digest((key, system.texts.get(key, "")) for key in results.keys)
        models = f"models:{'+'.join(sorted(system.models)) or 'unknown'}"
        out.append({"system": system.name, "signature": f"system:{system.name}|text:{texts}|{models}"})
    return out


def _digest(texts: Iterable[tuple[str, str]]) -> str:
    """12 hexadecimal digits of the SHA-256 of texts and their ids; the order of the texts makes no difference."""
    digest = hashlib.sha256()
    for key, text in sorted(texts):
        digest.update(f"{key}\0{text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def _library_version(library: str) -> str:
    return f"python {platform.python_version()}" if library == "difflib" else version(library)
