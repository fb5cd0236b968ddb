"""The words that readers of Markdown, HTML and XML see in an output form, and those that the segments have."""

from __future__ import annotations

import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from typing import Any

import html5lib

Segment = dict[str, Any]

_CONTROLS, _NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]"), re.compile("[\ud800-\udfff\ufffe\uffff]")
_OWN_MARKER = re.compile(r"(?:\d{1,9}[.)]|[•‣◦▪▸►·●○■□])\s+(?=\S)")
# Elements whose ends separate words.
_INLINE = frozenset("a em strong code sup sub del mark span img hi ref formula graphic desc".split())
SAFE_URL = re.compile(r"https?:|mailto:|[^:]*$|[^:/?#]*[/?#]", re.IGNORECASE)


def words(text: str) -> list[str]:
    """The words of *text*, with spaces for control characters, and without what XML does not allow."""
    return "".join(" " if _is_space(c) else c for c in _NOT_XML.sub("", _CONTROLS.sub(" ", text))).split(" ")


def _is_space(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Zs", "Zl", "Zp")


def segment_words(segments: Iterable[Segment]) -> list[str]:
    """The words of segments, with TeX in place of formulas, without the markers that lists write."""
    out = []
    for segment in segments:
        text = segment["text"]
        for start, end, kind, *value in reversed(segment.get("spans", [])):
            if kind == "math" and value and value[0]:
                text = f"{text[:start]}{value[0]}{text[end:]}"
        if segment["type"] == "l" and "depth" not in segment and "table" not in segment and segment.get("tag") != "tr":
            text = text[match.end() :] if (match := _OWN_MARKER.match(text)) else text
        out += words(text)
    return [word for word in out if word]


def markdown_words(text: str, full: bool = True, math: bool = False) -> list[str]:
    """The words that a CommonMark parser sees; *full* with tables, strikethrough and footnotes, *math* with formulas.

    Fails on HTML other than `<sup>` and `<sub>`, and on addresses that run code.
    """
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark")
    if full:
        parser = parser.enable(["table", "strikethrough"]).use(footnote_plugin)
    if math:
        parser = parser.use(dollarmath_plugin)
    out: list[str] = []
    _collect(parser.parse(text), out)
    return [word for word in words("".join(out)) if word]


def _collect(tokens: Sequence[Any], out: list[str]) -> None:
    for token in tokens:
        if token.type == "inline":
            _collect(token.children, out)
        elif token.type in ("text", "code_inline", "fence", "code_block", "math_inline", "math_block"):
            out.append(token.content)
        elif token.type == "html_inline":
            assert re.fullmatch("</?su[bp]>", token.content), token.content
        elif token.type == "image":
            assert SAFE_URL.match(str(token.attrs["src"])), token.attrs
        elif token.type == "link_open":
            assert SAFE_URL.match(str(token.attrs["href"])), token.attrs
        else:
            assert token.type != "html_block", token.content
        if token.block and token.type != "inline" or token.type in ("softbreak", "hardbreak", "math_block"):
            out.append(" ")


def html_words(text: str) -> list[str]:
    """The words that a browser shows. Fails on elements and attributes that run code."""
    root = html5lib.parse(f"<!doctype html><body>{text}", namespaceHTMLElements=False)
    for element in root.iter():
        assert element.tag not in ("script", "style", "iframe", "object", "svg", "math", "form"), element.tag
        for name, value in element.attrib.items():
            assert name in ALLOWED_ATTRIBUTES, name
            if name in ("href", "src"):
                assert SAFE_URL.match(value), value
    return _element_words(root.find("body"))


ALLOWED_ATTRIBUTES = frozenset("href src alt class id start value rowspan colspan data-id data-url lang".split())


def xml_words(text: str) -> list[str]:
    """The words of the body of a TEI document."""
    root = ET.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if element.tag == "desc":
            element.text = ""
    return _element_words(root.find("text/body"))


def _element_words(root: Any) -> list[str]:
    out: list[str] = []

    def add(element: Any) -> None:
        space = "" if element.tag in _INLINE else " "
        out.extend((space, element.text or ""))
        for child in element:
            add(child)
            out.append(child.tail or "")
        out.append(space)

    add(root)
    return [word for word in words("".join(out)) if word]
