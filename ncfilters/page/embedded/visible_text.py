"""The visible text of a page, against which other content is compared, sentence by sentence.

visible = VisibleText("Rain is likely. Take a coat.")
visible.add_missing("Rain is  likely.  Snow is not, they say, before the new year.")
# ["Snow is not, they say, before the new year."]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate

from ...native.element_names import ITEMPROP, ITEMTYPE
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ...text.scripts import cut_pattern
from ..blocks.block_table import BlockTable
from ..blocks.raised_text import PLAIN_SIGNS, RAISED
from ..tree.survey import rows_with

# Bytes of UTF-8 that comparison ignores: ASCII except letters and digits, and the bytes of no-break spaces, soft
# hyphens and general punctuation (U+200B to U+2027). Both texts lose them, so that equal texts stay equal.
_IGNORED_BYTES = bytes(
    [code for code in range(128) if not chr(code).isalnum()]
    + [0xC2, 0xE2, *range(0x80, 0x81), *range(0x8B, 0xA9), 0xAD]
)
# Bytes that superscripts and subscripts begin with; the last one begins currency signs, too.
_RAISED_STARTS = ("²".encode(), "³".encode(), "¹".encode(), b"\xe2\x81", b"\xe2\x82")
_LOWER_CASE = bytes(code + 32 if 0x41 <= code <= 0x5A else code for code in range(256))

# Bytes of comparison keys. A sentence shorter than MIN_KEY_BYTES is treated like the one before it. For a sentence
# longer than MAX_WHOLE_BYTES, NUM_PROBES parts of PROBE_BYTES are searched, and MIN_PROBES of them must be visible, so
# that an ellipsis or a corrected word does not count as a difference.
MIN_KEY_BYTES, MAX_WHOLE_BYTES, PROBE_BYTES = 12, 60, 20
NUM_PROBES, MIN_PROBES = 3, 2
# Bytes that are searched for one page (20 ms; 1 s in the worst case).
MAX_SEARCHED_BYTES = 64 << 20

# Properties that are content, and types whose names and texts are. On 320 pages of recipes, 97 % of the segments that
# show them are lines of the recipe. Bodies of articles, posts and answers are not among them: on 1,497 pages of WCXB, F
# is 0.02 to 0.05 points lower with them, because they are whole pages, with buttons, captions and related articles.
PROPERTIES = frozenset(("recipeIngredient", "ingredients", "recipeInstructions", "tool", "supply"))
STEP_TYPES, STEP_PROPERTIES = frozenset(("HowToSection", "HowToStep", "HowToDirection")), frozenset(("name", "text"))
# Bytes of comparison keys. A shorter text must be all that some blocks show: `salt` stands in many words.
MIN_INSIDE_BYTES = 20
# A block shows declared text if at least this share of its letters and digits is declared.
MIN_SHARE = 0.5
# Bytes that are searched for one page; elements with microdata that are read, and characters of them.
MAX_COMPARED_BYTES, MAX_ELEMENTS, MAX_CHARS = 16 << 20, 1_000, 1 << 20
# Different properties of a page: their numbers are bytes.
MAX_NAMES = 255

_MICRODATA = PROPERTIES | STEP_PROPERTIES
_LINE_TAG = lazy_pattern(r"<(?:/?(?:p|div|li|[uod]l|h[1-6]|tr|t[dh]|table|section|d[dt])|br)(?![\w-])[^<>]*>", re.I)
_TAG = lazy_pattern(r"</?[a-z][^<>]*>", re.I)


def comparison_key(text: str) -> bytes:
    """The letters and digits of *text* in UTF-8, those of ASCII in lower case. Superscripts and subscripts are plain
    ones, because only some forms of a text have them."""
    data = text.encode("utf-8", "replace")
    if any(map(data.__contains__, _RAISED_STARTS)):
        data = RAISED.sub(lambda sign: PLAIN_SIGNS[sign[0]], text).encode("utf-8", "replace")
    return data.translate(_LOWER_CASE, _IGNORED_BYTES)


class VisibleText:
    """The visible text of a page, and the text that has been added to it."""

    def __init__(self, text: str) -> None:
        self._key = bytearray(comparison_key(text))
        self._left = MAX_SEARCHED_BYTES
        self._at = 0  # where the last text was found: the next one is often behind it

    def contains(self, key: bytes) -> bool:
        """Whether the text of this comparison key is visible. After MAX_SEARCHED_BYTES, all texts count as visible."""
        if self._left <= 0:
            return True
        at = self._key.find(key, self._at)
        self._left -= (at if at >= 0 else len(self._key)) - self._at + 1
        if at < 0:
            at = self._key.find(key, 0, self._at + len(key))
            self._left -= at if at >= 0 else self._at
        self._at = at if at >= 0 else self._at
        return at >= 0

    def add_if_missing(self, text: str) -> bool:
        """Adds *text* unless the visible text contains it as a whole; returns whether it was added."""
        key = comparison_key(text)
        if not key or self.contains(key):
            return False
        self._key += key
        return True

    def add_missing(self, text: str) -> list[str]:
        """Adds the sentences of *text* that are not visible, and returns them: each run of them is one string."""
        key = comparison_key(text)
        if not key or self.contains(key):
            return []
        runs: list[str] = []
        is_missing = False
        start = run_start = 0  # of the sentence, and of the run
        ends = [match.end() for match in cut_pattern().finditer(text)]
        for end in [*ends, len(text)] if not ends or ends[-1] < len(text) else ends:
            was_missing, is_missing = is_missing, self._is_missing(comparison_key(text[start:end]), is_missing)
            if is_missing and not was_missing:
                run_start = start
            elif was_missing and not is_missing:
                runs.append(text[run_start:start].strip())
            start = end
        if is_missing:
            runs.append(text[run_start:].strip())
        for run in runs:
            self._key += comparison_key(run)
        return runs

    def _is_missing(self, key: bytes, after_missing: bool) -> bool:
        """Whether a sentence is not visible; *after_missing*, whether the one before it is not."""
        size = len(key)
        if not size:
            return after_missing
        if size < MIN_KEY_BYTES and after_missing:
            return True
        if size <= MAX_WHOLE_BYTES:
            return not self.contains(key)
        visible = 0
        for at in range(NUM_PROBES):
            start = at * (size - PROBE_BYTES) // (NUM_PROBES - 1)
            visible += self.contains(key[start : start + PROBE_BYTES])
            if visible == MIN_PROBES or visible + NUM_PROBES - at - 1 < MIN_PROBES:
                break
        return visible < MIN_PROBES


def mark_declared(blocks: BlockTable, table: PageTable, linked: Iterable[tuple[str, str]]) -> None:
    """Gives blocks that show declared content its type and property as the field `declared`. *linked*: the names and
    texts of JSON-LD. Linear in the page."""
    declared = [(name, text) for name, text in linked if is_content(name)]
    declared += _microdata(table)
    if not declared:
        return
    keys = [comparison_key(text) for text in blocks.text]
    ends = list(accumulate(map(len, keys), initial=0))
    shown, bounds = b"".join(keys), frozenset(ends)
    numbers = bytearray(len(shown))  # of the property of each byte; 0 for none
    names = [""]
    left = MAX_COMPARED_BYTES
    for key, name in _declared_keys(declared).items():
        size, end = len(key), 0
        while left > 0 and (name in names or len(names) <= MAX_NAMES):
            at = shown.find(key, end)
            left -= (at if at >= 0 else len(shown)) - end + 1
            if at < 0:
                break
            end = at + size
            if size >= MIN_INSIDE_BYTES or at in bounds and end in bounds:
                names += [] if name in names else [name]
                numbers[at:end] = bytes([names.index(name)]) * size
    for row, (start, end) in enumerate(zip(ends, ends[1:])):
        own = numbers[start:end]
        if own and len(own) - own.count(0) >= MIN_SHARE * len(own):
            blocks.fields(row)["declared"] = names[max(own)]


def _declared_keys(declared: Iterable[tuple[str, str]]) -> dict[bytes, str]:
    """The comparison keys of the lines of declared texts, or of the sentences of long ones, and their names."""
    out: dict[bytes, str] = {}
    for name, text in declared:
        for line in _lines(text):
            key = comparison_key(line)
            if 0 < len(key) <= MAX_WHOLE_BYTES:
                out.setdefault(key, name)
            elif key:
                ends = [*(match.end() for match in cut_pattern().finditer(line)), len(line)]
                sentences = [comparison_key(line[start:end]) for start, end in zip([0, *ends], ends)]
                out |= {key: out.get(key, name) for key in sentences if len(key) >= MIN_KEY_BYTES}
    return out


def is_content(name: str) -> bool:
    """Whether a property, named with its type, is content: `Recipe.recipeIngredient`."""
    kind, _, field = name.partition(".")
    return field in PROPERTIES or kind in STEP_TYPES and field in STEP_PROPERTIES


def _microdata(table: PageTable) -> Iterator[tuple[str, str]]:
    """The names and texts of elements whose `itemprop` says that they are content."""
    left, num_left = MAX_CHARS, MAX_ELEMENTS
    for row in rows_with(table, 0, ITEMPROP, 0, table.size):
        for field in (table.attribute_of(row, "itemprop") or "").split():
            name = f"{_item_type(table, row)}.{field}" if field in _MICRODATA else ""
            if is_content(name) and left > 0 and num_left > 0:
                text = table.text_below(row)
                left -= len(text)
                num_left -= 1
                yield name, text


def _item_type(table: PageTable, row: int) -> str:
    """The type of the item that an element is a property of, without the address of its vocabulary."""
    above = table.parent[row]
    while above >= 0 and not table.flags[above] & ITEMTYPE:
        above = table.parent[above]
    kind = table.attribute_of(above, "itemtype") if above >= 0 else None
    return (kind or "").strip().rstrip("/").rpartition("/")[2]


def _lines(text: str) -> Iterator[str]:
    """The lines of a declared text, which may be HTML."""
    if "&" in text:
        from html import unescape  # start-up: many pages have no such text

        text = unescape(text)
    if "<" in text:
        text = _TAG.sub("", _LINE_TAG.sub("\n", text))
    return filter(None, text.replace("\r", "\n").split("\n"))
