"""Output forms of selected text: plain, CleanEval, Markdown, HTML, TEI, vertical, CoNLL-U.

OUTPUT_FORMS["cleaneval"].text([{"type": "h", "text": "Title"}], {})    # '<h>Title'
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

import os
from collections.abc import Callable
from typing import NamedTuple

from ..record import Record
from ..streams.output_file import COMPRESSED
from .forms.html_head import CORPUS_HEAD, CORPUS_TAIL, PLAIN_HEAD, TAIL, html_head
from .forms.plain import cleaneval, plain


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


# Forms whose modules a command imports when it writes its first text.


def _markdown(segments: list[Record], document: Record) -> str:
    from .forms.markdown import markdown  # start-up

    return markdown(segments, document)


def _html(segments: list[Record], document: Record) -> str:
    from .forms.elements import html  # start-up

    return html(segments, document)


def _tei(segments: list[Record], document: Record) -> str:
    from .forms.elements import tei  # start-up

    return tei(segments, document)


def _vertical(segments: list[Record], document: Record) -> str:
    from .forms.vertical import vertical  # start-up

    return vertical(segments, document)


def _conllu(segments: list[Record], document: Record) -> str:
    from .forms.vertical import conllu  # start-up

    return conllu(segments, document)


_XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

OUTPUT_FORMS = {
    "plain": OutputForm(plain, ".txt", between="\n"),
    "text": OutputForm(plain, ".txt", between="\n"),  # another name of plain
    "cleaneval": OutputForm(cleaneval, ".txt", between="\n"),
    "markdown": OutputForm(_markdown, ".md", between="\n"),
    "html": OutputForm(_html, ".html", PLAIN_HEAD, "", TAIL, has_metadata=True, head_of=html_head),
    "xml": OutputForm(_tei, ".xml", CORPUS_HEAD, "", CORPUS_TAIL, has_metadata=True, alone=_XML_HEAD),
    "vertical": OutputForm(_vertical, ".vert", has_metadata=True),
    "conllu": OutputForm(_conllu, ".conllu", has_metadata=True),
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
    stem, suffix = os.path.splitext(name.lower())
    return _SUFFIXES.get(os.path.splitext(stem)[1] if suffix in COMPRESSED else suffix)
