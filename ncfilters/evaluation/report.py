"""The results of an evaluation for people and programs: tables, TSV, JSON, cleaneval.py's table, differences, files.

for table in evaluation_tables(results, by="page_type", minima=[0.9]): ...
sys.stdout.writelines(worst_pages(results, 5))
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from ..streams.writers import Files, file_name
from . import results as facts
from .metrics import (
    MARKER,
    Alignment,
    WordOptions,
    cleaneval_alignment,
    count_aligned,
    display_alignment,
    precision_recall_f,
    word_alignment,
)
from .results import LOW_PRECISION, Evaluation, Facts, signatures
from .tables import Table, single_line

# Words that are shown at each end of a long correct run.
CONTEXT_WORDS = 8
_HEADERS = {"equal": "=" * 40, "delete": "<" * 40 + " (false positive)", "insert": ">" * 40 + " (false negative)"}
_MARKER = re.compile(f"(?:(?<! ) +)?{MARKER.pattern}", MARKER.flags)
_BRACKETS = {"delete": ("[-", "-]"), "insert": ("{+", "+}")}


# ---- tables -------------------------------------------------------------------------------------------------


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
    bins, splits, low = facts.calibration(results), facts.quality_splits(results, minima), f"below {LOW_PRECISION}"
    for name in dict.fromkeys(fact["system"] for fact in bins + splits):
        yield Table(
            f"{name}: predicted quality and word precision",
            ["quality", "pages", "predicted precision", "actual", low],
            [_bin_row(fact) for fact in bins if fact["system"] == name],
        )
        yield Table(
            f"{name}: nc-select --min-quality",
            ["minimum", "", "pages", "precision", low],
            [_split_row(fact) for fact in splits if fact["system"] == name],
            frozenset((0, 1)),
        )
    rows = [[fact.get("measure") or fact["system"], fact["signature"]] for fact in signatures(results)]
    yield Table("Signatures", ["", "signature"], rows, frozenset((0, 1)))


def _bin_row(fact: dict[str, Any]) -> list[str]:
    shares = [f"{fact[name]:.3f}" for name in ("predicted", "actual")]
    return [f"{fact['from']:.3f}-{fact['to']:.3f}", str(fact["pages"]), *shares, str(fact["bad"])]


def _split_row(fact: dict[str, Any]) -> list[str]:
    precision = "" if fact["precision"] is None else f"{fact['precision']:.3f}"
    return [f"{fact['minimum']:g}", fact["what"], str(fact["pages"]), precision, str(fact["bad"])]


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


# ---- other formats ------------------------------------------------------------------------------------------


def with_signatures(figures: Facts, results: Evaluation) -> Facts:
    """The figures, each with the signatures of its metric and its system."""
    parts = {fact.get("measure") or fact["system"]: fact["signature"] for fact in signatures(results)}
    return [{**fact, "signature": f"{parts[fact['measure']]}|{parts[fact['system']]}"} for fact in figures]


def json_text(results: Evaluation, by: str | None, minima: Sequence[float], pages: bool) -> str:
    """All facts as JSON, with *pages* also those of each page; infinity, which JSON lacks, is null."""
    out: dict[str, Any] = {"figures": facts.figures(results)}
    if by:
        out["groups"] = facts.group_figures(results, by)
    if len(results.systems) > 1:
        out["comparisons"] = facts.comparisons(results)
    if splits := facts.quality_splits(results, minima):
        out |= {"calibration": facts.calibration(results), "quality": splits}
    if pages:
        out["pages"] = facts.page_figures(results, by)
    out["signatures"] = signatures(results)
    return orjson.dumps(out, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def cleaneval_table(results: Evaluation, unlabelled: bool) -> Iterator[str]:
    """The table of cleaneval.py for the first system, to the last digit, with its line `total` (-t) at the end."""
    system = results.systems[0]
    yield "file\tF\tP\tR\tF.tag\tP.tag\tR.tag\tTP\tFP\tFN\tTP.tag\tFP.tag\tFN.tag\n"
    options = WordOptions(results.ascii, unlabelled=unlabelled)
    total = [0] * 6
    for key, gold in results.golds.items():
        alignment = cleaneval_alignment(system.texts.get(key, ""), gold.marked, options)
        counts = [*count_aligned(alignment), *count_aligned(alignment, MARKER.match)]
        total = [a + b for a, b in zip(total, counts)]
        yield _cleaneval_line(str(system.fields.get(key, {}).get("file", key)), counts)
    yield _cleaneval_line("total", total)


def _cleaneval_line(name: str, counts: Sequence[int]) -> str:
    cells = []
    for matched, wrong, missed in (counts[:3], counts[3:]):
        precision, recall, f = precision_recall_f((matched, wrong, missed), empty_score=0.0)
        cells += [f"{100 * value:.2f}" for value in (f, precision, recall)]
    return "\t".join([single_line(name), *cells, *map(str, counts)]) + "\n"


def worst_pages(results: Evaluation, number: int) -> Iterator[str]:
    """The alignments of the *number* pages with the largest difference in the F of words between systems (of a single
    system: with the lowest F)."""
    values = [[value or 0.0 for value in results.values(n, "words", "F")] for n in range(len(results.systems))]
    spread = [max(page) - min(page) if len(values) > 1 else 1 - page[0] for page in zip(*values)]
    for place in sorted(range(len(spread)), key=lambda place: (-spread[place], place))[:number]:
        key = results.keys[place]
        gold = results.golds[key]
        yield single_line(f"# {key} {gold.fields.get('url') or ''}").rstrip() + "\n"
        for system, page in zip(results.systems, values):
            alignment = word_alignment(system.texts.get(key, ""), gold, results.ascii)
            yield f"## {single_line(system.name)}: words F {100 * page[place]:.2f}\n{inline_diff(alignment)}\n"
        yield "\n"


def write_alignments(results: Evaluation, folder: str, cleaneval: WordOptions | None = None) -> None:
    """Writes a file ID.align for each page, in a folder for each system if there are several. Raises OSError.

    The files are those of cleaneval.py, except for languages without spaces and gold texts without markers; with
    the options *cleaneval* for these, too.
    """
    for number, system in enumerate(results.systems, 1):
        into = os.path.join(folder, file_name(system.name, number)) if len(results.systems) > 1 else folder
        files = Files(into, ".align", lambda page: str(page["diff"]))
        for key, gold in results.golds.items():
            text = system.texts.get(key, "")
            if cleaneval:
                alignment = cleaneval_alignment(text, gold.marked, cleaneval)
            else:
                alignment = display_alignment(text, gold, results.ascii)
            files.write({"id": key, "diff": cleaneval_diff(alignment)})


def cleaneval_diff(alignment: Alignment) -> str:
    """The alignment in the format of cleaneval.py (Evert 2008), option align_dir."""
    return "".join(f"{_HEADERS[tag]}\n{' '.join(words)}\n" for tag, words in alignment)


def inline_diff(alignment: Alignment) -> str:
    """The alignment in the format of wdiff: `[-wrongly kept-]`, `{+missed+}`; long correct runs are shortened."""
    out = []
    for tag, words in alignment:
        if tag == "equal":
            if len(words) > 2 * CONTEXT_WORDS + 2:
                omitted = f"(… {len(words) - 2 * CONTEXT_WORDS} words …)"
                words = [*words[:CONTEXT_WORDS], omitted, *words[-CONTEXT_WORDS:]]
            out.append(" ".join(words))
        else:
            left, right = _BRACKETS[tag]
            out.append(f"{left}{' '.join(words)}{right}")
    return _MARKER.sub(r"\n\1", " ".join(out)).strip("\n")
