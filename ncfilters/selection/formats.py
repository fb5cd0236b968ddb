"""Output forms of selected text: plain, CleanEval, Markdown, HTML, vertical, TEI.

OUTPUT_FORMS["cleaneval"].text([{"type": "h", "text": "Title"}], {})    # '<h>Title'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..record import Record
from .forms.html import html
from .forms.html_head import PLAIN_HEAD, TAIL, html_head
from .forms.markdown import markdown
from .forms.plain import cleaneval, plain
from .forms.tei import tei
from .forms.tei_header import CORPUS_HEAD, CORPUS_TAIL
from .forms.vertical import vertical


@dataclass(frozen=True)
class OutputForm:
    """An output form: the function from segments and their document to text, and the frame of texts in a stream."""

    text: Callable[[list[Record], Record], str]
    suffix: str  # of file names
    head: str = ""  # before the first document
    between: str = ""  # between two documents
    tail: str = ""  # after the last
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


_XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

OUTPUT_FORMS = {
    "plain": OutputForm(plain, ".txt", between="\n"),
    "text": OutputForm(plain, ".txt", between="\n"),  # another name of plain
    "cleaneval": OutputForm(cleaneval, ".txt", between="\n"),
    "markdown": OutputForm(markdown, ".md", between="\n"),
    "html": OutputForm(html, ".html", PLAIN_HEAD, "", TAIL, head_of=html_head),
    "xml": OutputForm(tei, ".xml", CORPUS_HEAD, "", CORPUS_TAIL, alone=_XML_HEAD),
    "vertical": OutputForm(vertical, ".vert"),
}
# The forms that may have bullets.
PLAIN_FORMS = ("plain", "text")
