"""The elements around segments, and the words that they hold.

table = table_of([{"text": "It rained.", "path": "body/main/p"}, {"text": "Rain", "path": "body/main/ul/li"}])
Containers(table, [True, False]).has_text_around("body/main/ul", 1, 1)    # True
"""

from __future__ import annotations

from .scored_table import ScoredTable


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
