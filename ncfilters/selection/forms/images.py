"""Images beside segments, in the tree of blocks: which are shown, and which segment is their caption.

    image = {"src": "rain.jpg", "caption": "Rain."}
    with_images_at_captions([{"text": "It rained.", "figure": [{**image, "after": True}]}, {"text": "Rain."}])
    # [{'text': 'It rained.', 'figure': []}, {'text': 'Rain.', 'figure': [{'src': 'rain.jpg', 'caption': 'Rain.'}]}]

nc-segment attaches no image to its caption, because that may be left out of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from ...record import Record
from .spans import Node, Nodes
from .urls import picture_of

# An image: an object with `src`, and perhaps `alt` and `caption`.
Image: TypeAlias = dict[str, Any]

# Characters of a drawing's alternative text that are compared with the text beside it.
MAX_SIGN_CHARS = 100
_GIF = re.compile(r"\.gif(?:$|[?#])", re.IGNORECASE)
_NO_WORD = re.compile(r"\W+")


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
