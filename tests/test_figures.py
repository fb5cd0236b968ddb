"""The figures of README, of docs/quality-and-speed.md and of nc-select(1) are those of bench/accuracy.md and speed.md.

`NC_UPDATE=1 pytest -n0 tests/test_figures.py` copies them from there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from examples import ROOT, to_roff

ACCURACY = ROOT / "bench" / "accuracy.md"
# The rows and columns of the table in nc-select(1).
WAYS = [
    *(("auto", favour) for favour in ("precision", "balance", "recall")),
    *(("expected", "balance"), ("viterbi", "balance"), ("justext", "")),
    *(("threshold", favour) for favour in ("precision", "balance", "recall")),
]
SETS = {"wcxb-dev": "WCXB", "cleaneval-dev": "CleanEval", "daniel-dev": "DAnIEL"}
# The rows of the tables of pages: view → name and year of the pages.
VIEWS = {
    "wcxb-dev": ("WCXB", 2025), "cleaneval-dev": ("CleanEval", 2007), "dragnet-dev": ("Dragnet", 2012),
    "l3s-dev": ("L3S-GN1", 2008), "daniel-dev, English": ("DAnIEL, English", 2012),
}  # fmt: skip
# The columns: how the name of a system begins, and its name here.
PEERS = {
    "trafilatura": "trafilatura", "readability": "readability-lxml", "jusText": "jusText", "Resiliparse": "Resiliparse",
    "turbohtml": "turbohtml",
}  # fmt: skip
LANGUAGES = {"el": "Greek", "en": "English", "pl": "Polish", "ru": "Russian", "zh": "Chinese"}

Rows = list[list[str]]


def table(heading: str) -> Rows:
    """The first table below a heading, or below a line that begins with it: the head and the rows, as cells."""
    text = ACCURACY.read_text(encoding="utf-8")
    found = re.search(rf"^{re.escape(heading)}.*?^(\|.*?)\n(?!\|)", text, re.M | re.S)
    assert found, f"no table below {heading!r}"
    rows = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in found[1].splitlines()]
    return [row for row in rows if not re.fullmatch("[-: ]+", "".join(row))]


def one_decimal(figure: str) -> str:
    # the benchmark has rounded already: a last 5 may be less or more, for peers as for us
    return str(Decimal(figure).quantize(Decimal("0.1"), ROUND_HALF_EVEN)) if figure else ""


def figure(heading: str, system: str, column: str) -> str:
    """A figure of a table by the first system whose name begins so; "" if there is no such table or system."""
    if f"\n{heading}" not in ACCURACY.read_text(encoding="utf-8"):
        return ""
    head, *rows = table(heading)
    found = next((row for row in rows if row[0].startswith(system)), None)
    place = next((place for place, cell in enumerate(head) if cell.partition(" (")[0] == column), None)
    return "" if found is None or place is None else one_decimal(found[place])


def version(system: str) -> str:
    """The version of a peer, as its rows have it."""
    found = re.search(rf"^\| {system} ([\d.]+) \|", ACCURACY.read_text(encoding="utf-8"), re.M)
    return found[1] if found else ""


def markdown(head: list[str], rows: Rows) -> str:
    """A table; columns without figures are left out."""
    places = [place for place in range(len(head)) if not place or any(row[place] for row in rows)]
    lines = [[line[place] for place in places] for line in (head, *rows)]
    rule = "|---|" + "---:|" * (len(places) - 1)
    first, *others = ("| " + " | ".join(cells) + " |" for cells in lines)
    return "".join(f"{line}\n".replace("|  |", "| |") for line in (first, rule, *others))


def pages_table(*columns: tuple[str, str, str], more: Rows | None = None) -> str:
    """A row for each view: the figures of *columns*, each a heading, a system and a column of bench/accuracy.md; and
    *more* rows."""
    text, rows = ACCURACY.read_text(encoding="utf-8"), []
    for view, (name, year) in VIEWS.items():
        if pages := re.search(rf"^### {view}\n\n([\d,]+) pages", text, re.M):
            cells = [figure(f"### {view}\n", system, column) for _, system, column in columns]
            rows.append([f"{name} ({pages[1]} pages of {year})", *cells])
    return markdown(["pages", *(head for head, _, _ in columns)], [*rows, *(more or [])])


def cpu_row() -> list[str]:
    """The CPU of the pipe and of peers as programs."""
    text = (ROOT / "bench" / "speed.md").read_text(encoding="utf-8")
    found = (re.search(rf"^\| {name} \| ([\d.]+) \|", text, re.M) for name in ("the pipe, en", *PEERS))
    return ["CPU, milliseconds a page", *(one_decimal(number[1]) if number else "" for number in found)]


def readme_table() -> str:
    """How good `en` is and what CPU the pipe takes, beside others."""
    return pages_table(("`en`", "`en`", "bag-F"), *peer_columns(), more=[cpu_row()])


def peer_columns() -> list[tuple[str, str, str]]:
    return [(f"{name} {version(system)}", system, "bag-F") for system, name in PEERS.items()]


def english_table() -> str:
    """How good `en` is on English pages."""
    own = [("bag-F", "`en`", "bag-F"), ("precision", "`en`", "P"), ("recall", "`en`", "R")]
    return pages_table(*own, ("without options", "`en`, nc-select without", "bag-F"), *peer_columns()[:2])


def types_table() -> str:
    """bag-F by type of page."""
    heading = "bag-F on `wcxb-dev` by `page_type`"
    types = [cell.partition(" (")[0] for cell in table(heading)[0][1:]]
    systems = {"`en`": "`en`", "`xx`": "`xx`", f"trafilatura {version('trafilatura')}": "trafilatura"}
    return markdown(
        ["", *types], [[name, *(figure(heading, start, kind) for kind in types)] for name, start in systems.items()]
    )


def languages_table() -> str:
    """bag-F by language."""
    systems = {
        "`xx`, other sites of DAnIEL in training": "`xx`",
        "`xx`, trained on English pages of other sets alone": "`xx`, no page",
    } | {f"{PEERS[name]} {version(name)}": name for name in ("readability", "trafilatura")}
    heading = "bag-F on `daniel-dev` by `lang`"
    rows = [
        [name, figure("### daniel-dev\n", start, "bag-F"), *(figure(heading, start, lang) for lang in LANGUAGES)]
        for name, start in systems.items()
    ]
    return markdown(["", "all", *LANGUAGES.values()], rows)


def ngrams_table() -> str:
    """N-gram models on CleanEval and on press pages."""
    names = ("`en`", "`ncleaner-en`", "`ncleaner-nonlexical`", "rules of nc-segment alone", "everything on the page")
    cleaneval = {name: lambda column, name=name: figure("### cleaneval-dev\n", name, column) for name in names}
    rows = [
        [
            name,
            *map(cleaneval[name], ("ce-P", "ce-R", "ce-F")),
            " / ".join(map(cleaneval[name], ("markers", "unlabelled"))),
            figure("### daniel-dev, English\n", name, "bag-F"),
        ]
        for name in names
    ]
    return markdown(["", "CleanEval, ce-P", "ce-R", "ce-F", "markers", "DAnIEL, English, bag-F"], rows)


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


DOCS = "docs/quality-and-speed.md"


@pytest.mark.parametrize(("page", "pattern", "function"), [
    ("man/nc-select.1", r"means over pages\):\n\.PP\n\.RS 4\n\.nf\n(.*?)\.fi$", decisions_table),
    ("README.md", r"(^\| pages \| `en`.*?\n)(?!\|)", readme_table),
    (DOCS, r"(^\| pages \| bag-F .*?\n)(?!\|)", english_table), (DOCS, r"(^\| \| article .*?\n)(?!\|)", types_table),
    (DOCS, r"(^\| \| all .*?\n)(?!\|)", languages_table), (DOCS, r"(^\| \| CleanEval, ce-P .*?\n)(?!\|)", ngrams_table),
])  # fmt: skip
def test_figures_are_those_of_the_benchmark(page: str, pattern: str, function: Callable[[], str]) -> None:
    """The part of a document that matches is what the function makes, or is replaced by that."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.search(pattern, text, re.M | re.S)
    assert found, f"{page} has no such table"
    wanted = function()
    if os.environ.get("NC_UPDATE"):
        (ROOT / page).write_text(text[: found.start(1)] + wanted + text[found.end(1) :], encoding="utf-8")
    else:
        assert found[1] == wanted
