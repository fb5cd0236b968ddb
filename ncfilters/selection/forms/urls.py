"""Addresses of links and images that are safe to write.

link_url("java\\tscript:alert(1)")    # ''
link_url("https://example.org/a b")    # 'https://example.org/a%20b'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from ...text.lazy_pattern import lazy_pattern

# The schemes of links; an address without a scheme is relative. Others run code, or open programs.
LINK_SCHEMES = frozenset(("http", "https", "mailto"))
IMAGE_SCHEMES = frozenset(("http", "https"))
# Characters. A longer address is none: it holds data.
MAX_URL_CHARS = 4_000

# Images that decorate a page: the name of the file, as old pages have it, and servers of advertisements.
_DECORATION = lazy_pattern(
    r"(?:bullet|spacer|arrow|shim|separator|divider|button|btn)[_-]?(?:\d{1,2}|[a-z]{1,2})?\.(?:gif|png|svg)(?:$|[?#])|"
    r"/(?:print|email|pdf)[_-]?(?:button|icon)?\.(?:gif|png|svg)(?:$|[?#])|//ads?\d?\.|doubleclick\.net/|"
    r"/(?:favicon|pixy|blt_\w{1,12}|1x1\.trans|ico_\w{1,24}|(?:quote|comment|mail|print|rss|share|forum|user)_?icon|"
    r"icon_(?:quote|comment|e?mail|print|rss|share|forum)|user_(?:off|on)line|services-sprite|stumbleit)"
    r"\.(?:gif|png|svg)(?:$|[?#])|/adstream",
    re.I,
)
# Addresses that stay as they are: most.
_PLAIN = lazy_pattern(r"https?://[!#-;=?-\[\]_a-z~]+")
_SCHEME = lazy_pattern(r"[^/?#]*?:")
# What browsers remove from addresses, wherever it is; and what they remove at the ends.
_REMOVED, _ENDS = lazy_pattern("[\t\n\r]"), "".join(map(chr, range(33)))
# Controls, spaces, directional formatting and what has a meaning in markup.
_UNSAFE = lazy_pattern(
    r"[\x00-\x20\"<>\\^`{|}\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ud800-\udfff"
    r"\ufe00-\ufe0f\ufeff\ufff0-\uffff\U000e0000-\U0010ffff]"
)
# What an address says of the size and the quality of an image: parameters, and parts between other signs.
_SIZE = lazy_pattern(
    r"[?&](?:w|wid|width|imwidth|h|hei|height|imheight|size|resize|fit|crop|q|quality|dpr)=[^&#]{0,20}|"
    r"(?<=[/_-])(?:\d{2,4}x\d{2,4}|\d{2,4}w|\d{2,4}px)(?=[/._-])",
    re.I,
)
_NUMBER = lazy_pattern(r"\d{2,4}")


def link_url(url: str) -> str:
    """The address of a link with unsafe characters percent-encoded; empty if it is not safe."""
    return _safe(url, LINK_SCHEMES)


def image_url(url: str) -> str:
    """The same of an image; empty for a bullet, an arrow, a button or an advertisement, as its address says."""
    address = _safe(url, IMAGE_SCHEMES)
    return "" if address and _DECORATION.search(address) else address


def picture_of(image: Mapping[str, object]) -> tuple[str, int]:
    """What the addresses of one picture in all sizes have in common; and the size that this one says, or 0."""
    url = str(image.get("src"))
    sizes = _SIZE.findall(url)
    numbers = [int(number) for size in sizes for number in _NUMBER.findall(size)]
    return (_SIZE.sub("", url) if sizes else url), max(numbers, default=0)


def link_of_image(image: Mapping[str, object]) -> str:
    """The safe address that the link around an image leads to; empty if it has none, or if that is the image."""
    link = image.get("link") or image.get("reference")
    return link_url(link) if isinstance(link, str) and link != image.get("src") else ""


def _safe(url: str, schemes: frozenset[str]) -> str:
    if len(url) <= MAX_URL_CHARS and _PLAIN.fullmatch(url):
        return url
    url = _REMOVED.sub("", url.strip(_ENDS))
    if not url or len(url) > MAX_URL_CHARS:
        return ""
    scheme = _SCHEME.match(url)
    if scheme and scheme[0][:-1].lower() not in schemes:
        return ""
    return _UNSAFE.sub(lambda match: quote(match[0], safe="", errors="replace"), url)
