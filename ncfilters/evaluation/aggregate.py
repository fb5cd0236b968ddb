"""Many pages measured, averaged and compared: what nc-eval, nc-train --cv and nc-tune report.

rows = measured([("A title", gold_of_a), ("Some text", gold_of_b)], ["words"])
averages(rows, ["words"])[0]        # words F, micro-averaged over the pages
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from ..dataset.gold import Gold
from ..errors import UsageError
from .metrics import MEASURES, scores

# Of a page, each measure's counts (3 integers), precision, recall and F (3 floats), or one value; None where it does
# not apply.
Row = dict[str, tuple[float, ...] | None]
PARTS = ("F", "P", "R")
# Pages that are measured at once, and how few are not worth another process.
CHUNK, FEW = 16, 64


@dataclass(frozen=True)
class Average:
    """A figure over pages: which part of a measure, how it was averaged, and its standard deviation over pages.

    *value* and *sd* are per cent; *sd* is None for micro-averages and for fewer than two pages.
    """

    measure: str
    part: str
    average: str
    value: float
    sd: float | None
    pages: int


def measure(text: str, gold: Gold, names: Sequence[str], ascii: bool = False) -> Row:
    """What each measure says of a page."""
    row: Row = {}
    for name in names:
        found = MEASURES[name].of(text, gold, ascii)
        row[name] = (found,) if isinstance(found, float | int) else found
    return row


def measured(
    pages: Iterable[tuple[str, Gold]], names: Sequence[str], ascii: bool = False, jobs: int | None = None
) -> Iterator[Row]:
    """What each measure says of each page, in order, on as many cores as there are (or *jobs*).

    Raises UsageError where a process dies.
    """
    jobs = jobs or os.cpu_count() or 1
    pages = iter(pages)
    first = list(islice(pages, FEW))
    if jobs == 1 or len(first) < FEW or not names:
        for text, gold in (*first, *pages):
            yield measure(text, gold, names, ascii)
        return
    import signal
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from functools import partial

    # an interrupt is for the one that people see
    with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            yield from pool.map(partial(_measure, names=names, ascii=ascii), chain(first, pages), chunksize=CHUNK)
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, BrokenExecutor):
                raise UsageError("a process died while it measured: with fewer (-j 1) there is more memory") from None
            raise


def _measure(page: tuple[str, Gold], names: Sequence[str], ascii: bool) -> Row:
    return measure(*page, names, ascii)


def part(row: Row, name: str, which: str) -> float | None:
    """One part (F, P, R, or the value) of what a measure says of a page, in [0, 1]; None where it does not apply."""
    found = row[name]
    if found is None:
        return None
    if MEASURES[name].kind == "value":
        return found[0]
    precision, recall, f = _scores(name, found)
    return {"F": f, "P": precision, "R": recall}[which]


def _scores(name: str, found: Sequence[float]) -> tuple[float, float, float]:
    if MEASURES[name].kind == "counts":
        return scores((int(found[0]), int(found[1]), int(found[2])), MEASURES[name].nothing)
    return found[0], found[1], found[2]


def parts(name: str) -> tuple[str, ...]:
    """The parts a measure has: one, without a name, for a value."""
    return ("",) if MEASURES[name].kind == "value" else PARTS


def averages(rows: Sequence[Row], names: Sequence[str]) -> list[Average]:
    """Each measure's figures: micro-averages (pooled counts) where there are counts, and means over pages.

    Measures that apply to none of the pages are left out.
    """
    out = []
    for name in names:
        there = [counts for row in rows if (counts := row[name]) is not None]
        if not there:
            continue
        if MEASURES[name].kind == "counts" and name != "bag":  # a bag of all pages' words means nothing
            pooled = _scores(name, [sum(counts) for counts in zip(*there)])
            for which, value in zip(PARTS, (pooled[2], pooled[0], pooled[1])):
                out.append(Average(name, which, "micro", 100 * value, None, len(there)))
        for which in parts(name):
            values = [100 * found for row in rows if (found := part(row, name, which)) is not None]
            out.append(Average(name, which, "macro", *mean_sd(values), len(values)))
    return out


def mean_sd(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean and the standard deviation of a sample (None of fewer than two)."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
