"""Texts that a page has twice, such as for mobile devices or for browsers without scripts: the copies are dropped.

table = table_of([{"text": "It rained.", "path": "body/p"}, {"text": "It rained.", "path": "body/main/p"}])
without_copies(table, [True, True], min_repeated=2)    # [True, False]
"""

from __future__ import annotations

from ..text.lazy_pattern import lazy_pattern
from .scored_table import ScoredTable

# The part of a path that identifies a single element.
_ID = lazy_pattern(r"#[^./]*")


def without_copies(table: ScoredTable, kept: list[bool], min_repeated: int) -> list[bool]:
    """*kept*, but False for texts of at least *min_repeated* words that are kept before in another place. Repetitions
    in the same place, such as terms or table headers, are intended."""
    sizes, out = table.words(), list(kept)
    # Equal texts have equal numbers of words, and the same first character: only those are compared.
    rows: dict[tuple[float, str], list[int]] = {}
    for row, size in enumerate(sizes):
        if size >= min_repeated and kept[row]:
            rows.setdefault((size, table.text[row].lstrip()[:1].casefold()[:1]), []).append(row)
    for candidates in rows.values():
        if len(candidates) > 1:
            _drop_copies(table, candidates, out)
    return out


def _drop_copies(table: ScoredTable, rows: list[int], kept: list[bool]) -> None:
    first_place: dict[str, str] = {}
    for row in rows:
        path = table.path[row]
        # without a path, each place is another
        place = _ID.sub("", path) if path or "path" in table.segments[row] else str(row)
        text = " ".join(table.text[row].split()).casefold()
        kept[row] = first_place.setdefault(text, place) == place
