"""Labels of segments by the gold text: a segment is clean if most of its words occur there, and it has one of the roles
that the gold standard allows.

    matched_words(["Home", "The bridge is closed."], "The bridge is closed.")    # ([1, 4], [0, 4], 4)
    allowed_roles(record, gold, words, matched)      # [mask_of("title"), mask_of("byline", "date"), mask_of("text")]

Gold standards give cleaned text, not labels. A longest common subsequence of the words of page and gold text labels
nearly every segment correctly: keeping the clean segments reaches a bag-of-words F of 97 on the WCXB development
pages. Labels make better training data than the difference of counts (see `ngram_trainer`).

Gold standards say little of roles, and each has its own taste. So a label is a set of roles, as a bit mask over `ROLES`
(bit n is ROLES[n]): a single role where the gold standard or the form of the segment tells it, several where it does
not, ANY where nothing is known. What a gold standard leaves out need not be boilerplate: it may be a title, a byline, a
date, a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from ..head import declared_title
from ..record import EMBEDDED, Record, Segment
from ..roles import ROLES
from ..text.words import words
from . import head_labels
from .gold import Gold
from .head_labels import MENU_RULES, find_titles

# A segment is clean if at least this share of its words occurs in the gold text.
CLEAN_SHARE = 0.5
# Words. A shorter segment may match the gold text by chance.
MIN_MATCH = 4
# The share of words that a segment with a certain label has in the gold text.
SURE_SHARE = 0.8


def matched_words(texts: Sequence[str], gold: str) -> tuple[list[int], list[int], int]:
    """For each segment the number of its words and of those that occur in *gold*, in order; and the number of words of
    *gold*. The alignment is a longest common subsequence over the whole page."""
    page, gold_words = [words(text) for text in texts], words(gold)
    owners = _aligned(page, gold_words, [0] * len(gold_words))
    return list(map(len, page)), [sum(owner == 0 for owner in some) for some in owners], len(gold_words)


def _aligned(page: Sequence[list[str]], gold: list[str], owners: Sequence[int]) -> list[list[int]]:
    """For each segment, given by its words, and each of its words, what the word of the gold text has in *owners* that
    is aligned with it; -1 without one."""
    from rapidfuzz.distance import LCSseq  # of the extra workshop: models of text alone are trained without it

    flat = [word for some in page for word in some]
    found = [-1] * len(flat)
    for step in LCSseq.opcodes(flat, gold):
        if step.tag == "equal":
            found[step.src_start : step.src_end] = owners[step.dest_start : step.dest_end]
    ends = [*accumulate(map(len, page), initial=0)]
    return [found[start:end] for start, end in zip(ends, ends[1:])]


def snippet_labels(texts: Sequence[str], required: Sequence[str], forbidden: Sequence[str]) -> list[bool | None]:
    """For each segment whether it is clean, where only snippets are known: False if it has one that is *forbidden*,
    True if it is the only one that has a *required* one, else None. White space and case do not count."""
    folded = [" ".join(text.split()).lower() for text in texts]
    out: list[bool | None] = [None] * len(texts)
    for label, snippets in ((True, required), (False, forbidden)):
        for snippet in (" ".join(snippet.split()).lower() for snippet in snippets):
            places = [place for place, text in enumerate(folded) if snippet and snippet in text]
            for place in places if not label or len(places) == 1 else ():
                out[place] = label
    return out


def matched_shares(texts: Sequence[str], gold: str) -> list[float | None]:
    """For each segment of a page the share (0 to 1) of its words that occur in *gold*, in order; None without words."""
    counts, matched, _ = matched_words(texts, gold)
    return [number / count if count else None for count, number in zip(counts, matched)]


def matched_runs(
    segments: Sequence[Segment], runs: Sequence[tuple[str, str]], counts: Sequence[int]
) -> list[tuple[str, bool]]:
    """For each segment the role of the run that most of its words occur in (empty if less than half of them occur in
    the gold text), and whether the label is certain."""
    gold = [words(text) for _, text in runs]
    page = [words(segment["text"]) for segment in segments]
    owners = [number for number, found in enumerate(gold) for _ in found]
    out = []
    for count, owner in zip(counts, _aligned(page, [word for found in gold for word in found], owners)):
        found_in = Counter(number for number in owner if number >= 0)
        if not count or found_in.total() < CLEAN_SHARE * count:
            out.append(("", False))
            continue
        by_role: Counter[str] = Counter()
        for number, size in found_in.items():
            by_role[runs[number][0]] += size
        role, size = by_role.most_common(1)[0]
        whole = count >= MIN_MATCH or sum(len(gold[number]) for number in found_in) == count
        out.append((role, size >= SURE_SHARE * count and whole))
    return out


# ---- roles --------------------------------------------------------------------------------------------------------


def mask_of(*names: str) -> int:
    """The bit mask of roles."""
    return sum(1 << ROLES.index(name) for name in names)


ANY = mask_of(*ROLES)
TITLE, BYLINE, DATE, TEXT, CAPTION, TABLE, CODE, COMMENT, RELATED, BOILERPLATE = (1 << n for n in range(len(ROLES)))
_HEAD = TITLE | BYLINE | DATE
_CONTENT = TEXT | CAPTION | TABLE | CODE
# Policy → the roles of segments in the gold text, and of those that are not. Short segments before the text may be
# titles, bylines and dates in every gold text (see `_form`).
_CLEAN = {"main": _CONTENT, "article": _CONTENT, "all": _HEAD | _CONTENT | COMMENT}
_DIRTY = {
    "main": _HEAD | CAPTION | COMMENT | RELATED | BOILERPLATE,
    "article": _HEAD | CAPTION | TABLE | COMMENT | RELATED | BOILERPLATE,
    "all": BYLINE | DATE | CAPTION | RELATED | BOILERPLATE,
}
# Roles of L3S-GN1 → ours.
_RUNS = {
    "headline": TITLE | TEXT,
    "text": _CONTENT,
    "supplement": BYLINE | DATE | CAPTION | TEXT | TABLE,
    "related": RELATED,
    "comments": COMMENT,
}
_CLEAN_RUNS = ("headline", "text", "supplement")
_CAPTION_PATH = re.compile(r"caption", re.I)
# Class names and ids of captions; others that have the word name sizes of type, buttons and headings.
_CAPTION_NAME = re.compile(
    r"[.#](?:caption(?=[.#/]|$)|[\w-]{0,20}?(?:wp|image|img|photo|pic|picture|gallery|figure|media)s?[-_]?caption)",
    re.I,
)
_CREDIT = re.compile(
    r"\W*(?:(?:staff|file|ap)\s+)?(?:photo(?:graph)?|image|picture)(?:s?\s*(?:by|credit|courtesy)\b|\s*[:©])", re.I
)
# Short segments in these elements are text, if the names of the elements do not say that they belong to a figure.
_TEXT_TAGS = frozenset("h1 h2 h3 h4 h5 h6 p li dt dd blockquote".split())
_FIGURE_PATH = re.compile(r"fig|im(?:g|age)|photo|pic(?:ture)?s?\b|credit|gallery|media|thumb|slide|foto", re.I)
# Characters of a path, the end of which has the elements next to the segment.
_END = 80
# A segment with this share of its characters in links is a link.
_LINKED = 0.8
# Elements of single comments.
_COMMENT_NAME = re.compile(r"comment[-_]?(?:body|content|text|entry|list)|#comment-\d", re.I)
_COMMENT_PATH = re.compile(r"comment(?!ary|at)|respon[ds]|repl[iy]|disqus|discuss", re.I)
# Pages of these kinds have dates and names of their own entries, not of the page.
_MANY_ENTRIES = frozenset(("forum", "listing", "collection", "product", "service", "documentation"))
# Segments before and after the title, and after the first segment of the text, among which are byline and date.
_BEFORE_TITLE, _AFTER_TITLE, _AFTER_TEXT, _MAX_HEAD = 5, 8, 2, 30
# Words. A shorter segment in the gold text may be a caption; certain captions, comments and links to others have more.
_MIN_TEXT, _MIN_CAPTION, _MIN_COMMENT, _MIN_RELATED = 12, 3, 8, 5


def allowed_roles(document: Record, gold: Gold, counts: Sequence[int], matched: Sequence[int]) -> list[int]:
    """For each of the `segments` of *document* the mask of the roles that *gold* allows. *counts* are the numbers of
    words of the segments, *matched* those that occur in the gold text."""
    page = _Page(document, gold, counts, matched)
    return [page.roles(place) for place in range(len(counts))]


class _Page:
    """What is known of a page before its segments are labelled one by one."""

    def __init__(self, document: Record, gold: Gold, counts: Sequence[int], matched: Sequence[int]) -> None:
        self.segments: list[Segment] = document["segments"]
        self.gold, self.counts, self.matched = gold, counts, matched
        self.policy = gold.policy
        self.embedded = [segment.get("rule") == EMBEDDED for segment in self.segments]
        self.runs = matched_runs(self.segments, gold.runs, counts) if gold.runs else None
        self.comments = self._comments(gold.comments) if gold.comments else {}
        self.knows_comments = gold.comments is not None or bool(gold.runs)
        clean = [place for place in range(len(counts)) if self._is_clean(place, SURE_SHARE) and counts[place] >= 8]
        self.first, self.last = (clean[0], clean[-1]) if clean else (len(counts), -1)
        head = document.get("head")
        head_title = declared_title(head) if isinstance(head, dict) else ""
        self.title, repeats = find_titles(self.segments, counts, gold, head_title, self.first)
        self.repeats = frozenset(repeats)
        self.has_entries = document.get("page_type") in _MANY_ENTRIES
        self.author = set(words(gold.author))
        self.days = head_labels.days(gold.date)
        self.head = self._head()
        self.start = self.first if self.title is None else min(self.first, max(self.title, self.first - _MAX_HEAD))

    def roles(self, place: int) -> int:
        """The mask of a segment."""
        segment = self.segments[place]
        if self.embedded[place]:
            return ANY
        if not self.counts[place]:
            return BOILERPLATE | CODE | TABLE | TEXT
        if place == self.title:
            return TITLE
        if place in self.repeats:
            return TITLE | TEXT | (0 if self._is_clean(place) else RELATED | BOILERPLATE)
        if form := self._form(place):
            return form
        if place in self.comments:
            return self.comments[place]
        if self.runs is not None:
            return self._run_roles(place)
        if self._is_clean(place):
            return self._content(place, _CLEAN[self.policy])
        return self._dirty(place, segment)

    def _is_clean(self, place: int, share: float = CLEAN_SHARE) -> bool:
        if not 0 <= place < len(self.counts) or self.embedded[place] or not self.counts[place]:
            return False
        if self.runs is not None:
            return self.runs[place][0] in _CLEAN_RUNS
        return self.matched[place] >= share * self.counts[place]

    def _content(self, place: int, allowed: int) -> int:
        """The roles of a segment in the gold text, narrowed by its elements and length."""
        segment = self.segments[place]
        path, tag = segment.get("path", ""), segment.get("tag", "")
        if not self.has_entries and _COMMENT_PATH.search(path) and _COMMENT_NAME.search(path):
            return allowed | COMMENT  # some gold texts have comments by mistake
        if "pre" in segment or "/pre" in path or "/code" in path:
            is_code = self.policy == "main" and path != "body/pre"  # which is a whole page of plain text
            return CODE if is_code else allowed & (CODE | TEXT | COMMENT)
        if self._is_caption(place, path):
            return CAPTION
        if _CAPTION_PATH.search(path[-_END:]):
            return allowed & (CAPTION | TEXT)
        if "\t" in segment["text"]:
            is_row = place > self.first and self.policy != "all" and words(segment["text"].partition("\t")[0])
            return TABLE if is_row else allowed & (TABLE | TEXT)
        if tag in ("td", "th") and (self.counts[place] < _MIN_TEXT or self.policy == "main"):
            # a data table, or tables as layout; gold standards of press pages have many of these
            return allowed & (TABLE | TEXT | COMMENT)
        if self.counts[place] >= _MIN_TEXT and self.matched[place] >= SURE_SHARE * self.counts[place]:
            return allowed & (TEXT | COMMENT)
        allowed |= self._head_roles(place)  # some gold texts have bylines and dates
        if self.counts[place] < MIN_MATCH and not (self._is_clean(place - 1) and self._is_clean(place + 1)):
            return allowed | RELATED | BOILERPLATE  # matched by chance, perhaps
        if tag == "h1":
            allowed |= TITLE
        is_text = self.matched[place] == self.counts[place] and tag in _TEXT_TAGS
        return allowed & (
            TEXT | (0 if is_text and not _FIGURE_PATH.search(path[-_END:]) else CAPTION) | _HEAD | COMMENT
        )

    def _dirty(self, place: int, segment: Segment) -> int:
        """The roles of a segment that is not in the gold text, narrowed by its place."""
        path = segment.get("path", "")
        if segment.get("rule") in MENU_RULES:
            return BOILERPLATE | (self._head_roles(place) & DATE)
        if place > self.first and _COMMENT_PATH.search(path):
            unknown = self.counts[place] >= _MIN_COMMENT and not self.has_entries and not self.knows_comments
            return COMMENT if unknown and _COMMENT_NAME.search(path) else COMMENT | BOILERPLATE
        allowed = _DIRTY[self.policy] & ~_HEAD | self._head_roles(place)
        if self.start < place < self.last and self._is_caption(place, path):
            return CAPTION
        if not _FIGURE_PATH.search(path[-_END:]):
            allowed &= ~CAPTION
        if not self.first < place < self.last:
            allowed &= ~TABLE
        is_linked = segment.get("links", 0) >= _LINKED * len(segment["text"])
        if place < self.first or self.knows_comments or is_linked or self.counts[place] < _MIN_COMMENT:
            allowed &= ~COMMENT
        is_outside = segment.get("rule") == "links" or not self.first < place < self.last
        if (
            is_linked
            and is_outside
            and self.counts[place] >= _MIN_RELATED
            and not (self.has_entries or allowed & _HEAD)
        ):
            return RELATED
        return allowed

    def _head_roles(self, place: int) -> int:
        """Of title, byline and date the roles that a segment may have by its place and form."""
        if not self.head[0] <= place <= self.head[1] or self.counts[place] > head_labels.MAX_WORDS:
            return 0
        text = self.segments[place]["text"]
        names = sum(word[0].isupper() or not word.isascii() for word in text.split())
        mask = BYLINE if 0 < self.counts[place] <= 2 * names and not self.has_entries else 0
        if self.title is None and self.counts[place] > 1:
            mask |= TITLE
        return mask | (DATE if head_labels.is_dated(text) else 0)

    def _is_caption(self, place: int, path: str) -> bool:
        """Whether the elements or the words of the segment say that it is a caption or a credit."""
        if self.counts[place] < _MIN_CAPTION or self.has_entries:
            return False
        if "/figcaption" in path:
            return True
        if _CREDIT.match(self.segments[place]["text"]):
            return self.counts[place] <= head_labels.MAX_WORDS
        if "aption" not in path:
            return False
        name = _CAPTION_NAME.search("/".join(path.rsplit("/", 2)[-2:]))
        return name is not None and (
            len(name[0]) > 8 or self._is_clean(place) or bool(_FIGURE_PATH.search(path[-_END:]))
        )

    def _form(self, place: int) -> int:
        """The roles of a short segment that looks like a byline or a date; 0 for any other."""
        if self.counts[place] > head_labels.MAX_WORDS:
            return 0
        in_head = self.head[0] <= place <= self.head[1]
        if not in_head and self.segments[place].get("rule") in MENU_RULES and not self._is_clean(place):
            return 0
        text = self.segments[place]["text"]
        if "\t" in text:
            return 0
        mask = mask_of(*head_labels.forms(text))
        if in_head and self.author and not mask & BYLINE and self._may_name_author(place):
            rest = head_labels.other_words(text)
            if len(self.author.intersection(rest)) >= 0.6 * len(self.author) and len(rest) <= len(self.author) + 4:
                mask = BYLINE | (DATE if head_labels.is_dated(text) else 0)
        if not mask:
            return 0
        if in_head and self._is_sure(place, mask, text):
            return mask
        if self._is_clean(place):
            return mask | _CLEAN[self.policy]
        return mask | COMMENT | RELATED | BOILERPLATE

    def _may_name_author(self, place: int) -> bool:
        """Whether the segment is at the head of the text, not in the name of the site, a menu or a credit."""
        segment = self.segments[place]
        if (
            segment.get("tag") == "h1"
            or segment.get("rule") in ("nav", "footer")
            or "/figcaption" in segment.get("path", "")
        ):
            return False
        return place >= self.first - _AFTER_TITLE if self.title is None else place >= self.title - 1

    def _is_sure(self, place: int, mask: int, text: str) -> bool:
        """Whether the byline or date among the first segments is that of the page, not of a teaser or the masthead."""
        named = head_labels.days(text) if mask & DATE else set()
        if named & self.days:
            return True
        if self.has_entries or self.segments[place].get("rule") == "links":
            return False
        if mask & DATE and not self._is_clean(place):
            return bool(named) and (self.title is None or place > self.title)
        return True

    def _run_roles(self, place: int) -> int:
        """The roles of a segment by the run of gold text that it is in (L3S-GN1)."""
        assert self.runs is not None
        role, sure = self.runs[place]
        if not role:
            return self._dirty(place, self.segments[place])
        allowed = _RUNS.get(role, ANY)
        if role == "text":
            return self._content(place, allowed if sure else allowed | CAPTION)
        if role == "supplement":
            if self._is_caption(place, self.segments[place].get("path", "")):
                return CAPTION
            late = place > self.first
            return allowed & ~(BYLINE | DATE) if late and self.counts[place] > 8 else allowed
        if role == "comments" and (
            self.counts[place] < _MIN_COMMENT or "/form" in self.segments[place].get("path", "")
        ):
            return COMMENT | BOILERPLATE  # some of these runs are forms and their labels
        return allowed if sure else allowed | BOILERPLATE

    def _comments(self, gold: str) -> dict[int, int]:
        """Place → mask of the segments in the gold text of readers' comments, and of those among them (Dragnet)."""
        rest = [place for place in range(len(self.counts)) if not self._is_clean(place) and not self.embedded[place]]
        counts, matched, _ = matched_words([self.segments[place]["text"] for place in rest], gold)
        found = {}
        for place, count, match in zip(rest, counts, matched):
            if count and match >= SURE_SHARE * count:
                found[place] = COMMENT if count >= MIN_MATCH else COMMENT | BOILERPLATE
        sure = [place for place, mask in found.items() if mask == COMMENT]
        if sure:
            for place in rest:
                if place not in found and sure[0] - 3 <= place <= sure[-1] + 3:
                    found[place] = COMMENT | BOILERPLATE
        return {place: mask for place, mask in found.items() if sure and sure[0] - 3 <= place <= sure[-1] + 3}

    def _head(self) -> tuple[int, int]:
        """The first and last of the segments among which are byline and date."""
        if self.title is None:
            return max(0, self.first - _AFTER_TITLE), self.first + _AFTER_TEXT
        end = min(self.first + _AFTER_TEXT, self.title + _MAX_HEAD)
        return max(0, self.title - _BEFORE_TITLE), max(self.title + _AFTER_TITLE, end)
