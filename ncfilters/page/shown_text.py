"""What a page does not show: text compared with what is visible, sentence by sentence.

shown = Shown("Rain is likely. Take a coat.")
shown.lacks("Rain is  likely.  Snow is not, they say, before the new year.")
# ["Snow is not, they say, before the new year."]
"""

from __future__ import annotations

from ..text import sentence_ends

# Bytes that say nothing: ASCII but for letters and digits, and those of no-break spaces, soft hyphens and general
# punctuation (U+200B to U+2027) in UTF-8. Both sides lose them alike, so that equal texts stay equal.
_SILENT = bytes(
    [code for code in range(128) if not chr(code).isalnum()]
    + [0xC2, 0xE2, *range(0x80, 0x81), *range(0x8B, 0xA9), 0xAD]
)
_LOWER = bytes(code + 32 if 0x41 <= code <= 0x5A else code for code in range(256))
# In bytes of the squashed text. A shorter sentence follows its neighbours; a longer one is looked for by PROBES parts
# of PROBE bytes, of which WANTED are to be found: an ellipsis or a corrected word makes no other text.
BRIEF, WHOLE, PROBE = 12, 60, 20
PROBES, WANTED = 3, 2
# Bytes that are looked through for one page: 20 ms, or a second for the worst of texts. What comes after that is not
# offered.
WORK = 64 << 20


def squashed(text: str) -> bytes:
    """*text* for comparison: letters and digits, in lower case where they are ASCII."""
    return text.encode("utf-8", "replace").translate(_LOWER, _SILENT)


class Shown:
    """What a page shows, and what was found lacking so far."""

    def __init__(self, text: str) -> None:
        self._hay = bytearray(squashed(text))
        self._work = WORK

    def has(self, needle: bytes) -> bool:
        """Whether squashed text stands in it; after too much work, always."""
        self._work -= len(self._hay)
        return self._work < 0 or needle in self._hay

    def lacks_all(self, text: str) -> bool:
        """Whether *text* as a whole is not shown. From now on it is."""
        needle = squashed(text)
        if not needle or self.has(needle):
            return False
        self._hay += needle
        return True

    def lacks(self, text: str) -> list[str]:
        """The parts of *text* that are not shown: runs of sentences, in order. From now on they are."""
        if not (whole := squashed(text)) or self.has(whole):
            return []
        parts: list[str] = []
        lacking = False
        start = begun = 0  # of the sentence, and of the run
        ends = [found.end() for found in sentence_ends.CUT.finditer(text)]
        for end in [*ends, len(text)] if not ends or ends[-1] < len(text) else ends:
            missing = self._misses(squashed(text[start:end]), lacking)
            if missing and not lacking:
                begun = start
            elif lacking and not missing:
                parts.append(text[begun:start].strip())
            lacking, start = missing, end
        if lacking:
            parts.append(text[begun:].strip())
        for part in parts:
            self._hay += squashed(part)
        return parts

    def _misses(self, needle: bytes, before: bool) -> bool:
        """Whether a sentence is lacking; *before*, whether the last one was."""
        size = len(needle)
        if not size:
            return before
        if size < BRIEF and before:
            return True
        if size <= WHOLE:
            return not self.has(needle)
        found = 0
        for at in range(PROBES):
            start = at * (size - PROBE) // (PROBES - 1)
            found += self.has(needle[start : start + PROBE])
            if found == WANTED or found + PROBES - at - 1 < WANTED:
                break
        return found < WANTED
