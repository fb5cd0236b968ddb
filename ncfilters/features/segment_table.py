"""The segments of a page as columns, from which features are computed.

    segment = {"text": "Home", "type": "l", "path": "body/nav/li", "tag": "li", "links": 4}
    table = build_table(ModelInput([segment]))
    table.numbers[CHARS], table.marks[0] & TYPE_L != 0    # (4.0, True)

The table has only the data of the segments' records. Plain text has no paths, tags or links: all its segments are in
the root.
"""

from __future__ import annotations

from array import array
from typing import Any

from ..native.sums import log1p, zero_floats, zero_ints
from ..page.blocks.block_table import BOLD, PRE, BlockTable
from ..page.element_table import ElementTable
from ..record import SEEN, check_optional
from ..text.char_classes import CHAR_COLUMNS, CHARS, CLASSES, SENTENCES, WORDS
from ..text.char_stats import count_characters
from .document import Head, ModelInput
from .places import Places
from .schema import (
    AFTER,
    BEFORE,
    CATEGORIES,
    DENSITY,
    EACH,
    EMBEDDED,
    FLAGS,
    H1,
    HEADING,
    LINKS,
    LONG,
    NUMBERS,
    PROSE,
    READS,
    RULED,
    TYPE_H,
    TYPE_L,
    WEIGHT,
)

_CODES = {field: {name: code for code, name in enumerate(names)} for field, names in CATEGORIES.items()}
# A paragraph of prose has a sentence, at least so many words, and at most this share of links.
PROSE_WORDS, PROSE_LINKS = 8, 0.4
# A longer heading does not count as the heading of the segments below it.
MAX_HEADING_CHARS = 90
# A repeated text of at least so many words counts as repeated content; shorter ones repeat anywhere.
MIN_REPEATED_WORDS = 6
# Typed copies; and what is added to weights, in single precision.
_PROSE_WORDS, _PROSE_LINKS, _MAX_HEADING_CHARS, _MIN_REPEATED = (
    PROSE_WORDS,
    PROSE_LINKS,
    MAX_HEADING_CHARS,
    MIN_REPEATED_WORDS,
)
_LEAST_WEIGHT = array("f", [0.1])[0]
# The fields of a segment's kind, and what a kind has of them: the category of each (-1: none), and FLAGS.
Key = tuple[str, str, str, str, str, bool, bool, bool]
Kind = tuple[tuple[int, ...], tuple[bool, ...]]


class SegmentTable:
    """A row for each segment.

    `texts`; `numbers` (floats, NUMBERS a row) and `marks`, as `columns` names them; `same`, the first segment with the
    same text; `heading`, the last heading before it, -1 for none; `kind`, an index into `kinds`; `places`, in the
    elements of the page. Of the page: `kinds` of segments; `chars`, its characters, and `prose_chars`, those of prose;
    `head`.
    """

    def __init__(self, texts: list[str], kinds: list[Key], kind: Any, places: Places, head: Head) -> None:
        self.size = len(texts)
        self.texts, self.head, self.kind, self.places = texts, head, kind, places
        self.kinds: list[Kind] = [(_categories(key[:5]), key[5:]) for key in kinds]
        self.numbers: Any = zero_floats(NUMBERS * self.size)
        self.marks: Any = zero_ints(self.size)
        self.same: Any = zero_ints(self.size)
        self.heading: Any = zero_ints(self.size)
        self.chars = self.prose_chars = 0.0

    def __len__(self) -> int:
        return self.size

    def read(self, links: list[int]) -> None:
        """Sets the numbers and marks of segments with so many characters in links."""
        numbers, marks, same, texts = self.numbers, self.marks, self.same, self.texts
        of_kinds = array("i", [_marks(*kind) for kind in self.kinds] or [0])
        counts = zero_ints(CLASSES)
        first: dict[str, int] = {}
        heading = -1
        for at in range(self.size):
            text = texts[at]
            self.heading[at] = heading
            row = at * NUMBERS
            before = same[at] = first.setdefault(text, at)
            mark = of_kinds[self.kind[at]]
            if before == at:
                encoded = text.encode("utf-8", "surrogatepass")
                count_characters(encoded, len(text), counts, numbers, row)
            else:
                for column in range(CHAR_COLUMNS):
                    numbers[row + column] = numbers[before * NUMBERS + column]
                mark |= BEFORE
            chars = numbers[row + CHARS]
            linked = links[at]
            numbers[row + LINKS] = linked = 0 if linked < 0 else chars if linked > chars else linked
            bounded = chars if chars > 1 else 1
            numbers[row + EACH] = 1 / bounded
            numbers[row + DENSITY] = linked / bounded
            numbers[row + WEIGHT] = log1p(chars)
            numbers[row + WEIGHT] += _LEAST_WEIGHT
            words = numbers[row + WORDS]
            if numbers[row + SENTENCES] > 0 and words >= _PROSE_WORDS and linked / bounded < _PROSE_LINKS:
                mark |= PROSE
                self.prose_chars += chars
            if mark & TYPE_H and chars < _MAX_HEADING_CHARS:
                mark |= HEADING
                heading = at
            if words >= _MIN_REPEATED:
                mark |= LONG
            marks[at] = mark
            self.chars += chars
        seen = bytearray(self.size)
        for at in range(self.size - 1, -1, -1):
            before = same[at]
            if seen[before]:
                marks[at] |= AFTER
            seen[before] = 1


