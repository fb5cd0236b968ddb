"""Comments of readers below an article: what is in elements that are named so, and what follows their heading.

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

_NAME = lazy_pattern(r"/[^/]*[#.][^/]*(?:[ck]om+ent(?!ary|ator)|guestbook|talkback|disqus|livefyre)", re.I)
_LABEL = lazy_pattern(
    r"""[\W_]*(?:
    (?:(?:all|latest|recent|most\ recent|no)\ )?[(\[]?\d*[)\]]?\s*(?:(?:reader|user|visitor)s?[’']?\ )?
    (?:comments?|responses|replies|track-?backs?|kommentare?r?|komentar(?:ze|zy|z)|opinie|комментари[йия]|комментариев
    |коментар[іи]|отзывы|σχόλια|(?:网友)?评论|commentaires?|comentarios?|reacties|yorumlar|コメント|댓글)
    (?:[\s:–-]*[(\[]?\d+[)\]]?)?(?:\ (?:so\ far|yet))?
    | \d+\ (?:responses?|comments?|replies|thoughts?)\ (?:to|on|for)\b.*
    | (?:leave|post|add|write|submit|make)\ (?:an?\ |your\ |new\ )?(?:comment|reply|response|view)s?
    | have\ your\ say | reader\ views | join\ the\ discussion | (?:оставить|добавить)\ комментарий
    | (?:dodaj|napisz)\ komentarz | kommentar\ (?:schreiben|hinterlassen) | laisser\ un\ commentaire
    | deja\ (?:un|tu)\ comentario
    )[\W_]*""",
    re.I | re.X,
)
# Characters of a label.
_MAX_LABEL = 140
# Words of an article, and the share of what is kept that stands before a label. Labels above an article are links or
# have little text before them.
MIN_ARTICLE, MIN_BEFORE = 50, 0.5


def without_comments(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, without the comments of readers, on a *page* that may be an article with other text."""
    if True not in kept or not may_be_article(page):
        return kept
    places = table.places()
    are_comments = [_NAME.search(path) is not None for path in table.paths]
    named = [are_comments[place] for place in places]
    sizes = table.words()
    total = sum([sizes[row] for row in table.visible if kept[row] and not named[row]])
    if total < MIN_ARTICLE:
        return kept
    out, before, is_below = list(kept), 0.0, False
    for row in table.visible:
        is_below = is_below or before >= max(MIN_ARTICLE, MIN_BEFORE * total) and _is_label(table, row)
        if is_below or named[row]:
            out[row] = False
        elif kept[row]:
            before += sizes[row]
    return out


def _is_label(table: ScoredTable, row: int) -> bool:
    text = table.text[row]
    return len(text) <= _MAX_LABEL and not table.segments[row].get("links") and _LABEL.fullmatch(text) is not None
