"""The body of an article that a page declares in JSON-LD and does not show, such as behind a button that loads it.

    path, text = "json-ld/NewsArticle/articleBody", "It rained all day in the valley. " * 20
    body = {"text": text, "origin": "json-ld:articleBody", "path": path}
    title = {"text": "Rain in the valley", "path": "body/h1"}
    keep_hidden_body(table_of([title, body]), [True, False], {"odds": 5.0})    # [True, True]

Models learn from pages that show what they declare, where such text is a copy. The time is linear in the page.
"""

from __future__ import annotations

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .page_types import may_be_article
from .scored_table import ScoredTable

# What is shown and kept has less than this share of the words of a body, which has at least so many.
SHOWN_SHARE, MIN_WORDS = 0.25, 100
# At least this share of the longer words of the page's title are in its body: pages declare other articles, too.
TITLE_SHARE = 0.4
_BODY, _STEPS = "json-ld:articleBody", "json-ld/HowTo"
_TITLE = lazy_pattern(r"/h1(?![\w-])")
_WORD = lazy_pattern(r"\w{4,}")


def keep_hidden_body(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, and with it the body of the article, or the steps of instructions, that a *page* does not show."""
    if "origin" not in table.names or not may_be_article(page):
        return kept
    sizes, out = table.words(), list(kept)
    bodies = [row for row, segment in enumerate(table.segments) if segment.get("origin") == _BODY]
    steps = [row for row, path in enumerate(table.path) if path.startswith(_STEPS)]
    for rows in (bodies, steps):
        own = sum([sizes[row] for row in rows])
        if own < MIN_WORDS:
            continue
        shown = sum([size for size, keep in zip(sizes, kept) if keep]) - sum([sizes[row] for row in rows if kept[row]])
        if shown < SHOWN_SHARE * own and _is_of_title(table, rows):
            for row in rows:
                out[row] = True
    return out


def _is_of_title(table: ScoredTable, rows: list[int]) -> bool:
    """Whether texts have words of the title that the page shows, if it shows one."""
    title = " ".join([table.text[row] for row in table.visible if _TITLE.search(table.path[row])])
    words = set(_WORD.findall(title.casefold()))
    body = set(_WORD.findall(" ".join([table.text[row] for row in rows]).casefold()))
    return len(words & body) >= TITLE_SHARE * len(words)
