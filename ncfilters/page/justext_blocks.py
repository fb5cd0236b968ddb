"""The profile `justext` of nc-render and nc-segment: a page's paragraphs, cut where jusText cuts them.

    nc-segment --profile justext crawl.jsonl | nc-score -m justext-en | nc-select --decide justext

The rules of jusText were made for its own blocks, and read white space, links and ancestors as it does. What it sees is
the tree of another parser (libxml2): where that one leaves HTML's rules in a way that changes paragraphs, so does this
module (see `parse_like_libxml2`, `CLOSED_BY`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..record import Block
from . import html_parser, limits
from .dom_path import MAX_PATH_CHARS, PATH_HEAD_CHARS, PATH_TAIL_CHARS

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


# tag name → what its start and end do to the paragraphs. Everything that is not here is inline.
PARAGRAPH, LINK, BREAK, TEXT, CLOSED = range(1, 6)
FLOW: dict[str, int] = {
    # jusText's block tags; <ol> is not among them
    **dict.fromkeys(
        "blockquote body caption center col colgroup dd div dl dt fieldset h1 h2 h3 h4 h5 h6 legend li optgroup option "
        "p pre table td tfoot th thead tr ul".split(),
        PARAGRAPH,
    ),
    "a": LINK,
    "br": BREAK,
    "-text": TEXT,
}
# Elements that are cut out before, with all that is in them; others, but not what is in them. The text before and
# after is one run then.
GONE = "applet base button head input script select style textarea".split()
BARE = "embed form iframe layer object param".split()
# element → the elements that end it when they begin in it, which browsers do not do
_HEADING_ENDS = frozenset(["fieldset", "li", "p", "table"])
CLOSED_BY: dict[str, frozenset[str]] = {
    **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6"], _HEADING_ENDS),
    "a": frozenset(["fieldset", "table", "td", "th"]),
}

# What the rules read in a path: a heading, `select` as a part of any name.
HEADING = re.compile(r"\bh\d\b")
SELECT = "select"
ITEM = re.compile(r"(?:^|/)li(?![^/])")

_SPACE = re.compile(r"\s{2,}|[^\S \n]")
# What is cut out before parsing (comments and what is taken for them, scripts, styles), and what has no tags in it.
_CUT = re.compile(r"<(?=[!?iIsS])(?:!--|([!?])(?!doctype)|(script|style|iframe)((?=[\s/>])[^>]*>))", re.I)
# What may stand before the end of the head; the last three are read to their end tags. The lookahead takes a quoted
# value, or nothing, and never comes back to try the other.
_OPENING = re.compile(
    r"\s+|<(?:!|/?(?:html|meta|link|base)\b)[^>=]*(?:=(?=(\s*(?:\"[^\"]*\"|'[^']*')|))\1[^>=]*)*>|"
    r"<(?P<head>/?head)(?:\s[^>]*)?>|<(?P<element>noscript|template|title)(?=[\s/>])",
    re.I,
)
# In XML's notation these end at once for libxml2, and go on in HTML. Others make no difference.
_EMPTY = re.compile(r"(a|button|h[1-6]|iframe|select|style|textarea)(?:\s[^>]*[\s\"']|\s)?", re.I)
_EMPTY_START = frozenset("aAbBhHiIsStT")
_TAG_NAME_ENDS = frozenset(" \t\n\r\f/>")
# An end tag that browsers take for a line break.
_BREAK_END = re.compile(r"</[bB][rR](?=[\s/>])[^>]*>")
# The parser keeps the content of templates apart from the tree; under another name it does not.
_TEMPLATE = re.compile(r"<(/?)template(?=[\s/>])", re.I)
TEMPLATE = "x-template"


def blocks_of_html(html: str, parser: str = "lexbor") -> list[Block]:
    """The paragraphs of a page. Raises ValueError for a parser there is not (see `html_parser.parse_html`)."""
    return blocks(parse_like_libxml2(html_parser.lexbor_input(html, parser)))


def parse_like_libxml2(html: str) -> LexborHTMLParser:
    """The page's tree as `blocks` wants it: what is GONE or BARE is out, runs of text are one node, templates are in.

    It is closer to libxml2's than `html_parser.parse_html`.
    """
    html = _emptied(_BREAK_END.sub("", limits.limit_markup(_without_head(_without_code(html)))))
    tree = html_parser.lexbor_tree(html)
    if tree.css_first("template"):
        tree = html_parser.lexbor_tree(_TEMPLATE.sub(rf"<\1{TEMPLATE}", html))
    tree.strip_tags(GONE)
    tree.unwrap_tags(BARE, delete_empty=True)
    if tree.root:
        tree.root.merge_text_nodes()
    return tree


def _without_code(html: str) -> str:
    """*html* without comments, scripts and styles, up to one that does not end."""
    out: list[str] = []
    done = at = 0
    while found := _CUT.search(html, at):
        start, inside = found.span()
        if found[1]:
            at = html.find(">", inside) + 1
        elif not found[2]:
            at = html.find("-->", inside - 2) + 3  # <!--> is one, too
            if at < inside:
                break
        elif found[3].endswith(('"/>', "'/>", " />")):
            at = inside
        else:
            name = found[2].lower()
            end = _end_tag(html, name, inside)
            at = html.find(">", end) + 1
            if end < 0 or not at:
                break
            # in a comment in a script, it may go on: the parser knows
            if name == "iframe" or html.find("<!--", inside, end) >= 0 and html.find("<script", inside, end) >= 0:
                continue
        if not at:
            break
        out.append(html[done:start])
        done = at
    out.append(html[done:])
    return "".join(out)


def _end_tag(html: str, name: str, at: int) -> int:
    """Where the first end tag of this name begins, -1 for nowhere."""
    while (at := html.find("</", at)) >= 0:
        at += 2
        if html[at : at + len(name)].lower() == name and html[at + len(name) : at + len(name) + 1] in _TAG_NAME_ENDS:
            return at - 2
    return -1


def _without_head(html: str) -> str:
    """*html* without its explicit `<head>`, as far as its elements belong there.

    The content of `<noscript>` ends the head in HTML, so that the title would stand in the body.
    """
    at = 0
    start = -1
    while found := _OPENING.match(html, at):
        at = found.end()
        if found["head"]:
            if found["head"][0] == "/":
                break
            start = found.start()
        elif found["element"]:
            end = _end_tag(html, found["element"].lower(), at)
            if end < 0:
                return html
            at = html.find(">", end) + 1 or len(html)
    return html[:start] + html[at:] if start >= 0 else html


def _emptied(html: str) -> str:
    """*html* with an end tag for the start tags in XML's notation that are in _EMPTY."""
    parts = html.split("/>")
    for number, part in enumerate(parts[:-1]):
        at = part.rfind("<") + 1
        if part[at : at + 1] in _EMPTY_START and (tag := _EMPTY.fullmatch(part, at)):
            parts[number] = f"{part}></{tag[1]} "
    return "/>".join(parts)


