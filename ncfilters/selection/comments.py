"""Comments of readers below an article: what is in elements that are named so, and what follows their label.

    texts = (("It rained all day. " * 20, "p", 4.0), ("2 comments", "h", 1.0), ("I got wet.", "p", 1.0))
    table = table_of([{"text": text, "type": kind, "score": score} for text, kind, score in texts])
    without_comments(table, [True, True, True], {"odds": 5.0, "types": {"article": 0.9}})    # [True, False, False]

Models take them for text of the article where their elements have no such names as models know, or none at all. The
time is linear in the page.
"""

from __future__ import annotations

import re

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .decision import without_rows
from .page_types import may_be_article
from .scored_table import ScoredTable

_NAME = lazy_pattern(r"[ck]om+ent(?!ar[yi]|at(?:or|ing))|guestbook|talkback|disqus|livefyre", re.I)
_WORD = lazy_pattern(r"[^\W\d_]+")
# For speed: what each of these names has.
_PARTS_OF_NAMES = ("comment", "komment", "coment", "koment", "guestbook", "talkback", "disqus", "livefyre")
_DIGIT = lazy_pattern(r"\d")
# What readers do not write.
_EXAMPLE = lazy_pattern(r"/(?:pre|th)(?![\w-])")
# What their headings say, without numbers and qualifiers; and what such a heading says of the article after a number.
_LABELS = frozenset(
    "comments|comment|responses|response|replies|trackbacks|trackback|track backs|kommentare|kommentar|kommentarer"
    "|komentarze|komentarzy|komentarz|opinie|комментарии|комментарий|комментариев|коментарі|отзывы|σχόλια|评论|网友评论"
    "|commentaires|commentaire|commenti|commento|comentarios|comentário|comentários|reacties|yorumlar|コメント|댓글"
    "|leave a comment|leave a reply|leave a response|leave your comment|post a comment|post your comment|add comment"
    "|add a comment|add your comment|add your view|write a comment|submit a comment|have your say|reader views"
    "|join the discussion|comments read them below or add one|comment read it below or add one"
    "|оставить комментарий|добавить комментарий|dodaj komentarz|napisz komentarz"
    "|kommentar schreiben|kommentar hinterlassen|laisser un commentaire|deja un comentario".split("|")
)
_QUALIFIERS = frozenset(
    "all latest recent most no reader readers user users visitor visitors so far yet keine aucun sin brak".split()
)
_ON_ARTICLE = frozenset(("comment", "comments", "response", "responses", "replies", "thought", "thoughts"))
# Such a heading has a number. Without one it is that of an example.
_SINGULAR = ("comment", "response")
# Characters of a label.
_MAX_LABEL = 140
# Words of an article, and the share of what is kept that stands before a label. Labels above an article are links or
# have little text before them.
MIN_ARTICLE, MIN_BEFORE = 50, 0.5
# The mean score of comments, by words, is at most this share of that of other text, or of the text before a label. So
# an article in an element that is named so stays, and so does a section on comments. On pages of sites that were not in
# training, comments have up to 1.0 and, but for one page, 0.6; a section of an article below such a label has 0.76.
MAX_NAMED, MAX_BELOW = 1.1, 0.7


def without_comments(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, without the comments of readers, on a *page* that may be an article with other text. Posts stay as they
    are: `keep_posts` knows more of them."""
    if True not in kept or not may_be_article(page):
        return kept
    names, types = table.matches(_NAME, _PARTS_OF_NAMES), table.type
    labels = {row for row in table.visible if types[row] == "h" and _is_label(table, row)}
    if not names and not labels:
        return kept
    places, sizes = table.places(), table.words()
    rows = [row for row in table.visible if kept[row]]
    named = [row for row in rows if names and names[places[row]] is not None and "post" not in table.segments[row]]
    others = sorted({*rows}.difference(named)) if named else rows
    total = sum([sizes[row] for row in others])
    if total < MIN_ARTICLE:
        return kept
    dropped = named if table.mean_score(named) <= MAX_NAMED * max(table.mean_score(others), 0.0) else []
    below = _below_label(table, others, labels, max(MIN_ARTICLE, MIN_BEFORE * total))
    above = others[: len(others) - len(below)]
    is_below = not any(_is_example(table, row) for row in below)
    if is_below and table.mean_score(below) <= MAX_BELOW * max(table.mean_score(above), 0.0):
        dropped = dropped + [row for row in below if "post" not in table.segments[row]]
    return without_rows(kept, dropped)


def _below_label(table: ScoredTable, rows: list[int], labels: set[int], least: float) -> list[int]:
    """Those of the rows that stand below the first label, or are it, after *least* words; none without such a label."""
    sizes, before = table.words(), 0.0
    for at, row in enumerate(rows):
        if before >= least:
            first = min([label for label in labels if label > rows[at - 1]], default=None)
            return [] if first is None else [below for below in rows[at:] if below >= first]
        before += sizes[row]
    return []


def _is_example(table: ScoredTable, row: int) -> bool:
    """Whether a text is code or the head of a table."""
    return "pre" in table.segments[row] or _EXAMPLE.search(table.path[row]) is not None


def _is_label(table: ScoredTable, row: int) -> bool:
    return not table.segments[row].get("links") and is_label_of_comments(table.text[row])


def is_label_of_comments(text: str) -> bool:
    """Whether a text says that comments follow, how many there are, or that one may be written."""
    if len(text) > _MAX_LABEL:
        return False
    words = _WORD.findall(text.lower())
    if text[:1].isdigit() and len(words) > 2 and words[0] in _ON_ARTICLE and words[1] in ("on", "to", "for"):
        return True
    label = " ".join([word for word in words if word not in _QUALIFIERS])
    return label in _LABELS and (label not in _SINGULAR or _DIGIT.search(text) is not None)
