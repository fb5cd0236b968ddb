"""A self-contained HTML page on how pages were cleaned: figures, and each text with its errors.

    page = ReportPage("a/1", "http://a.example/", "article", {"precision": 66.7, "recall": 100.0, "F": 80.0},
                      [("equal", ["<p>", "Text"]), ("delete", ["Home"])])
    file.writelines(html_report("CleanEval", [["", "F"], ["en", "80.0"]], {"en": [page]}, ["ncfilters 1.0"]))

The page loads nothing, has no links to other pages, and runs no script but its own. Without scripts, the list of pages
cannot be sorted and filtered. Text from the web is escaped, never markup.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import regex as re
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

# Runs of correct words that are longer are folded, except for EDGE_WORDS at both ends.
MAX_UNFOLDED_WORDS, EDGE_WORDS = 80, 25
# The figures, in per cent, that have a histogram, and the one that pages are sorted by.
HISTOGRAM_FIGURES, SORTED_BY = ("precision", "recall", "F"), "F"
# Of a histogram: the number of bars, their width and the height of the tallest, in pixels.
BARS, BAR_WIDTH, BAR_HEIGHT = 20, 11, 80
# Characters of an address in the list of pages.
MAX_ADDRESS = 90
# Shown for an empty id.
NO_ID = "(no id)"
# Kind of difference → its element and its meaning. Struck out and underlined, also where there are no colours.
KINDS = {"equal": ("", "kept rightly"), "delete": ("del", "kept wrongly"), "insert": ("ins", "missed")}

# What HTML must not contain: control characters, lone surrogates, noncharacters.
_NOT_HTML = re.compile(r"[\p{Cc}--\t\n\r]|\p{Cs}|\p{Noncharacter_Code_Point}", re.VERSION1)
# The start of a line: before a segment marker.
_BEFORE_MARKER = re.compile(r"(?:^| )(?=<[phl]>(?: |$))", re.I)


@dataclass(frozen=True)
class ReportPage:
    """A page as one system cleaned it. *figures* are in per cent, NaN if undefined.

    *alignment* is that of the cleaned text with the gold text: "equal", "delete" (kept wrongly) or "insert" (missed),
    with the words. The segment markers <p>, <h> and <l> are words, and each starts a line.
    """

    id: str
    url: str
    group: str
    figures: dict[str, float]
    alignment: list[tuple[str, list[str]]]


def html_report(
    title: str, summary: list[list[str]], systems: Mapping[str, Sequence[ReportPage]], signatures: list[str]
) -> Iterator[str]:
    """The report in pieces to be written in UTF-8; no piece is longer than the text of a page.

    *summary* is a table with its header first (empty for none). Each system has a section: means by group, histograms,
    its pages by ascending F, and their texts. *signatures* describe how the figures are produced. Raises ValueError for
    an unknown kind of difference.
    """
    script = template_source("report.js")
    allowed = base64.b64encode(hashlib.sha256(b"\n" + script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    return (
        environment()
        .get_template("report.html")
        .generate(
            title=title,
            policy=f"{policy}; base-uri 'none'; form-action 'none'",
            style=Markup(template_source("report.css")),  # ours: needs no escaping
            script=Markup(script),
            summary=summary,
            kinds=KINDS.values(),
            sections=[_Section(f"s{number}", name, pages) for number, (name, pages) in enumerate(systems.items(), 1)],
            sorted_by=SORTED_BY,
            no_id=NO_ID,
            signatures=signatures,
        )
    )


def template_source(name: str) -> str:
    """The text of a file in the folder of templates."""
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The environment of the templates, which escape all values."""
    return Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        finalize=_valid_html,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _valid_html(value: Any) -> Any:
    """A value for the template: text with a replacement for each character that HTML must not contain."""
    return _NOT_HTML.sub("\N{REPLACEMENT CHARACTER}", value) if type(value) is str else value


class _Section:
    """The section of one system, as the template reads it; *key* starts the ids of its elements."""

    def __init__(self, key: str, name: str, pages: Sequence[ReportPage]) -> None:
        self.key, self.name, self._pages = key, name, pages
        self._figures = list(dict.fromkeys(name for page in pages for name in page.figures))
        self.size = _quantity(len(pages), "page")
        self.columns = ["page", "group", *self._figures, *(f"words {meaning}" for _, meaning in KINDS.values())]
        self.groups = self._group_table()
        self.histograms = [
            _histogram(name, _values(pages, name)) for name in HISTOGRAM_FIGURES if name in self._figures
        ]

    def pages(self) -> Iterator[dict[str, Any]]:
        """The pages by ascending F, those without at the end."""
        values = [page.figures.get(SORTED_BY, math.nan) for page in self._pages]
        for index in sorted(range(len(values)), key=lambda index: (math.isnan(values[index]), values[index])):
            yield _page_view(f"{self.key}-{index + 1}", self._pages[index], self._figures)

    def _group_table(self) -> list[list[str]]:
        """The means of each group; empty for a single group."""
        groups: dict[str, list[ReportPage]] = {}
        for page in self._pages:
            groups.setdefault(page.group, []).append(page)
        if len(groups) < 2:
            return []
        rows = [["group", "pages", *(f"mean {name}" for name in self._figures)]]
        for group, pages in sorted(groups.items()):
            means = [_format_figure(_mean(_values(pages, name))) for name in self._figures]
            rows.append([group, f"{len(pages):,}", *means])
        return rows


