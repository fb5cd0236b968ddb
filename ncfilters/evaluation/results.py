"""The results of an evaluation as data: figures, groups, comparisons, calibration of predicted quality.

results = Evaluation(systems, golds, ["words"])
figures(results)[0]    # {"system": "ours", "measure": "words", "part": "F", "average": "micro", "value": 94.1, …}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..dataset.gold import CONTENT_FIELDS, Gold, key_of
from ..errors import RecordError
from ..record import Record
from .aggregate import averages, measure_pages, part_names, score_part
from .metrics import METRICS

# Rows of results, each with the same fields; nc-eval writes them as JSON and TSV.
Facts = list[dict[str, Any]]
# Bins in the table of predicted quality.
CALIBRATION_BINS = 5
# The precision below which a page is of low quality (StupidOS, section 4.4).
LOW_PRECISION = 0.7


@dataclass
class System:
    """The output of a system: texts by page id, and the quality, models and other fields of its records."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)
    quality: dict[str, float] = field(default_factory=dict)
    models: set[str] = field(default_factory=set)
    fields: dict[str, Record] = field(default_factory=dict)

    def add(self, page: Record) -> Record:
        """Adds a record with `text`, and returns it. Raises RecordError."""
        key = key_of(page)
        if key is None:
            raise RecordError("id: missing: text is joined to gold text by id")
        if not isinstance(page.get("text"), str):
            raise RecordError("text: missing", remedy="nc-select -f jsonl writes it")
        if key in self.texts:
            raise RecordError(f"id: {key!r} occurs twice: only the first text is evaluated")
        self.texts[key] = page["text"]
        quality = page.get("quality")
        if isinstance(quality, float | int) and 0 <= quality <= 1:
            self.quality[key] = quality
        if isinstance(page.get("models"), list):
            self.models.update(map(str, page["models"]))
        self.fields[key] = {name: value for name, value in page.items() if name not in CONTENT_FIELDS}
        return page


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
        rows = list(measure_pages(pairs, names, ascii, jobs))
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
        {"system": system.name, **vars(average)}
        for system, rows in zip(results.systems, results.rows)
        for average in averages(rows, results.names)
    ]


def group_figures(results: Evaluation, by: str) -> Facts:
    """The means over the pages of each group, like `figures` with the field `group`."""
    groups = results.field_values(by)
    out = []
    for group in sorted(set(groups)):
        for system, rows in zip(results.systems, results.rows):
            members = [row for row, of_page in zip(rows, groups) if of_page == group]
            out += [
                {"system": system.name, "group": group, **vars(average)}
                for average in averages(members, results.names)
                if average.average == "macro"
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
    for number in range(1, len(results.systems)):
        for name in results.names:
            for which in part_names(name):
                both = [
                    (100 * ours, 100 * theirs)
                    for ours, theirs in zip(results.values(number, name, which), results.values(0, name, which))
                    if ours is not None and theirs is not None
                ]
                comparison = compare([ours for ours, _ in both], [theirs for _, theirs in both])
                out.append(
                    {
                        "system": results.systems[number].name,
                        "baseline": results.systems[0].name,
                        "measure": name,
                        "part": which,
                        **{key: value for key, value in vars(comparison).items() if key not in ("t", "wilcoxon")},
                        "t": comparison.t and vars(comparison.t),
                        "wilcoxon": comparison.wilcoxon and vars(comparison.wilcoxon),
                    }
                )
    return out


def calibration(system: System, results: Evaluation, number: int) -> Facts:
    """Predicted and actual precision of words, in [0, 1], in bins with equal numbers of pages; [] without
    predictions. *number* is the position of the *system*."""
    pairs = quality_pairs(system, results, number)
    out = []
    for place in range(CALIBRATION_BINS):
        pages = pairs[place * len(pairs) // CALIBRATION_BINS : (place + 1) * len(pairs) // CALIBRATION_BINS]
        if pages:
            predicted, actual = zip(*pages)
            out.append(
                {
                    "system": system.name,
                    "from": predicted[0],
                    "to": predicted[-1],
                    "pages": len(pages),
                    "predicted": sum(predicted) / len(pages),
                    "actual": sum(actual) / len(pages),
                    "bad": sum(value < LOW_PRECISION for value in actual),
                }
            )
    return out


def quality_pairs(system: System, results: Evaluation, number: int) -> list[tuple[float, float]]:
    """(predicted quality, precision of words) of each page that has both, by quality."""
    precisions = dict(zip(results.keys, results.values(number, "words", "P")))
    return sorted(
        (quality, precision)
        for key, quality in system.quality.items()
        if (precision := precisions.get(key)) is not None and system.texts[key]
    )


def quality_split(pairs: Sequence[tuple[float, float]], minimum: float) -> Facts:
    """The pages that a minimum quality keeps and drops: their number, their mean precision of words, and how many have
    a LOW_PRECISION."""
    out = []
    for label, precisions in (
        ("kept", [precision for quality, precision in pairs if quality >= minimum]),
        ("dropped", [precision for quality, precision in pairs if quality < minimum]),
    ):
        out.append(
            {
                "minimum": minimum,
                "what": label,
                "pages": len(precisions),
                "precision": sum(precisions) / len(precisions) if precisions else None,
                "bad": sum(value < LOW_PRECISION for value in precisions),
            }
        )
    return out
