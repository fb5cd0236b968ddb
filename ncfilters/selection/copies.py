"""Steps that drop texts which a page has twice, such as for mobile devices or for browsers without scripts.

    page = page_of([{"text": "It rained all day, and all night.", "path": path} for path in ("body/p", "body/main/p")])
    page.read_elements()
    kept = bytearray([1, 1])
    drop_echoes(page, kept, PolicyOptions())    # kept == bytearray([1, 0])

Each function changes `kept`, which has 1 for each row of the page that is text; its time is linear in the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..page.element_table import CELL, ROW, SHOWN, VARIANT, WIDTHS
from .scored_page import HIDDEN, IS_PRE, NOT_SHOWN, ScoredPage
from .surroundings import drop, rows_kept

if TYPE_CHECKING:
    from .options import PolicyOptions

# Words of a text that is a copy wherever it stands again. Of 4, 6 and 10, the only number that does not lower F on
# CleanEval and DAnIEL.
MIN_COPY = 10
# Texts in a row that are on the page before: their number, their words, and these as a share of all that is kept. Less
# is repeated for each of several products.
MIN_RUN, MIN_RUN_WORDS, MIN_RUN_SHARE = 3, 50, 0.12
# A text of at least so many words that follows itself is a copy, too, such as a heading for mobile devices or the label
# of a card that turns over. So many shorter texts may be between names, such as the badge of a product.
MIN_ECHO, MAX_BETWEEN = 3, 2


def drop_copies(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Drops texts that are kept before in another place, and parts of the page that follow in the same order again,
    such as a recipe for each width of a window. A single text in the same place, such as a term or the head of a table,
    is meant. Posts and code may quote others."""
    rows = [row for row in rows_kept(kept) if page.post[row] < 0 and not page.marks[row] & IS_PRE]
    texts = [page.same[row] for row in rows]
    if len(set(texts)) == len(texts):
        return
    sizes, least = page.words(), max(MIN_RUN_WORDS, MIN_RUN_SHARE * page.size(rows))
    first: dict[int, int] = {}
    at, end = 0, len(rows)
    while at < end:
        before, size = first.setdefault(texts[at], at), 0
        while at + size < end and before + size < at and texts[at + size] == texts[before + size]:
            size += 1
        run = rows[at : at + size]
        if size < MIN_RUN or page.size(run) < least:
            pairs = zip(run, rows[before:])
            run = [row for row, other in pairs if sizes[row] >= MIN_COPY and not _is_same_place(page, row, other)]
        drop(kept, run)
        at += max(size, 1)


def drop_echoes(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Drops texts that repeat the one kept before them in another place outside of tables; of a heading and another
    text, the latter. Drops texts that repeat one for screens of another width, and those of a carousel that screen
    readers skip because it has them twice."""
    _drop_clones(page, kept)
    sizes, element, inside = page.words(), page.element, page.elements.inside
    last, between = -1, 0
    widths: dict[int, int] = {}  # of texts for screens of some width
    for row in rows_kept(kept):
        is_cell = inside[element[row]] & (CELL | ROW)
        if inside[element[row]] & (WIDTHS | VARIANT) and not is_cell:
            other = widths.setdefault(page.same[row], row)
            if other != row and _is_other_width(page, row, other):
                kept[row] = 0
                continue
        size = sizes[row]
        if size < MIN_ECHO:
            between += 1
            continue
        before, last, distance, between = last, row, between, 0
        if before < 0 or size != sizes[before] or distance > (0 if page.type[row] == "p" else MAX_BETWEEN) or is_cell:
            continue
        is_same = page.text[row].split() == page.text[before].split() and page.post[row] == page.post[before]
        if is_same and not _is_same_place(page, row, before):
            last = before if page.type[row] != "h" or page.type[before] == "h" else row
            kept[row + before - last] = 0


def _is_same_place(page: ScoredPage, row: int, other: int) -> bool:
    """Whether two texts have the same path but for ids; without a path, each place is another."""
    if page.element[row] == page.element[other] == 0:
        return False
    return bool(page.elements.shape[page.element[row]] == page.elements.shape[page.element[other]])


def _drop_clones(page: ScoredPage, kept: bytearray) -> None:
    """Drops what screen readers skip and is shown again; several products may have the same price."""
    clones = [row for row in rows_kept(kept) if page.marks[row] & (HIDDEN | NOT_SHOWN) == HIDDEN]
    if clones:
        shown = {page.same[row] for row in rows_kept(kept) if not page.marks[row] & HIDDEN}
        drop(kept, [row for row in clones if page.same[row] in shown and any(map(str.isalpha, page.text[row]))])


def _is_other_width(page: ScoredPage, row: int, other: int) -> bool:
    """Whether the outermost elements that two texts do not share are for screens of different widths."""
    elements = page.elements
    one, two = page.element[row], page.element[other]
    if elements.shape[one] == elements.shape[two]:  # paths have the first classes: those of Framer may be the same
        return bool(elements.inside[one] & VARIANT) and page.words()[row] >= MIN_ECHO
    while elements.parent[one] != elements.parent[two]:
        if elements.depth[one] > elements.depth[two]:
            one = elements.parent[one]
        else:
            two = elements.parent[two]
    widths = elements.signs[one] & (WIDTHS | VARIANT), elements.signs[two] & (WIDTHS | VARIANT)
    is_other = widths[0] != widths[1] or (elements.signs[one] ^ elements.signs[two]) & SHOWN > 0
    return 0 not in widths and (is_other or VARIANT in widths)
