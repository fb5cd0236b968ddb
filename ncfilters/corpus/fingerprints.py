"""Fingerprints of texts: equal for texts that differ in case, white space and Unicode composition alone.

fingerprint("It  rained.\\n") == fingerprint("it rained.")    # True
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

import xxhash

from ..text.lazy_pattern import lazy_pattern

# The same for ASCII in one pass over its bytes.
_LOWER = bytes(range(65)) + bytes(range(97, 123)) + bytes(range(91, 256))
_LOWER_ZEROS = _LOWER[:48] + b"0" * 10 + _LOWER[58:]
_SPACES = bytes(code for code in range(128) if chr(code).isspace())
_DIGIT = lazy_pattern(r"\d")
_SIGNED = 1 << 63


class Fingerprint(NamedTuple):
    """A hash of 128 bits as two signed numbers of 64, the type of integers in SQLite. *key* finds an entry, *rest*
    confirms it."""

    key: int
    rest: int


def fingerprint(text: str, ignore_digits: bool = False) -> Fingerprint:
    """The XXH3 hash of a text that is `normalized`. Among n texts, two that differ have the same with a probability of
    n² / 2**129: 10⁻¹⁹ for ten thousand million."""
    key, rest = divmod(xxhash.xxh3_128_intdigest(normalized(text, ignore_digits)), 1 << 64)
    return Fingerprint(key - _SIGNED, rest - _SIGNED)


def normalized(text: str, ignore_digits: bool = False) -> bytes:
    """The text in Unicode's composed form (NFC), case folded, without white space, in UTF-8. Where digits are ignored,
    each is 0."""
    if text.isascii():
        return text.encode().translate(_LOWER_ZEROS if ignore_digits else _LOWER, _SPACES)
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    bare = "".join(folded.split())
    return (_DIGIT.sub("0", bare) if ignore_digits else bare).encode("utf-8", "surrogatepass")
