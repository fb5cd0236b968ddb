"""How pages were cleaned, as one HTML page that needs nothing else: figures, and each text with what is wrong in it.

    page = Page("a/1", "http://a.example/", "article", {"precision": 66.7, "recall": 100.0, "F": 80.0},
                [("equal", ["<p>", "Text"]), ("delete", ["Home"])])
    for piece in report.html("CleanEval", [["", "F"], ["en", "80.0"]], {"en": [page]}, ["ncfilters 1.0"]):
        file.write(piece)

Nothing is loaded, no address is a link, and no script but the page's own may run. Where scripts are off the list of
pages is not sorted and filtered, all else is there. Text of the web stays text, never markup.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import regex as re

# Words that belong together without an error in them: more than FOLD are folded up but for EDGE at both ends.
FOLD, EDGE = 80, 25
# The figures, in per cent, that have a histogram, and the one pages are sorted by; a histogram's bars, its size.
MEASURES, BY = ("precision", "recall", "F"), "F"
BARS, BAR, TALL = 20, 11, 80
# Characters of an address in the list; what stands for an id that is empty.
ADDRESS, NO_ID = 90, "(no id)"

# What no HTML may hold: control characters, halves of surrogate pairs, code points that are no characters.
_NOT_HTML = re.compile(r"[\p{Cc}--\t\n\r]|\p{Cs}|\p{Noncharacter_Code_Point}", re.VERSION1)
# A marker of a segment, escaped, and what is before it.
_MARKER = re.compile(r"(?:^| )(?=&lt;[phl]&gt;(?: |$))", re.I)

# Kinds of difference: element, what it means. Struck out or underlined, also where there are no colours.
KINDS = {"equal": ("", "kept rightly"), "delete": ("del", "kept wrongly"), "insert": ("ins", "missed")}

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --dim: #5c5c5c; --line: #ccc; --bar: #3b78b0;
  --del: #9b1c00; --del-paper: #fde8e1; --ins: #004a86; --ins-paper: #dcecfb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #161616; --dim: #a5a5a5; --line: #444;
  --bar: #6ea8dc; --del: #ffab91; --del-paper: #46180c; --ins: #a3d0ff; --ins-paper: #10304f; } }
body { margin: 1.5rem auto; max-width: 70rem; padding: 0 1rem; font: 16px/1.5 sans-serif; color: var(--ink);
  background: var(--paper); }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
th { vertical-align: bottom; }
.pages td:first-child { min-width: 16rem; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " ▲"; }
th[aria-sort=descending] button::after { content: " ▼"; }
small, figcaption, footer { color: var(--dim); font-size: .85rem; }
a { color: var(--ins); }
del { color: var(--del); background: var(--del-paper); text-decoration: line-through; }
ins { color: var(--ins); background: var(--ins-paper); text-decoration: underline 2px; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.page { border-top: 1px solid var(--line); padding: .3rem 0; }
.page:target > summary { font-weight: bold; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 1rem 1rem; }
.text summary { color: var(--dim); font-style: italic; }
.histograms { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; }
svg { font: 11px sans-serif; fill: var(--ink); }
svg rect { fill: var(--bar); }
svg path { stroke: var(--ink); fill: none; }
"""

SCRIPT = """
"use strict";
const unfold = () => {
  const at = document.getElementById(location.hash.slice(1));
  if (at && at.localName === "details") { at.open = true; at.scrollIntoView(); }
};
addEventListener("hashchange", unfold);
unfold();
for (const table of document.querySelectorAll("table.pages")) {
  const body = table.tBodies[0], rows = [...body.rows];
  const value = (row, at) => row.cells[at].dataset.value ?? row.cells[at].textContent;
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    const numbers = rows.every(row => !isNaN(value(row, at)));
    const compare = (a, b) => numbers ? a - b : a.localeCompare(b, undefined, { numeric: true });
    button.onclick = () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      rows.sort((a, b) => {
        const one = value(a, at), other = value(b, at);
        return one === "" || other === "" ? (one === "") - (other === "") : sign * compare(one, other);
      });
      body.append(...rows);
    };
  });
  const label = document.createElement("label"), input = document.createElement("input");
  input.type = "search";
  label.append("Only pages with: ", input);
  input.oninput = () => {
    const wanted = input.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  };
  table.before(label);
}
"""


