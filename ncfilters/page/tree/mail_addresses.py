"""Addresses of e-mail that Cloudflare writes as numbers, and a script at once as they are.

    with_addresses(b'<a href="/cdn-cgi/l/email-protection#4223022c6c30">It</a>')    # b'<a href="mailto:a@n.r">It</a>'
    with_addresses(b'<a href="/cdn-cgi/l/email-protection" data-cfemail="4223022c6c30">[email&#160;protected]</a>')
    # b'<a href="mailto:a@n.r" data-cfemail="4223022c6c30">a@n.r</a>'

The first byte is a key: each of the others is a character of the address XOR the key.
"""

from __future__ import annotations

import re
from html import escape

from ...text.lazy_pattern import lazy_pattern

# What nearly all pages with such addresses have; longer words are found sooner.
_HINT = b"/cdn-cgi/l/email-protection"
# A link, with the numbers of its own tag where it has none; the rest of a start tag with numbers, and what is shown
# until the script runs. Patterns that begin with so many letters are found at the speed of a search.
_LINK = lazy_pattern(
    rb"""/cdn-cgi/l/email-protection(?:#([0-9a-f]+))?(?=["'](?:[^<>]{0,200}?\sdata-cfemail=["']?([0-9a-f]+))?)"""
)
_SHOWN = lazy_pattern(
    rb"""(data-cfemail=["']?([0-9a-f]+)\b[^<>]{0,200}>)\[email(?:&#160;|&nbsp;|&#xa0;|\xc2\xa0|\s)protected\]"""
)


def with_addresses(html: bytes) -> bytes:
    """The UTF-8 of a page with its addresses as texts and links. Linear in the page."""
    if _HINT not in html:
        return html
    html = _LINK.sub(_mailto, html)
    return _SHOWN.sub(lambda shown: shown[1] + (_written(shown[2]) or b"[email protected]"), html)


def _mailto(link: re.Match[bytes]) -> bytes:
    """The address of a link; what it is now, if it is that of another site or has no numbers."""
    is_whole = link.string[link.start() - 1 : link.start()] in (b'"', b"'")
    return is_whole and _written(link[1] or link[2], b"mailto:") or link[0]


def _written(numbers: bytes | None, scheme: bytes = b"") -> bytes:
    """The address as markup, after a *scheme*; empty if the numbers are not those of one."""
    if not numbers:
        return b""
    try:
        codes = bytes.fromhex(numbers.decode())
        address = bytes([code ^ codes[0] for code in codes[1:]]).decode()
    except (ValueError, IndexError):
        return b""
    return scheme + escape(address).encode() if address.isprintable() and "@" in address else b""
