"""Blocks, or segments, as a table: a list for each field, a row for each block.

    table = BlockTable()
    row = table.append("It rained.", "p", table.elements.add("body/p"), 0)
    table.records()    # [{'text': 'It rained.', 'tag': 'p', 'path': 'body/p', 'links': 0}]

The stages of one process pass a table from one to the next, as the `segments` of a record; it is also a sequence of
records, each of which is made when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...record import SEEN, Block
from ..element_table import ElementTable

# Bits of flags: the fields of a block that are true where they are there.
BR, PRE, BOLD, LINES = 1, 2, 4, 8
_FLAGS = {"br": BR, "pre": PRE, "bold": BOLD, "lines": LINES}
_NAMED = ("tag", "marker", "hidden", "origin", "type", "rule")
_KNOWN = frozenset("text tag path links br marker hidden pre bold origin lines type rule".split())


class BlockTable:
    """A row for each block; every column has the same length.

    `text`, `tag`, `links`: as in records; `element`: the row of its element in `elements`, from which its path is
    written. A paragraph of plain text has no tag, path and links in its record: its tag is None. `flags`: bits of BR,
    PRE, BOLD and LINES; `marker`, `hidden`, `origin`, and of segments `type` and `rule`: None where the field is not
    there; `extra`: the other fields, such as those of markup, in order; None where there are none. A field that is
    there, too, has its place there. `scored`: columns of what models write, by the names of their fields.
    """

    def __init__(self, elements: ElementTable | None = None) -> None:
        self.elements = ElementTable() if elements is None else elements
        self.text: list[str] = []
        self.tag: list[str | None] = []
        self.element: list[int] = []
        self.links: list[int] = []
        self.flags: list[int] = []
        self.marker: list[str | None] = []
        self.hidden: list[str | None] = []
        self.origin: list[str | None] = []
        self.type: list[str | None] = []
        self.rule: list[str | None] = []
        self.extra: list[Block | None] = []
        self.scored: dict[str, list[Any]] = {}
        self._made: list[Block | None] = []  # the records that somebody asked for

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[at] for at in range(*row.indices(len(self.text)))]
        if len(self._made) != len(self.text):
            self._made = [None] * len(self.text)
        made = self._made[row]
        if made is None:
            made = self._made[row] = self.record(range(len(self.text))[row])
        return made

    def __iter__(self) -> Iterator[Block]:
        return iter(self[:])

    def append(self, text: str, tag: str | None, element: int, links: int) -> int:
        """Adds a block with no other fields, and returns its row."""
        self.text.append(text)
        self.tag.append(tag)
        self.element.append(element)
        self.links.append(links)
        self.flags.append(0)
        self.marker.append(None)
        self.hidden.append(None)
        self.origin.append(None)
        self.type.append(None)
        self.rule.append(None)
        self.extra.append(None)
        return len(self.text) - 1

    def append_record(self, block: Block) -> int:
        """Adds a block that is a record with fields of the types of the schema, and returns its row."""
        element = self.elements.add(block.get("path", ""))
        row = self.append(block["text"], block.get("tag", ""), element, block.get("links", 0))
        self.flags[row] = (
            BR * ("br" in block) | PRE * ("pre" in block) | BOLD * ("bold" in block) | LINES * ("lines" in block)
        )
        self.marker[row], self.hidden[row], self.origin[row] = map(block.get, ("marker", "hidden", "origin"))
        self.type[row], self.rule[row] = block.get("type"), block.get("rule")
        if not _KNOWN.issuperset(block):
            self.extra[row] = {name: value for name, value in block.items() if name not in _KNOWN}
        return row

    def truncate(self, size: int) -> None:
        """Removes all rows from *size* on."""
        for column in self.columns():
            del column[size:]

    def take(self, rows: list[int]) -> None:
        """Leaves these *rows*, in this order."""
        for column in self.columns():
            column[:] = _taken(column, rows)

    def columns(self) -> list[list[Any]]:
        """All columns."""
        return [
            self.text, self.tag, self.element, self.links, self.flags, self.marker, self.hidden, self.origin, self.type,
            self.rule, self.extra,
        ]  # fmt: skip

    def fields(self, row: int) -> Block:
        """The other fields of a block, to which some are to be added: those that it has stay before them."""
        out = self.extra[row]
        if out is None:
            out = self.extra[row] = {}
        if self.origin[row] is not None and self.origin[row] not in SEEN:
            out.setdefault("origin", self.origin[row])
        if self.flags[row] & LINES:
            out.setdefault("lines", True)
        return out

    def record(self, row: int) -> Block:
        """The block in a row as a record, with its fields in the order of the schema."""
        flags, extra = self.flags[row], self.extra[row]
        out: Block = {"text": self.text[row]}
        if self.tag[row] is not None:
            out["tag"], out["path"], out["links"] = self.tag[row], self.path(row), self.links[row]
        elif extra is not None:  # a type and a marker of plain text, in their order
            out |= extra
        if flags & BR:
            out["br"] = True
        if self.marker[row] is not None:
            out["marker"] = self.marker[row]
        if self.hidden[row] is not None:
            out["hidden"] = self.hidden[row]
        if flags & PRE:
            out["pre"] = True
        if flags & BOLD:
            out["bold"] = True
        origin = self.origin[row]
        if origin is not None and origin in SEEN:
            out["origin"] = origin
        if extra is not None:
            out |= extra
        if origin is not None and origin not in SEEN:  # those of embedded content stand after its markup
            out["origin"] = origin
        if flags & LINES:
            out["lines"] = True
        if self.type[row] is not None:
            out["type"] = self.type[row]
        if self.rule[row] is not None:
            out["rule"] = self.rule[row]
        for name, column in self.scored.items():
            if column[row] is not None:
                out[name] = column[row]
        return out

    def score(self, name: str, column: list[Any]) -> None:
        """Sets a column of what a model writes; None where a segment has nothing."""
        self.scored[name] = column
        self._made = []

    def column(self, name: str, default: object) -> list[Any]:
        """The values of a field in all rows; the *default* where it is not there."""
        if name in self.scored:
            own = self.scored[name]
            return [default if value is None else value for value in own] if None in own else own
        if name in _FLAGS:
            return [flags & _FLAGS[name] != 0 or default for flags in self.flags]
        if name in _KNOWN:
            own = getattr(self, name)
            return [default if value is None else value for value in own]
        return [default if extra is None else extra.get(name, default) for extra in self.extra]

    def field_names(self) -> set[str]:
        """The names of the fields that some row has."""
        out = {"text", *self.scored}
        for name in _NAMED:
            column: list[Any] = getattr(self, name)
            if column.count(None) < len(column):
                out.add(name)
        if "tag" in out:
            out |= {"path", "links"}
        seen = 0
        for flags in self.flags:
            seen |= flags
        out |= {name for name, flag in _FLAGS.items() if seen & flag}
        for extra in self.extra:
            if extra is not None:
                out |= extra.keys()
        return out

    def path(self, row: int) -> str:
        """The path of the element of a block."""
        return self.elements.path(self.element[row])

    def records(self) -> list[Block]:
        """All blocks as records."""
        return [self.record(row) for row in range(len(self.text))]

    def part(self, rows: list[int]) -> BlockTable:
        """A table of some rows, in this order."""
        out = BlockTable(self.elements)
        for column, own in zip(out.columns(), self.columns()):
            column += _taken(own, rows)
        for name, values in self.scored.items():
            out.scored[name] = _taken(values, rows)
        return out

    def extend(self, other: BlockTable) -> None:
        """Adds the rows of another table with the same elements."""
        for column, more in zip(self.columns(), other.columns()):
            column += more


def _taken(column: list[Any], rows: list[int]) -> list[Any]:
    """The values of a column in some rows."""
    out = []
    for row in rows:
        out.append(column[row])  # noqa: PERF401 # compiled, it is faster than a comprehension
    return out


def table_of(blocks: Iterable[Block]) -> BlockTable:
    """The table of blocks, or segments, that are records."""
    out = BlockTable()
    for block in blocks:
        out.append_record(block)
    return out
