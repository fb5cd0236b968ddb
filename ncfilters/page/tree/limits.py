"""Bounds on markup that takes parsers too long: nesting, tag length, options, open formatting elements.

limit_markup("<div>" * 20_000 + "text").count("<div>")    # 1000

Nearly all pages are left as they are, which the counts of their tags show.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import AnyStr

from ...text.lazy_pattern import lazy_pattern
from .broken_markup import (
    MAX_ROOT_TAGS,
    MIN_TAGS_WITH_NAMES,
    break_text,
    drop_names,
    drop_root_tags,
    end_formatting,
    may_copy_formatting,
    may_copy_text,
)
from .deep_markup import MAX_DEPTH, limit_depth, may_be_deep
from .elements import DATA_ATTRIBUTES
from .html_source import PLACES, HtmlSource, source_of

# Pages with fewer tags are parsed in under half a second at any depth.
MIN_TAGS_TO_LIMIT = 10_000
# With more options, their tags are dropped: lexbor takes time in proportion to the options before each.
MAX_OPTIONS = 5_000
# Formatting elements that are open at once. The parser reopens all of them in every block; old pages that never close
# <font> have dozens.
MAX_FORMATTING = 100
# Characters of a start tag. A longer tag holds data, not structure, and lexbor's check for repeated attributes is
# quadratic.
MAX_TAG_CHARS = 2 * PLACES
# Long values are harmless in tags with few attributes. At most so many long tags of a page are examined for that, and
# so many that do not end on it are read to its end.
MAX_EXAMINED_TAGS = 20

# A part of a page: where it starts, and where it ends.
Cut = tuple[int, int]

_SVG_TAG = lazy_pattern(rb"<(/?)svg(?=[\s/>])[^<>]*>", re.I)
# Markup after which the content of `<svg>` may be something else: a paragraph, the rest of a script or a comment.
_NOT_IN_SVG = lazy_pattern(
    rb"<(?:!--|/?(?:script|body|div|p|span|table|ul|img|br|h[1-6]|foreignobject)[\s/>])|-->", re.I
)
_OPTION = lazy_pattern(rb"</?option[^<>]*>", re.I)
# The name of a tag; what may follow it: white space, and an attribute. A quote that nothing closes begins no value.
_TAG_NAME = lazy_pattern(r"<[a-zA-Z][^\s/>]*")
_ATTRIBUTE = lazy_pattern(r"[\s/]*(?:[^\s/>][^\s/>=]*(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"'][^\s>]*)?)?)?")
_START_TAG = lazy_pattern(r"<[a-zA-Z][^\s<>/]{0,40}")
_CONTENT_NAMES = [f"{name}=".encode() for name in ("srcdoc", *DATA_ATTRIBUTES)]
_CONTENT_ATTRIBUTE = lazy_pattern(rf"\s(?:srcdoc|{'|'.join(DATA_ATTRIBUTES)})=", re.I)
_VALUE = r"""\"[^\"]{0,2000000}\"|'[^']{0,2000000}'|[^\s\"'<>=]{1,1000}"""
_FEW_ATTRIBUTES = lazy_pattern(
    rf"<[a-zA-Z][^\s<>/]{{0,40}}(?:\s{{1,100}}[^\s=<>\"'/]{{1,200}}(?:=(?:{_VALUE}))?){{1,100}}\s{{0,100}}/?>"
)


def limit_markup(html: str, keep_drawings: bool = False) -> str:
    """As `limit_source`, of text."""
    return limit_source(source_of(html), keep_drawings).text


def limit_source(source: HtmlSource, keep_drawings: bool = False) -> HtmlSource:
    """The page without tags nested deeper than MAX_DEPTH and without the attributes of tags longer than MAX_TAG_CHARS,
    whose text stays. Where it has many tags, `<svg>` elements are emptied, unless *keep_drawings*. Linear in the page.
    The same object if nothing changes.
    """
    if may_have_long_tags(source):
        source = source.with_text(shorten_tags(source.text))
    if may_copy_text(source.counts, source.num_chars):
        source = source.with_text(break_text(source.text))
    if may_copy_formatting(source.counts):
        source = source.with_text(end_formatting(source.text, source.num_tags))
    if source.num_tags >= MIN_TAGS_TO_LIMIT and not keep_drawings:
        source = source.with_utf8(_without(source.utf8, _svg_contents(source.utf8)))
    if source.num_tags < MIN_TAGS_TO_LIMIT:
        return _limit_depth(source, MAX_DEPTH) if may_be_deep(source.counts, source.num_chars) else source
    if source.counts.roots > MAX_ROOT_TAGS:
        source = source.with_text(drop_root_tags(source.text))
    if source.num_tags >= MIN_TAGS_WITH_NAMES:
        source = source.with_text(drop_names(source.text))
    if source.utf8.count(b"<option") > MAX_OPTIONS:
        source = source.with_utf8(_OPTION.sub(b"\n", source.utf8))
    return _limit_depth(source, MAX_FORMATTING)


def _limit_depth(source: HtmlSource, max_formatting: int) -> HtmlSource:
    return source.with_utf8(limit_depth(source.utf8, source.num_chars, max_formatting))


