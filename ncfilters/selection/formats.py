"""Output forms of selected text, and what they write of links, images and tables.

OUTPUT_FORMS["cleaneval"].text([{"type": "h", "text": "Title"}], {})    # '<h>Title'
with_options(segments, MarkupOptions(links="drop"))    # the segments, with links as their text
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple

from ..checked import Checked
from ..record import Record
from ..streams.output_file import FORMATS, suffix_of
from .forms.html_head import CORPUS_HEAD, CORPUS_TAIL, PLAIN_HEAD, TAIL, html_head
from .forms.plain import cleaneval, plain

LINKS = ("keep", "drop", "reference")
IMAGES = ("keep", "drop")
TABLES = ("keep", "text", "drop")
_LINK_KINDS = {"drop": "text", "reference": "reference"}
# Fields of table cells; `tr` is the tag of a row.
_TABLE_FIELDS = frozenset(("table", "cells", "tag"))


class OutputForm(NamedTuple):
    """An output form: the function from segments and their document to text, and the frame of texts in a stream."""

    text: Callable[[list[Record], Record], str]
    suffix: str  # of file names
    head: str = ""  # before the first document
    between: str = ""  # between two documents
    tail: str = ""  # after the last
    has_metadata: bool = False  # the text has the metadata of the page
    alone: str | None = None  # before the document in a file of its own, where it is not `head`; `tail` is empty then
    head_of: Callable[[Record], str] | None = None  # instead of `head`, before the only document of an output

    @property
    def file_head(self) -> str:
        """What is before the document in a file of its own, if it has no `head_of`."""
        return self.head if self.alone is None else self.alone

    @property
    def file_tail(self) -> str:
        """What is after it."""
        return self.tail if self.alone is None else ""


def _lazy(module: str, form: str) -> Callable[[list[Record], Record], str]:
    """A form whose module a command imports when it writes its first text."""
    return partial(_written, module, form)


def _written(module: str, form: str, segments: list[Record], document: Record) -> str:
    return _imported(module, form)(segments, document)


@cache
def _imported(module: str, form: str) -> Callable[[list[Record], Record], str]:
    function: Callable[[list[Record], Record], str] = getattr(import_module(f"{__package__}.forms.{module}"), form)
    return function


_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

OUTPUT_FORMS = {
    "plain": OutputForm(plain, ".txt", between="\n"),
    "text": OutputForm(plain, ".txt", between="\n"),  # another name of plain
    "cleaneval": OutputForm(cleaneval, ".txt", between="\n"),
    "markdown": OutputForm(_lazy("markdown", "markdown"), ".md", between="\n"),
    "html": OutputForm(_lazy("elements", "html"), ".html", PLAIN_HEAD, "", TAIL, has_metadata=True, head_of=html_head),
    "xml": OutputForm(_lazy("elements", "tei"), ".xml", CORPUS_HEAD, "", CORPUS_TAIL, has_metadata=True, alone=_XML),
    "vertical": OutputForm(_lazy("vertical", "vertical"), ".vert", has_metadata=True),
    "conllu": OutputForm(_lazy("vertical", "conllu"), ".conllu", has_metadata=True),
}
# The form that the name of a file asks for.
_SUFFIXES = {form.suffix: name for name, form in reversed(OUTPUT_FORMS.items())} | {
    ".text": "plain",
    ".htm": "html",
    ".markdown": "markdown",
}
# The forms that show links, emphasis and images.
MARKUP_FORMS = ("markdown", "html", "xml")
# The forms that may have bullets.
PLAIN_FORMS = ("plain", "text")


def form_of(name: str) -> str | None:
    """The form that a file's name asks for, such as `markdown` for `page.md.gz`; None if it names none."""
    return _SUFFIXES.get(suffix_of(name))


def format_of(name: str) -> str | None:
    """The format that a file's name asks for, such as `text` for `page.md.gz`; None if it names none."""
    return FORMATS.get(suffix_of(name), "text" if form_of(name) else None)


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
    from .forms.tables import table_of  # start-up: only for records with markup

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
