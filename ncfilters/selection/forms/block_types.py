"""The blocks of a text: headings, paragraphs, code, images, lists, quotes, footnotes; tables are `tables.Grid`.

ListBlock([ListItem(2, [Paragraph({"text": "two", "type": "l"})])], "body/ol").ordered    # True
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ...record import Record
from .tables import Grid, Image

_LANGUAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+#._-]{0,29}")


@dataclass(slots=True)
class Heading:
    """A heading of a *level* from 1 to 6."""

    segment: Record
    level: int


@dataclass(slots=True)
class Paragraph:
    """A segment whose text begins at *start*, after a number that the list writes. It is a line in bold if *bold*."""

    segment: Record
    start: int = 0
    bold: bool = False


@dataclass(slots=True)
class Code:
    """Preformatted text."""

    segment: Record

    @property
    def language(self) -> str:
        """The name of its programming language, empty if that is unknown."""
        language = self.segment.get("code_language")
        return language if isinstance(language, str) and _LANGUAGE.fullmatch(language) else ""


@dataclass(slots=True)
class ImageBlock:
    """Images in a block of their own, as objects with `src` and `alt`, and the segment that is their caption."""

    images: list[Image]
    caption: Record | None = None


@dataclass(slots=True)
class ListItem:
    """A list item; *number* is None in lists with bullets."""

    number: int | None
    blocks: list[Block] = field(default_factory=list)

    @property
    def task(self) -> str | None:
        """`x` for a task that is done, a space for one that is not; None for other items."""
        first = self.blocks[0] if self.blocks else None
        if not isinstance(first, Paragraph) or first.start or "spans" not in first.segment:
            return None
        return next((span[3] for span in first.segment["spans"] if span[2] == "task" and len(span) > 3), None)


@dataclass(slots=True)
class ListBlock:
    """A list; the path of its element tells it from the next."""

    items: list[ListItem]
    path: str

    @property
    def ordered(self) -> bool:
        """Whether its items have numbers."""
        return self.items[0].number is not None

    @property
    def ends_paragraph(self) -> bool:
        """Whether parsers of Markdown see it right below a paragraph."""
        return self.items[0].number in (None, 1)


@dataclass(slots=True)
class Quote:
    """A block quotation."""

    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class NoteText:
    """A footnote, by its label in `Notes`."""

    label: str
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class PostBlock:
    """A post of a thread, or a comment; *author* and *date* are empty where they are not known, or where the post goes
    on after what is none of it."""

    author: str
    date: str
    blocks: list[Block] = field(default_factory=list)


Block: TypeAlias = Heading | Paragraph | Code | ImageBlock | ListBlock | Quote | NoteText | PostBlock | Grid


def is_simple(blocks: Sequence[Block]) -> bool:
    """Whether blocks are a paragraph, alone or with lists below it."""
    return isinstance(blocks[0], Paragraph) and all(isinstance(block, ListBlock) for block in blocks[1:])
