"""The posts of a page in its blocks: which block is of which post, and of what part of it.

    records = mark_posts(blocks, text_rows, posts)
    blocks.extra[0], records[0]    # {'post': 0}, {'author': 'Ann', 'date': '2024-05-03', 'path': 'body/div#post1'}

A block of a post has the number of it (`post`), and the `part` that it is, unless that is the text of a post in a
thread: `comment`, the text of a reader's comment; `byline`; `furniture`, such as menus, signatures and counts; or
`rest`, where the page does not tell which of these it is, or in a quotation that its text alone announces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ...native.element_names import HREF, TEXT, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...record import BYLINE, COMMENT, FURNITURE, REST, Record
from ...text.lazy_pattern import lazy_pattern
from ...words.post_names import TITLE, is_comment, is_member, post_of_class, post_of_id
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import path_element
from ..element_table import QUOTATION
from .post_fields import Marks, PostFields, Span
from .post_rows import may_have_posts, post_rows

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

# Elements of a page that may be posts.
MAX_CANDIDATES = 5_000
# The mean number of such elements around an element of the page: more would take time that is not linear in the page.
MAX_NESTING = 30
# The share of posts whose heading leads to another page: a list of articles has more.
MAX_LISTED = 0.5
_HEADINGS = tag_groups({1: "h1 h2 h3 h4 h5"})
_A = number_of_tag("a")
_ITEM = lazy_pattern(r".*schema\.org/(\w+)/?\s*", re.I)
_ITEM_TYPES = "DiscussionForumPosting SocialMediaPosting Question Answer Comment UserComments".split()
_ITEMS = frozenset(map(str.lower, _ITEM_TYPES))
# What the head of a page with such items has (see `declarations`).
POST_KINDS = frozenset(f"it:{name}" for name in _ITEM_TYPES)
_REPLIES = frozenset(("answer", "comment", "usercomments"))
# The item that says that what is called a comment is a post, in elements or in JSON-LD.
THREAD = "discussionforumposting"
# What the first post of a thread is called, where the others have another name.
_OPENING = lazy_pattern(r".*(?:topic|discussion|question|message|t3)")


def posts_in_blocks(
    blocks: BlockTable, text_rows: Sequence[Span], table: PageTable, kinds: Sequence[str]
) -> Sequence[Record]:
    """The posts of a page as records, which are marked in its blocks; none for most pages. *kinds*: those in its
    head."""
    if not may_have_posts(blocks.elements) and POST_KINDS.isdisjoint(kinds):
        return ()
    posts = posts_of_page(table, any(kind.lower().endswith(f":{THREAD}") for kind in kinds))
    return mark_posts(blocks, text_rows, posts) if posts else ()


def mark_posts(blocks: BlockTable, text_rows: Sequence[Span], posts: list[PostFields]) -> list[Record]:
    """The posts as records, after their blocks are marked. *text_rows* has for each block the rows of its first and its
    last text in the page."""
    records: list[Record] = [
        {name: value for name, value in (("author", post.author), ("date", post.date)) if value} for post in posts
    ]
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
        if not part and _QUOTED.match(blocks.text[row]) and not _is_in_quotation(blocks, row):
            quoted_end = max(quoted_end, _end_of_quotation(post, first, last))
        if not part and first < quoted_end:
            part = REST
        if part and part != COMMENT and blocks.tag[row] in _TITLES:
            continue
        if "path" not in records[number]:
            records[number]["path"] = _path_to(
                blocks, row, path_element(post.table, post.row, post.table.name_of(post.row))
            )
        fields = blocks.fields(row)
        fields["post"] = number
        if part:
            fields["part"] = part
    return records


def _is_in_quotation(blocks: BlockTable, row: int) -> bool:
    blocks.elements.read_signs()
    return blocks.elements.inside[blocks.element[row]] & QUOTATION != 0


def _end_of_quotation(post: PostFields, first: int, last: int) -> int:
    """The end of the element in the text of a post that has more text than its beginning, from one row to another; 0 if
    there is none."""
    table, around = post.table, post.table.parent[first]
    while any(start < around < end for start, end in post.texts):
        end = table.end[around]
        if any(table.tag[at] == TEXT and table.text_of(at).strip() for at in range(last + 1, end)):
            return end
        around = table.parent[around]
    return 0


def _part(post: PostFields, first: int, last: int, text: str) -> str:
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


def _path_to(blocks: BlockTable, row: int, name: str) -> str:
    """The path of the outermost element of this name around a block, but for the first one of the page; empty if it has
    none."""
    elements = blocks.elements
    found = [at for at in elements.around(blocks.element[row])[:-1] if elements.name_of(at) == name]
    return elements.path(found[-1]) if found else ""


class _Candidate:
    """An element that may be a post: its *row*, the *key* of those like it, its number, and the candidate around it."""

    __slots__ = ("around", "fields", "inner", "is_item", "key", "number", "row")

    def __init__(self, row: int, key: str, number: str, is_item: bool, around: _Candidate | None) -> None:
        self.row, self.key, self.number, self.is_item, self.around = row, key, number, is_item, around
        self.inner: list[_Candidate] = []  # the posts in it, from the last to the first
        self.fields: PostFields

    @property
    def is_sure(self) -> bool:
        """Whether it is a single post by its name: not a class, and no item that may be of a whole thread."""
        return bool(self.number) or self.key in _REPLIES


def posts_of_page(table: PageTable, is_thread: bool = False) -> list[PostFields]:
    """The posts of a page in the order of their starts; none for most pages. *is_thread*: whether its head says that it
    is a thread."""
    found, has_thread = _candidates(table)
    is_thread = is_thread or has_thread
    counts = Counter(one.key for one in found)
    if not any(one.is_item or counts[one.key] > 1 for one in found):
        return []
    possible = {one.key for one in found if one.is_item or counts[one.key] > 1 or _OPENING.fullmatch(one.key)}
    possible |= {"comment", "post"}
    if sum([table.end[one.row] - one.row for one in found]) > MAX_NESTING * table.size:
        return []
    marks = Marks()
    for one in found:
        if one.key in possible:
            marks.add(table, one.row, table.end[one.row])
    standing: list[_Candidate] = []
    for one in reversed(found):
        stands = False
        if one.key in possible:
            one.fields = fields = PostFields(table, one.row, [inner.row for inner in reversed(one.inner)], marks)
            stands = fields.has_text and _has_author(one) and not _is_frame(one)
            standing += [one] * stands
        if one.around is not None:
            one.around.inner += [one] if stands else one.inner
    keys = _keys_of_posts(table, standing)
    if not keys:
        return []
    out = [one for one in reversed(standing) if one.key in keys or _is_opening(one, is_thread)]
    for one in out:
        one.fields.is_comment = not is_thread and is_comment(one.key)
        one.fields.find_parts()
    return [one.fields for one in out]


def _candidates(table: PageTable) -> tuple[list[_Candidate], bool]:
    """The elements that may be posts, in order, and whether an item says that the page is a thread."""
    out: list[_Candidate] = []
    around: _Candidate | None = None
    is_thread = False
    for row in post_rows(table):
        item = _ITEM.fullmatch(table.attribute_of(row, "itemtype") or "")
        kind = item[1].lower() if item else ""
        is_thread = is_thread or kind == THREAD
        classes = table.attribute_of(row, "class") or ""
        named, own = post_of_id(table.attribute_of(row, "id") or "", classes), post_of_class(classes)
        if kind not in _ITEMS and named is None and own is None or len(out) >= MAX_CANDIDATES:
            continue
        while around is not None and row >= table.end[around.row]:
            around = around.around
        if around is not None and around.is_sure and named is None and kind not in _ITEMS:  # a class within a post
            continue
        key, number = named or (kind if kind in _ITEMS else f".{own}", "")
        is_reply = around is not None and around.is_item and around.key in _REPLIES and not around.number
        if around is not None and (number and number == around.number or is_reply and kind not in _ITEMS):
            around.is_item = around.is_item or kind in _ITEMS
            around.number = around.number or number
            continue  # another element of the same post
        around = _Candidate(row, key, number, kind in _ITEMS, around)
        out.append(around)
    return out, is_thread


def _has_author(one: _Candidate) -> bool:
    """Whether an element has an author as its name asks for: an id or an item needs none beside others, but a class
    within another element more than a link, which may be in its text."""
    around = one.around
    if not one.key.startswith("."):
        is_part = around is not None and around.is_sure and around.key != one.key
        return bool(one.fields.author) or one.fields.is_named and not is_part
    return bool(one.fields.author) and not (one.fields.is_member_link and around is not None)


def _is_frame(one: _Candidate) -> bool:
    """Whether an item says once more what the first post in it says, as some do that are about a whole thread."""
    return one.is_item and bool(one.inner) and one.inner[-1].fields.begins_as(one.fields)


def _is_opening(one: _Candidate, is_thread: bool) -> bool:
    """Whether an element of its own kind is the first post of a thread; what is called a post, which an article may be,
    if an item says that there is a thread."""
    is_named = is_thread and one.key == "post" or _OPENING.fullmatch(one.key) is not None
    return is_named and bool(one.fields.author) and not one.inner


def _keys_of_posts(table: PageTable, standing: list[_Candidate]) -> set[str]:
    """The keys of elements that are posts: items, or several with an author that are no list of articles."""
    groups: dict[str, list[_Candidate]] = {}
    for one in standing:
        if one.fields.author:
            groups.setdefault(one.key, []).append(one)
    out = set()
    for key, group in groups.items():
        if any(one.is_item for one in group):
            out.add(key)
        elif len(group) > 1 or key == "comment":
            listed = sum(_has_title_link(table, one) for one in group)
            if listed <= MAX_LISTED * len(group):
                out.add(key)
    return out


def _has_title_link(table: PageTable, one: _Candidate) -> bool:
    """Whether a heading of a post, other than its author, leads to another page, as that of an article in a list."""
    fields = one.fields
    titles = {row for row, _ in fields.marks.between(fields.own, TITLE)}
    for start, end in fields.own:
        for row in range(start, end):
            if table.tag[row] >= 0 and (_HEADINGS[table.tag[row]] or row in titles):
                if fields.author in table.text_below(row):
                    continue
                for at in range(row, table.end[row]):
                    if table.tag[at] == _A and table.flags[at] & HREF:
                        href = table.attribute_of(at, "href") or ""
                        is_own = "#" in href or bool(one.number) and is_comment(one.key) and one.number in href
                        return not is_own and not href.startswith("javascript:") and not is_member(href)
    return False
