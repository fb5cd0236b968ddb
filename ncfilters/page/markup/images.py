"""The image that an `<img>` shows: its address, also where a script loads it later, and its alternative text.

image_of(table_of(parse_html("<img data-src=b.jpg alt=B>").css_first("img")), 0, PageLinks())
# {'src': 'b.jpg', 'alt': 'B'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..open_elements import hiding_in
from ..table_rows import name_at
from .page_links import PageLinks

Attributes = dict[str, "str | None"]
Image = dict[str, Any]

# Attributes in which scripts that load images late find the address, the best first; and those where it is only if
# `src` is a placeholder: a larger form of the image.
LAZY_SOURCES = "data-src data-lazy-src data-original data-lazy data-original-src data-actualsrc data-cfsrc".split()
LARGE_SOURCES = (
    "data-img-src data-echo data-li-src data-ll-src data-runner-src data-hi-res-src data-large-file data-orig-file "
    "data-full-src data-image"
).split()
LAZY_SETS = "data-srcset data-lazy-srcset data-original-set".split()
# Characters of an alternative text.
MAX_ALT_CHARS = 2_000
# An image that is at most so many pixels wide or high is a tracking pixel, a line or a spacer.
MAX_PIXEL_SIZE = 3
# Nodes of a `<picture>` before the image, and characters of a `srcset`.
MAX_SOURCES, MAX_SET_CHARS = 20, 8_000

# Pictures that stand for others until these are loaded; and below, those that count visitors or advertise.
PLACEHOLDERS = (
    "spacer blank pixel clear transparent placeholder lazyload lazy-load lazy_load lazyloader lazy-loader lazy_loader "
    "lazyloading lazy-loading lazy_loading loading 1x1 1x1.trans grey gray empty dot shim trans px noimage no_image"
).split()
_PLACEHOLDER = lazy_pattern(
    rf"^data:|^about:|(?:^|[/_-])(?:{'|'.join(map(re.escape, PLACEHOLDERS))})(?:[._-]?\d{{0,4}}(?:x\d{{1,4}})?)?"
    r"\.(?:gif|png|svg|jpe?g|webp)(?:$|[?#])",
    re.I,
)
# Signs of buttons and sites, such as a magnifying glass.
_ICON = lazy_pattern(
    r"/icons?/[^?#]*\.(?:svg|gif|png)(?:$|[?#])|[/_-]icons?(?:[._-]\w{0,20}|\d{1,2})?\.(?:svg|gif)(?:$|[?#])|"
    r"\.ico(?:$|[?#])|[_-](?:16|20|24|32)(?:x(?:16|20|24|32))?\.(?:png|gif|svg)(?:$|[?#])",
    re.I,
)
# Pictures of single characters, and of those who write.
EMOJI_CLASSES = "emoji emoticon smiley smileys smilie smilies avatar useravatar user-avatar".split()
_EMOJI = lazy_pattern(rf"(?:^|[\s_-])(?:{'|'.join(EMOJI_CLASSES)})(?:$|[\s_-])", re.I)
_ICON_CLASS = lazy_pattern(r"(?:^|\s)icons?(?:-\w[\w-]*)?(?:\s|$)", re.I)
PORTRAIT_FOLDERS = (
    "avatar avatars useravatar useravatars user_avatar user_avatars smilies emoticons emoji emojis"
).split()
_PORTRAIT = lazy_pattern(rf"gravatar\.com/avatar/|/(?:{'|'.join(PORTRAIT_FOLDERS)})/", re.I)
# The starts of hosts.
PIXEL_HOSTS = (
    "pixel beacon b.scorecardresearch stat stats secure.quantserve www.facebook.com/tr ad ads adserver"
).split()
_PIXEL_HOST = lazy_pattern(
    rf"//(?:{'|'.join(map(re.escape, PIXEL_HOSTS))})\b|doubleclick\.net/|/adx/|/cgi-bin/[^?#]*count", re.I
)
_SIZE = lazy_pattern(r"\s*(\d{1,5})(?:\.\d+)?\s*(?:px\s*)?$")
_DESCRIPTOR = lazy_pattern(r"\d{1,6}(?:\.\d{1,6})?[wxh]")
_IMAGE_ADDRESS = lazy_pattern(r"[^\s./]*[./]\S*")


def image_of(page: PageTable, row: int, links: PageLinks) -> Image | None:
    """The `src` and the `alt` of an `<img>`; None for hidden ones, icons, emoji, portraits of users, tracking
    pixels, spacers and those without an address."""
    attributes = page.attributes_of(row)
    if hiding_in(page, row) in ("hidden", "display") or _EMOJI.search(attributes.get("class") or ""):
        return None
    if "onclick" in attributes and "alt" not in attributes or _ICON_CLASS.search(attributes.get("class") or ""):
        return None
    for name in ("width", "height"):
        size = _SIZE.match(attributes.get(name) or "")
        if size and int(size[1]) <= MAX_PIXEL_SIZE:
            return None
    address = _address(attributes, _sources_before(page, row))
    src = links.resolve(address) if address else None
    if not src or _PIXEL_HOST.search(src) or _ICON.search(src) or _PORTRAIT.search(src):
        return None
    return {"src": src, "alt": " ".join((attributes.get("alt") or "")[:MAX_ALT_CHARS].split())}


def _address(attributes: Attributes, sources: Iterable[Attributes]) -> str:
    """The address of an image that is no placeholder; empty if there is none."""
    shown = (attributes.get("src") or "").strip()
    if value := _first(attributes, LAZY_SOURCES):
        return value
    if shown and not _PLACEHOLDER.search(shown):
        return shown
    if value := _first(attributes, LARGE_SOURCES):
        return value
    for name in ("srcset", *LAZY_SETS):
        if value := _largest(attributes.get(name) or ""):
            return value
    for own in sources:
        for name in ("srcset", *LAZY_SETS):
            if value := _largest(own.get(name) or ""):
                return value
    return ""


def _sources_before(page: PageTable, row: int) -> Iterator[Attributes]:
    """The attributes of the sources of a picture before its image, from the nearest on."""
    if name_at(page, page.parent[row]) != "picture":
        return
    before = page.before[row]
    for _ in range(MAX_SOURCES):
        if before < 0:
            break
        if name_at(page, before) == "source":
            yield page.attributes_of(before)
        before = page.before[before]


def _first(attributes: Attributes, names: Sequence[str]) -> str:
    """The first of these attributes that is an address of an image; empty if none is."""
    for name in names:
        value = (attributes.get(name) or "").strip()
        if value and _IMAGE_ADDRESS.fullmatch(value) and not _PLACEHOLDER.search(value):
            return value
    return ""


def _largest(candidates: str) -> str:
    """The address of the largest image of a `srcset`; empty if there is none."""
    found: list[tuple[float, str]] = []
    address, size = "", 1.0
    for word in candidates[:MAX_SET_CHARS].split():
        rest = ""
        if not address:
            address, size, is_end = word.lstrip(","), 1.0, word.endswith(",")
        else:
            descriptor, comma, rest = word.partition(",")
            size = float(descriptor[:-1]) if _DESCRIPTOR.fullmatch(descriptor) else size
            is_end = bool(comma)
        if is_end:
            found.append((size, address.rstrip(",")))
            address, size = rest, 1.0
    found.append((size, address))
    best = max(((size, url) for size, url in found if url and not _PLACEHOLDER.search(url)), default=(0.0, ""))
    return best[1]
