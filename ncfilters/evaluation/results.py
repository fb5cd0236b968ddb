"""What came of an evaluation, as data: figures, groups, comparisons, calibration, signatures.

results = Results(systems, golds, names)
figures(results)[0]        # {"system": "ours", "measure": "words", "part": "F", "average": "micro", "value": 94.1, …}
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..dataset.gold import CONTENT_FIELDS, Gold, key_of
from ..errors import RecordError
from ..record import Record
from ..version import __version__
from .aggregate import averages, measured, part, parts
from .metrics import MEASURES

Facts = list[dict[str, Any]]
# Pages of quality predicted alike, in the table of calibration; and the precision below which a page is bad (StupidOS,
# section 4.4).
BINS, BAD = 5, 0.7


@dataclass
class System:
    """What a system made of the pages: texts by id, and what its records say of models, quality and else."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)
    quality: dict[str, float] = field(default_factory=dict)
    models: set[str] = field(default_factory=set)
    fields: dict[str, Record] = field(default_factory=dict)

    def take(self, page: Record) -> Record:
        """Takes in a record with `text`. Raises RecordError."""
        key = key_of(page)
        if key is None:
            raise RecordError("id: missing: text and gold are matched by it")
        if not isinstance(page.get("text"), str):
            raise RecordError("text: missing: nc-select -f jsonl writes it")
        if key in self.texts:
            raise RecordError(f"id: {key!r} a second time: the first text is measured")
        self.texts[key] = page["text"]
        quality = page.get("quality")
        if isinstance(quality, float | int) and 0 <= quality <= 1:
            self.quality[key] = quality
        if isinstance(page.get("models"), list):
            self.models.update(map(str, page["models"]))
        self.fields[key] = {name: value for name, value in page.items() if name not in CONTENT_FIELDS}
        return page


class Evaluation:
    """Systems measured on the same pages: those of *golds*, in their order.

    `rows[system][page]` is what each measure says. A page that a system has no text for counts as empty text.
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
        rows = list(measured(pairs, names, ascii, jobs))
        self.rows = [rows[n * len(golds) : (n + 1) * len(golds)] for n in range(len(systems))]
        # what applies to no page at all says nothing
        self.names = [name for name in names if any(row[name] is not None for row in rows)]

    def values(self, system: int, name: str, which: str) -> list[float | None]:
        """A part of a measure on each page, in [0, 1]."""
        return [part(row, name, which) for row in self.rows[system]]

    def group(self, by: str) -> list[str]:
        """The value of a field for each page, from its gold or else from a system's record; "" without."""
        out = []
        for key, gold in self.golds.items():
            places = [gold.fields, *(system.fields.get(key, {}) for system in self.systems)]
            out.append(str(next((place[by] for place in places if place.get(by) is not None), "")))
        return out


def figures(results: Evaluation) -> Facts:
    """Every figure of every system: system, measure, part, average, value and sd (per cent), pages."""
    return [
        {"system": system.name, **vars(average)}
        for system, rows in zip(results.systems, results.rows)
        for average in averages(rows, results.names)
    ]


def groups(results: Evaluation, by: str) -> Facts:
    """Means over the pages of each group, as `figures`, with `group`."""
    of = results.group(by)
    out = []
    for group in sorted(set(of)):
        for system, rows in zip(results.systems, results.rows):
            some = [row for row, its in zip(rows, of) if its == group]
            out += [
                {"system": system.name, "group": group, **vars(average)}
                for average in averages(some, results.names)
                if average.average == "macro"
            ]
    return out


def pages(results: Evaluation, by: str | None = None) -> Facts:
    """Every part of every measure on each page, per cent; counts as they are; its group."""
    out = []
    of = results.group(by) if by else [""] * len(results.keys)
    for system, rows in zip(results.systems, results.rows):
        for key, group, row in zip(results.keys, of, rows):
            fact: dict[str, Any] = {"system": system.name, "id": key, **({"group": group} if by else {})}
            for name in results.names:
                for which in parts(name):
                    value = part(row, name, which)
                    fact[" ".join(filter(None, (name, which)))] = None if value is None else 100 * value
                if MEASURES[name].kind == "counts":
                    for what, count in zip(("TP", "FP", "FN"), row[name] or (None,) * 3):
                        fact[f"{name} {what}"] = count
            out.append(fact)
    return out


