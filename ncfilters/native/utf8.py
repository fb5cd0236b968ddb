"""Text as UTF-8.

    encoded("caf\\u00e9")    # b"caf\\xc3\\xa9"

Where it is compiled (`utf8.pyx`), text that is ASCII but for a few characters takes a third of the time.
"""

from __future__ import annotations


def encoded(text: str) -> bytes:
    """The text in UTF-8. Raises UnicodeEncodeError for lone surrogates."""
    return text.encode()
