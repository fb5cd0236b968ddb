"""The elements around segments, and the words that they hold.

table = table_of([{"text": "It rained.", "path": "body/main/p"}, {"text": "Rain", "path": "body/main/ul/li"}])
Containers(table, [True, False]).has_text_around("body/main/ul", 1, 1)    # True
"""

from __future__ import annotations

from .scored_table import ScoredTable

# The container of an element has the text of a page if it has at least this share of the words that are kept.
TEXT_SHARE = 0.5


class Containers:
    """The words that are kept in each element, and the first segment that is."""

    def __init__(self, table: ScoredTable, kept: list[bool]) -> None:
        rows = [row for row in table.visible if kept[row]]
        self._words = words_by_container(table, rows)
        self._first: dict[str, int] = {}
        for row in rows:
            self._first.setdefault(table.path[row], row)
        sizes = table.words()
        self._total = sum([sizes[row] for row in rows])

    def has_text_around(self, path: str, wrappers: int, row: int) -> bool:
        """Whether one of so many elements around the element *path* has most of the text, and some of it before a
        row."""
        for _ in range(wrappers):
            path = path.rpartition("/")[0]
            if "/" not in path:  # all of the page
                return False
            if self._words.get(f"{path}/", 0.0) >= TEXT_SHARE * self._total:
                prefix = f"{path}/"
                return any(first < row and own.startswith(prefix) for own, first in self._first.items())
        return False


def words_by_container(table: ScoredTable, rows: list[int]) -> dict[str, float]:
    """The number of words of the rows inside each element, by its path with a final slash."""
    sizes = table.words()
    own: dict[str, float] = {}
    for row in rows:
        path = table.path[row]
        own[path] = own.get(path, 0.0) + sizes[row]
    out: dict[str, float] = {}
    for path, size in own.items():
        end = path.find("/") + 1
        while end > 0:
            container = path[:end]
            out[container] = out.get(container, 0.0) + size
            end = path.find("/", end) + 1
    return out


def innermost(words: dict[str, float], share: float) -> str:
    """The path of the innermost element with this share of the words (see `words_by_container`); empty if there is
    none."""
    least = share * max(words.values(), default=0.0)
    return max([path for path, size in words.items() if size >= least], key=len, default="")
