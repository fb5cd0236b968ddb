"""An evaluation's results as tables for people.

for table in tables(results, by="page_type", minima=[0.9]): ...
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from .. import results as facts
from ..results import Evaluation, Facts
from .tables import Table


def tables(results: Evaluation, by: str | None, minima: Sequence[float]) -> Iterator[Table]:
    """The report as tables: figures, groups, comparisons with the first system, calibration, signatures."""
    names = [system.name for system in results.systems]
    yield _figures_table(f"{len(results.keys)} pages, per cent", facts.figures(results), names)
    if by:
        yield _figures_table(f"By {by}, per cent", facts.groups(results, by), names)
    compared = facts.comparisons(results) if len(names) > 1 else []
    for name in names[1:]:
        yield Table(
            f"{name} less {names[0]}, points",
            ["", "difference", "95 % interval", "t", "df", "p", "Wilcoxon p", "its interval", "wins", "losses", "ties"],
            [_comparison(fact) for fact in compared if fact["system"] == name],
        )
    for number, system in enumerate(results.systems):
        if not system.quality or "words" not in results.names:
            continue
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
        head = ["quality", "pages", "predicted precision", "actual", f"below {facts.BAD}"]
        yield Table(f"{system.name}: predicted quality and word precision", head, rows)
        predicted = facts.predictions(system, results, number)
        rows = [
            [
                f"{fact['minimum']:g}",
                fact["what"],
                str(fact["pages"]),
                "" if fact["precision"] is None else f"{fact['precision']:.3f}",
                str(fact["bad"]),
            ]
            for minimum in minima
            for fact in facts.apart(predicted, minimum)
        ]
        yield Table(
            f"{system.name}: nc-select --min-quality",
            ["minimum", "", "pages", "precision", f"below {facts.BAD}"],
            rows,
            frozenset((0, 1)),
        )
    signed = [[fact.get("measure") or fact["system"], fact["signature"]] for fact in facts.signatures(results)]
    yield Table("Signatures", ["", "signature"], signed, frozenset((0, 1)))


def _figures_table(title: str, found: Facts, names: Sequence[str]) -> Table:
    """A row for each measure, average and system, its F, precision and recall (or its one value) in columns."""
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for fact in found:
        average = {"micro": "pooled", "macro": "mean ± sd"}[fact["average"]]
        group = (fact["group"] or "(none)", str(fact["pages"])) if "group" in fact else ()
        sd = "" if fact["sd"] is None else f" ± {fact['sd']:5.2f}"
        row = rows.setdefault((*group, f"{fact['measure']}, {average}", fact["system"]), {})
        row[fact["part"] or "F"] = f"{fact['value']:.2f}{sd}"
    order = list(dict.fromkeys(key[:-1] for key in rows))  # the systems of a figure below each other
    grouped = bool(found) and "group" in found[0]
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


def _comparison(fact: dict[str, Any]) -> list[str]:
    t, wilcoxon = fact["t"], fact["wilcoxon"]
    return [
        " ".join(filter(None, (fact["measure"], fact["part"]))),
        f"{fact['difference']:+.2f}",
        f"{t['low']:+.2f} … {t['high']:+.2f}" if t else "",
        f"{t['statistic']:.3f}" if t else "",
        str(t["n"]) if t else "",
        _p(t["p"]) if t else "",
        _p(wilcoxon["p"]) if wilcoxon else "",
        f"{wilcoxon['low']:+.2f} … {wilcoxon['high']:+.2f}" if wilcoxon and math.isfinite(wilcoxon["low"]) else "",
        *(str(fact[name]) for name in ("wins", "losses", "ties")),
    ]


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"


# ---- what cleaning saves -----------------------------------------------------------------------------------------


def savings_tables(facts: Facts, signed: Facts) -> Iterator[Table]:
    """The facts for people: what is left, the indexes, the costs, break-even, signatures."""
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    for fact in facts:
        rows.setdefault(fact["system"], {})[fact["figure"]] = fact
    yield Table(
        "What is left",
        ["", "documents", "of pages", "bytes", "of pages", "of text", "words", "of text"],
        [
            [name, *_counted(of, "documents", "of_pages"), *_counted(of, "bytes", "of_pages", "of_text")]
            + _counted(of, "words", "of_text")
            for name, of in rows.items()
        ],
    )
    yield from _index_tables(rows)
    yield Table("Signatures", ["", "signature"], [[one["what"], one["signature"]] for one in signed], frozenset((0, 1)))


def _index_tables(rows: dict[str, dict[str, dict[str, Any]]]) -> Iterator[Table]:
    some = {name: of for name, of in rows.items() if "index bytes" in of}
    if not some:
        return
    yield Table(
        "Inverted index",
        ["", "bytes", "of text", "indexing, CPU s", "of text", "query, CPU ms", "of text"],
        [
            [
                name,
                *_counted(of, "index bytes", "of_text"),
                *_timed(of, "indexing seconds"),
                *_timed(of, "query milliseconds"),
            ]
            for name, of in some.items()
        ],
    )
    units = ("CPU hours", "kWh", "kg CO2")
    yield Table(
        "Costs, by equation 9",
        ["", "", *units, "of text"],
        [
            [name, work, *(f"{of[f'{work}: {unit}']['value']:.3g}" for unit in units)]
            + [_share(of[f"{work}: CPU hours"]["of_text"])]
            for name, of in some.items()
            for work in ("cleaning", "indexing", "million queries", "all")
            if f"{work}: kWh" in of
        ],
        frozenset((0, 1)),
    )
    paid = {name: of["break-even queries"]["value"] for name, of in some.items() if "break-even queries" in of}
    if paid:
        cells = [[name, "never" if value is None else f"{value:,.0f}"] for name, value in paid.items()]
        yield Table("Queries after which the cleaning is paid", ["", "queries"], cells)


def _counted(of: dict[str, dict[str, Any]], figure: str, *shares: str) -> list[str]:
    fact = of.get(figure, {})
    value = fact.get("value")
    return ["" if value is None else f"{value:,}", *(_share(fact.get(share)) for share in shares)]


def _timed(of: dict[str, dict[str, Any]], figure: str) -> list[str]:
    fact = of.get(figure, {})
    return [f"{fact['value']:.3g}" if fact else "", _share(fact.get("of_text"))]


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1f} %"
