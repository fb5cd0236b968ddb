"""Markup for jusText's paragraphs: a tree close to that of libxml2, the parser of jusText.

parse_like_libxml2("<head><title>t</title></head><p>a<script>x</script> b").root.text()    # 'a b'

Where libxml2 differs from the HTML standard in a way that changes paragraphs, this module follows libxml2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..tree import html_parser
from ..tree.html_parser import HtmlSource, source_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Elements that jusText deletes with their content, and elements that it deletes without their content. The text before
# and after them is then one run.
DELETED_TAGS = "applet base button head input script select style textarea".split()
UNWRAPPED_TAGS = "embed form iframe layer object param".split()
# The name that templates get, because the parser keeps the content of <template> apart from the tree.
TEMPLATE = "x-template"

# Removed before parsing: comments and markup that is parsed as a comment, scripts, styles. The content of frames is
# text.
_CUT = re.compile(r"<(?:!--|([!?])(?!doctype)|(script|style|iframe)((?=[\s/>])[^>]*>))", re.I)
# The first two letters of names in it, with those that are equal without regard to case.
_CUT_FIRST, _CUT_SECOND = "iIsS\u0130\u0131\u017f", "cCtTfF"
# Markup that may precede the end of the head; the last three elements are read up to their end tags. The lookahead
# matches a quoted value or nothing, without backtracking.
_HEAD_PART = re.compile(
    r"\s+|<(?:!|/?(?:html|meta|link|base)\b)[^>=]*(?:=(?=(\s*(?:\"[^\"]*\"|'[^']*')|))\1[^>=]*)*>|"
    r"<(?P<head>/?head)(?:\s[^>]*)?>|<(?P<element>noscript|template|title)(?=[\s/>])",
    re.I,
)
# Self-closing start tags that end their element in libxml2, but not in HTML. For other elements there is no difference.
_XML_EMPTY = re.compile(r"(a|button|h[1-6]|iframe|select|style|textarea)(?:\s[^>]*[\s\"']|\s)?", re.I)
_XML_EMPTY_START = "aAbBhHiIsStT"
_TAG_NAME_ENDS = " \t\n\r\f/>"
# An end tag that browsers treat as a line break.
_BREAK_END = re.compile(r"</[bB][rR](?=[\s/>])[^>]*>")
_TEMPLATE = re.compile(r"<(/?)template(?=[\s/>])", re.I)


def parse_like_libxml2(html: str | HtmlSource) -> LexborHTMLParser:
    """The tree of a page without its head, still with DELETED_TAGS and UNWRAPPED_TAGS; templates are elements named
    TEMPLATE."""
    markup = _markup(source_of(html).text)
    tree = html_parser.lexbor_tree(markup)
    if tree.css_first("template"):
        tree = html_parser.lexbor_tree(_TEMPLATE.sub(rf"<\1{TEMPLATE}", markup))
    return tree


def _markup(html: str) -> str:
    """The markup that is parsed."""
    html = _without_head(_without_code(html))
    if _has_break_end(html):
        end = html.rfind(">") + 1  # tags that are not closed would be read to the end of the page, each
        html = _BREAK_END.sub("", html[:end]) + html[end:]
    return _close_xml_empty(html)


def _without_code(html: str) -> str:
    """*html* without comments, scripts and styles, up to the first that is not closed."""
    out: list[str] = []
    done = at = 0
    last = html.rfind(">") + 1  # as in `parse_like_libxml2`
    while (start := _next_cut(html, at, last)) >= 0:
        match = _CUT.match(html, start, last)
        if match is None:
            at = start + 1
            continue
        inside = match.end()
        if match[1]:
            at = html.find(">", inside) + 1
        elif not match[2]:
            at = html.find("-->", inside - 2) + 3  # <!--> is a comment, too
            if at < inside:
                break
        elif match[3].endswith(('"/>', "'/>", " />")):
            at = inside
        else:
            name = match[2].lower()
            end = _find_end_tag(html, name, inside)
            at = html.find(">", end) + 1
            if end < 0 or not at:
                break
            # a comment in a script can hide its end tag: left to the parser
            if name == "iframe" or _has_tag(html, "<!--", inside, end) and _has_tag(html, "<script", inside, end):
                continue
        if not at:
            break
        out.append(html[done:start])
        done = at
    out.append(html[done:])
    return "".join(out)


def _next_cut(html: str, at: int, last: int) -> int:
    """The next place from *at* on, and before *last*, where _CUT may match; -1 if there is none."""
    while True:
        at = html.find("<", at, last)
        if at < 0 or at + 1 >= last:
            return -1
        first = html[at + 1]
        if first in "!?" or first in _CUT_FIRST and at + 2 < last and html[at + 2] in _CUT_SECOND:
            return at
        at += 1


def _find_end_tag(html: str, name: str, at: int) -> int:
    """Where the first end tag of this name begins after *at*; -1 if there is none."""
    size = len(name)
    last = len(html) - size - 2
    at = html.find("<", at)
    while 0 <= at < last:
        end = at + 2 + size
        if html[at + 1] == "/" and html[end] in _TAG_NAME_ENDS and html[at + 2 : end].lower() == name:
            return at
        at = html.find("<", at + 1)
    return -1


def _has_tag(html: str, start: str, at: int, end: int) -> bool:
    """Whether there is markup that begins so between two places."""
    at = html.find("<", at, end)
    while at >= 0:
        if html.startswith(start, at):
            return True
        at = html.find("<", at + 1, end)
    return False


def _has_break_end(html: str) -> bool:
    """Whether there may be an end tag of <br>."""
    at = html.find("<")
    last = len(html) - 3
    while 0 <= at < last:
        if html[at + 1] == "/" and html[at + 2] in "bB" and html[at + 3] in "rR":
            return True
        at = html.find("<", at + 1)
    return False


def _without_head(html: str) -> str:
    """*html* without its explicit `<head>`, up to the first element that does not belong there.

    In HTML, text in `<noscript>` ends the head, which would put the title into the body.
    """
    at = 0
    start = -1
    while match := _HEAD_PART.match(html, at):
        at = match.end()
        if match["head"]:
            if match["head"][0] == "/":
                break
            start = match.start()
        elif match["element"]:
            end = _find_end_tag(html, match["element"].lower(), at)
            if end < 0:
                return html
            at = html.find(">", end) + 1 or len(html)
    return html[:start] + html[at:] if start >= 0 else html


def _close_xml_empty(html: str) -> str:
    """*html* with an end tag after each self-closing start tag of _XML_EMPTY."""
    out: list[str] = []
    done = before = 0
    place = html.find("/>")
    while place >= 0:
        at = html.rfind("<", before, place) + 1
        if not at:
            at = before
        if html[at] in _XML_EMPTY_START and (tag := _XML_EMPTY.fullmatch(html, at, place)):
            out.append(html[done:place])
            out.append(f"></{tag[1]} ")
            done = place
        before = place + 2
        place = html.find("/>", before)
    out.append(html[done:])
    return "".join(out)