def comparisons(results: Evaluation) -> Facts:
    """Each system against the first, on each part of each measure: difference in points, tests, wins and losses."""
    from .significance import compared

    out = []
    for number in range(1, len(results.systems)):
        for name in results.names:
            for which in parts(name):
                both = [
                    (100 * ours, 100 * theirs)
                    for ours, theirs in zip(results.values(number, name, which), results.values(0, name, which))
                    if ours is not None and theirs is not None
                ]
                found = compared([ours for ours, _ in both], [theirs for _, theirs in both])
                out.append(
                    {
                        "system": results.systems[number].name,
                        "baseline": results.systems[0].name,
                        "measure": name,
                        "part": which,
                        **{key: value for key, value in vars(found).items() if key not in ("t", "wilcoxon")},
                        "t": found.t and vars(found.t),
                        "wilcoxon": found.wilcoxon and vars(found.wilcoxon),
                    }
                )
    return out


def calibration(system: System, results: Evaluation, number: int) -> Facts:
    """Predicted and actual precision (words, [0, 1]) in bins of as many pages each; [] without predictions."""
    both = predictions(system, results, number)
    out = []
    for bin in range(BINS):
        some = both[bin * len(both) // BINS : (bin + 1) * len(both) // BINS]
        if some:
            predicted, actual = zip(*some)
            out.append(
                {
                    "system": system.name,
                    "from": predicted[0],
                    "to": predicted[-1],
                    "pages": len(some),
                    "predicted": sum(predicted) / len(some),
                    "actual": sum(actual) / len(some),
                    "bad": sum(value < BAD for value in actual),
                }
            )
    return out


def predictions(system: System, results: Evaluation, number: int) -> list[tuple[float, float]]:
    """(quality, word precision) of each page that has both, by quality."""
    precisions = dict(zip(results.keys, results.values(number, "words", "P")))
    return sorted(
        (quality, precision)
        for key, quality in system.quality.items()
        if (precision := precisions.get(key)) is not None and system.texts[key]
    )


def apart(predicted: Sequence[tuple[float, float]], minimum: float) -> Facts:
    """What --min-quality keeps and drops: pages, mean word precision, bad pages."""
    out = []
    for what, some in (
        ("kept", [actual for quality, actual in predicted if quality >= minimum]),
        ("dropped", [actual for quality, actual in predicted if quality < minimum]),
    ):
        out.append(
            {
                "minimum": minimum,
                "what": what,
                "pages": len(some),
                "precision": sum(some) / len(some) if some else None,
                "bad": sum(value < BAD for value in some),
            }
        )
    return out


# ---- signatures ---------------------------------------------------------------------------------------------


def signatures(results: Evaluation) -> Facts:
    """What made the figures: for each measure its normalisation and versions; data; models of each system."""
    made = []
    data = [f"pages:{len(results.keys)}", f"gold:{_sum(_golds(results.golds))}", f"ncfilters:{__version__}"]
    for name in results.names:
        measure = MEASURES[name]
        parts = [f"measure:{name}", f"norm:{measure.normalisation}", f"ascii:{'yes' if results.ascii else 'no'}"]
        if measure.library:
            parts.append(f"by:{measure.library} {_version(measure.library)}")
        made.append({"measure": name, "source": measure.source, "signature": "|".join([*parts, *data])})
    if len(results.systems) > 1:
        tests = f"tests:paired t, Wilcoxon|intervals:95 %|by:scipy {_version('scipy')}"
        made.append({"measure": "comparison", "source": "Evert 2008, section 4", "signature": "|".join([tests, *data])})
    for system in results.systems:
        texts = _sum((key, system.texts.get(key, "")) for key in results.keys)
        models = f"models:{'+'.join(sorted(system.models)) or 'unknown'}"
        made.append({"system": system.name, "signature": f"system:{system.name}|text:{texts}|{models}"})
    return made


def _golds(golds: dict[str, Gold]) -> Iterable[tuple[str, str]]:
    return (
        (key, "\0".join([gold.marked, gold.plain, *gold.required, "", *gold.forbidden])) for key, gold in golds.items()
    )


def _sum(texts: Iterable[tuple[str, str]]) -> str:
    """12 hexadecimal digits of the SHA-256 of texts and their ids, in whatever order they came."""
    digest = hashlib.sha256()
    for key, text in sorted(texts):
        digest.update(f"{key}\0{text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def _version(library: str) -> str:
    if library == "difflib":
        return f"python {platform.python_version()}"
    from importlib.metadata import version

    return version(library)
