"""The posts of a page (see `post_blocks`): which of their segments are text, whatever their scores.

page = page_of([{"text": "Me too.", "post": 1, "score": -3.0}, {"text": "Reply", "post": 1, "part": "furniture"}])
page.read_elements()
kept = bytearray([0, 0])
keep_posts(page, kept, PolicyOptions())    # kept == bytearray([1, 0])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..page.element_table import QUOTATION
from ..record import BYLINE, COMMENT, FURNITURE, REST
from .scored_page import HIDDEN, ScoredPage
from .surroundings import rows_kept

if TYPE_CHECKING:
    from .options import PolicyOptions

# Comments are posts of a thread on a page of the type `forum` with at least this probability, unless there are posts
# that are none, which these comments are about. On other pages, what follows an article are comments, whatever their
# names are.
MIN_FORUM = 0.5
# Words of an article. Characters of a text that is a copy of another.
MIN_ARTICLE, MIN_COPY = 100, 40
_PARTS = {BYLINE: "byline of a post", COMMENT: "comment on a post", FURNITURE: "menu, signature or counts of a post"}


def keep_posts(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps the texts of posts, and drops what else these have. Of the comments below an article, those texts that the
    content policy asks for; of a thread under the policy `article`, only its first post. Quotations stay as they are,
    except under the policy `all`."""
    posts = [row for row, post in enumerate(page.post) if post >= 0]
    if not posts:
        return
    content = options.content
    has_asides, is_article = content.policy == "all", content.policy == "article"
    is_forum = page.evidence.get("types", {}).get("forum", 0.0) >= MIN_FORUM
    has_article = page.size([row for row in rows_kept(kept) if page.post[row] < 0]) >= MIN_ARTICLE
    has_thread = len({page.post[row] for row in posts if not page.part[row]}) > 1  # posts that are no comments
    has_comments = "comment" in content.roles or is_forum and not has_article and not has_thread
    is_thread = has_comments or is_forum or not has_article
    no_text = (REST,) if has_comments else (REST, COMMENT)
    quotation = page.elements.nearest(QUOTATION)
    for row in posts:
        part = page.part[row]
        if part in (FURNITURE, BYLINE):
            kept[row] = part == BYLINE and "byline" in content.roles
        elif is_article:
            kept[row] = kept[row] and page.post[row] == 0 and part != COMMENT
        elif is_thread and part not in no_text and (has_asides or not quotation[page.element[row]]):
            kept[row] = not page.marks[row] & HIDDEN
        kept[row] = kept[row] and page.role[row] not in content.excluded
    texts = [row for row in posts if kept[row]]
    repeated = {page.same[row] for row in texts if len(page.text[row]) >= MIN_COPY}
    between = range(texts[0], texts[-1]) if texts and is_forum and not has_asides else range(0)
    for row in rows_kept(kept):  # a summary of the thread, or an advertisement; what the page says of the first post
        if page.post[row] < 0 and (page.same[row] in repeated or row in between and page.type[row] != "h"):
            kept[row] = 0


def post_words(page: ScoredPage, row: int, keep: bool, options: PolicyOptions) -> str:
    """Why `keep_posts` keeps or drops a row."""
    if keep:
        return "text of a post"
    if page.post[row] < 0:
        return "repeats a post, or stands between posts"
    return _PARTS.get(page.part[row], f"--policy {options.content.policy} leaves out such posts")
