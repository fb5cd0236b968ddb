"""Comments of readers below an article: what is in elements that are named so, and what follows their label.

    table = table_of([{"text": "It rained all day. " * 20, "path": "body/div/p"},
                      {"text": "2 comments", "path": "body/div/h3"}, {"text": "I got wet.", "path": "body/div/p"}])
    without_comments(table, [True, True, True], {"odds": 5.0, "types": {"article": 0.9}})    # [True, False, False]

Models take them for text of the article where their elements have no such names as models know, or none at all. The
time is linear in the page.
"""

from __future__ import annotations

import re

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .article_end import may_be_article
from .scored_table import ScoredTable

_NAME = lazy_pattern(r"[ck]om+ent(?!ary|ator)|guestbook|talkback|disqus|livefyre", re.I)
_WORD = lazy_pattern(r"[^\W\d_]+")
# For speed: what each of these names has.
_PARTS_OF_NAMES = ("omment", "oment", "uestbook", "alkback", "isqus", "ivefyre")
# What their headings say, without numbers and qualifiers; and what such a heading says of the article after a number.
_LABELS = frozenset(
    "comments|comment|responses|response|replies|trackbacks|trackback|track backs|kommentare|kommentar|kommentarer"
    "|komentarze|komentarzy|komentarz|opinie|комментарии|комментарий|комментариев|коментарі|отзывы|σχόλια|评论|网友评论"
    "|commentaires|commentaire|comentarios|comentário|comentários|reacties|yorumlar|コメント|댓글"
    "|leave a comment|leave a reply|leave a response|leave your comment|post a comment|post your comment|add comment"
    "|add a comment|add your comment|add your view|write a comment|submit a comment|have your say|reader views"
    "|join the discussion|оставить комментарий|добавить комментарий|dodaj komentarz|napisz komentarz"
    "|kommentar schreiben|kommentar hinterlassen|laisser un commentaire|deja un comentario".split("|")
)
_QUALIFIERS = frozenset("all latest recent most no reader readers user users visitor visitors so far yet".split())
_ON_ARTICLE = frozenset(("comment", "comments", "response", "responses", "replies", "thought", "thoughts"))
# Characters of a label.
_MAX_LABEL = 140
# Words of an article, and the share of what is kept that stands before a label. Labels above an article are links or
# have little text before them.
MIN_ARTICLE, MIN_BEFORE = 50, 0.5


def without_comments(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, without the comments of readers, on a *page* that may be an article with other text. Posts stay as they
    are."""
    if True not in kept or not may_be_article(page):
        return kept
    names, types = table.matches(_NAME, _PARTS_OF_NAMES), table.type
    labels = {row for row in table.visible if types[row] == "h" and _is_label(table, row)}
    if not names and not labels:
        return kept
    named = [names[place] is not None for place in table.places()] if names else [False] * len(kept)
    in_post = ["post" in segment for segment in table.segments]  # `keep_posts` knows more of them
    sizes = table.words()
    total = sum([sizes[row] for row in table.visible if kept[row] and (in_post[row] or not named[row])])
    if total < MIN_ARTICLE:
        return kept
    out, before, least, is_below = list(kept), 0.0, max(MIN_ARTICLE, MIN_BEFORE * total), False
    for row in table.visible:
        is_below = is_below or before >= least and row in labels
        if (is_below or named[row]) and not in_post[row]:
            out[row] = False
        elif kept[row]:
            before += sizes[row]
    return out


def _is_label(table: ScoredTable, row: int) -> bool:
    text = table.text[row]
    if len(text) > _MAX_LABEL or table.segments[row].get("links"):
        return False
    words = _WORD.findall(text.lower())
    if text[:1].isdigit() and len(words) > 2 and words[0] in _ON_ARTICLE and words[1] in ("on", "to", "for"):
        return True
    return " ".join([word for word in words if word not in _QUALIFIERS]) in _LABELS
