"""An evaluation in other forms than tables of figures: TSV, cleaneval.py's, the worst pages, files with alignments,
an HTML report, plots.

sys.stdout.writelines(worst(results, 5))
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..metrics import MARKER, cleaneval_aligned, counts, scores, shown_aligned, words_aligned
from ..results import Evaluation, Facts, predictions, signatures
from .diff import shown, written
from .summary import tables
from .tables import flat

if TYPE_CHECKING:
    from .html import Page


def long(found: Facts) -> Iterator[str]:
    """Facts as TSV, a line each, numbers in full."""
    if found:
        columns = list(found[0])
        yield "\t".join(map(flat, columns)) + "\n"
        for fact in found:
            yield "\t".join("" if fact[name] is None else flat(str(fact[name])) for name in columns) + "\n"


def signed(found: Facts, results: Evaluation) -> Facts:
    """Figures, each with the signature of its measure and its system."""
    made = {fact.get("measure") or fact["system"]: fact["signature"] for fact in signatures(results)}
    return [{**fact, "signature": f"{made[fact['measure']]}|{made[fact['system']]}"} for fact in found]


def as_json(found: dict[str, Any]) -> str:
    """Facts as JSON, which has no infinity: null stands for it."""
    import orjson

    return orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def as_cleaneval(results: Evaluation, unlabelled: bool) -> Iterator[str]:
    """The table that cleaneval.py prints, to the last digit, and its line `total` (-t) at the end."""
    system = results.systems[0]
    yield "file\tF\tP\tR\tF.tag\tP.tag\tR.tag\tTP\tFP\tFN\tTP.tag\tFP.tag\tFN.tag\n"
    total = [0] * 6
    for key, gold in results.golds.items():
        diff = cleaneval_aligned(system.texts.get(key, ""), gold, results.ascii, unlabelled)
        found = [*counts(diff), *counts(diff, MARKER.match)]
        total = [a + b for a, b in zip(total, found)]
        yield _cleaneval_line(str(system.fields.get(key, {}).get("file", key)), found)
    yield _cleaneval_line("total", total)


def _cleaneval_line(name: str, found: Sequence[int]) -> str:
    cells = []
    for matched, wrong, missed in (found[:3], found[3:]):
        precision, recall, f = scores((matched, wrong, missed), nothing=0.0)
        cells += [f"{100 * value:.2f}" for value in (f, precision, recall)]
    return "\t".join([flat(name), *cells, *map(str, found)]) + "\n"


def worst(results: Evaluation, number: int) -> Iterator[str]:
    """The pages where the systems differ most in the F of words (of one system, those with the lowest), aligned."""
    values = [[value or 0.0 for value in results.values(n, "words", "F")] for n in range(len(results.systems))]
    apart = [max(page) - min(page) if len(values) > 1 else 1 - page[0] for page in zip(*values)]
    for place in sorted(range(len(apart)), key=lambda place: (-apart[place], place))[:number]:
        key = results.keys[place]
        gold = results.golds[key]
        yield flat(f"# {key} {gold.fields.get('url') or ''}").rstrip() + "\n"
        for system, page in zip(results.systems, values):
            diff = words_aligned(system.texts.get(key, ""), gold, results.ascii)
            yield f"## {flat(system.name)}: words F {100 * page[place]:.2f}\n{shown(diff)}\n"
        yield "\n"


def write_alignments(results: Evaluation, folder: str, as_cleaneval: bool = False, unlabelled: bool = False) -> None:
    """A file ID.align for each page (in a folder for each system, if several); raises OSError.

    They are those that cleaneval.py writes, but for languages without spaces and gold without markers; and without
    exception if *as_cleaneval*.
    """
    from ...streams.writers import Files, file_name

    for number, system in enumerate(results.systems, 1):
        into = os.path.join(folder, file_name(system.name, number)) if len(results.systems) > 1 else folder
        files = Files(into, ".align", lambda page: str(page["diff"]))
        for key, gold in results.golds.items():
            text = system.texts.get(key, "")
            if as_cleaneval:
                diff = cleaneval_aligned(text, gold, results.ascii, unlabelled)
            else:
                diff = shown_aligned(text, gold, results.ascii)
            files.write({"id": key, "diff": written(diff)})


def write_report(results: Evaluation, path: str, by: str | None) -> None:
    """One HTML page with figures, histograms and every page's words. Raises OSError."""
    from . import html

    of = results.group(by) if by else [""] * len(results.keys)

    def pages(number: int) -> Iterator[Page]:
        for place, (key, gold) in enumerate(results.golds.items()):
            aligned = shown_aligned(results.systems[number].texts.get(key, ""), gold, results.ascii)
            diff = [(tag, shown) for tag, words in aligned if (shown := [word for word in words if word])]
            precision, recall, f = (100 * value for value in scores(counts(diff)))
            row = {"precision": precision, "recall": recall, "F": f}
            yield html.Page(key, str(gold.fields.get("url") or ""), of[place], row, diff)

    table = next(tables(results, None, ()))
    made = [fact["signature"] for fact in signatures(results)]
    parts = {system.name: list(pages(number)) for number, system in enumerate(results.systems)}
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.writelines(html.html("nc-eval", [table.header, *table.rows], parts, made))


def write_plots(results: Evaluation, folder: str) -> None:
    """Figures: the gain in precision over the first system (NCleaner, figure 3), calibration. Raises OSError."""
    from . import plots

    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    baseline = results.values(0, "words", "P")
    for number, system in enumerate(results.systems):
        if number:
            both = zip(results.values(number, "words", "P"), baseline)
            gains = [100 * (ours - theirs) for ours, theirs in both if ours is not None and theirs is not None]
            figure = plots.precision_gains(gains, system.name, results.systems[0].name)
            plots.save(figure, where, f"precision-gains-{number}")
        if predicted := predictions(system, results, number):
            qualities, precisions = ([100 * pair[place] for pair in predicted] for place in (0, 1))
            figure = plots.calibration(qualities, precisions, system.name)
            plots.save(figure, where, f"calibration-{number}" if len(results.systems) > 1 else "calibration")