def _page_view(key: str, page: ReportPage, figure_names: Sequence[str]) -> dict[str, Any]:
    """A page as the template reads it. A cell has the key that its column is sorted by, empty if undefined."""
    words = _word_counts(page)
    figures = [page.figures.get(name, math.nan) for name in figure_names]
    cells = [
        {"sort_key": "" if math.isnan(value) else f"{value:.6g}", "text": _format_figure(value)} for value in figures
    ]
    cells += [{"sort_key": str(words[kind]), "text": f"{words[kind]:,}"} for kind in KINDS]
    return {
        "key": key,
        "id": page.id,
        "url": page.url,
        "address": page.url if len(page.url) <= MAX_ADDRESS else page.url[:MAX_ADDRESS] + "…",
        "group": page.group,
        "cells": cells,
        "summary": ", ".join(f"{name} {_format_figure(value)}" for name, value in page.figures.items()),
        "counts": ", ".join(f"{_quantity(words[kind], 'word')} {meaning}" for kind, (_, meaning) in KINDS.items()),
        "runs": _text_runs(page.alignment),
    }


def _text_runs(alignment: list[tuple[str, list[str]]]) -> list[dict[str, str]]:
    """The runs of a text: element, text, and the white space before it; the middle of long correct runs is folded."""
    runs = []
    for kind, words in alignment:
        if kind == "equal" and len(words) > MAX_UNFOLDED_WORDS:
            hidden = _quantity(len(words) - 2 * EDGE_WORDS, "word")
            middle = _run(kind, words[EDGE_WORDS:-EDGE_WORDS])["text"]
            runs.append(_run(kind, words[:EDGE_WORDS]))
            runs.append({"folded": f"… {hidden} {KINDS[kind][1]} …", "text": middle})
            runs.append({**_run(kind, words[-EDGE_WORDS:]), "space": ""})
        elif words:
            runs.append(_run(kind, words))
    if runs:
        runs[0]["space"] = ""
    return runs if any(run["text"].strip() for run in runs) else []


def _run(kind: str, words: list[str]) -> dict[str, str]:
    text = _BEFORE_MARKER.sub("\n", " ".join(words))
    return {"element": KINDS[kind][0], "space": "\n" if text.startswith("\n") else " ", "text": text.removeprefix("\n")}


def _word_counts(page: ReportPage) -> Counter[str]:
    """The number of words of each kind. Raises ValueError for an unknown kind."""
    out: Counter[str] = Counter()
    for kind, words in page.alignment:
        if kind not in KINDS:
            raise ValueError(f"{page.id}: {kind!r} is not a kind of difference; known are {', '.join(KINDS)}")
        out[kind] += len(words)
    return out


def _histogram(name: str, values: list[float]) -> dict[str, Any]:
    """The number of pages in each of BARS intervals from 0 to 100, as bars in pixels."""
    counts = Counter(min(max(int(value * BARS / 100), 0), BARS - 1) for value in values)
    most = max(counts.values(), default=0)
    return {
        "title": f"{name}: mean {_format_figure(_mean(values))}",
        "scale": f"{_quantity(len(values), 'page')}, highest bar {most:,}",
        "width": BARS * BAR_WIDTH,
        "height": BAR_HEIGHT,
        "bar_width": BAR_WIDTH,
        "bars": [
            {
                "x": bar * BAR_WIDTH,
                "height": BAR_HEIGHT * count / most,
                "label": f"{bar * 100 // BARS} to {(bar + 1) * 100 // BARS}: {_quantity(count, 'page')}",
            }
            for bar, count in sorted(counts.items())
        ],
    }


def _values(pages: Sequence[ReportPage], name: str) -> list[float]:
    """The values of a figure, of the pages that have it."""
    return [value for page in pages if not math.isnan(value := page.figures.get(name, math.nan))]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _format_figure(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.1f}"


def _quantity(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'s' * (count != 1)}"
