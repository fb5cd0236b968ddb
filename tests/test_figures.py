"""The figures of README and of nc-select(1) are those of bench/accuracy.md.

`NC_UPDATE=1 pytest -n0 tests/test_figures.py` copies them from there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from examples import ROOT, to_roff

ACCURACY = ROOT / "bench" / "accuracy.md"
# The rows and columns of the table in nc-select(1).
WAYS = [
    *(("auto", favour) for favour in ("precision", "balance", "recall")),
    *(("expected", "balance"), ("viterbi", "balance"), ("justext", "")),
    *(("threshold", favour) for favour in ("precision", "balance", "recall")),
]
SETS = {"wcxb-dev": "WCXB", "cleaneval-dev": "CleanEval", "daniel-dev": "DAnIEL"}
# The rows of README's table, by how they begin.
VIEWS = {"WCXB": "wcxb-dev", "CleanEval": "cleaneval-dev", "DAnIEL, English": "daniel-dev, English"}
SYSTEMS = {"`en`": "`en`", "trafilatura": "trafilatura", "readability": "readability", "jusText": "jusText"}

Rows = list[list[str]]


def table(heading: str) -> Rows:
    """The first table below a heading, or below a line that begins with it: the head and the rows, as cells."""
    text = ACCURACY.read_text(encoding="utf-8")
    found = re.search(rf"^{re.escape(heading)}.*?^(\|.*?)\n(?!\|)", text, re.M | re.S)
    assert found, f"no table below {heading!r}"
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in found[1].splitlines()]
    return [row for row in rows if not re.fullmatch("[-: ]+", "".join(row))]


def one_decimal(figure: str) -> str:
    return f"{float(figure):.1f}"


def decisions_table() -> str:
    """The table of nc-select(1), as roff."""
    head, *rows = table("## Decision policies and operating points")
    by_way = {(row[0], row[1]): dict(zip(head, row)) for row in rows}
    ways = [way for way in WAYS if way in by_way] + [way for way in by_way if " -t " in way[0]]
    lines = [" " * 25 + "".join(f"{name:<18}" for name in SETS.values()).rstrip()]
    for decide, favour in ways:
        label = decide.replace(" -t", ", -t") + (f", {favour}" if favour not in ("", "balance") else "")
        cells = [[one_decimal(by_way[decide, favour][f"{name} {part}"]) for part in "PRF"] for name in SETS]
        lines.append(f"{label:<23}" + " ".join("".join(f"{cell:>6}" for cell in of_set).rjust(17) for of_set in cells))
    return "".join(f"{to_roff(line)}\n" for line in lines)


def readme_row(line: str, systems: list[str]) -> str:
    """A row of README's table with the figures of bench/accuracy.md."""
    label = line.strip("| ").split(" | ")[0]
    view = next((view for start, view in VIEWS.items() if label.startswith(start)), None)
    if view is None:
        return line
    head, *rows = table(f"### {view}\n")
    place = head.index("bag-F")
    figures = [next(row[place] for row in rows if row[0].startswith(SYSTEMS[system])) for system in systems]
    return f"| {label} | {' | '.join(map(one_decimal, figures))} |"


def compared(path: Path, pattern: str, new: Callable[[str], str]) -> None:
    """Asserts that the part of a document that matches is what *new* makes of it, or writes that."""
    text = path.read_text(encoding="utf-8")
    found = re.search(pattern, text, re.M | re.S)
    assert found, f"{path.name} has no such table"
    wanted = new(found[1])
    if os.environ.get("NC_UPDATE"):
        path.write_text(text[: found.start(1)] + wanted + text[found.end(1) :], encoding="utf-8")
    else:
        assert found[1] == wanted


def test_figures_of_decision_policies_are_those_of_the_benchmark() -> None:
    pattern = r"means over pages\):\n\.PP\n\.RS 4\n\.nf\n(.*?)\.fi$"
    compared(ROOT / "man" / "nc-select.1", pattern, lambda _: decisions_table())


def test_figures_of_readme_are_those_of_the_benchmark() -> None:
    def filled(rows: str) -> str:
        head, rule, *body = rows.splitlines()
        systems = [
            next(name for name in SYSTEMS if cell.startswith(name)) for cell in head.strip("| ").split(" | ")[1:]
        ]
        return "".join(f"{line}\n" for line in (head, rule, *(readme_row(line, systems) for line in body)))

    compared(ROOT / "README.md", r"(^\| pages \| `en`.*?\n)(?!\|)", filled)
