"""Parts of a page that its server sent after the rest, in the places where a script puts them at once.

    html = '<p><template id="B:0"></template><p>Two.<div hidden id="S:0">One.</div><script>$RC("B:0","S:0")</script>'
    placed_parts(page_table(html))    # '…<p>One.</p><p>Two.</p><div hidden="" id="S:0"></div>…'

So React streams what it waits for. `$RC` and `$RR` replace what is shown until then, from the template to the end of
its boundary; `$RS` fills a gap in another part.
"""

from __future__ import annotations

from ...native.element_names import COMMENT, ID, UNKNOWN, number_of_tag
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from .survey import rows_with

# The comments at which what waits begins, and other boundaries; and at which a boundary ends.
STARTS, END = ("$?", "$", "$!"), "/$"

_CALL = lazy_pattern(r'\$R([CRS])\("([^"]+)","([^"]+)"')
_SCRIPT, _TEMPLATE = map(number_of_tag, ("script", "template"))
# Between the markup and what is written in it: a noncharacter.
_MARK = "\ufdd0"


def placed_parts(table: PageTable) -> str | None:
    """The markup of a page with its parts in their places; None if no part has one. Linear in the page. The tree
    changes then, and is not to be used any more."""
    part_of: dict[str, str] = {}
    if not rows_with(table, _TEMPLATE, ID, 0, table.size):  # most pages
        return None
    for row in rows_with(table, _SCRIPT, 0, 0, table.size):
        for call, first, second in _CALL.findall(table.text_below(row)):
            part_of.setdefault(*((second, first) if call == "S" else (first, second)))
    rows: dict[str, int] = {}  # of elements, by their ids
    if part_of:
        for row in rows_with(table, UNKNOWN, ID, 0, table.size):
            rows.setdefault(table.attribute_of(row, "id") or "", row)
    pairs = [(rows[place], rows[part]) for place, part in part_of.items() if place in rows and part in rows]
    found = [pair for pair in pairs if table.tag[pair[0]] == _TEMPLATE and not pair[1] < pair[0] < table.end[pair[1]]]
    if not found or _MARK in (table.root.html or ""):
        return None
    ends = _boundaries(table)
    spans = [(place, ends.get(table.before[place], place), part) for place, part in found]
    nodes = {row: table.node_of(row) for row in sorted({row for span in spans for row in span})}
    for number, (first, last, part) in enumerate(spans):
        nodes[first].insert_before(f"{_MARK}[{number}{_MARK}")
        nodes[last].insert_after(f"{_MARK}]{_MARK}")
        if nodes[part].child is not None:
            nodes[part].child.insert_before(f"{_MARK}({number}{_MARK}")
            nodes[part].last_child.insert_after(f"{_MARK}){_MARK}")
    return _joined(table.root.html.split(_MARK))


def _boundaries(table: PageTable) -> dict[int, int]:
    """The comments at which boundaries begin, and those at which they end."""
    open_: list[int] = []
    ends = {}
    for row in range(table.size):
        if table.tag[row] == COMMENT:
            text = table.node_of(row).html[4:-3]
            if text in STARTS:
                open_.append(row)
            elif text == END and open_ and table.parent[row] == table.parent[start := open_.pop()]:
                ends[start] = row
    return ends


def _joined(pieces: list[str]) -> str:
    """Markup that alternates with marks: `[7`, a place up to `]`, gets the part from `(7` to `)`."""
    texts: dict[str, list[str]] = {"": []}  # pieces of the rest and of each part
    open_ = [texts[""]]
    for at, piece in enumerate(pieces):
        if at % 2 == 0:
            open_[-1].append(piece)
        elif piece[0] == "[":
            open_[-1].append(_MARK + piece[1:])
            open_.append([])
        elif piece[0] == "(":
            open_.append(texts.setdefault(piece[1:], []))
        else:
            open_.pop()
    out = []
    todo = texts.pop("")[::-1]
    while todo:
        piece = todo.pop()
        if piece.startswith(_MARK):
            todo += texts.pop(piece[1:], [])[::-1]
        else:
            out.append(piece)
    return "".join(out)