def build_table(document: ModelInput) -> SegmentTable:
    """The segments of a document as a table. Segments without `path`, `tag` or `links` count as those of plain text.

    Raises RecordError, TypeError or AttributeError if a field of READS has another type.
    """
    segments: Any = document.segments
    keys: dict[Key, int] = {}  # in order of appearance
    if isinstance(segments, BlockTable):
        texts, links, elements, rows = segments.text, segments.links, segments.elements, segments.element
        kind = _kinds_of_table(segments, keys)
    else:
        texts, links, elements, rows = [], [], ElementTable(), []
        kind = _read_segments(list(segments), keys, texts, links, elements, rows)
    table = SegmentTable(texts, list(keys), kind, Places(elements, rows), document.head)
    table.read(links)
    return table


def _read_segments(
    segments: list[Any],
    keys: dict[Key, int],
    texts: list[str],
    links: list[int],
    elements: ElementTable,
    rows: list[int],
) -> Any:
    """Appends the columns of segments and their *elements*, and returns their kinds, by which new *keys* are
    numbered."""
    size = len(segments)
    kind = zero_ints(size)
    for at in range(size):
        segment = segments[at]
        key = (
            segment.get("type", ""),
            segment.get("tag", ""),
            segment.get("rule", ""),
            segment.get("origin", ""),
            segment.get("hidden", ""),
            "bold" in segment,
            "marker" in segment,
            "pre" in segment,
        )
        number = keys.get(key)
        if number is None:
            number = keys[key] = len(keys)
            if not {str, bool}.issuperset(map(type, key)) or bool in map(type, key[:5]):
                _refuse(segments)
        kind[at] = number
        text, path, linked = segment["text"], segment.get("path", ""), segment.get("links", 0)
        if type(text) is not str or type(path) is not str or type(linked) is not int:
            _refuse(segments)
        texts.append(text)
        rows.append(elements.add(path))
        links.append(linked)
    return kind


def _kinds_of_table(table: BlockTable, keys: dict[Key, int]) -> Any:
    """The kinds of segments in a table."""
    size = len(table.text)
    kind = zero_ints(size)
    types, tags, rules, origins, hidden = table.type, table.tag, table.rule, table.origin, table.hidden
    for at in range(size):
        flags = table.flags[at]
        key = (
            types[at] or "",
            tags[at] or "",
            rules[at] or "",
            origins[at] or "",
            hidden[at] or "",
            flags & BOLD != 0,
            table.marker[at] is not None,
            flags & PRE != 0,
        )
        kind[at] = keys.setdefault(key, len(keys))
    return kind


def _refuse(segments: list[Any]) -> None:
    """Raises RecordError for the first of the segments with a value of another type than READS has; TypeError for a
    text that is none."""
    check_optional(segments, "segments", READS)
    raise TypeError("a segment without a text")


def _categories(values: tuple[str, ...]) -> tuple[int, ...]:
    """The category of each field of CATEGORIES, -1 for none."""
    out = []
    for value, (field, codes) in zip(values, _CODES.items()):
        name = value.partition(":")[0] if field == "origin" else value
        out.append(codes.get(name, len(codes) - 1) if name else -1)
    return tuple(out)


def _marks(categories: tuple[int, ...], flags: tuple[bool, ...]) -> int:
    """The marks of a kind of segment."""
    of_type, tag, rule, origin, _ = categories
    names = CATEGORIES["origin"]
    marks = {0: 0, 1: TYPE_H, 2: TYPE_L, -1: 0}[of_type]
    marks |= H1 * (tag == _CODES["tag"]["h1"]) | RULED * (rule >= 0)
    return marks | EMBEDDED * (origin >= 0 and names[origin] not in SEEN)


assert len(FLAGS) == 3 and CATEGORIES["type"] == ("p", "h", "l")
