"""The posts of a page: forum threads, questions and answers, issues, the comments below an article.

    page = "<div id=post1><b class=author>Ann</b><div class=content>Rain.</div></div>"
    posts_of_page(table_of(parse_html(page + page.replace("1", "2")).root))[0].author    # 'Ann'

A post is an element whose item type, id or class says so, and which has an author and others like it: an article or a
list of articles is none.
"""

from __future__ import annotations

import re
from collections import Counter

from ...native.element_names import HREF, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from .post_fields import Marks, Post, PostFields
from .post_names import TITLE, is_comment, is_member, post_of_class, post_of_id
from .post_rows import post_rows

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
# What the head of a page with such items has (see `page_head`).
POST_KINDS = frozenset(f"it:{name}" for name in _ITEM_TYPES)
_REPLIES = frozenset(("answer", "comment", "usercomments"))
# The item that says that what is called a comment is a post, in elements or in JSON-LD.
THREAD = "discussionforumposting"
# What the first post of a thread is called, where the others have another name.
_OPENING = lazy_pattern(r".*(?:topic|discussion|question|message|t3)")


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


def posts_of_page(table: PageTable, is_thread: bool = False) -> list[Post]:
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
    out = []
    for one in reversed(standing):
        if one.key in keys or _is_opening(one, is_thread):
            out.append(one.fields.post(not is_thread and is_comment(one.key)))
    return out


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
        if around is not None and (number and number == around.number or _is_in_answer(around, kind)):
            around.is_item = around.is_item or kind in _ITEMS
            around.number = around.number or number
            continue  # another element of the same post
        around = _Candidate(row, key, number, kind in _ITEMS, around)
        out.append(around)
    return out, is_thread


def _is_in_answer(around: _Candidate, kind: str) -> bool:
    """Whether an element that is no item is in a reply that is one."""
    return around.is_item and around.key in _REPLIES and kind not in _ITEMS and not around.number


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
