"""The posts of a page (see `post_blocks`): which of their segments are text, whatever their scores.

table = table_of([{"text": "Me too.", "post": 1, "score": -3.0}, {"text": "Reply", "post": 1, "part": "furniture"}])
keep_posts(table, [False, False], ContentOptions(), {"odds": 5.0})    # [True, False]
"""

from __future__ import annotations

from ..page.posts.post_names import QUOTATION
from ..record import BYLINE, COMMENT, FURNITURE, REST, Record
from .options import ContentOptions
from .scored_table import ScoredTable

# Comments are posts of a thread on a page of the type `forum` with at least this probability, unless there are posts
# that are none, which these comments are about. On other pages, what follows an article are comments, whatever their
# names are.
MIN_FORUM = 0.5
# Words of an article. Characters of a text that is a copy of another.
MIN_ARTICLE, MIN_COPY = 100, 40


def keep_posts(table: ScoredTable, kept: list[bool], options: ContentOptions, page: Record) -> list[bool]:
    """*kept*, but with the texts of posts, and without what else these have. Of the comments below an article, those
    texts that the content policy asks for; of a thread under the policy `article`, only its first post. Quotations stay
    as they are, except under the policy `all`."""
    if "post" not in table.names:
        return kept
    out = list(kept)
    texts: set[str] = set()
    has_asides = options.policy == "all"
    is_forum = page.get("types", {}).get("forum", 0.0) >= MIN_FORUM
    has_article = _words_outside(table, kept) >= MIN_ARTICLE
    has_comments = "comment" in options.roles or is_forum and not has_article and not _has_thread(table)
    has_thread = has_comments or is_forum or not has_article
    is_article = options.policy == "article"
    for row, segment in enumerate(table.segments):
        if "post" not in segment:
            continue
        part = segment.get("part", "")
        if part == FURNITURE:
            out[row] = False
        elif part == BYLINE:
            out[row] = "byline" in options.roles
        elif is_article:
            out[row] = out[row] and segment["post"] == 0 and part != COMMENT
        elif part == REST or part == COMMENT and not has_comments or not has_thread:
            continue
        elif has_asides or not QUOTATION.search(table.path[row]):
            out[row] = "hidden" not in segment
        if out[row] and table.role[row] in options.excluded:
            out[row] = False
        if out[row] and len(table.text[row]) >= MIN_COPY:
            texts.add(table.text[row])
    between = _between_posts(table, out) if is_forum and not has_asides else range(0)
    for row, segment in enumerate(table.segments):
        if out[row] and "post" not in segment:
            is_copy = table.text[row] in texts  # what the page says of the first post
            out[row] = not is_copy and (row not in between or segment["type"] == "h")
    return out


def _between_posts(table: ScoredTable, kept: list[bool]) -> range:
    """The rows from the first text of a post that is kept to the last one. What is in no post there, other than
    headings, is a summary of the thread or an advertisement: of 66 forums of the development pages, 4 have some that
    would be kept, and none of it is in the gold text."""
    rows = [row for row, segment in enumerate(table.segments) if kept[row] and "post" in segment]
    return range(rows[0], rows[-1]) if rows else range(0)


def _has_thread(table: ScoredTable) -> bool:
    """Whether there are posts that are no comments."""
    return len({segment["post"] for segment in table.segments if "post" in segment and "part" not in segment}) > 1


def _words_outside(table: ScoredTable, kept: list[bool]) -> float:
    """The number of words that are kept and in no post."""
    sizes = table.words()
    return sum([sizes[row] for row, segment in enumerate(table.segments) if kept[row] and "post" not in segment])
