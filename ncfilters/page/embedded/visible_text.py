"""The visible text of a page, against which other content is compared, sentence by sentence.

visible = VisibleText("Rain is likely. Take a coat.")
visible.add_missing("Rain is  likely.  Snow is not, they say, before the new year.")
# ["Snow is not, they say, before the new year."]
"""

from __future__ import annotations

from ...text.sentence_ends import cut_pattern
from ..blocks.raised_text import PLAIN_SIGNS, RAISED

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
# Bytes that are searched for one page (20 ms; 1 s in the worst case). After that, an index tells where text may be: it
# has the first place of every SAMPLE_STEP-th run of SAMPLE_BYTES of the visible text.
MAX_SEARCHED_BYTES = 64 << 20
SAMPLE_BYTES, SAMPLE_STEP = 16, 8
MIN_SAMPLED_BYTES = SAMPLE_BYTES + SAMPLE_STEP - 1


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
        self._places: dict[bytes, int] = {}
        self._num_indexed = 0  # bytes of the key

    def contains(self, key: bytes) -> bool:
        """Whether the text of this comparison key is visible.

        After MAX_SEARCHED_BYTES, a text that is too short for the index counts as visible, and text whose parts all
        repeat earlier ones may count as missing.
        """
        self._left -= len(self._key)
        if self._left >= 0:
            return key in self._key
        last = len(key) - MIN_SAMPLED_BYTES
        return last < 0 or any(self._is_indexed(key, start) for start in (0, last // 2, last))

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

    def _is_indexed(self, key: bytes, start: int) -> bool:
        """Whether the visible text contains *key* at a place of the index for one of the runs that begin in the step at
        *start*."""
        for at in range(self._num_indexed, len(self._key) - SAMPLE_BYTES + 1, SAMPLE_STEP):
            self._places.setdefault(bytes(self._key[at : at + SAMPLE_BYTES]), at)
            self._num_indexed = at + SAMPLE_STEP
        for at in range(start, start + SAMPLE_STEP):
            place = self._places.get(key[at : at + SAMPLE_BYTES], -1) - at
            if place >= 0 and self._key.startswith(key, place):
                return True
        return False
