"""The visible text of a page, against which other content is compared, sentence by sentence.

visible = VisibleText("Rain is likely. Take a coat.")
visible.add_missing("Rain is  likely.  Snow is not, they say, before the new year.")
# ["Snow is not, they say, before the new year."]
"""

from __future__ import annotations

from ..text.sentence_ends import cut_pattern
from .raised_text import PLAIN_SIGNS, RAISED

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
# Bytes that are searched for one page (20 ms; 1 s in the worst case). After that, all text counts as visible.
MAX_SEARCHED_BYTES = 64 << 20


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

    def contains(self, key: bytes) -> bool:
        """Whether the text of this comparison key is visible; after MAX_SEARCHED_BYTES, always."""
        self._left -= len(self._key)
        return self._left < 0 or key in self._key

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
