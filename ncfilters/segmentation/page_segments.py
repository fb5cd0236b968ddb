"""The segments of a page for those who look for some of them: searched in C where they are there, else one by one.

segments = [{"text": "Rain"}, {"text": "By Ann Lee", "tag": "p"}, {"text": "It rained.", "tag": "h1"}]
list(with_word(segments, "ann", 1, 60)), list(with_start(segments, "by|it", 60))   # ([1], [1, 2])
first_heading(segments)                                                            # 2

What is found may be more than what is looked for: all but `first_heading` leave out only what cannot be it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, overload

from ..record import Segment

# Characters that one becomes when its case is folded.
MAX_CASEFOLDED = 3


class Words(NamedTuple):
    """Words in folded case, with "|" between two: of texts, of names of elements, of addresses of links."""

    texts: str
    elements: str
    addresses: str


class Biographies(NamedTuple):
    """Texts of *least* to *most* characters that begin with a name of up to four words and one of *verbs*, and have one
    of *words*, in folded case, in their first *chars* characters. Words have "|" between two."""

    least: int
    most: int
    verbs: str
    words: str
    chars: int


class PageSegments(Sequence[Segment]):
    """The segments of a page in the compiled core: each is a dict once it is read: its text, its tag, its path, its
    origin, and its links if its text is short."""

    __slots__ = ("_capsule", "_core", "_count", "_keys", "_known", "places")

    def __init__(self, core: Any, capsule: Any, count: int) -> None:
        self._core, self._capsule, self._count = core, capsule, count
        self._known: dict[int, Segment] = {}
        self._keys: dict[tuple[str, int], list[int]] = {}
        self.places: dict[str, int | None] = {}  # of titles that have been looked for

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
            segment = self._known[number] = self._core.marked_segment(self._capsule, number)
        return segment

    def with_key(self, key: str, most: int) -> list[int]:
        """As the function below."""
        found = self._keys.get((key, most))
        if found is None:  # the title of a page is sought several times
            found = self._keys[key, most] = self._core.marked_with_key(self._capsule, key, most)
        return found

    def with_word(self, word: str, least: int, most: int) -> list[int]:
        """As the function below."""
        out: list[int] = self._core.marked_with_word(self._capsule, word, least, most)
        return out

    def with_start(self, starts: str, most: int) -> list[int]:
        """As the function below."""
        out: list[int] = self._core.marked_with_start(self._capsule, starts, most)
        return out

    def that_say(self, numbers: list[int], most: int, words: Words) -> list[int]:
        """As the function below."""
        out: list[int] = self._core.marked_that_say(self._capsule, numbers, most, *words)
        return out

    def biographies(self, first: int, sought: Biographies) -> list[int]:
        """As the function below."""
        out: list[int] = self._core.marked_biographies(self._capsule, first, *sought)
        return out

    def first_heading(self) -> int:
        """As the function below; -1 if there is none."""
        out: int = self._core.marked_heading(self._capsule)
        return out


def with_key(segments: Sequence[Segment], key: str, most: int) -> Iterable[int]:
    """The indexes of the segments that may have *key* as their `title_key`, of those with at most *most* characters."""
    if isinstance(segments, PageSegments):
        return segments.with_key(key, most)
    return with_word(segments, key.partition(" ")[0], len(key) // MAX_CASEFOLDED, most)


def with_word(segments: Sequence[Segment], word: str, least: int, most: int) -> Iterable[int]:
    """The indexes of the segments that may have *word* in their text, both in folded case, of those with *least* to
    *most* characters."""
    if isinstance(segments, PageSegments):
        return segments.with_word(word, least, most)
    return (
        number
        for number, segment in enumerate(segments)
        if least <= len(segment["text"]) <= most and word in segment["text"].casefold()
    )


def with_start(segments: Sequence[Segment], starts: str, most: int) -> Iterable[int]:
    """The indexes of the segments that may begin with one of *starts*, which are in folded case and have "|" between
    two, of those with at most *most* characters."""
    if isinstance(segments, PageSegments):
        return segments.with_start(starts, most)
    letters = {start[0] for start in starts.split("|")}
    return (
        number
        for number, segment in enumerate(segments)
        if segment["text"][:1].casefold()[:1] in letters and len(segment["text"]) <= most
    )


def that_say(segments: Sequence[Segment], numbers: list[int], most: int, words: Words) -> list[int]:
    """Those of *numbers* that are the indexes of segments which may have one of *words*, of those with at most *most*
    characters. Segments that are dicts already may be any."""
    return segments.that_say(numbers, most, words) if isinstance(segments, PageSegments) else numbers


def biographies(segments: Sequence[Segment], first: int, sought: Biographies) -> Iterable[int]:
    """The indexes, from *first* on, of segments that may be biographies. Segments that are dicts already may be any."""
    if isinstance(segments, PageSegments):
        return segments.biographies(first, sought)
    return range(first, len(segments))


def first_heading(segments: Sequence[Segment]) -> int | None:
    """The index of the first segment of an h1; None if there is none."""
    if isinstance(segments, PageSegments):
        number = segments.first_heading()
        return None if number < 0 else number
    return next((number for number, segment in enumerate(segments) if segment.get("tag") == "h1"), None)


def have_roles(segments: Sequence[Segment]) -> bool:
    """Whether segments may have roles: those that a page has just become have none."""
    return not isinstance(segments, PageSegments)
