"""The headline of a page: of its headings h1 the one that its head says, or else what its head says.

declared = [("It rained - The Gazette", "meta og:title")]
headline(declared, ["News", "It rained"], lambda text: text.partition(" - ")[0])    # ('It rained', 'meta og:title')
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice

from ...text.lazy_pattern import lazy_pattern
from .dates import iso_day
from .site_name import first_part, is_below_front_page, title_key, title_parts, without_site_name
from .statements import Statement, line

# Characters of a title.
MAX_TITLE_CHARS = 300
# A heading h1 with this overlap with the title in the head (the F of distinct words) is the title. Of 1,497 WCXB
# development pages, 88 % of the articles get the title of the gold standard by that, 76 % by the head alone.
MIN_OVERLAP = 0.4
# Characters of a headline that may be cut.
MIN_CUT = 60
# Words of a title that may be in a longer heading.
MIN_WORDS = 4

_NUMBER = lazy_pattern(r"\d+(?:\.\d+)*\.?\s+(?=\D)")
# What the part of a title after the first begins with.
_PART_SIGNS = frozenset("|~-<>«·»–—•:/")
# What a title for other sites ends with, though nothing was cut.
_CUT = ("...", "…")
# The title of the window, by its evidence.
WINDOW = "title"
# What programs write for a title that nobody has set.
NO_TITLES = frozenset(("untitled", "untitled document", "untitled page", "document", "new page 1", "无标题文档"))


def page_title(
    statements: Sequence[tuple[str, Statement]], window: str, headings: list[str], url: str, sites: list[str]
) -> Statement | None:
    """The headline: the heading h1 that says what the head says, or else the title in the head without the site; and
    its evidence. *statements*: what the sources say, the most trusted first; *window*: the title of the window."""
    declared = [(line(text)[:MAX_TITLE_CHARS], evidence) for _, (text, evidence) in statements]
    declared = [(text, evidence) for text, evidence in (*declared, (window[:MAX_TITLE_CHARS], WINDOW)) if text]
    return headline(declared, headings, lambda text: _without_site(text, url, sites), sites)


def headline(
    declared: Sequence[Statement],
    headings: Sequence[str],
    without_site: Callable[[str], str] = str,
    sites: Collection[str] = (),
) -> tuple[str, str] | None:
    """The title and its evidence, by the *declared* titles of the head, the most trusted first, and by the texts
    of the h1 on the page; None if neither says it. *without_site* takes the name of the site from a title; headings
    that are the name of one of *sites* are none."""
    if not declared:
        return (headings[0], "h1") if len(headings) == 1 else None
    heads = _Heads(declared, without_site)
    first = heads[0]
    if len(first[0]) > MIN_CUT:  # a headline may be cut for search engines
        first = next((head for head in islice(heads, 1, None) if _continues(first[0], head[0])), first)
    own = _own_headings(headings, declared, sites)
    found = _heading(own, heads, declared, first) if own else ""
    if not found:
        return first
    if found.isupper():  # by its design
        for text, evidence in (*heads, *declared):
            if not text.isupper() and (place := text.upper().find(found)) >= 0 and len(text) == len(text.upper()):
                return text[place : place + len(found)], evidence
    key = title_key(found)
    said = next((head for head in heads if head[0] == found or title_key(head[0]) == key), (found, "h1"))
    return said if found.endswith(_CUT) or not said[0].endswith(_CUT) else (found, said[1])


def _without_site(title: str, url: str, sites: list[str]) -> str:
    """*title* without the name of the site, also if it has that twice or before a colon."""
    out = without_site_name(title, url, sites)
    parts = title_parts(out)
    start, colon, rest = out.partition(": ")
    if not parts and not colon:
        return out
    known = {key for site in sites if (key := title_key(site))}
    if parts and title_key(parts[1]) in known:
        return parts[0]
    return rest if colon and title_key(start) in known and is_below_front_page(url) else out


class _Heads:
    """The *declared* titles without the name of the site, each when it is asked for: few are needed."""

    def __init__(self, declared: Sequence[Statement], without_site: Callable[[str], str]) -> None:
        self._declared, self._without_site = declared, without_site
        self._known: dict[str, str] = {}

    def __iter__(self) -> Iterator[Statement]:
        return map(self.__getitem__, range(len(self._declared)))

    def __getitem__(self, place: int) -> Statement:
        text, evidence = self._declared[place]
        if (out := self._known.get(text)) is None:  # most sources say the same
            out = self._known[text] = self._without_site(text)
        return out, evidence


def _own_headings(headings: Sequence[str], declared: Sequence[Statement], sites: Collection[str]) -> list[str]:
    """The *headings* that may be the title."""
    names = {title_key(site) for site in sites}
    own = [text for text in headings if len(text) <= MAX_TITLE_CHARS and title_key(text) not in names]
    own = [_without_name(heading, names) for heading in own]
    if len(own) > 1 and sum(_NUMBER.match(heading) is not None for heading in own) > 1:  # sections
        own = [heading for heading in own if not _NUMBER.match(heading)]
    return own


def _heading(own: list[str], heads: _Heads, declared: Sequence[Statement], first: Statement) -> str:
    """The heading that is the title; a title of the head that is in a heading which has little more; empty if none is
    either. *first*: what the head says first."""
    distinct = {title_key(heading): heading for heading in own}
    # what the window says of each page of a site is no title: "Reddit - The heart of the internet", "notebook3"
    is_alone = len(distinct) == 1 and all(evidence == WINDOW for _, evidence in declared)
    window = declared[0][0]
    if is_alone and (
        title_parts(window) or (" " not in window and window.isascii()) or _words(first[0]) & _words(own[0])
    ):
        return own[0]
    # a heading that the head has in the same words, or in the same with the name of the site
    for text, _ in heads:
        if (key := title_key(text)) in distinct:
            return distinct[key]
    # a heading of one or two words may be all of the title but the name of a manual
    texts = dict.fromkeys([text for text, _ in declared])
    parts = [parts for text in texts if (parts := title_parts(text))]
    starts = {title_key(start) for start, _ in parts} | {title_key(first_part(text)) for text in texts}
    if whole := next((heading for heading in own if title_key(heading) in starts), ""):
        ends = {title_key(end) for _, end in parts}  # the heading of a section is above that of the page
        return next(
            (heading for heading in own if len(heading.split()) > len(whole.split()) and title_key(heading) in ends),
            whole,
        )
    keys = [_words(text) for text in dict.fromkeys([first[0], declared[0][0], heads[-1][0]])]
    overlap, best = max([(_overlap(heading, keys), -place) for place, heading in enumerate(own)])
    if overlap < MIN_OVERLAP or not (heading := own[-best]):
        return ""
    return next((text for text, _ in heads if _is_all_but_label(text, heading)), heading)


def _is_all_but_label(text: str, heading: str) -> bool:
    """Whether a *heading* is the title *text* after a day or a label ("Blog:"), or before what is in brackets or after
    a bar."""
    if len(text.split()) < MIN_WORDS or (place := heading.find(text)) < 0:
        return False
    before, after = heading[:place].strip(), heading[place + len(text) :].strip()
    return before.endswith(":") or iso_day(before) != "" or not before and after.startswith(("(", "|"))


def _without_name(heading: str, names: Collection[str]) -> str:
    """A *heading* without a last part that is the name of the site."""
    parts = title_parts(heading)
    return parts[0] if parts and title_key(parts[1]) in names else heading


def _continues(start: str, text: str) -> bool:
    """Whether *text* is *start* and more words, which no sign separates, as it does the name of a section."""
    start = start.rstrip(" .…")
    if len(text) <= len(start) or not text.startswith(start) or not text[len(start)].isspace():
        return False
    return text[len(start) :].lstrip()[:1] not in _PART_SIGNS


def _words(text: str) -> set[str]:
    return set(title_key(text).split())


def _overlap(text: str, keys: list[set[str]]) -> float:
    words = _words(text)
    return max([2 * len(words & key) / max(len(words) + len(key), 1) for key in keys])
