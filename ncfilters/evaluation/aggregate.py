"""Metrics over many pages: computed on all cores, averaged (nc-eval, nc-train).

rows = list(measure_pages([("A title", gold_of_a), ("Some text", gold_of_b)], ["words"]))
averages(rows, ["words"])[0]        # F of words, micro-averaged over the pages
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from ..dataset.gold import Gold
from ..errors import UsageError
from .metrics import METRICS, precision_recall_f

# Of a page, by metric: counts (3 integers), or one value; None where the metric does not apply.
PageScores = dict[str, tuple[float, ...] | None]
PARTS = ("F", "P", "R")
# Pages that a process gets at a time, and the least number of pages that justifies more processes.
CHUNK_PAGES, MIN_PARALLEL_PAGES = 16, 64


@dataclass(frozen=True)
class Average:
    """An average over pages: the part of a metric, how it is averaged, and its standard deviation over pages.

    *value* and *sd* are per cent; *sd* is None for micro-averages and for fewer than two pages.
    """

    measure: str
    part: str
    average: str
    value: float
    sd: float | None
    pages: int


def measure_page(text: str, gold: Gold, names: Sequence[str], ascii: bool = False) -> PageScores:
    """The value of each metric for a page."""
    row: PageScores = {}
    for name in names:
        value = METRICS[name].compute(text, gold, ascii)
        row[name] = (value,) if isinstance(value, float | int) else value
    return row


def measure_pages(
    pages: Iterable[tuple[str, Gold]], names: Sequence[str], ascii: bool = False, jobs: int | None = None
) -> Iterator[PageScores]:
    """The values of each metric for each page, in order, computed by *jobs* processes (None: one per core).

    Raises UsageError if a process dies.
    """
    jobs = jobs or os.cpu_count() or 1
    pages = iter(pages)
    first = list(islice(pages, MIN_PARALLEL_PAGES))
    if jobs == 1 or len(first) < MIN_PARALLEL_PAGES or not names:
        for text, gold in (*first, *pages):
            yield measure_page(text, gold, names, ascii)
        return
    # start-up: few pages need no processes
    import signal
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from functools import partial

    # only the parent handles an interrupt
    with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            compute = partial(_measure_pair, names=names, ascii=ascii)
            yield from pool.map(compute, chain(first, pages), chunksize=CHUNK_PAGES)
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, BrokenExecutor):
                raise UsageError(
                    "a process died during the evaluation: fewer processes (-j 1) leave more memory for each"
                ) from None
            raise


def _measure_pair(page: tuple[str, Gold], names: Sequence[str], ascii: bool) -> PageScores:
    return measure_page(*page, names, ascii)


def score_part(row: PageScores, name: str, part: str) -> float | None:
    """One part (F, P, R, or "" for a value) of a metric for a page, in [0, 1]; None where it does not apply."""
    value = row[name]
    if value is None:
        return None
    if METRICS[name].kind == "value":
        return value[0]
    precision, recall, f = _precision_recall_f(name, value)
    return {"F": f, "P": precision, "R": recall}[part]


def _precision_recall_f(name: str, value: Sequence[float]) -> tuple[float, float, float]:
    return precision_recall_f((int(value[0]), int(value[1]), int(value[2])), METRICS[name].empty_score)


def part_names(name: str) -> tuple[str, ...]:
    """The parts of a metric: F, P and R, or "" for a value."""
    return ("",) if METRICS[name].kind == "value" else PARTS


def averages(rows: Sequence[PageScores], names: Sequence[str]) -> list[Average]:
    """The averages of each metric: micro-averages (pooled counts) where there are counts, and means over pages.

    Metrics that apply to none of the pages are omitted.
    """
    out = []
    for name in names:
        values = [value for row in rows if (value := row[name]) is not None]
        if not values:
            continue
        if METRICS[name].kind == "counts" and name != "bag":  # a bag of the words of all pages is meaningless
            pooled = _precision_recall_f(name, [sum(counts) for counts in zip(*values)])
            for which, pooled_share in zip(PARTS, (pooled[2], pooled[0], pooled[1])):
                out.append(Average(name, which, "micro", 100 * pooled_share, None, len(values)))
        for which in part_names(name):
            shares = [100 * share for row in rows if (share := score_part(row, name, which)) is not None]
            out.append(Average(name, which, "macro", *mean_and_sd(shares), len(shares)))
    return out


def mean_and_sd(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean and the sample standard deviation (None for fewer than two values)."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
