"""nc-render: HTML in, visual blocks out, in reading order (NCleaner, stage 2: what Lynx does).

    nc-render page.jsonl | jq -r '.blocks[].text'

A block is a run of text that a text browser would show apart from its neighbours. Nothing is thrown away:
hidden blocks are marked, and the model decides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from . import hidden_content
from .dom_path import joined, step
from .elements import INVISIBLE
from .inline_spacing import apart
from .tidy import MARKERS

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

TOOL = "nc-render"

Block = dict[str, Any]
Spans = list[tuple[int, int]]

# tag name → what its start and end do to the flow of blocks. Everything that is not here is inline.
BLOCK, BREAK, LINK, STRONG, LIST, ITEM, ROW, CELL, PRE, HIDDEN, SKIP, SPACE, NOSCRIPT, SHADOW = range(1, 15)
FLOW: dict[str, int] = {
    **dict.fromkeys(
        "address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption "
        "figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html legend main nav optgroup "
        "option p search section select summary table tbody textarea tfoot thead title".split(),
        BLOCK,
    ),
    **dict.fromkeys(["ul", "ol", "menu", "dir"], LIST),
    **dict.fromkeys(["td", "th"], CELL),
    **dict.fromkeys(["pre", "listing", "xmp", "plaintext"], PRE),
    **dict.fromkeys(["b", "strong"], STRONG),
    **dict.fromkeys(["br", "hr"], BREAK),
    **dict.fromkeys([*INVISIBLE, "template"], SKIP),
    "a": LINK,
    "input": SPACE,
    "li": ITEM,
    "noscript": NOSCRIPT,
    "shadow-root": SHADOW,
    "tr": ROW,
}
# What may hold content although nobody sees it; see `embedded`.
HOLDING = ("script", "iframe", "template")
# A row of cells is one block if every cell is at most this long and has nothing but inline text; else the table is
# layout, and its cells are blocks.
MAX_CELL = 160
# A block whose text is bold but for this share looks like a heading.
ALL_BOLD = 0.9
HIDING = "aria-hidden"
_HIDDEN = re.compile(r"display:\s*none|visibility:\s*hidden", re.I)
_SPACE = re.compile(r"\s")
LONG_TEXT = 1 << 20
_NUMBER = re.compile(r"\s*-?\d{1,9}")


def blocks(tree: LexborHTMLParser, places: list[hidden_content.Place] | None = None) -> list[Block]:
    """The visual blocks of a page (see `html_parser.parse_html`), in reading order.

    Each is a dict: `text` (white space collapsed, but for `<pre>`), `tag` (the nearest block element), `path` (the
    block ancestors, `name#id.class`, joined by `/`), `links` (characters of text inside `<a>`), and where they
    hold: `br` (only one `<br>` stands between it and the block before), `marker` (of a list item: `*` or `3.`),
    `hidden` (`display`, `hidden` or `aria`), `pre`, `bold` (all of it), `origin` (`noscript` or `shadow`). Linear in
    the page. *places* gets the elements HOLDING what is not shown.
    """
    root = tree.body or tree.root
    if root is None:
        return []
    out: list[Block] = []
    buf: list[str] = []
    # The open elements: identity and flow of all of them; name, attributes, path (made when first needed) and
    # hidden of the blocks.
    ids: list[int] = [root.parent.mem_id if root.parent else 0]
    flows = [0]
    stack: list[list[Any]] = [["", "", "", None]]
    outer: list[tuple[list[str], Spans, int, Spans, int]] = []  # the text around a hidden inline element
    lists: list[int | None] = []  # the last number of each open list; None where it has bullets
    rows: list[list[int]] = []  # of each open row: its first block, the first block of the cell, whether it is one line
    marker: str | None = None
    breaks = 2  # since the last block: 1 is a single <br>, more is a paragraph break
    links: Spans = []  # where in buf finished links start and end
    link_at = -1  # and where the open one starts
    bolds: Spans = []  # likewise for <b> and <strong>, which nest
    bold_at = -1
    bold_depth = 0
    pre = 0
    noscript = 0
    shadow = 0  # how many are open
    shadowed = False  # whether one ended in the open block
    flow_of = FLOW.get

    def path_of() -> str:
        at = len(stack) - 1
        while stack[at][2] is None:
            at -= 1
        path: str = stack[at][2]
        for element in stack[at + 1 :]:
            name, attributes = element[0], element[1]
            path = joined(path, step(name, attributes) if attributes else name)
            element[2] = path
        return path

    def flush() -> None:
        nonlocal link_at, bold_at, breaks, marker, shadowed
        raw = buf[0] if len(buf) == 1 else "".join(buf)
        if "\x85" in raw:  # white space to Python, an ellipsis to everybody who wrote windows-1252
            raw = raw.replace("\x85", "…")
        if pre:
            text = raw.replace("\xa0", " ").strip("\n")
        else:
            text = " ".join(raw.split()) if len(raw) <= LONG_TEXT else collapsed(raw)
        chars = bold_chars = 0
        if link_at >= 0:
            links.append((link_at, len(buf)))
            link_at = 0
        if links:
            chars = _covered(buf, links, text)
            links.clear()
        if bold_depth:
            bolds.append((bold_at, len(buf)))
            bold_at = 0
        if bolds:
            bold_chars = _covered(buf, bolds, text)
            bolds.clear()
        buf.clear()
        if not text or pre and not text.strip():
            return
        if text[0] == "<" and text.startswith(MARKERS):  # nc-normalize was here
            text = text[4:].lstrip()
            if not text:
                return
        top = stack[-1]
        block = {"text": text, "tag": top[0], "path": top[2] or path_of(), "links": chars}
        if breaks == 1:
            block["br"] = True
        if marker:
            block["marker"] = marker
            marker = None
        if top[3]:
            block["hidden"] = top[3]
        if pre:
            block["pre"] = True
        elif bold_chars >= ALL_BOLD * len(text):
            block["bold"] = True
        if noscript or shadow or shadowed:
            block["origin"] = "noscript" if noscript else "shadow"
            shadowed = False
        breaks = 0
        out.append(block)

    def close(flow: int) -> None:
        """The end of an element that is not merely inline."""
        nonlocal buf, links, link_at, bolds, bold_at, bold_depth, breaks, marker, pre, noscript, shadow, shadowed
        if flow == SKIP:
            return
        if flow == LINK:
            if link_at >= 0:
                links.append((link_at, len(buf)))
                link_at = -1
            return
        if flow == STRONG:
            bold_depth -= 1
            if not bold_depth:
                bolds.append((bold_at, len(buf)))
            return
        if flow == SHADOW:
            shadow -= 1
            shadowed = bool(buf)
            return
        if buf:
            flush()
        if flow == HIDDEN:
            buf, links, link_at, bolds, bold_at = outer.pop()
        else:
            breaks = 2
            if flow == CELL:
                if rows and len(out) - rows[-1][1] > 1:
                    rows[-1][2] = 0
            elif flow == ROW:
                _join_cells(out, rows.pop(), path_of)
            elif flow == LIST:
                lists.pop()
            elif flow == ITEM:
                marker = None
            elif flow == PRE:
                pre -= 1
            elif flow == NOSCRIPT:
                noscript -= 1
        stack.pop()

    node: Any  # typed otherwise, its tag and parent could be None
    for node in root.traverse(include_text=True):
        name = node.tag
        if name == "-text":
            if flows[-1] == SKIP and node.parent.mem_id == ids[-1]:
                continue
            text = node.text_content
            if not text or not buf and not pre and text.isspace():
                continue
        elif not name or name[0] == "-":  # comments, processing instructions
            continue
        else:
            text = ""
        parent = node.parent.mem_id
        while ids[-1] != parent:
            ids.pop()
            flow = flows.pop()
            if flow == BLOCK:  # for speed: most are
                if buf:
                    flush()
                breaks = 2
                stack.pop()
            elif flow:
                close(flow)
        if text:
            if buf:
                # where letters or digits meet: of most texts, no more is asked
                if text[0] > "/" and buf[-1][-1] > "/" and not pre and apart(buf[-1], text, node):
                    buf.append(" ")
                buf.append(text)
            elif pre or not text.isspace():
                buf.append(text)
            continue
        if flows[-1] == SKIP:
            ids.append(node.mem_id)
            flows.append(SKIP)
            continue
        flow = flow_of(name, 0)
        if flow == BREAK:
            if pre:
                buf.append("\n")
                continue
            if buf:
                flush()
            breaks += 2 if name == "hr" else 1
            continue
        if flow == SPACE:
            if buf:
                buf.append(" ")
            continue
        ids.append(node.mem_id)
        if flow == LINK:
            if links and links[-1][1] == len(buf):  # pages set links apart that have nothing between them
                buf.append(" ")
            link_at = len(buf)
        elif flow == STRONG:
            if not bold_depth:
                bold_at = len(buf)
            bold_depth += 1
        elif flow == SKIP:
            if places is not None and name in HOLDING:
                places.append((len(out) + bool(buf), "" if name == "script" else path_of(), node))
        elif flow == SHADOW:
            shadow += 1
        elif flow:
            if buf:
                flush()
            breaks = 2
            attributes = node.attributes
            hidden = stack[-1][3]
            if not hidden and attributes and ("style" in attributes or "hidden" in attributes or HIDING in attributes):
                hidden = _hidden(attributes)
            stack.append([name, attributes, None, hidden])
            if flow == CELL:
                if rows:
                    rows[-1][1] = len(out)
            elif flow == ROW:
                if rows:
                    rows[-1][2] = 0
                rows.append([len(out), len(out), 1])
            elif flow == LIST:
                lists.append(_number(attributes, "start", 1) - 1 if name == "ol" else None)
            elif flow == ITEM:
                marker = "*"
                if lists and (last := lists[-1]) is not None:
                    lists[-1] = number = _number(attributes, "value", last + 1)
                    marker = f"{number}."
            elif flow == PRE:
                pre += 1
            elif flow == NOSCRIPT:
                noscript += 1
        # a hidden inline element is put aside as a block of its own
        elif not flow and (attributes := node.attributes) and ("style" in attributes or "hidden" in attributes):
            hidden = _hidden(attributes)
            if hidden not in ("hidden", "display"):
                flows.append(flow)
                continue
            flow = HIDDEN
            stack.append([name, attributes, None, hidden])
            outer.append((buf, links, link_at, bolds, bold_at))
            buf, links, link_at, bolds, bold_at = [], [], -1, [], 0
        flows.append(flow)
    while flows:
        if flow := flows.pop():
            close(flow)
    return out


def collapsed(text: str) -> str:
    """*text* with every run of white space as one space, and none around it."""
    if len(text) <= LONG_TEXT:
        return " ".join(text.split())
    # a part at a time: the words of 50 MB would take 500 MB
    parts = []
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + LONG_TEXT)
        end = space.start() if space else len(text)
        parts.append(" ".join(text[start:end].split()))
        start = end
    return " ".join(filter(None, parts))


def _covered(buf: list[str], spans: Spans, text: str) -> int:
    """How many characters of *text*, which is *buf* joined, stand in the spans."""
    if spans[0] == (0, len(buf)):
        return len(text)
    return min(sum(len(collapsed("".join(buf[start:end]))) for start, end in spans), len(text))


def _hidden(attributes: dict[str, str | None]) -> str | None:
    if "hidden" in attributes:
        return "hidden"
    style = attributes.get("style")
    if style and _HIDDEN.search(style):
        return "display"
    return "aria" if attributes.get(HIDING) == "true" else None


def _number(attributes: dict[str, str | None], name: str, otherwise: int) -> int:
    found = _NUMBER.match(attributes.get(name) or "")
    return int(found[0]) if found else otherwise


def _join_cells(out: list[Block], row: list[int], path_of: Any) -> None:
    """One block for a row of short cells; tabs stand between them."""
    start, _, one_line = row
    cells = out[start:]
    if not one_line or len(cells) < 2 or len({cell.get("hidden") for cell in cells}) > 1:
        return
    if any(len(cell["text"]) > MAX_CELL or cell["tag"] not in CELL_TAGS for cell in cells):
        return
    block = {
        "text": "\t".join(cell["text"] for cell in cells),
        "tag": "tr",
        "path": path_of(),
        "links": sum(cell["links"] for cell in cells),
    }
    for field in ("hidden", "origin"):
        if field in cells[0]:
            block[field] = cells[0][field]
    out[start:] = [block]


CELL_TAGS = frozenset(("td", "th", "p", "div", "center"))
