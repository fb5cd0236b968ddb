"""The main container of a page, such as `<article>`: short lists, tables and notes in it go with its text.

    table = table_of([{"text": "Some words of a paragraph.", "type": "p", "path": "body/article/p", "score": 3.0},
                      {"text": "An item", "type": "l", "path": "body/article/ul/li", "score": -0.5}])
    fit_main_container(table, [True, False], {"odds": 5.0})    # [True, True]

A model knows less of short segments, and of small pages. The time is linear in the page.
"""

from __future__ import annotations

from ..record import Record
from .containers import innermost, words_by_container
from .never_text import is_label
from .scored_table import ScoredTable

# The rule is for pages of the type `documentation` with at least this probability, and for small pages, with at most so
# many words. On held-out pages, F is 0.04 higher on documentation (95 pages) and the same on small pages (199, of which
# few have lists or tables); on other pages of WCXB it is 0.1 to 0.3 lower.
MIN_DOCUMENTATION, MAX_WORDS = 0.2, 400
# Pages of fewer words are mostly error pages and notices.
MIN_WORDS = 100
# The main container is the innermost element with this share of the words that are kept, if that share of its own words
# is kept.
KEPT_SHARE, OWN_SHARE = 0.9, 0.6
# Bits. Segments of the main container with a higher score are kept.
CONTAINER_SCORE = -2.0
# Segments of these roles are not.
OTHER_ROLES = frozenset(("related", "comment", "byline", "date"))


def fit_main_container(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, and with it what the main container has before its last kept segment, if the *page* is small or a
    documentation. Marked segments stay as they are."""
    out = list(kept)
    table.words()
    if True not in out or not is_documentation(page) and not MIN_WORDS <= table.total <= MAX_WORDS:
        return out
    container = _main_container(table, kept)
    if container is None:
        return out
    members = [row for row, path in enumerate(table.path) if f"{path}/".startswith(container)]
    last = max([row for row in members if out[row]])
    for row in members:
        is_own = table.rule[row] is None and table.role[row] not in OTHER_ROLES and not is_label(table.text[row])
        if row < last and is_own:
            out[row] = out[row] or table.score[row] > CONTAINER_SCORE
    return out


def is_documentation(page: Record) -> bool:
    """Whether the rule is for pages of any size of this type."""
    share: float = page.get("types", {}).get("documentation", 0.0)
    return share >= MIN_DOCUMENTATION


def _main_container(table: ScoredTable, kept: list[bool]) -> str | None:
    """The path of the main container, with a final slash; None if there is none."""
    kept_words = words_by_container(table, [row for row in table.visible if kept[row]])
    best = innermost(kept_words, KEPT_SHARE)
    if not best:
        return None
    sizes = table.words()
    words = sum([sizes[row] for row in table.visible if table.path[row].startswith(best)])
    return best if kept_words[best] >= OWN_SHARE * words else None