def _without(html: AnyStr, cuts: Sequence[Cut]) -> AnyStr:
    """*html* without some parts of it, which are in order."""
    if not cuts:
        return html
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(html)]
    return html[:0].join([html[start:end] for start, end in zip(starts, ends)])


def _svg_contents(html: bytes) -> list[Cut]:
    """The content of `<svg>` elements, which is not text."""
    out: list[Cut] = []
    start = -1
    for tag in _SVG_TAG.finditer(html):
        if not tag[1]:
            start = tag.end()
        elif start >= 0:
            if not _NOT_IN_SVG.search(html, start, tag.start()):
                out.append((start, tag.start()))
            start = -1
    return out


def may_have_long_tags(source: HtmlSource) -> bool:
    """Whether a tag may be left out by `shorten_tags`: one that covers a window has no `>` in it, or an open quote."""
    utf8, places = source.utf8, source.places[1]
    for before, start, behind in zip(places, places[1:], places[2:]):
        tag = utf8.rfind(b"<", before, start)
        if tag < 0:
            continue
        end = utf8.find(b">", tag, behind)
        if end < 0 or utf8.count(b'"', tag, end) % 2 or utf8.count(b"'", tag, end) % 2:
            return True
    return False


def shorten_tags(html: str) -> str:
    """*html* without the attributes of tags longer than MAX_TAG_CHARS, unless they are few and one may hold content."""
    return _without(html, _long_tags(html))


def _long_tags(html: str) -> list[Cut]:
    """What `shorten_tags` leaves out. A tag of that length covers at least one of the windows examined here. Linear in
    the page: after MAX_EXAMINED_TAGS tags that do not end on it, others end where one without quotes would."""
    window, examined, endless = MAX_TAG_CHARS // 2, 0, 0
    scripts, closes, opens = _Scripts(html), _Next(html, ">"), _Next(html, "<")
    out: list[Cut] = []
    done = 0
    for start in range(window, len(html) - window, window):
        if start <= done or (tag := html.rfind("<", start - window, start)) < 0:
            continue
        end = html.find(">", tag, start + window)
        if end >= 0:
            is_quoted = html.count('"', tag, end) % 2 or html.count("'", tag, end) % 2  # perhaps
            if not is_quoted or scripts.are_open(done, tag):
                continue
            if endless < MAX_EXAMINED_TAGS:
                if (whole := _tag_ends(html, tag)) is None:
                    endless += 1
                elif whole[1] - tag > MAX_TAG_CHARS and not _FEW_ATTRIBUTES.match(html, tag):
                    out.append((max(done, whole[0]), whole[1] - 1))
                    done = whole[1] - 1
                continue
            if _tag_ends(html[tag : tag + MAX_TAG_CHARS], 0):
                continue
        if name := _START_TAG.match(html, tag):
            examined += 1
            few = _FEW_ATTRIBUTES.match(html, tag) if examined <= MAX_EXAMINED_TAGS else None
            if few and _may_hold_content(few[0]):
                done = few.end()
                continue
            out.append((max(done, name.end()), min(closes.place(start), opens.place(start))))
            done = out[-1][1]
    return out


def _may_hold_content(tag: str) -> bool:
    """Whether a tag has an attribute that may hold content (see `hidden_content`)."""
    lower = tag.encode("utf-8", "replace").lower()  # for speed: the names are searched for before the pattern is
    return any(name in lower for name in _CONTENT_NAMES) and _CONTENT_ATTRIBUTE.search(tag) is not None


class _Next:
    """The places of a sign in a page, asked for from its start to its end: the page is searched once."""

    def __init__(self, html: str, sign: str) -> None:
        self._html, self._sign, self._found = html, sign, -1

    def place(self, start: int) -> int:
        """The first place from *start* on; the end of the page if there is none."""
        if self._found < start:
            found = self._html.find(self._sign, start)
            self._found = found if found >= 0 else len(self._html)
        return self._found


class _Scripts:
    """The tags of scripts in a page, asked for from its start to its end: the page is searched once."""

    def __init__(self, html: str) -> None:
        self._html, self._searched = html, 0
        self._opened = self._closed = -1

    def are_open(self, start: int, place: int) -> bool:
        """Whether the last of the tags between *start* and *place* begins a script."""
        known = max(self._searched - len("</script"), 0)
        self._opened = max(self._opened, self._html.rfind("<script", known, place))
        self._closed = max(self._closed, self._html.rfind("</script", known, place))
        self._searched = place
        return self._opened >= start and self._opened > self._closed


def _tag_ends(html: str, start: int) -> tuple[int, int] | None:
    """Where the name of the tag at *start* ends, and the tag, as the HTML standard reads it: a quote in the name of an
    attribute does not quote. None if there is none."""
    name = _TAG_NAME.match(html, start)
    at = name.end() if name else len(html)
    while (part := _ATTRIBUTE.match(html, at)) and part.end() > at:
        at = part.end()
    return (name.end(), at + 1) if name and html.startswith(">", at) else None
