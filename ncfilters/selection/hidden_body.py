"""The body of an article that a page declares in JSON-LD and does not show, such as behind a button that loads it.

    body = {"text": "It rained. " * 60, "origin": "json-ld:articleBody", "path": "json-ld/NewsArticle/articleBody"}
    keep_hidden_body(table_of([{"text": "Rain, and more rain."}, body]), [True, False])    # [True, True]

Models learn from pages that show what they declare, where such text is a copy. The time is linear in the page.
"""

from __future__ import annotations

from .scored_table import ScoredTable

# What is shown and kept has less than this share of the words of a body, which has at least so many.
SHOWN_SHARE, MIN_WORDS = 0.25, 100
_BODY, _STEPS = "json-ld:articleBody", "json-ld/HowTo"


def keep_hidden_body(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, and with it the body of an article or the steps of instructions that are not shown."""
    if "origin" not in table.names:
        return kept
    sizes, out = table.words(), list(kept)
    for rows in (_rows_of_body(table), [row for row, path in enumerate(table.path) if path.startswith(_STEPS)]):
        own = sum([sizes[row] for row in rows])
        shown = sum([size for size, keep in zip(sizes, kept) if keep]) - sum([sizes[row] for row in rows if kept[row]])
        if own >= MIN_WORDS and shown < SHOWN_SHARE * own:
            for row in rows:
                out[row] = True
    return out


def _rows_of_body(table: ScoredTable) -> list[int]:
    return [row for row, segment in enumerate(table.segments) if segment.get("origin") == _BODY]
