"""Images at their captions: an image whose caption is a segment of its own goes to that, from the segment beside it.

    image = {"src": "rain.jpg", "caption": "Rain."}
    with_images_at_captions([{"text": "It rained.", "figure": [{**image, "after": True}]}, {"text": "Rain."}])
    # [{'text': 'It rained.'}, {'text': 'Rain.', 'figure': [{'src': 'rain.jpg', 'caption': 'Rain.'}]}]

nc-segment attaches no image to its caption, because that may be left out of the text. A drawing beside its own text
alone, such as "Gluten free", is left out: see `is_sign`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...record import Record

# Characters of a drawing's alternative text that are compared with the text beside it.
MAX_SIGN_CHARS = 100
_GIF = re.compile(r"\.gif(?:$|[?#])", re.IGNORECASE)
_NO_WORD = re.compile(r"\W+")


def with_images_at_captions(segments: Sequence[Record]) -> Sequence[Record]:
    """The segments, those that are captions with their images; *segments* itself if there are none."""
    places = [at for at, segment in enumerate(segments) if "figure" in segment and _has_caption(segment["figure"])]
    if not places:
        return segments
    out = list(segments)
    for at in places:
        for beside, is_after in ((at + 1, True), (at - 1, False)):
            if 0 <= beside < len(out):
                _move(out, at, beside, is_after)
    return out


def is_sign(image: Record, segment: Record) -> bool:
    """Whether an image is a drawing that says what the text beside it does."""
    alt, src = image.get("alt"), image.get("src")
    if not alt or not isinstance(alt, str) or not isinstance(src, str) or ".svg" not in src:
        return False
    words, own = (_NO_WORD.sub("", text[:MAX_SIGN_CHARS]).lower() for text in (alt, segment["text"]))
    return words == own != ""


def is_button(image: Record) -> bool:
    """Whether an image is a drawing in a link for a script, such as one that prints the page or makes its letters
    larger."""
    src = image.get("src")
    return _is_for_script(image.get("link")) and isinstance(src, str) and _GIF.search(src) is not None


def without_script(image: Record) -> Record:
    """An image without a link that is there for a script alone."""
    if not _is_for_script(image.get("link")):
        return image
    return {name: value for name, value in image.items() if name != "link"}


def _is_for_script(link: object) -> bool:
    """Whether a link leads to no place in the page."""
    return isinstance(link, str) and link.endswith("#")


def _has_caption(figures: object) -> bool:
    return isinstance(figures, list) and any(isinstance(image, dict) and "caption" in image for image in figures)


def _move(out: list[Record], at: int, beside: int, is_after: bool) -> None:
    """Moves the images after or before the segment *at* whose caption is the one *beside*."""
    figures, caption = out[at].get("figure", []), " ".join(out[beside]["text"].split())
    if out[beside].get("pre") or "table" in out[beside] or "note" in out[beside]:
        return
    moved = [
        image
        for image in figures
        if isinstance(image, dict) and image.get("caption") == caption and (image.get("after") is True) == is_after
    ]
    if not moved:
        return
    rest = [image for image in figures if not any(image is one for one in moved)]
    out[at] = {name: value for name, value in out[at].items() if name != "figure"} | ({"figure": rest} if rest else {})
    images = [{name: value for name, value in image.items() if name != "after"} for image in moved]
    out[beside] = {**out[beside], "figure": [*images, *out[beside].get("figure", ())]}