@dataclass(frozen=True)
class Page:
    """A page as one system cleaned it. *figures* are in per cent; NaN where there is none.

    *diff* is the cleaned text against the gold text: "equal" (kept rightly), "delete" (kept wrongly) or "insert"
    (missed), with the words. The segment markers <p>, <h> and <l> are words too, and each begins a line.
    """

    id: str
    url: str
    group: str
    figures: dict[str, float]
    diff: list[tuple[str, list[str]]]


def html(
    title: str, summary: list[list[str]], systems: Mapping[str, Sequence[Page]], signature: list[str]
) -> Iterator[str]:
    """The report, in pieces to write one after the other, in UTF-8: none is longer than a page's text.

    *summary* is a table, the header first (none if empty). Each system has a part: means by group, histograms, its
    pages, worst F first, and their texts. *signature* says what made the figures. Raises ValueError for an unknown
    kind of difference.
    """
    allowed = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{_safe(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{_safe(title)}</h1>\n"
    )
    if summary:
        yield _table(summary)
    yield f"<p>In the texts: {', '.join(_marked(kind, says) for kind, (_, says) in KINDS.items())}.</p>\n"
    if len(systems) > 1:
        links = (f'<li><a href="#s{at}">{_safe(name)}</a></li>' for at, name in enumerate(systems, 1))
        yield f"<ul>{''.join(links)}</ul>\n"
    for at, (name, pages) in enumerate(systems.items(), 1):
        yield from _part(f"s{at}", name, pages)
    lines = "".join(f"<li>{_safe(line)}</li>" for line in signature)
    yield f"<footer>{f'<ul>{lines}</ul>' if lines else ''}</footer>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"


def _part(key: str, name: str, pages: Sequence[Page]) -> Iterator[str]:
    """The part of one system; *key* begins the ids of its elements."""
    names = list(dict.fromkeys(name for page in pages for name in page.figures))
    order = sorted(range(len(pages)), key=lambda i: (math.isnan(f := pages[i].figures.get(BY, math.nan)), f))
    yield f'<section id="{key}">\n<h2>{_safe(name)}</h2>\n'
    groups: dict[str, list[Page]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(page)
    if len(groups) > 1:
        rows = [["group", "pages", *(f"mean {name}" for name in names)]]
        for group, some in sorted(groups.items()):
            rows.append([group, f"{len(some):,}", *(_figure(_mean(_values(some, name))) for name in names)])
        yield _table(rows)
    histograms = "".join(_histogram(name, _values(pages, name)) for name in MEASURES if name in names)
    yield f'<div class="histograms">{histograms}</div>\n<h3>{_count(len(pages), "page")}</h3>\n'
    heads = ["page", "group", *names, *(f"words {says}" for _, says in KINDS.values())]
    head = _row(heads, "th").replace(f"<th>{BY}<", f'<th aria-sort="ascending">{BY}<')
    yield f'<table class="pages">\n<thead>{head}</thead>\n<tbody>\n'
    for i in order:
        yield _listed(f"{key}-{i + 1}", pages[i], names)
    yield "</tbody>\n</table>\n<h3>Texts</h3>\n"
    for i in order:
        yield _text(f"{key}-{i + 1}", pages[i])
    yield "</section>\n"


def _listed(key: str, page: Page, names: list[str]) -> str:
    """A page's row in the list; data-value is what a column is sorted by, empty where there is nothing."""
    address = page.url if len(page.url) <= ADDRESS else page.url[:ADDRESS] + "…"
    cells = [
        f'<td data-value="{_safe(page.id)}"><a href="#{key}">{_safe(page.id) or NO_ID}</a><br>'
        f"<small>{_safe(address)}</small></td>",
        f"<td>{_safe(page.group)}</td>",
    ]
    for name in names:
        value = page.figures.get(name, math.nan)
        cells.append(f'<td data-value="{"" if math.isnan(value) else f"{value:.6g}"}">{_figure(value)}</td>')
    words = _words(page)
    cells += [f'<td data-value="{words[kind]}">{words[kind]:,}</td>' for kind in KINDS]
    return f"<tr>{''.join(cells)}</tr>\n"


def _text(key: str, page: Page) -> str:
    """A page's text, folded up, with what is wrong in it."""
    words = _words(page)
    counts = ", ".join(f"{_count(words[kind], 'word')} {says}" for kind, (_, says) in KINDS.items())
    figures = ", ".join(f"{_safe(name)} {_figure(value)}" for name, value in page.figures.items())
    text = "".join(_run(kind, some) for kind, some in page.diff if some)
    return (
        f'<details class="page" id="{key}"><summary><bdi>{_safe(page.id) or NO_ID}</bdi>: {figures}</summary>\n'
        f"<p><small>{_safe(page.url)}<br>{counts}</small></p>\n"
        f'<div class="text" dir="auto">{text.strip() or "<em>no words</em>"}</div>\n</details>\n'
    )


def _run(kind: str, words: list[str]) -> str:
    """Words of one kind and the white space before them; a long run that is right is folded up in the middle."""
    if kind == "equal" and len(words) > FOLD:
        head, middle, tail = (_run(kind, some) for some in (words[:EDGE], words[EDGE:-EDGE], words[-EDGE:]))
        says = f"… {_count(len(words) - 2 * EDGE, 'word')} {KINDS[kind][1]} …"
        return f"{head}\n<details><summary>{says}</summary>{middle.lstrip()}\n</details>{tail.lstrip()}"
    text = _MARKER.sub("\n", _safe(" ".join(words)))
    before = "\n" if text.startswith("\n") else " "
    return before + _marked(kind, text.removeprefix("\n"))


def _marked(kind: str, markup: str) -> str:
    element = KINDS[kind][0]
    return f"<{element}>{markup}</{element}>" if element else markup


def _words(page: Page) -> Counter[str]:
    """How many words of each kind a page has."""
    out: Counter[str] = Counter()
    for kind, words in page.diff:
        if kind not in KINDS:
            raise ValueError(f"{page.id}: {kind!r} is no kind of difference: there are {', '.join(KINDS)}")
        out[kind] += len(words)
    return out


def _histogram(name: str, values: list[float]) -> str:
    """How many pages have which value, as SVG: bars of equal width from 0 to 100."""
    counts = Counter(min(max(int(value * BARS / 100), 0), BARS - 1) for value in values)
    most, wide = max(counts.values(), default=0), BARS * BAR
    bars = []
    for at, count in sorted(counts.items()):
        high = TALL * count / most
        place = f'x="{at * BAR}" y="{TALL - high:.1f}" width="{BAR - 1}" height="{high:.1f}"'
        span = f"{at * 100 // BARS} to {(at + 1) * 100 // BARS}"
        bars.append(f"<rect {place}><title>{span}: {_count(count, 'page')}</title></rect>")
    labels = "".join(f'<text x="{wide * at // 100}" y="14" text-anchor="middle">{at}</text>' for at in (0, 50, 100))
    says = f"{name}: mean {_figure(_mean(values))}"
    more = f"{_count(len(values), 'page')}, highest bar {most:,}"
    return (
        f'<figure><svg role="img" aria-label="{says}, {more}" width="{wide + 24}" height="{TALL + 22}" '
        f'viewBox="-12 -2 {wide + 24} {TALL + 22}">{"".join(bars)}<path d="M0 {TALL}.5H{wide}"/>'
        f'<g transform="translate(0 {TALL})">{labels}</g></svg><figcaption>{says}<br>{more}</figcaption></figure>'
    )


def _table(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = "\n".join(_row(row, "td") for row in body)
    return f"<table>\n<thead>{_row(head, 'th')}</thead>\n<tbody>\n{lines}\n</tbody>\n</table>\n"


def _row(cells: list[str], element: str) -> str:
    return f"<tr>{''.join(f'<{element}>{_safe(cell)}</{element}>' for cell in cells)}</tr>"


def _values(pages: Sequence[Page], name: str) -> list[float]:
    """The pages' values of a figure, of those that have one."""
    return [value for page in pages if not math.isnan(value := page.figures.get(name, math.nan))]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _figure(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.1f}"


def _count(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'s' * (count != 1)}"


def _safe(text: str) -> str:
    """Text as HTML, in elements and in attributes; what no HTML may hold is replaced."""
    return escape(_NOT_HTML.sub("\N{REPLACEMENT CHARACTER}", text))
