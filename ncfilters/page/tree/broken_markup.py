"""Broken markup that costs a parser memory or time out of proportion to the page, changed so that its text stays.

    break_text("<tr><td>a</td></tr>" * 10_000)         # a `<!>` every RUN_LENGTH tags
    end_formatting("".join(f"<b id={n}><p>x" for n in range(4_000)))    # without <b> from some point on

Of the 3,927 development pages, 18 get an empty comment or <wbr>, and none loses anything.
"""

from __future__ import annotations

import re
from itertools import count

from ...text.lazy_pattern import lazy_pattern
from .nesting import FORMATTING
from .tag_counts import TagCounts

# The parser appends the text between tags that it ignores to one text, and copies that for each piece. After so many of
# such tags in a row, something ends the text: an empty comment, or <wbr> where text in a table moves in front of it.
RUN_LENGTH = 32
# Pages in which the product of tags and characters is smaller are not searched for that: 200 MB at worst.
MIN_COPIED = 1_500_000_000
# Formatting elements stay open across blocks until they are closed, and the parser opens them again in each block. A
# page may have so many of these copies, and one more for each of its tags; then its formatting ends. Copies of elements
# with attributes are larger, and a page may hide end tags from the count: `density.max_parser_bytes` bounds all.
# No development page has more; 21 have more than 20,000.
MAX_COPIES = 50_000
# The parser keeps at most so many equal elements open (HTML standard, "Noah's Ark clause").
MAX_EQUAL = 3
# Pages with fewer tags, or so few open elements, have few copies.
MIN_TAGS, MAX_NESTED = 500, 6
# The attributes of all <html> and <body> tags become those of one element.
MAX_ROOT_TAGS = 16
# Distinct names of elements, and of attributes. The parser looks new names up in lists. In pages with fewer tags, that
# takes less than half a second.
MAX_NAMES, MIN_TAGS_WITH_NAMES = 5_000, 30_000

_TABLE_TAG = r"(?:t[rdh]|tbody|thead|tfoot|caption|col|colgroup)(?:\s[^<>]*)?"
_IGNORED_RUN = lazy_pattern(
    rf"<{_TABLE_TAG}>[^<]*(?:<(?:/[a-z][^<>]*|{_TABLE_TAG}|(?:html|head|body|frame)(?:\s[^<>]*)?)>[^<]*){{{RUN_LENGTH}}}",
    re.I,
)
_TABLE_TEXT = lazy_pattern(r"<(?:table|/?(?:tr|tbody|thead|tfoot)|/t[dh])(?:\s[^<>]*)?>(?=\s*[^\s<])", re.I)
_FORMATTING_NAMES = "|".join([name for name in FORMATTING if name != "a"])
_FORMATTING = lazy_pattern(rf"<(/?)({_FORMATTING_NAMES}|table|t[rdh])((?=[\s/>])[^<>]*)>", re.I)
_CELLS = frozenset(("td", "th", "tr"))
_NAMED_TAG = lazy_pattern(r"<(/?)([a-zA-Z][^\s/<>]*)((?:[\s/][^<>]*)?)>")
_ATTRIBUTE = lazy_pattern(r"([^\s=<>\"'/]+)(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+))?")
_ROOT_TAG = lazy_pattern(r"<(?:html|body)(?=[\s/>])[^<>]*>", re.I)


def may_copy_text(counts: TagCounts, num_chars: int) -> bool:
    """Whether `break_text` may change a page of so many characters, which is searched for that if it is large."""
    return counts.tags * num_chars >= MIN_COPIED and (counts.ignored > RUN_LENGTH or counts.moved >= RUN_LENGTH)


def break_text(html: str) -> str:
    """*html* with `<!>` or `<wbr>`, which have no text, in runs of tags that the parser may ignore."""
    out = _IGNORED_RUN.sub(r"\g<0><!>", html)
    numbers = count(1)
    return _TABLE_TEXT.sub(lambda tag: tag[0] if next(numbers) % RUN_LENGTH else f"{tag[0]}<wbr>", out)


def may_copy_formatting(counts: TagCounts) -> bool:
    """Whether `end_formatting` may change a page."""
    return counts.tags >= MIN_TAGS and counts.formatting > max(MAX_NESTED, MAX_COPIES // counts.tags)


def end_formatting(html: str, num_tags: int) -> str:
    """*html*, which has so many tags, without formatting elements from the place on where the parser would have opened
    too many again."""
    left = MAX_COPIES + num_tags
    open_tags: list[tuple[str, str]] = []  # name and attributes
    around: list[list[tuple[str, str]]] = []  # those that were open around each open table
    end = 0
    for tag in _FORMATTING.finditer(html):
        if len(open_tags) > 1:
            left -= len(open_tags) * html.count("<", end, tag.start())
            if left < 0:
                closed = "".join([f"</{name}>" for name, _ in reversed(open_tags)])
                return html[: tag.start()] + closed + _FORMATTING.sub(_only_tables, html[tag.start() :])
        end = tag.end()
        _open_or_close(tag, open_tags, around)
    return html


def _open_or_close(tag: re.Match[str], open_tags: list[tuple[str, str]], around: list[list[tuple[str, str]]]) -> None:
    """Changes the open formatting elements as a tag does. Those of a table cell end with it."""
    name = tag[2].lower()
    if name == "table":
        if not tag[1]:
            around.append(open_tags[:])
        elif around:
            open_tags[:] = around.pop()
    elif name in _CELLS:
        if around:
            open_tags[:] = around[-1]
    elif not tag[1]:
        element = (name, tag[3])
        if open_tags.count(element) < MAX_EQUAL:
            open_tags.append(element)
    else:
        for at in range(len(open_tags) - 1, -1, -1):
            if open_tags[at][0] == name:
                del open_tags[at]
                break


def _only_tables(tag: re.Match[str]) -> str:
    return tag[0] if tag[2].lower() in _CELLS or tag[2].lower() == "table" else ""


def drop_root_tags(html: str) -> str:
    """*html* without `<html>` and `<body>` tags after the first MAX_ROOT_TAGS."""
    numbers = count()
    return _ROOT_TAG.sub(lambda tag: tag[0] if next(numbers) < MAX_ROOT_TAGS else "", html)


def drop_names(html: str) -> str:
    """*html* without the tags, and the attributes of tags, whose names come after the first MAX_NAMES."""
    names: set[str] = set()
    attributes: set[str] = set()
    out: list[str] = []
    done = 0
    for tag in _NAMED_TAG.finditer(html):
        name = tag[2].lower()
        kept = tag.end()
        if len(names) < MAX_NAMES:
            names.add(name)
        elif name not in names:
            kept = tag.start()
        if kept == tag.end() and len(tag[3]) > 1:
            new = [found for found in _ATTRIBUTE.findall(tag[3]) if found not in attributes]
            if len(attributes) + len(new) <= MAX_NAMES:
                attributes.update(new)
            else:
                kept = tag.start(3)
        if kept < tag.end():
            out.append(html[done:kept])
            done = tag.end() - (kept > tag.start())  # with the `>` of a tag without its attributes
    return "".join([*out, html[done:]]) if done else html
