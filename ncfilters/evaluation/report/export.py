"""The results of an evaluation in other formats: TSV, JSON, cleaneval.py's table, the worst pages, files.

sys.stdout.writelines(worst_pages(results, 5))
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from ...streams.writers import Files, file_name
from ..metrics import (
    MARKER,
    Alignment,
    WordOptions,
    cleaneval_alignment,
    count_aligned,
    display_alignment,
    precision_recall_f,
    word_alignment,
)
from ..results import Evaluation, Facts, signatures
from .tables import single_line

# Words that are shown at each end of a long correct run.
CONTEXT_WORDS = 8
_HEADERS = {"equal": "=" * 40, "delete": "<" * 40 + " (false positive)", "insert": ">" * 40 + " (false negative)"}
_MARKER = re.compile(f"(?:(?<! ) +)?{MARKER.pattern}", MARKER.flags)
_BRACKETS = {"delete": ("[-", "-]"), "insert": ("{+", "+}")}


def tsv_lines(facts: Facts) -> Iterator[str]:
    """Facts as TSV in long format: one per line, with all digits."""
    if facts:
        columns = list(facts[0])
        yield "\t".join(map(single_line, columns)) + "\n"
        for fact in facts:
            yield "\t".join("" if fact[name] is None else single_line(str(fact[name])) for name in columns) + "\n"


def with_signatures(figures: Facts, results: Evaluation) -> Facts:
    """The figures, each with the signatures of its metric and its system."""
    parts = {fact.get("measure") or fact["system"]: fact["signature"] for fact in signatures(results)}
    return [{**fact, "signature": f"{parts[fact['measure']]}|{parts[fact['system']]}"} for fact in figures]


def json_text(facts: dict[str, Any]) -> str:
    """Facts as JSON; infinity, which JSON lacks, is null."""
    return orjson.dumps(facts, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def cleaneval_table(results: Evaluation, unlabelled: bool) -> Iterator[str]:
    """The table of cleaneval.py for the first system, to the last digit, with its line `total` (-t) at the end."""
    system = results.systems[0]
    yield "file\tF\tP\tR\tF.tag\tP.tag\tR.tag\tTP\tFP\tFN\tTP.tag\tFP.tag\tFN.tag\n"
    total = [0] * 6
    for key, gold in results.golds.items():
        options = WordOptions(results.ascii, unlabelled=unlabelled)
        alignment = cleaneval_alignment(system.texts.get(key, ""), gold, options)
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
                alignment = cleaneval_alignment(text, gold, cleaneval)
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
