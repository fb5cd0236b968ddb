"""What the sources of a page say of it: its tags, its JSON-LD and its elements.

page = parse_html("<title>Rain</title><meta name=author content='Ann Lee'><time>3 May 2024</time>")
page_sources(search_page(page)).statements
# {'author': [('meta', ('Ann Lee', 'meta author'))], 'date': [('time', ('3 May 2024', 'time'))]}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import unescape
from typing import NamedTuple

from ..lenient_json import load_json
from ..present_selectors import Search
from . import meta_tags, structured_data, visible_metadata
from .structured_data import Statement, Statements
from .visible_metadata import PageElements

# The sources of statements, the most trusted first.
LINKED, RELATED, _GRAPH = "json-ld", "rel-author", "opengraph"
TRUST = (LINKED, _GRAPH, "dublin-core", "microdata", "meta", RELATED, "time", "byline")
# Elements with rel=author, of different names, of a page that has authors itself.
MAX_RELATED = 3
# Statements about a field that are read. Of the development pages, none has 30 about its authors.
MAX_STATEMENTS = 1_000
# Characters and scripts of JSON-LD that are read. Development pages have at most 104 such scripts.
MAX_DATA_CHARS, MAX_SCRIPTS = 1 << 20, 1_000

# Field → the source of each statement, its text and its evidence.
ByField = dict[str, list[tuple[str, Statement]]]


class PageSources(NamedTuple):
    """Of a page: the title of its window, what its elements hold, with the statements of all sources, and these by
    field."""

    window: str
    elements: PageElements
    statements: ByField


def page_sources(search: Search) -> PageSources:
    """The sources of a page, but for those that only the class of an element tells."""
    elements = visible_metadata.page_elements(search)
    window = line(elements.window_title)
    sources = elements.statements
    sources |= meta_tags.tag_statements(elements.tags)
    titles = sources.get(_GRAPH, {}).get("title", ())
    values = [value for text in _linked_texts(elements) if (value := load_json(text)) is not None]
    if values:
        sources[LINKED] = structured_data.linked_metadata(values, f"{window} {titles[0][0] if titles else ''}")
    return PageSources(window, elements, statements_by_field(sources))


def statements_by_field(sources: dict[str, Statements]) -> ByField:
    """The source, the text and the evidence of the first MAX_STATEMENTS that say something of a field, for each."""
    out: ByField = {}
    for source in TRUST:
        for field, said in sources.get(source, {}).items():
            # those who wrote the articles that a page lists are not its authors
            if source != RELATED or len(said) <= MAX_RELATED:
                out.setdefault(field, []).extend([(source, statement) for statement in said])
    return {field: found[:MAX_STATEMENTS] for field, found in out.items()}


def line(text: str) -> str:
    """*text* as one line, without character references."""
    return " ".join((unescape(text) if "&" in text else text).split())


def lines(statements: Sequence[tuple[str, Statement]]) -> list[str]:
    """The texts of *statements*, each as one line."""
    return [line(text) for _, (text, _) in statements]


def _linked_texts(elements: PageElements) -> Iterator[str]:
    left, left_scripts = MAX_DATA_CHARS, MAX_SCRIPTS
    for text in elements.linked_data:
        if text and len(text) <= left and left_scripts > 0:
            left -= len(text)
            left_scripts -= 1
            yield text
