"""The segments of a page for those who look for some of them: searched in C where they are there, else one by one.

segments = [{"text": "Rain"}, {"text": "By Ann Lee", "tag": "p"}, {"text": "It rained.", "tag": "h1"}]
places_of_title(segments, "Rain"), first_heading(segments), first_long(segments, 10)    # ((0, None), 2, 1)

All other functions may find more than what they look for: they leave out only what cannot be it, and without the core
little of that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple, overload

from ..page.metadata.site_name import title_key
from ..record import Segment

# Characters that one becomes when its case is folded; and of a segment, for each of the title that it is.
MAX_CASEFOLDED, MAX_TITLE_TIMES = 3, 2
# What is beside days: words of which no name has one, in folded case, with "|" between two; and the most characters of
# a text.
Beside = tuple[str, int]
# The indexes of two segments, each None if there is none.
Places = tuple["int | None", "int | None"]

_HEADINGS, _ALL_HEADINGS = frozenset(("h1", "h2")), frozenset(("h1", "h2", "h3", "h4"))


class Around(NamedTuple):
    """Numbers of segments before and after one, and the most characters of these segments."""

    before: int
    after: int
    most: int


class Bylines(NamedTuple):
    """How bylines begin: two *letters* of ASCII, or a letter beyond ASCII of *others*; and what they have: one
    of *words*, or one of *labels* and a colon. All in folded case, letters and words with "|" between two."""

    letters: str
    others: str
    words: str
    labels: str


class Authors(NamedTuple):
    """Words in folded case that names of elements and addresses of links have which name authors, "|" between two."""

    elements: str
    addresses: str


class Labels(NamedTuple):
    """How labels *start*, and words that those of *authors* and those of *days* have, all in folded case, with "|"
    between two."""

    starts: str
    authors: str
    days: str


class Biographies(NamedTuple):
    """Texts of *least* to *most* characters that begin with a name of up to four words and one of *verbs*, and have one
    of *words*, in folded case, in their first *chars* characters. Words have "|" between two. If *above* is not 0, a
    segment with at most so many characters, and their first word, is above, with at most *between* others between the
    two."""

    least: int
    most: int
    verbs: str
    words: str
    chars: int
    between: int = 0
    above: int = 0


class PageSegments(Sequence[Segment]):
    """The segments of a page in the compiled core: each is a dict once it is read: its text, its tag, its path, its
    origin, and its links if its text is short."""

    __slots__ = ("_count", "_known", "_places", "capsule", "core", "parts", "places")

    def __init__(self, core: Any, capsule: Any, count: int) -> None:
        self.core, self.capsule, self._count = core, capsule, count
        self._known: dict[int, Segment] = {}
        self._places: dict[str, Places] = {}
        self.places: dict[str, int | None] = {}  # of titles that have been looked for
        self.parts: dict[str, tuple[str, int] | None] = {}  # of these, too

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Segment: ...

    @overload
    def __getitem__(self, at: slice) -> list[Segment]: ...

    def __getitem__(self, at: int | slice) -> Segment | list[Segment]:
        if isinstance(at, slice):
            known = self._known
            return [known.get(number) or self[number] for number in range(*at.indices(self._count))]
        number = at + self._count if at < 0 else at
        if (segment := self._known.get(number)) is None:
            segment = self._known[number] = self.core.marked_segment(self.capsule, number)
        return segment

    def places_of_title(self, title: str) -> Places:
        """As the function below."""
        found = self._places.get(title)
        if found is None:  # the title of a page is sought several times
            found = self._places[title] = self.core.marked_places(self.capsule, title, title_key)
        return found

    def part_of_title(self, title: str, most: int, least: int) -> tuple[str, int] | None:
        """As `first_part`, of the parts of a title, less than *most*; NotImplemented if Python has to say it."""
        found: tuple[str, int] | None = self.core.marked_title_part(self.capsule, title, most, least, title_key)
        return found

    def first_part(self, parts: list[str], least: int) -> tuple[int, int]:
        """The numbers of the part that the function below finds, and of its segment; or -1 and -1."""
        found: tuple[int, int] = self.core.marked_part(self.capsule, parts, least, title_key)
        return found

    def headings(self, most: int, least: int, before: int) -> tuple[list[int], list[int]]:
        """As the function below."""
        found: tuple[list[int], list[int]] = self.core.marked_headings(self.capsule, most, least, before)
        return found

    def first_heading(self) -> int:
        """As the function below; -1 if there is none."""
        out: int = self.core.marked_heading(self.capsule)
        return out

    def first_long(self, least: int) -> int:
        """As the function below; -1 if there is none."""
        out: int = self.core.marked_long(self.capsule, least)
        return out


def places_of_title(segments: Sequence[Segment], title: str) -> Places:
    """The index of the first h1 or h2 with the `title_key` of *title*, or else of the first such segment; and that of
    the first such segment before it. They have at most MAX_TITLE_TIMES its characters."""
    if isinstance(segments, PageSegments):
        return segments.places_of_title(title)
    key, most, first = title_key(title), MAX_TITLE_TIMES * len(title), None
    word, least = key.partition(" ")[0], len(key) // MAX_CASEFOLDED
    for number, segment in enumerate(segments if key else ()):
        text = segment["text"]
        if least <= len(text) <= most and word in text.casefold() and title_key(text) == key:
            if segment.get("tag") in _HEADINGS:
                return number, first
            first = number if first is None else first
    return first, None


def first_part(segments: Sequence[Segment], parts: list[str], least: int) -> tuple[str, int] | None:
    """The first of the *parts* of a title, with at least *least* characters in its `title_key`, for which
    `places_of_title` finds a segment, and the index of that."""
    if isinstance(segments, PageSegments):
        number, place = segments.first_part(parts, least)
        return (parts[number], place) if number >= 0 else None
    for part in parts:
        if len(title_key(part)) >= least and (found := places_of_title(segments, part)[0]) is not None:
            return part, found
    return None


def headings(segments: Sequence[Segment], most: int, least: int, before: int) -> tuple[list[int], list[int]]:
    """Of the first *most* segments, the indexes of the first two h1, and those of headings, from h1 to h4, among the
    *before* segments before the first one of *least* characters that is no such heading."""
    if isinstance(segments, PageSegments):
        return segments.headings(most, least, before)
    tags = [segment.get("tag") for segment in segments[:most]]
    texts = (n for n, tag in enumerate(tags) if len(segments[n]["text"]) >= least and tag not in _ALL_HEADINGS)
    place = next(texts, 0)
    tops = [number for number, tag in enumerate(tags) if tag == "h1"][:2]
    return tops, [n for n in range(max(place - before, 0), place) if tags[n] in _ALL_HEADINGS]


def first_heading(segments: Sequence[Segment]) -> int | None:
    """The index of the first segment of an h1; None if there is none."""
    if isinstance(segments, PageSegments):
        number = segments.first_heading()
        return None if number < 0 else number
    return next((number for number, segment in enumerate(segments) if segment.get("tag") == "h1"), None)


def first_long(segments: Sequence[Segment], least: int) -> int | None:
    """The index of the first segment of at least so many characters; None if there is none."""
    if isinstance(segments, PageSegments):
        number = segments.first_long(least)
        return None if number < 0 else number
    return next((number for number, segment in enumerate(segments) if len(segment["text"]) >= least), None)


def numbers_around(segments: Sequence[Segment], place: int, where: Around) -> list[int]:
    """The indexes of the segments around one, however long; what follows it is nearer than what is before it."""
    last, first = min(place + 1 + where.after, len(segments)), max(place - where.before, 0)
    return [*range(place + 1, last), *range(place - 1, first - 1, -1)]


def statements_around(
    segments: Sequence[Segment],
    place: int,
    where: Around,
    said: tuple[Bylines, Authors, str, Beside],
    wanted: Collection[str],
    changes: str = "",
) -> list[tuple[int, bool, bool, bool, bool, bool]]:
    """The indexes of the segments around one that may say a day, if other than the author is *wanted*, or an author, in
    a byline or where a day is around; and whether each may have a day, be a byline, have the element or a link of an
    author, have one of the words in *said*, and have a name beside a day. With *changes*, only days beside one of these
    words count. Words are in folded case, with "|" between two."""
    if isinstance(segments, PageSegments):
        with_author = "author" in wanted
        asked = with_author, len(wanted) > with_author, changes
        found: list[tuple[int, bool, bool, bool, bool, bool]]
        found = segments.core.marked_around(segments.capsule, place, *where, said[0], *said[1], *said[2:], *asked)
        return found
    near = numbers_around(segments, place, where)
    return [(number, True, True, True, True, True) for number in near if len(segments[number]["text"]) <= where.most]


def names_around(segments: Sequence[Segment], place: int, where: Around, least: int) -> list[int]:
    """The indexes of the segments around one, of at least *least* characters, that may be full names of two to four
    words."""
    if isinstance(segments, PageSegments):
        found: list[int] = segments.core.marked_names(segments.capsule, place, *where[:2], least, where.most)
        return found
    return [n for n in numbers_around(segments, place, where) if least <= len(segments[n]["text"]) <= where.most]


def digits_around(segments: Sequence[Segment], place: int, where: Around, least: int) -> list[int]:
    """The indexes of the segments around one, of at least *least* characters, that may have a digit of ASCII."""
    if isinstance(segments, PageSegments):
        found: list[int] = segments.core.marked_digits(segments.capsule, place, *where[:2], least, where.most)
        return found
    return [n for n in numbers_around(segments, place, where) if least <= len(segments[n]["text"]) <= where.most]


def bylines(segments: Sequence[Segment], first: int, count: int, most: int, said: Bylines) -> list[int]:
    """The indexes of segments with at most *most* characters that may be bylines, of *count* from *first* on."""
    if isinstance(segments, PageSegments):
        found: list[int] = segments.core.marked_bylines(segments.capsule, first, count, most, said)
        return found
    some = range(first, min(first + count, len(segments)))
    return [number for number in some if len(segments[number]["text"]) <= most]


def with_name(segments: Sequence[Segment], key: str, near: range, most: int, said: Bylines) -> Iterable[int]:
    """The indexes of the segments with at most *most* characters that may have *key* in their `title_key`; of those
    that are not *near*, only of bylines."""
    if isinstance(segments, PageSegments):
        found: Iterable[int] = segments.core.marked_with_name(
            segments.capsule, key, most, near.start, near.stop - 1, said
        )
        return found
    word = max(key.split(), key=len, default="")
    texts = ((number, segment["text"]) for number, segment in enumerate(segments))
    return (number for number, text in texts if len(text) <= most and word in text.casefold())


def with_label(
    segments: Sequence[Segment], labels: Labels, most: int, with_author: bool, with_day: bool
) -> Iterable[int]:
    """The indexes of the segments with at most *most* characters that may begin with a label: *with_author*, one of an
    author, or *with_day*, one of a day where the text or the next one has a day."""
    if isinstance(segments, PageSegments):
        found: Iterable[int] = segments.core.marked_labels(segments.capsule, most, *labels, with_author, with_day)
        return found
    letters = {start[0] for start in labels.starts.split("|")}
    return (
        number
        for number, segment in enumerate(segments)
        if segment["text"][:1].casefold()[:1] in letters and len(segment["text"]) <= most
    )


def with_day(segments: Sequence[Segment], least: int, most: int, limit: int) -> list[int]:
    """The indexes of the segments that may have a day, of the first *limit* of *least* to *most* characters that have
    "19" or "20"."""
    if isinstance(segments, PageSegments):
        found: list[int] = segments.core.marked_days(segments.capsule, least, most, limit)
        return found
    texts = ((number, segment["text"]) for number, segment in enumerate(segments))
    return [*islice((n for n, text in texts if least <= len(text) <= most and ("20" in text or "19" in text)), limit)]


def biographies(segments: Sequence[Segment], first: int, sought: Biographies) -> Sequence[int]:
    """The indexes, from *first* on, of segments that may be biographies. Segments that are dicts already may be any."""
    if isinstance(segments, PageSegments):
        found: Sequence[int] = segments.core.marked_biographies(segments.capsule, first, *sought)
        return found
    return range(first, len(segments))


def named_biographies(
    segments: Sequence[Segment], place: int, where: Around, least: int, sought: Biographies
) -> Sequence[int]:
    """The indexes of segments behind one that may be biographies which begin with a full name, of at least *least*
    characters, that is a segment around it. Segments that are dicts already may be any."""
    if isinstance(segments, PageSegments):
        found: Sequence[int] = segments.core.marked_named(
            segments.capsule, place, *where[:2], least, where.most, sought
        )
        return found
    return range(place + 1, len(segments))


def have_roles(segments: Sequence[Segment]) -> bool:
    """Whether segments may have roles: those that a page has just become have none."""
    return not isinstance(segments, PageSegments)
