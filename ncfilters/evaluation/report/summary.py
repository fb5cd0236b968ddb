"""The results of an evaluation as tables for people.

for table in evaluation_tables(results, by="page_type", minima=[0.9]): ...
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from .. import results as facts
from ..results import LOW_PRECISION, Evaluation, Facts, System, signatures
from .tables import Table


def evaluation_tables(results: Evaluation, by: str | None, minima: Sequence[float]) -> Iterator[Table]:
    """The figures, the figures of each group (values of the field *by*), the comparisons with the first system, the
    predicted quality with the minima in *minima*, and the signatures."""
    names = [system.name for system in results.systems]
    yield _figures_table(f"{len(results.keys)} pages, per cent", facts.figures(results), names)
    if by:
        yield _figures_table(f"By {by}, per cent", facts.group_figures(results, by), names)
    comparisons = facts.comparisons(results) if len(names) > 1 else []
    for name in names[1:]:
        yield Table(
            f"{name} less {names[0]}, points",
            ["", "difference", "95 % interval", "t", "df", "p", "Wilcoxon p", "its interval", "wins", "losses", "ties"],
            [_comparison_row(fact) for fact in comparisons if fact["system"] == name],
        )
    for number, system in enumerate(results.systems):
        if system.quality and "words" in results.names:
            yield from _quality_tables(results, number, system, minima)
    rows = [[fact.get("measure") or fact["system"], fact["signature"]] for fact in signatures(results)]
    yield Table("Signatures", ["", "signature"], rows, frozenset((0, 1)))


def _quality_tables(results: Evaluation, number: int, system: System, minima: Sequence[float]) -> Iterator[Table]:
    low = f"below {LOW_PRECISION}"
    rows = [
        [
            f"{bin['from']:.3f}-{bin['to']:.3f}",
            str(bin["pages"]),
            f"{bin['predicted']:.3f}",
            f"{bin['actual']:.3f}",
            str(bin["bad"]),
        ]
        for bin in facts.calibration(system, results, number)
    ]
    header = ["quality", "pages", "predicted precision", "actual", low]
    yield Table(f"{system.name}: predicted quality and word precision", header, rows)
    pairs = facts.quality_pairs(system, results, number)
    rows = [
        [
            f"{fact['minimum']:g}",
            fact["what"],
            str(fact["pages"]),
            "" if fact["precision"] is None else f"{fact['precision']:.3f}",
            str(fact["bad"]),
        ]
        for minimum in minima
        for fact in facts.quality_split(pairs, minimum)
    ]
    header = ["minimum", "", "pages", "precision", low]
    yield Table(f"{system.name}: nc-select --min-quality", header, rows, frozenset((0, 1)))


def _figures_table(title: str, figures: Facts, names: Sequence[str]) -> Table:
    """A row for each metric, average and system, with F, precision and recall (or the one value) in columns."""
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for fact in figures:
        average = {"micro": "pooled", "macro": "mean ± sd"}[fact["average"]]
        group = (fact["group"] or "(none)", str(fact["pages"])) if "group" in fact else ()
        sd = "" if fact["sd"] is None else f" ± {fact['sd']:5.2f}"
        row = rows.setdefault((*group, f"{fact['measure']}, {average}", fact["system"]), {})
        row[fact["part"] or "F"] = f"{fact['value']:.2f}{sd}"
    order = list(dict.fromkeys(key[:-1] for key in rows))  # the systems of a figure are adjacent rows
    grouped = bool(figures) and "group" in figures[0]
    labels = [*(["group", "pages"] if grouped else []), "measure", *(["system"] if len(names) > 1 else [])]
    return Table(
        title,
        [*labels, "F (or share)", "precision", "recall"],
        [
            [*key[: len(labels)], *(cells.get(part, "") for part in ("F", "P", "R"))]
            for key, cells in sorted(rows.items(), key=lambda row: order.index(row[0][:-1]))
        ],
        frozenset(range(len(labels))) - ({1} if grouped else set()),
    )


def _comparison_row(fact: dict[str, Any]) -> list[str]:
    t, wilcoxon = fact["t"], fact["wilcoxon"]
    return [
        " ".join(filter(None, (fact["measure"], fact["part"]))),
        f"{fact['difference']:+.2f}",
        f"{t['low']:+.2f} … {t['high']:+.2f}" if t else "",
        f"{t['statistic']:.3f}" if t else "",
        str(t["n"]) if t else "",
        _p_value(t["p"]) if t else "",
        _p_value(wilcoxon["p"]) if wilcoxon else "",
        f"{wilcoxon['low']:+.2f} … {wilcoxon['high']:+.2f}" if wilcoxon and math.isfinite(wilcoxon["low"]) else "",
        *(str(fact[name]) for name in ("wins", "losses", "ties")),
    ]


def _p_value(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"
