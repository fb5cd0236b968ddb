"""Markup for jusText's paragraphs: a tree close to that of libxml2, the parser of jusText.

parse_like_libxml2("<head><title>t</title></head><p>a <button>b</button>").root.text()    # 'a '

Where libxml2 differs from the HTML standard in a way that changes paragraphs, this module follows libxml2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import html_parser, limits
from .html_source import HtmlSource, source_of

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
_CUT = re.compile(r"<(?=[!?iIsS])(?:!--|([!?])(?!doctype)|(script|style|iframe)((?=[\s/>])[^>]*>))", re.I)
# Markup that may precede the end of the head; the last three elements are read up to their end tags. The lookahead
# matches a quoted value or nothing, without backtracking.
_HEAD_PART = re.compile(
    r"\s+|<(?:!|/?(?:html|meta|link|base)\b)[^>=]*(?:=(?=(\s*(?:\"[^\"]*\"|'[^']*')|))\1[^>=]*)*>|"
    r"<(?P<head>/?head)(?:\s[^>]*)?>|<(?P<element>noscript|template|title)(?=[\s/>])",
    re.I,
)
# Self-closing start tags that end their element in libxml2, but not in HTML. For other elements there is no difference.
_XML_EMPTY = re.compile(r"(a|button|h[1-6]|iframe|select|style|textarea)(?:\s[^>]*[\s\"']|\s)?", re.I)
_XML_EMPTY_START = frozenset("aAbBhHiIsStT")
_TAG_NAME_ENDS = frozenset(" \t\n\r\f/>")
# An end tag that browsers treat as a line break.
_BREAK_END = re.compile(r"</[bB][rR](?=[\s/>])[^>]*>")
_TEMPLATE = re.compile(r"<(/?)template(?=[\s/>])", re.I)


def parse_like_libxml2(html: str | HtmlSource, dense: bool = False) -> LexborHTMLParser:
    """The tree of a page without its head, still with DELETED_TAGS and UNWRAPPED_TAGS; templates are elements named
    TEMPLATE."""
    markup = _markup(source_of(html).text)
    tree = html_parser.lexbor_tree(markup, dense)
    if tree.css_first("template"):
        tree = html_parser.lexbor_tree(_TEMPLATE.sub(rf"<\1{TEMPLATE}", markup), dense)
    return tree


def _markup(html: str) -> str:
    """The markup that is parsed."""
    html = limits.limit_markup(_without_head(_without_code(html)), keep_drawings=True)
    end = html.rfind(">") + 1  # tags that are not closed would be read to the end of the page, each
    return _close_xml_empty(_BREAK_END.sub("", html[:end]) + html[end:])


def _without_code(html: str) -> str:
    """*html* without comments, scripts and styles, up to the first that is not closed."""
    out: list[str] = []
    done = at = 0
    last = html.rfind(">") + 1  # as in `parse_like_libxml2`
    while match := _CUT.search(html, at, last):
        start, inside = match.span()
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
            if name == "iframe" or html.find("<!--", inside, end) >= 0 and html.find("<script", inside, end) >= 0:
                continue
        if not at:
            break
        out.append(html[done:start])
        done = at
    out.append(html[done:])
    return "".join(out)


def _find_end_tag(html: str, name: str, at: int) -> int:
    """Where the first end tag of this name begins after *at*; -1 if there is none."""
    while (at := html.find("</", at)) >= 0:
        at += 2
        if html[at : at + len(name)].lower() == name and html[at + len(name) : at + len(name) + 1] in _TAG_NAME_ENDS:
            return at - 2
    return -1


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
    parts = html.split("/>")
    for number, part in enumerate(parts[:-1]):
        at = part.rfind("<") + 1
        if part[at : at + 1] in _XML_EMPTY_START and (tag := _XML_EMPTY.fullmatch(part, at)):
            parts[number] = f"{part}></{tag[1]} "
    return "/>".join(parts)
