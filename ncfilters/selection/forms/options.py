"""What output forms write of the markup of a page: links, images and tables.

with_options(segments, MarkupOptions(links="drop"))    # the segments, with links as their text
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from typing import NamedTuple

from ...checked import Checked
from ...record import Record

LINKS = ("keep", "drop", "reference")
IMAGES = ("keep", "drop")
TABLES = ("keep", "text", "drop")
_LINK_KINDS = {"drop": "text", "reference": "reference"}
# Fields of table cells; `tr` is the tag of a row.
_TABLE_FIELDS = frozenset(("table", "cells", "tag"))


class _MarkupOptions(NamedTuple):
    links: str = "keep"  # one of LINKS; the text of links stays
    images: str = "keep"  # one of IMAGES
    tables: str = "keep"  # one of TABLES; `drop` drops their text, too


class MarkupOptions(Checked, _MarkupOptions):
    """What is written where it is known. Raises ValueError for values that are not accepted."""

    __slots__ = ()

    def check(self) -> None:
        """Raises ValueError for values that are not accepted."""
        for name, value, accepted in (
            ("links", self.links, LINKS),
            ("images", self.images, IMAGES),
            ("tables", self.tables, TABLES),
        ):
            if value not in accepted:
                *others, last = accepted
                raise ValueError(f"{name}: expected {', '.join(others)} or {last}, got {value!r}")


DEFAULTS = MarkupOptions()


def with_options(segments: list[Record], options: MarkupOptions) -> list[Record]:
    """The segments with the markup that is to be written."""
    if options == DEFAULTS:
        return segments
    from .tables import table_of  # start-up: only for records with markup

    out = []
    for segment in segments:
        if options.tables != "keep" and table_of(segment) is not None:
            if options.tables == "drop":
                continue
            segment = _as_text(segment)
        if options.images == "drop" and "figure" in segment:
            segment = {name: value for name, value in segment.items() if name != "figure"}
        if options.links != "keep" and isinstance(figure := segment.get("figure"), list):
            segment = {**segment, "figure": [_image_with_link(image, options) for image in figure]}
        if "spans" in segment:
            segment = {**segment, "spans": [new for span in segment["spans"] if (new := _with_links(span, options))]}
        out.append(segment)
    return out


def _as_text(segment: Record) -> Record:
    """A segment of a table as a paragraph."""
    out = {name: value for name, value in segment.items() if name not in _TABLE_FIELDS}
    return {**out, "type": "p", "tag": "p"}


def _with_links(span: object, options: MarkupOptions) -> object:
    """A span as it is to be written; None if it is not."""
    kind = span[2] if isinstance(span, list) and len(span) > 2 else None
    if kind == "image" and options.images == "drop":
        return None
    if kind == "link" and options.links != "keep" and isinstance(span, list):
        return [*span[:2], _LINK_KINDS[options.links], *span[3:]]
    if kind == "image" and options.links != "keep" and isinstance(span, list):
        return [*span[:3], *[_image_with_link(image, options) for image in span[3:]]]
    return span


def _image_with_link(image: object, options: MarkupOptions) -> object:
    """An image with the link around it as it is to be written."""
    if not isinstance(image, dict) or "link" not in image:
        return image
    kept = {name: value for name, value in image.items() if name != "link"}
    return kept if options.links == "drop" else {**kept, "reference": image["link"]}
