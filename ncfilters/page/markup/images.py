"""The image that an `<img>` shows: its address, also where a script loads it later, and its alternative text; and the
block beside an image that stands alone (Figure).

image_of(table_of(parse_html("<img data-src=b.jpg alt=B>").css_first("img")), 0, PageLinks())
# {'src': 'b.jpg', 'alt': 'B'}

An image alone belongs to the block that is in the same container: that before it or that after it. It is never attached
to its own caption, which may be left out, if there is another one there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import unescape
from typing import Any

from ...native.element_names import CLASS, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import hiding_in
from ..tree.elements import BLOCK, KINDS, NOSCRIPT, name_at
from .markup_context import Context
from .markup_run import Mark, linked_image, sort_spans
from .page_links import PageLinks

Attributes = dict[str, "str | None"]
Image = dict[str, Any]

# Attributes in which scripts that load images late find the address, the best first; and those where it is only if
# `src` is a placeholder: a larger form of the image.
LAZY_SOURCES = "data-src data-lazy-src data-original data-lazy data-original-src data-actualsrc data-cfsrc".split()
_LAZY_NAMES = frozenset(LAZY_SOURCES)
LARGE_SOURCES = (
    "data-img-src data-echo data-li-src data-ll-src data-runner-src data-hi-res-src data-large-file data-orig-file "
    "data-full-src data-image"
).split()
LAZY_SETS = "data-srcset data-lazy-srcset data-original-set".split()
# Characters of an alternative text.
MAX_ALT_CHARS = 2_000
# An image that is at most so many pixels wide or high is a tracking pixel, a line or a spacer; one that is at most so
# many wide and high is a sign. A formula may be low.
MAX_PIXEL_SIZE, MAX_SIGN_SIZE = 3, 48
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
    r"/icons?/[^?#]{0,400}\.(?:svg|gif|png)(?:$|[?#])|[/_-]icons?(?:[._-]\w{0,20}|\d{1,2})?\.(?:svg|gif)(?:$|[?#])|"
    r"\.ico(?:$|[?#])|[_-](?:16|20|24|32)(?:x(?:16|20|24|32))?\.(?:png|gif|svg)(?:$|[?#])",
    re.I,
)
# Pictures of single characters, and of those who write, with their ranks and what others think of it.
EMOJI_CLASSES = (
    "emoji emoticon smiley smileys smilie smilies avatar useravatar user-avatar muiavatar ipsuserphoto badge--rank "
    "reaction"
).split()
_EMOJI = lazy_pattern(rf"(?:^|[\s_-])(?:{'|'.join(EMOJI_CLASSES)})(?:$|[\s_-])", re.I)
_ICON_CLASS = lazy_pattern(r"(?:^|\s)icons?(?:-\w[\w-]*)?(?:\s|$)", re.I)
PORTRAIT_FOLDERS = (
    "avatar avatars useravatar useravatars user_avatar user_avatars profile_images smilies emoticons emoji emojis "
    "ranks reactions"
).split()
_PORTRAIT = lazy_pattern(rf"gravatar\.com/avatar/|/(?:{'|'.join(PORTRAIT_FOLDERS)})/", re.I)
# The starts of hosts; and the ends of those of services that count visitors.
PIXEL_HOSTS = "pixel beacon stat stats secure.quantserve www.facebook.com/tr ad ads adserver".split()
COUNTERS = (
    "scorecardresearch.com/ statcounter.com/ counter.yadro.ru/ counter.rambler.ru/ mc.yandex.ru/watch/ hit.gemius.pl/ "
    "top.mail.ru/counter top.list.ru/counter"
).split()
_PIXEL_HOST = lazy_pattern(
    rf"//(?:{'|'.join(map(re.escape, PIXEL_HOSTS))})\b|[/.](?:{'|'.join(map(re.escape, COUNTERS))})|"
    r"doubleclick\.net/|/adx/|/(?:piwik|matomo)\.php\?|/cgi-bin/[^?#]{0,400}count",
    re.I,
)
# Where buttons lead that share a page, or send it.
_SHARING = lazy_pattern(
    r"^(?:mailto|whatsapp):|/(?:sharer?(?:\.php)?|share-offsite|intent/(?:tweet|post)|pin/create)(?=[/?])", re.I
)
_SHARING_PARTS = ("mailto:", "whatsapp:", "share", "intent/", "pin/create")
# What an image is called that shows nothing by itself.
_SIGN_ALTS = frozenset("icon arrow chevron bullet spacer pixel".split())
# For speed: an address that one of the patterns matches contains one of these.
_PLACEHOLDER_PARTS = (
    "data:", "about:", "spacer", "blank", "pixel", "clear", "trans", "placeholder", "lazy", "loading", "1x1", "grey",
    "gray", "empty", "dot", "shim", "px", "image",
)  # fmt: skip
_NO_IMAGE_PARTS = (
    "ico", "_16", "-16", "_20", "-20", "_24", "-24", "_32", "-32", "avatar", "smilies", "emo", "profile_", "ranks/",
    "reactions/", "//pixel", "//beacon", "//stat", "//secure.", "//www.facebook", "//ad", "doubleclick", "/adx/",
    "/cgi-bin/", "scorecard", "counter", "mc.yandex", "gemius", "piwik", "matomo",
)  # fmt: skip
_SIZE = lazy_pattern(r"\s*(\d{1,5})(?:\.\d+)?\s*(?:px\s*)?$")
_STYLED_SIZE = lazy_pattern(r"(?:^|[;\s])(?:width|height):\s*(\d{1,5})(?:\.\d+)?px", re.I)
_DRAWING = lazy_pattern(r"\.svg(?:$|[?#])", re.I)
# The width of an image that is blurred until the others of its `srcset` are loaded: fewer than 100 pixels.
_THUMBNAIL = lazy_pattern(r"\s*\d{1,2}w\b")
_DESCRIPTOR = lazy_pattern(r"\d{1,6}(?:\.\d{1,6})?[wxh]")
_TAG = lazy_pattern(r"</?(?:a|b|br|div|em|i|p|span|strong)(?:\s[^<>]*)?/?>", re.I)
_IMAGE_ADDRESS = lazy_pattern(r"[^\s./]*[./]\S*")

CAPTION_TAGS = frozenset(("figcaption", "caption"))
# An image outside of one of these is no part of it.
_CLOSED = tag_groups({1: "li td th blockquote"})
_FIGURE_TAG = number_of_tag("figure")
# Characters of text beside an image; more text does not make a block a better place.
ENOUGH_CHARS = 100

_FIGURE = lazy_pattern(r"(?:^|\s)(?:wp-caption|figure)(?:\s|$)")
_CAPTION = lazy_pattern(r"(?:^|\s)(?:wp-caption-text|(?:[\w-]*(?:image|photo|img|picture)[_-]?)?caption)(?:\s|$)")
_IMAGE_FILE = lazy_pattern(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#])", re.I)

# Blocks of a `<figure>` that its images are not attached to.
MAX_WAITED = 10

# The number of a block, and the row of its element.
Place = tuple[int, int]


def image_of(page: PageTable, row: int, links: PageLinks) -> Image | None:
    """The `src` and the `alt` of an `<img>`; None for hidden ones, icons, emoji, portraits of users, tracking
    pixels, spacers, other small ones and those without an address."""
    attributes = page.attributes_of(row)
    if hiding_in(page, row) in ("hidden", "display") or "onclick" in attributes and "alt" not in attributes:
        return None
    around = page.parent[row]
    if around >= 0 and page.flags[around] & CLASS and _is_portrait(page.attribute_of(around, "class") or ""):
        return None
    if _is_sign(attributes.get("class") or "") or _is_small(attributes):
        return None
    address = _address(attributes, _sources_before(page, row))
    src = links.resolve(address) if address else None
    if not src or _is_no_image(src):
        return None
    if attributes.get("alt") == "" and not attributes.get("width") and _DRAWING.search(src):
        return None  # a sign that says nothing; photographs have no text often enough
    # some are escaped twice: `Food &amp;amp; drink`; some are the markup of a caption
    alt = unescape((attributes.get("alt") or "")[:MAX_ALT_CHARS])
    alt = " ".join((_TAG.sub(" ", alt) if "<" in alt else alt).split())
    return None if alt.lower() in _SIGN_ALTS else {"src": src, "alt": alt}


def leads_to_sharing(url: str) -> bool:
    """Whether the address of a link is one that shares a page with others."""
    return any(map(url.lower().__contains__, _SHARING_PARTS)) and _SHARING.search(url) is not None


@lru_cache(maxsize=1 << 12)
def _is_portrait(classes: str) -> bool:
    """Whether a class is that of emoji and portraits."""
    return _EMOJI.search(classes) is not None


@lru_cache(maxsize=1 << 12)
def _is_sign(classes: str) -> bool:
    """Whether a class is that of emoji, portraits and icons."""
    return _is_portrait(classes) or _ICON_CLASS.search(classes) is not None


def _is_small(attributes: Attributes) -> bool:
    """Whether an image is a tracking pixel, a line or a spacer by its width or its height, or a sign by both."""
    if "layout" in attributes:  # in AMP, the sizes are a ratio
        return False
    sizes = [int(size[1]) for name in ("width", "height") if (size := _SIZE.match(attributes.get(name) or ""))]
    if "style" in attributes:
        sizes += map(int, _STYLED_SIZE.findall(attributes["style"] or ""))
    return bool(sizes) and (min(sizes) <= MAX_PIXEL_SIZE or max(sizes) <= MAX_SIGN_SIZE)


def _is_no_image(url: str) -> bool:
    """Whether an address is that of an icon, a portrait or a tracking pixel."""
    if url.isascii() and not any(map(url.lower().__contains__, _NO_IMAGE_PARTS)):
        return False
    return bool(_PIXEL_HOST.search(url) or _ICON.search(url) or _PORTRAIT.search(url))


def _is_placeholder(url: str) -> bool:
    """Whether an address is that of a picture that stands for others."""
    if url.isascii() and not any(map(url.lower().__contains__, _PLACEHOLDER_PARTS)):
        return False
    return _PLACEHOLDER.search(url) is not None


def _address(attributes: Attributes, sources: Iterable[Attributes]) -> str:
    """The address of an image that is no placeholder; empty if there is none."""
    shown = (attributes.get("src") or "").strip()
    if not _LAZY_NAMES.isdisjoint(attributes) and (value := _first(attributes, LAZY_SOURCES)):
        return value
    if shown and not _is_placeholder(shown):
        images = attributes.get("srcset") or ""
        is_thumbnail = shown in images and _THUMBNAIL.match(images.partition(f"{shown} ")[2])
        return is_thumbnail and _largest(images) or shown
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
        if value and _IMAGE_ADDRESS.fullmatch(value) and not _is_placeholder(value):
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
    best = max(((size, url) for size, url in found if url and not _is_placeholder(url)), default=(0.0, ""))
    return best[1]


# ---- images beside blocks ----------------------------------------------------------------------------------------


class Figure:
    """An image, its block *element*, the inline elements around it (*marks*), the block *before* it, and its *context*.
    *figure* is the outermost `<figure>` that it is in, and *inner* the innermost one; *around* is the element around
    these."""

    def __init__(
        self,
        page: PageTable,
        image: Image,
        element: int,
        before: Place | None,
        marks: tuple[Mark, ...],
        context: Context,
    ) -> None:
        self.page, self.image, self.before, self.marks, self.context = page, image, before, marks, context
        self.waited = 0  # blocks of its <figure>
        self.element = self.around = element
        self.inner = self.figure = figure_around(page, element)
        while self.figure >= 0:
            self.around = page.parent[self.figure]
            outer = figure_around(page, self.around)
            if outer < 0:
                break
            self.figure = outer

    def add_caption(self, text: str, element: int) -> None:
        """Adds text of its `<figcaption>`, in an *element*. What follows is no caption if it is in an outer `<figure>`
        alone, such as that of a gallery."""
        if figure_around(self.page, element) == self.inner:
            self.figure = self.inner
        text = text.removesuffix("¶").rstrip()  # the link of a caption to itself, which no segment has
        if not text:
            return
        caption = self.image.get("caption")
        self.image["caption"] = f"{caption} {text}" if caption else text

    def waits(self, blocks: BlockTable, row: int, element: int, is_caption: bool, is_of_next: bool) -> bool:
        """Whether the image is not attached to the block of a *row* in an *element*: one in its `<figure>`, a
        caption, or the text of a link to the image itself (its size, as a rule). A caption *is_of_next* if an image
        waits for its first."""
        self.waited += 1
        if self.waited >= MAX_WAITED:
            return False
        if blocks.links[row] == len(blocks.text[row]) and any(map(_is_link_to_image, self.marks)):
            return True
        if self.figure < 0:
            return is_caption and not (is_of_next and "caption" in self.image)
        return figure_around(self.page, element) in (self.figure, self.inner)

    def attach(self, blocks: BlockTable, after: Place | None) -> None:
        """Adds the image to the block before it or to the one *after* it."""
        image, before = linked_image(self.image, self.marks), self.before
        is_after = before is not None and (after is None or self._rank(blocks, before) >= self._rank(blocks, after))
        place = before if is_after else after
        if place is None:
            return
        row = place[0]
        fields = blocks.extra[row]
        if fields is None:
            fields = blocks.extra[row] = {}
        if "math" in image:
            at = len(blocks.text[row]) if is_after else 0
            spans = [*fields.get("spans", ()), [at, at, *image["math"][:2], "display"]]
            sort_spans(spans)
            fields["spans"] = spans
        else:
            own = {**image, **self._place_at(fields, place[1])}
            fields.setdefault("figure", []).append({**own, "after": True} if is_after else own)

    def _place_at(self, fields: dict[str, Any], element: int) -> dict[str, int]:
        """What a block with *fields*, in an *element*, does not say of the place of the image: the numbers of lists and
        quotes around it and of its table, if those of the block are higher; the row and the column, if the block is of
        another cell of the table (an image alone in a cell has no block there)."""
        page, details = self.page, self.context.details
        lists = max(self.context.lists, self.context.fields.get("depth", 0))  # an item may be in no list
        holders = (("depth", lists), ("quote", len(self.context.quotes)), ("table", details.get("table", 0)))
        out = {name: own for name, own in holders if own < fields.get(name, 0)}
        if details.get("cell") is not None:
            cell = self.element
            while cell >= 0 and name_at(page, cell) not in ("td", "th"):
                cell = page.parent[cell]
            table = cell
            while table >= 0 and name_at(page, table) != "table":
                table = page.parent[table]
            if table >= 0 and table <= element < page.end[table] and not cell <= element < page.end[cell]:
                out |= {"row": details["cell"].row, "column": details["cell"].column}
        return out

    def _rank(self, blocks: BlockTable, block: Place) -> tuple[int, bool, bool, int]:
        """How near a block is: the innermost block element that it shares with the image, whether it is no caption,
        whether it is in no list item, cell or quote that the image is not in, and its text that is not a link."""
        row, at = block
        page, is_outside = self.page, True
        while at >= 0 and not at <= self.around < page.end[at]:
            if _CLOSED[page.tag[at]]:
                is_outside = False
            at = page.parent[at]
        while at >= 0 and not 0 < KINDS[page.tag[at]] <= NOSCRIPT:
            at = page.parent[at]
        text = min(len(blocks.text[row]) - blocks.links[row], ENOUGH_CHARS)
        return at, blocks.tag[row] not in CAPTION_TAGS, is_outside, text


@lru_cache(maxsize=1 << 12)
def is_caption_class(classes: str) -> bool:
    """Whether a class is that of a caption."""
    return "caption" in (lower := classes.lower()) and _CAPTION.search(lower) is not None


def is_image_address(url: str) -> bool:
    """Whether an address is that of an image."""
    return _IMAGE_FILE.search(url) is not None


def figure_around(page: PageTable, row: int) -> int:
    """The innermost `<figure>` that an element is, or is in; -1 if there is none."""
    while row >= 0 and not _is_figure(page, row):
        row = page.parent[row]
    return row


def _is_figure(page: PageTable, row: int) -> bool:
    if page.tag[row] == _FIGURE_TAG:
        return True
    if not page.flags[row] & CLASS or KINDS[page.tag[row]] != BLOCK:
        return False
    classes = page.attribute_of(row, "class") or ""
    return ("figure" in classes or "wp-caption" in classes) and _FIGURE.search(classes) is not None


def _is_link_to_image(mark: Mark) -> bool:
    return mark.entry[0] == "link" and is_image_address(mark.entry[1])
