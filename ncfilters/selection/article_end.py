"""What stands after the end of an article, outside of its element: teasers, boxes about the author, calls to action.

    table = table_of([{"text": "It rained all day. " * 50, "type": "p", "path": "body/main/p", "score": 5.0},
                      {"text": "Our new book", "type": "h", "path": "body/div/h3", "score": 0.5}])
    without_tail(table, [True, True], {"odds": 5.0, "types": {"article": 0.9}})    # [True, False]

Such text has scores far below those of the article, though some above the threshold of the page. Neither that nor its
place suffices alone. On pages of sites that were not in training, the rule adds 0.07 points of bag-F on WCXB, 0.17 on
Dragnet, 0.02 on L3S-GN1 and 0.23 on English DAnIEL; on WCXB, the place alone would add none, and the score alone would
lower it. The time is linear in the page.
"""

from __future__ import annotations

import re

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .containers import innermost, words_by_container
from .page_types import is_list, may_be_article
from .scored_table import ScoredTable

# The score of the article is the median of its paragraphs, by words: of those with MIN_PARAGRAPH words or more, which
# have MIN_WORDS together. Below MIN_SCORE bits, the model is not sure that there is an article. From 30 to 60 words and
# from 0.5 to 1.5 bits, nothing changes by more than 0.05 points.
MIN_PARAGRAPH, MIN_WORDS, MIN_SCORE = 15, 50, 1.0
# Its core is the text with at least the first share of that score; what follows is dropped below the second. Both are
# flat: from 0.5 to 0.7, and from 0.3 to 0.45.
CORE_SHARE, TAIL_SHARE = 0.6, 0.4
# The element of the article has this share of the words of its core. On a page with a tail, it has half of the words.
ELEMENT_SHARE, MIN_KEPT_SHARE = 0.9, 0.5
_PARAGRAPH_ROLES, _CORE_ROLES = frozenset(("text", None)), frozenset(("text", "code", None))
# Segments of other roles, such as comments and bylines, are for content policies to decide.
_TAIL_ROLES = frozenset(("title", "text", "related", "boilerplate", None))
# Questions with their answers, notes and sources belong to the article.
_SUPPLEMENT = lazy_pattern(
    r"faq|accordion|question|answer|toggle|collaps|recipe|footnote|reference|citation|source", re.I
)


def without_tail(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, without what stands after the article, on a *page* of this type, or of one that the model does not
    predict."""
    if True not in kept or is_list(page) or not may_be_article(page):
        return kept
    rows = [row for row in table.visible if kept[row]]
    score = _article_score(table, rows)
    if not score >= MIN_SCORE:  # NaN is not
        return kept
    low = [row for row in rows if table.score[row] < TAIL_SHARE * score]
    core = [row for row in rows if _is_text(table, row) and table.score[row] >= CORE_SHARE * score]
    if not low or low[-1] < core[0]:  # for speed: most articles have no tail
        return kept
    element, end = _element_and_end(table, core)
    sizes = table.words()
    own = sum([sizes[row] for row in rows if row <= end and f"{table.path[row]}/".startswith(element)])
    if own < MIN_KEPT_SHARE * sum([sizes[row] for row in rows]):
        return kept
    out = list(kept)
    for row in low:
        if row > end and not f"{table.path[row]}/".startswith(element):
            out[row] = _is_supplement(table, row)
    return out


def _article_score(table: ScoredTable, rows: list[int]) -> float:
    """The median score of paragraphs, by words; 0 if there are too few."""
    sizes = table.words()
    pairs = sorted(
        [
            (table.score[row], sizes[row])
            for row in rows
            if table.type[row] == "p" and table.role[row] in _PARAGRAPH_ROLES and sizes[row] >= MIN_PARAGRAPH
        ]
    )
    total = sum([size for _, size in pairs])
    before = 0.0
    for score, size in pairs if total >= MIN_WORDS else ():
        before += size
        if 2 * before >= total:
            return float(score)
    return 0.0


def _is_text(table: ScoredTable, row: int) -> bool:
    return table.type[row] != "h" and table.role[row] in _CORE_ROLES


def _element_and_end(table: ScoredTable, core: list[int]) -> tuple[str, int]:
    """The path of the innermost element with most of the core, with a final slash; and the last row of its core."""
    element = innermost(words_by_container(table, core), ELEMENT_SHARE)
    return element, max([row for row in core if table.path[row].startswith(element)])


def _is_supplement(table: ScoredTable, row: int) -> bool:
    """Whether a text after the article belongs to it, or is not for this rule to decide."""
    if table.role[row] not in _TAIL_ROLES or table.text[row].rstrip().endswith("?"):
        return True
    return _SUPPLEMENT.search(table.path[row]) is not None