def blocks(tree: LexborHTMLParser) -> list[Block]:
    """The paragraphs of a page (see `parse_like_libxml2`), in order.

    Each is a dict: `text` (white space collapsed; a run of it with a line break is a line break), `tag` (the element
    that it began in, or after the end of another one), `path` (the names of all elements around, joined by `/`) and
    `links` (characters of the text inside `<a>`, counted before the paragraph's edges are trimmed, so that they can be
    more than its length). Linear in the page.
    """
    out: list[Block] = []
    texts: list[str] = []  # of the paragraph
    links = 0
    in_link = broken = False  # broken: since a <br> there was no text
    root = tree.root
    # The open element: identity, flow, the element around it, name, path (made when first needed).
    top: list[Any] = [root.parent.mem_id if root and root.parent else 0, 0, None, "", ""]
    place = top  # where the paragraph began
    flow_of = FLOW.get

    node: Any  # typed otherwise, its tag and parent could be None
    for node in root.traverse(include_text=True, skip_empty=True) if root else ():
        name = node.tag
        flow = flow_of(name, 0)
        parent = node.parent.mem_id
        while top[0] != parent:
            if top[1] == PARAGRAPH:
                if texts:
                    _end(out, texts, place, links)
                    links = 0
                place = top[2]
            elif top[1] == LINK:
                in_link = False
            top = top[2]
        if flow == TEXT:
            text = node.text_content
            if not text.isspace():
                text = collapsed(text)
                texts.append(text)
                if in_link:
                    links += len(text)
                broken = False
        elif not flow:
            if name[0] != "-":  # what is left of comments
                top = [node.mem_id, flow, top, name, ""]
                broken = False
        elif flow == LINK:
            top = [node.mem_id, flow, top, name, ""]
            broken = False
            in_link = True
        elif flow == BREAK and not broken:
            broken = True
            texts.append(" ")
        else:
            if texts:
                _end(out, texts, place, links)
                links = 0
            if flow == BREAK:
                place = [0, flow, top, name, ""]
                continue
            around = top
            while name in CLOSED_BY.get(around[3], ()):
                if around[1] == LINK:
                    in_link = False
                around[1], around[3], around[4] = CLOSED, "", ""
                around = around[2]
            top = place = [node.mem_id, flow, top, name, ""]
    if texts:
        _end(out, texts, place, links)
    return out


def assign_types(segments: list[Block]) -> list[Block]:
    """Gives each paragraph its `type`: `h` in a heading, `l` in a list item, or `p`."""
    for segment in segments:
        path = segment["path"]
        segment["type"] = "h" if "h" in path and HEADING.search(path) else "l" if ITEM.search(path) else "p"
    return segments


def _end(out: list[Block], texts: list[str], place: list[Any], links: int) -> None:
    """Puts out the paragraph of these texts, if it has any."""
    text = texts[0].strip() if len(texts) == 1 else collapsed("".join(texts).strip())
    texts.clear()
    if text:
        path = place[4] or _path(place)
        out.append({"text": text, "tag": path[path.rfind("/") + 1 :], "path": path, "links": links})


def collapsed(text: str) -> str:
    """*text* with each run of white space as one space, or as one line break if there is one in it."""
    if "  " not in text and text.isprintable():  # for speed
        return text
    return _SPACE.sub(_one, text)


def _one(run: re.Match[str]) -> str:
    return "\n" if "\n" in run[0] or "\r" in run[0] else " "


def _path(element: list[Any]) -> str:
    """The path of an open element, noted in it and in those around it."""
    todo = []
    while element[2] is not None and not element[4]:
        todo.append(element)
        element = element[2]
    path: str = element[4]
    for element in reversed(todo):
        if name := element[3]:
            path = f"{path}/{'template' if name == TEMPLATE else name}" if path else name
            if len(path) > MAX_PATH_CHARS:
                path = _shortened(path)
        element[4] = path
    return path


def _shortened(path: str) -> str:
    """The first and the last elements of a long path, and between them those that the rules look for."""
    head, tail = path.rfind("/", 0, PATH_HEAD_CHARS), path.find("/", len(path) - PATH_TAIL_CHARS)
    middle = path[head:tail]
    marks = [mark[0] for mark in (re.search(SELECT, middle), HEADING.search(middle)) if mark]
    return f"{path[:head]}/{'/'.join(['...', *marks])}{path[tail:]}"
