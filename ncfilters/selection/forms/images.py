"""Addresses of links and images that are safe to write; and images beside segments, in the tree of blocks: which are
shown, and which segment is their caption.

link_url("java\\tscript:alert(1)")    # ''
link_url("https://example.org/a b")    # 'https://example.org/a%20b'
image = {"src": "rain.jpg", "caption": "Rain."}
with_images_at_captions([{"text": "It rained.", "figure": [{**image, "after": True}]}, {"text": "Rain."}])
# [{'text': 'It rained.', 'figure': []}, {'text': 'Rain.', 'figure': [{'src': 'rain.jpg', 'caption': 'Rain.'}]}]

nc-segment attaches no image to its caption, because that may be left out of the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import quote

from ...record import Record
from ...text.lazy_pattern import lazy_pattern
from .spans import Node, Nodes

# An image: an object with `src`, and perhaps `alt` and `caption`.
Image: TypeAlias = dict[str, Any]

# Characters of a drawing's alternative text that are compared with the text beside it.
MAX_SIGN_CHARS = 100
_GIF = re.compile(r"\.gif(?:$|[?#])", re.IGNORECASE)
_NO_WORD = re.compile(r"\W+")
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


# ---- images beside segments --------------------------------------------------------------------------------------


def images_beside(segment: Record, after: bool) -> list[Image]:
    """The images before or after a segment. Those that say what its text does are left out, and buttons; links for
    scripts are."""
    figures = segment.get("figure")
    if not figures:
        return []
    beside = [image for image in figures if (image.get("after") is True) == after]
    return [without_script(image) for image in beside if not is_button(image) and not is_sign(image, segment)]


def is_sign(image: Image, segment: Record) -> bool:
    """Whether an image is a drawing that says what the text beside it does, such as "Gluten free"."""
    alt = image.get("alt")
    if not alt or ".svg" not in image["src"]:
        return False
    words, own = (_NO_WORD.sub("", text[:MAX_SIGN_CHARS]).lower() for text in (alt, segment["text"]))
    return words == own != ""


def is_button(image: Image) -> bool:
    """Whether an image is a drawing in a link for a script, such as one that prints the page or makes its letters
    larger."""
    return _is_for_script(image.get("link")) and _GIF.search(image["src"]) is not None


def without_script(image: Image) -> Image:
    """An image without a link that is there for a script alone."""
    if not _is_for_script(image.get("link")):
        return image
    return {name: value for name, value in image.items() if name != "link"}


def _is_for_script(link: object) -> bool:
    """Whether a link leads to no place in the page."""
    return isinstance(link, str) and link.endswith("#")


def with_images_at_captions(segments: Sequence[Record]) -> Sequence[Record]:
    """The segments, those that are captions with their images, from the segments beside them."""
    out = list(segments)
    for at, segment in enumerate(segments):
        if not any("caption" in image for image in segment.get("figure", ())):
            continue
        for beside, is_after in ((at + 1, True), (at - 1, False)):
            caption: Record = out[beside] if 0 <= beside < len(out) else {"text": "", "pre": True}
            own = [
                image
                for image in out[at]["figure"]
                if is_caption_of(caption, image) and (image.get("after") is True) == is_after
            ]
            if own and "table" not in caption:
                out[at] = {**out[at], "figure": [image for image in out[at]["figure"] if image not in own]}
                moved = [{name: value for name, value in image.items() if name != "after"} for image in own]
                out[beside] = {**caption, "figure": [*moved, *caption.get("figure", ())]}
    return out


def is_caption_of(segment: Record, image: Image) -> bool:
    """Whether a segment has the text of the caption of an image."""
    if "caption" not in image or segment.get("pre") or "note" in segment:
        return False
    return bool(image["caption"] == " ".join(segment["text"].split()))


def add_images(blocks: Nodes, images: Sequence[Image], caption: Nodes | None = None) -> None:
    """Adds images, perhaps with a caption. Of several of one picture, between which no text is selected, one is enough:
    the one with a caption, else the largest in the place of the first."""
    own = _pictures(images)
    if blocks and blocks[-1].kind == "images" and own:
        last = blocks[-1]
        before = _pictures(last.value)
        if caption is None:
            again = [own.pop(key) for key in before if key in own]
            last.value = list(_pictures([*before.values(), *again]).values())
        elif not last.content:
            last.value = [image for key, image in before.items() if key not in own]
            if not last.value:
                blocks.pop()
    if own:
        blocks.append(Node("images", list(own.values()), caption))


def _pictures(images: Sequence[Image]) -> dict[str, Image]:
    """Of each picture the largest image, by what its sizes have in common, in the order of the first ones."""
    found: dict[str, tuple[int, Image]] = {}
    for image in images:
        key, size = picture_of(image)
        if key not in found or size > found[key][0]:
            found[key] = size, image
    return {key: image for key, (_, image) in found.items()}
