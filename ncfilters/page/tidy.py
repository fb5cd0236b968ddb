"""Tidy HTML: a page in regular notation, without invisible elements (NCleaner, stage 1).

    tidy_html("<P>1 < 2<script>x()</script>")
    # '<html><head></head><body><p>1 &lt; 2</p></body></html>'

For renderers other than nc-render, headings and list items get the CleanEval markers as text, and line breaks become
paragraph breaks, so that both survive in a plain-text dump (Evert 2008, section 2, first stage).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..head import add_head
from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .metadata.declarations import declared_address, head_of_page
from .tree.elements import INVISIBLE, TEXTLESS
from .tree.html_parser import START_TAG_ATTRIBUTES, decode_html, page_table, parse_html
from .tree.survey import survey

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# What `add_markers` writes before headings and list items, as text.
MARKERS = ("<h> ", "<l> ")

_INSTRUCTION = lazy_pattern(r"<\?[^>]*>")
# A comment, or an element whose content is written as it is; that of <plaintext> may have its end tag as text.
_RAW_TEXT = lazy_pattern(
    rf"<!--.*?(?:-->|\Z)|<(?:xmp({START_TAG_ATTRIBUTES})>(.*?)</xmp>|"
    rf"plaintext({START_TAG_ATTRIBUTES})>(.*)</plaintext>)",
    re.S,
)
_BREAKS = lazy_pattern(rf"(?:<br{START_TAG_ATTRIBUTES}>\s*)+")
# A heading or list item, and the tags between it and its text.
_MARKED = lazy_pattern(
    rf"<(h[1-6]|li){START_TAG_ATTRIBUTES}>(?:\s*<(?:p|div|span|a|b|i|em|strong|font){START_TAG_ATTRIBUTES}>)*"
)


def normalize_record(record: Record, parser: str = "lexbor", markers: bool = True) -> Record:
    """The record with its `html` decoded (see `html_parser.decode_html`) and tidied, and with its `head` and
    the `url` that the page declares, where the record has none.

    With *markers*, see `add_markers`. Raises RecordError if the record has no `html`, or a page that is beyond a
    bound (see `guards`), ValueError for an unknown *parser*.
    """
    out = dict(decode_html(record))
    table = page_table(out["html"], parser)
    found = survey(table)
    add_head(out, head_of_page(table, found), declared_address(found))
    tidied = _tidy_tree(table.root.parser)
    out["html"] = add_markers(tidied) if markers else tidied
    return out


def tidy_html(html: str, parser: str = "lexbor") -> str:
    """The page as regular HTML without invisible elements.

    Every start tag in the result reads `<name attr="value" …>`, every element that is not void is closed, and
    `&`, `<` and `>` in text are entities. Raises ValueError for an unknown *parser* (see `html_parser.parse_html`).
    """
    return _tidy_tree(parse_html(html, parser))


def add_markers(tidied: str) -> str:
    """Tidy HTML for other renderers: `<h>` and `<l>` as text before headings and list items, `<br>` as paragraphs."""
    tidied = _BREAKS.sub("<p></p>", tidied)
    return _MARKED.sub(lambda m: f"{m[0]}&lt;{m[1][0]}&gt; ", tidied)


def escape(text: str) -> str:
    """*text* as the content of an element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _tidy_tree(tree: LexborHTMLParser) -> str:
    """The tidied page of a tree, whose invisible elements are removed."""
    tree.strip_tags([*INVISIBLE, *TEXTLESS, "template"])
    out = tree.html or ""
    if "<xmp" in out or "<plaintext" in out:
        out = _RAW_TEXT.sub(_preformatted, out)
    first, *after = out.split("<!--")
    out = first + "".join([part.partition("-->")[2] for part in after])
    return _INSTRUCTION.sub("", out) if "<?" in out else out


def _preformatted(raw: re.Match[str]) -> str:
    if raw[0].startswith("<!--"):
        return ""
    return f"<pre{raw[1] or raw[3] or ''}>{escape(raw[2] or raw[4] or '')}</pre>"
