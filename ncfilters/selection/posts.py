"""The posts of a page (see `post_blocks`): which of their segments are text, whatever their scores.

table = table_of([{"text": "Me too.", "post": 1, "score": -3.0}, {"text": "Reply", "post": 1, "part": "furniture"}])
keep_posts(table, [False, False], ContentOptions(), {"odds": 5.0})    # [True, False]
"""

from __future__ import annotations

from ..page.posts.post_blocks import BYLINE, COMMENT, FURNITURE, REST
from ..page.posts.post_names import QUOTATION
from ..record import Record
from .options import ContentOptions
from .scored_table import ScoredTable

# Comments are posts of a thread on a page of the type `forum` with at least this probability, unless there are posts
# that are none, which these comments are about.
MIN_FORUM = 0.5
# Words of an article. Characters of a text that is a copy of another.
MIN_ARTICLE, MIN_COPY = 150, 40


def keep_posts(table: ScoredTable, kept: list[bool], options: ContentOptions, page: Record) -> list[bool]:
    """*kept*, but with the texts of posts, and without what else these have. Of the comments below an article, those
    texts that the content policy asks for; of a thread under the policy `article`, only its first post. Quotations stay
    as they are, except under the policy `all`."""
    if "post" not in table.names:
        return kept
    out = list(kept)
    texts: set[str] = set()
    has_asides = options.policy == "all"
    has_comments = "comment" in options.roles or _is_thread_of_comments(table, kept, page)
    is_article = options.policy == "article"
    for row, segment in enumerate(table.segments):
        if "post" not in segment:
            continue
        part = segment.get("part", "")
        if part == FURNITURE:
            out[row] = False
        elif part == BYLINE:
            out[row] = out[row] or "byline" in options.roles
        elif is_article:
            out[row] = out[row] and segment["post"] == 0 and part != COMMENT
        elif part == REST or part == COMMENT and not has_comments:
            continue
        elif has_asides or not QUOTATION.search(table.path[row]):
            out[row] = "hidden" not in segment
        if out[row] and table.role[row] in options.excluded:
            out[row] = False
        if out[row] and len(table.text[row]) >= MIN_COPY:
            texts.add(table.text[row])
    for row, segment in enumerate(table.segments):
        if out[row] and "post" not in segment and table.text[row] in texts:  # what the page says of the first post
            out[row] = False
    return out


def _is_thread_of_comments(table: ScoredTable, kept: list[bool], page: Record) -> bool:
    """Whether the comments of a page are the posts of a thread: there is no article that they are about."""
    if page.get("types", {}).get("forum", 0.0) < MIN_FORUM:
        return False
    posts = {segment["post"] for segment in table.segments if "post" in segment and "part" not in segment}
    sizes = table.words()
    words = sum([sizes[row] for row, segment in enumerate(table.segments) if kept[row] and "post" not in segment])
    return len(posts) < 2 and words < MIN_ARTICLE
