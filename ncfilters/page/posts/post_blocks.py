"""The posts of a page in its blocks: which block is of which post, and of what part of it.

    records = mark_posts(blocks, text_rows, posts, table)
    blocks.extra[0], records[0]    # {'post': 0}, {'author': 'Ann', 'date': '2024-05-03', 'path': 'body/div#post1'}

A block of a post has the number of it (`post`), and the `part` that it is, unless that is the text of a post in a
thread: `comment`, the text of a reader's comment; `byline`; `furniture`, such as menus, signatures and counts; or
`rest`, where the page does not tell which of these it is, or in a quotation that its text alone announces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...native.element_names import TEXT
from ...native.page_table import PageTable
from ...record import BYLINE, COMMENT, FURNITURE, REST, Record
from ...text.lazy_pattern import lazy_pattern
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import path_element
from .post_elements import POST_KINDS, THREAD, posts_of_page
from .post_fields import Post, Span
from .post_names import QUOTATION
from .post_rows import may_have_posts

# Characters of a byline.
MAX_BYLINE = 200
# Elements that are the title of the page.
_TITLES = frozenset(("h1", "h2"))
# Who has changed a post, and when, as software writes it below the text: "Edited May 3, 2024 by Ann".
_CHANGE = lazy_pattern(
    r"\W*(?:this (?:post|message) has been edited\W+)?"
    r"(?:last edited by\b|edited (?:on )?\w+[ .]+\d[\w ,.:]{0,30} by\b)",
    re.I,
)
# What begins a quotation where no element is named so, as in vBulletin 3.
_QUOTED = lazy_pattern(r"(?:quote|zitat|cita|citation)\s?:$|(?:originally posted by|zitat von)\b", re.I)


def posts_in_blocks(
    blocks: BlockTable, text_rows: Sequence[Span], table: PageTable, kinds: Sequence[str]
) -> Sequence[Record]:
    """The posts of a page as records, which are marked in its blocks; none for most pages. *kinds*: those in its
    head."""
    if not may_have_posts(blocks.path) and POST_KINDS.isdisjoint(kinds):
        return ()
    posts = posts_of_page(table, any(kind.lower().endswith(f":{THREAD}") for kind in kinds))
    return mark_posts(blocks, text_rows, posts, table) if posts else ()


def posts_of(record: Record) -> list[Record]:
    """The posts of a record; none if its field is that of another program."""
    posts = record.get("posts")
    is_own = isinstance(posts, list) and all(isinstance(post, dict) for post in posts)
    return posts if isinstance(posts, list) and is_own else []


def mark_posts(blocks: BlockTable, text_rows: Sequence[Span], posts: list[Post], table: PageTable) -> list[Record]:
    """The posts as records, after their blocks are marked. *text_rows* has for each block the rows of its first and its
    last text in the page."""
    records = [_record(post) for post in posts]
    inside: list[int] = []  # the posts that are open, by their numbers
    following = quoted_end = 0
    for row, (first, last) in enumerate(text_rows):
        while following < len(posts) and posts[following].row <= first:
            inside.append(following)
            following += 1
        while inside and posts[inside[-1]].end <= first:
            inside.pop()
        if not inside:
            continue
        number = inside[-1]
        post = posts[number]
        part = _part(post, first, last, blocks.text[row])
        if not part and _QUOTED.match(blocks.text[row]) and not QUOTATION.search(blocks.path[row]):
            quoted_end = max(quoted_end, _end_of_quotation(table, post, first, last))
        if not part and first < quoted_end:
            part = REST
        if part and part != COMMENT and blocks.tag[row] in _TITLES:
            continue
        if "path" not in records[number]:
            records[number]["path"] = _path_to(blocks.path[row], path_element(table, post.row, table.name_of(post.row)))
        fields = blocks.fields(row)
        fields["post"] = number
        if part:
            fields["part"] = part
    return records


def _end_of_quotation(table: PageTable, post: Post, first: int, last: int) -> int:
    """The end of the element in the text of a post that has more text than its beginning, from one row to another; 0 if
    there is none."""
    around = table.parent[first]
    while any(start < around < end for start, end in post.texts):
        end = table.end[around]
        if any(table.tag[at] == TEXT and table.text_of(at).strip() for at in range(last + 1, end)):
            return end
        around = table.parent[around]
    return 0


def _part(post: Post, first: int, last: int, text: str) -> str:
    """What a text between two rows is of a post; empty for the text of one in a thread."""
    is_short = len(text) <= MAX_BYLINE
    is_byline = is_short and _overlaps(post.byline, first, last)
    is_text = _overlaps(post.texts, first, last) and not _overlaps(post.holes, first, first)
    is_text = is_text and not (is_short and _CHANGE.match(text))
    if is_text and post.is_named:
        return COMMENT if post.is_comment else ""
    if is_text and not is_byline:
        return REST
    return BYLINE if is_byline else FURNITURE


def _overlaps(spans: list[Span], first: int, last: int) -> bool:
    return any(start <= last and first < end for start, end in spans)


def _record(post: Post) -> Record:
    """A post as a record, without what is not known."""
    fields = {"author": post.author, "date": post.date}
    return {name: value for name, value in fields.items() if value}


def _path_to(path: str, element: str) -> str:
    """A path up to an element in it; empty if it has none."""
    at = f"{path}/".find(f"/{element}/")
    return path[: at + 1 + len(element)] if at >= 0 else ""
