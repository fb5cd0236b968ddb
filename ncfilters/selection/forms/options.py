"""What output forms write of the markup of a page: links, images and tables.

with_options(segments, MarkupOptions(links="drop"))    # the segments, with links as their text
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from typing import Any, NamedTuple

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
            segment = {name: value for name, value in segment.items() if name not in _TABLE_FIELDS}
            segment |= {"type": "p", "tag": "p"}
        if figures := segment.get("figure"):
            segment = {
                **segment,
                "figure": [_with_link(image, options) for image in figures if options.images == "keep"],
            }
        if "spans" in segment:
            spans = [_with_links(span, options) for span in segment["spans"]]
            segment = {**segment, "spans": [span for span in spans if span[2] != "image" or options.images == "keep"]}
        out.append(segment)
    return out


def _with_links(span: list[Any], options: MarkupOptions) -> list[Any]:
    """A span as it is to be written."""
    if span[2] == "image":
        return [*span[:3], _with_link(span[3], options)]
    if span[2] == "link" and options.links != "keep":
        return [*span[:2], _LINK_KINDS[options.links], *span[3:]]
    return span


def _with_link(image: Record, options: MarkupOptions) -> Record:
    """An image with the link around it as it is to be written."""
    if options.links == "keep" or "link" not in image:
        return image
    kept = {name: value for name, value in image.items() if name != "link"}
    return kept if options.links == "drop" else {**kept, "reference": image["link"]}
