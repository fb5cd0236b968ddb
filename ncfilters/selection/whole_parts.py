"""Steps that decide on what belongs together: lists, tables, code and quotes as a whole, headings with their text, what
a page declares as its content, and ingredients.

    page = page_of([{"text": "2 eggs", "type": "l", "marker": "*", "path": "body/ul/li", "score": 2.0},
                    {"text": "Salt", "type": "l", "marker": "*", "path": "body/ul/li", "score": -1.0}])
    page.read_elements()
    kept = bytearray([1, 0])
    decide_blocks(page, kept, PolicyOptions())    # kept == bytearray([1, 1])

Each function changes `kept`, which has 1 for each row of the page that is text; its time is linear in the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..page.element_table import (
    BUTTON,
    CELL,
    CODE,
    DEFINITION,
    DEFINITIONS,
    FORMULA,
    HEADING,
    INGREDIENTS,
    ITEM,
    LIST,
    LOWEST_LEVEL,
    MENU,
    NOTE,
    OPENER,
    QUOTE,
    RECIPE_NOTES,
    RECIPE_TOOL,
    TABLE,
)
from ..record import REST
from .by_score import least_score
from .scored_page import DECLARED, HIDDEN, IS_ITEM, NOT_SHOWN, ScoredPage
from .surroundings import NEVER, drop, is_ad_label, rows_kept

if TYPE_CHECKING:
    from .options import PolicyOptions

# A block is kept if at least this share of its words is: cells, code and quotes have less evidence of their own.
KEPT_SHARE = {TABLE: 0.3, DEFINITIONS: 0.5, LIST: 0.5, CODE: 0.3, QUOTE: 0.3}
KINDS = {TABLE: "table", DEFINITIONS: "definitions", LIST: "list", CODE: "code", QUOTE: "quote", NOTE: "note"}
KINDS[FORMULA] = "formula"
_BLOCKS = TABLE | DEFINITIONS | LIST | CODE | QUOTE
# Of a list half of the segments are items, else it holds other content, such as posts; and this share of them is kept:
# a list of links in which a long text stands is none of text.
ITEM_SHARE, MIN_NUMBER = 0.5, 0.3
# A table holds data, not the layout of the page, if at least MIN_ROWS and ROW_SHARE of its segments are rows with short
# cells, and it has at most PAGE_SHARE of the page's characters.
MIN_ROWS, ROW_SHARE, PAGE_SHARE, MAX_CELL = 2, 0.3, 0.6, 60
# Groups of items under headings ("For the sauce") are one list, if at most so many segments of at most so many
# characters are between them.
MAX_HEADINGS, MAX_HEADING_CHARS = 2, 60
# A block of which nothing is kept goes with the texts before and after it: bits below the threshold, share of links. A
# note below a text has at least MIN_NOTE bits.
MAX_BELOW, MAX_LINKS, MIN_NOTE = 2.0, 0.5, -5.0
# What wraps a block has at most so many segments besides, such as the caption of a table.
MAX_BESIDE = 1


class Block:
    """A block: its element, its sign, its rows, and the headings between its items."""

    def __init__(self, element: int, kind: int) -> None:
        self.element, self.kind = element, kind
        self.rows: list[int] = []
        self.headings: list[int] = []


def decide_blocks(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps or drops each list, table, quote and block of code as a whole, by the majority of its words; one of which
    nothing is kept stays between kept texts, if it is nearly as good."""
    found = blocks(page, kept) if any(kept) else []
    whole = [block for block in found if _is_whole(page, block)]
    empty = [block for block in whole if not any(kept[row] for row in block.rows)]
    for block in whole:
        _decide_by_majority(page, block, kept)
    for _ in range(2 if empty else 0):  # what stays may stand beside others
        surroundings = Surroundings(page, kept, found)
        near = [block for block in empty if surroundings.has_around(block, options)]
        if not near:
            break
        for block in near:
            _keep(page, block, kept)


def _decide_by_majority(page: ScoredPage, block: Block, kept: bytearray) -> None:
    """Keeps or drops a block of which a part is kept. Notes and formulas stay as they are."""
    rows = block.rows
    number = sum([kept[row] for row in rows])
    if not 0 < number < len(rows) or block.kind not in KEPT_SHARE:
        return
    is_declared = any(page.marks[row] & DECLARED for row in rows)
    if block.kind == LIST and number < MIN_NUMBER * len(rows) and not is_declared:
        return
    share = page.size([row for row in rows if kept[row]]) / page.size(rows)
    is_menu = block.kind == TABLE and page.elements.signs[block.element] & MENU
    if is_declared or share >= KEPT_SHARE[block.kind] and not is_menu:
        _keep(page, block, kept)
    elif block.kind != QUOTE or page.post[rows[0]] >= 0:
        # what would stay of a quote in a post names the author of a text that does not
        drop(kept, rows)


def block_words(page: ScoredPage, row: int, keep: bool, options: PolicyOptions) -> str:
    """Why `decide_blocks` keeps or drops a row."""
    block = _block_elements(page)[page.element[row]]
    kind = KINDS.get(_kind(page, block), "list")  # a heading between items
    return f"{kind} {'kept' if keep else 'dropped'} as a whole"


def blocks(page: ScoredPage, kept: bytearray) -> list[Block]:
    """The blocks of a page, each with the rows that are in none within it; without those that begin with marked rows
    which are not kept, such as menus."""
    elements, block_of = page.elements, _block_elements(page)
    out: list[Block] = []
    is_open: dict[int, Block] = {}  # paths have no positions: a block ends where a row is outside of it
    headings: list[int] = []
    last = 0
    for row in page.visible:
        element = block_of[page.element[row]]
        if element != last or headings:
            if not element and _may_divide(page, row, headings, is_open):
                headings.append(row)
                continue
            around, inner = set(), element
            while inner:
                around.add(inner)
                inner = block_of[elements.parent[inner]]
            is_open = {
                own: block for own, block in is_open.items() if own in around and (not headings or block.kind == LIST)
            }
        last = element
        if not element:
            headings = []
            continue
        block = is_open.get(element)
        if block is None:
            if page.rule[row] is not None and not kept[row]:
                last = 0
                continue
            block = is_open[element] = Block(element, _kind(page, element))
            out.append(block)
        elif headings and block.kind == LIST:
            block.headings += headings
        headings = []
        block.rows.append(row)
    return out


def _block_elements(page: ScoredPage) -> list[int]:
    """For each element the block that it is in, 0 for none. A list right in an item belongs to the list around it;
    notes and formulas are what they are in whatever element."""
    elements = page.elements
    if not page.blocks:
        notes = elements.nearest(NOTE | FORMULA, outermost=True)
        page.blocks = [0]
        for element in range(1, len(elements)):
            parent, signs = elements.parent[element], elements.signs[element]
            above = page.blocks[parent]
            is_inner = elements.signs[parent] & ITEM and signs & elements.signs[above] & LIST
            is_new = signs & _BLOCKS and not is_inner
            page.blocks.append(notes[element] or (element if is_new else above))
    return page.blocks


def _kind(page: ScoredPage, element: int) -> int:
    """The sign of a block."""
    signs = page.elements.signs[element]
    return next((kind for kind in (NOTE, FORMULA, *KEPT_SHARE) if signs & kind), 0)


def _may_divide(page: ScoredPage, row: int, headings: list[int], is_open: dict[int, Block]) -> bool:
    """Whether a row may be the heading of a part of a list that is open: it stands in an element around the list."""
    if page.type[row] != "h" or len(headings) >= MAX_HEADINGS or len(page.text[row]) > MAX_HEADING_CHARS:
        return False
    around = page.elements.parent[page.element[row]]
    return any(block.kind == LIST and page.elements.is_in(own, around) for own, block in is_open.items())


def _is_whole(page: ScoredPage, block: Block) -> bool:
    """Whether a list has items, and a table data."""
    rows = block.rows
    if block.kind == LIST:
        return sum([page.marks[row] & IS_ITEM > 0 for row in rows]) >= ITEM_SHARE * len(rows)
    if block.kind != TABLE:
        return True
    tags = [page.segments[row].get("tag") for row in rows]
    lines = tags.count("tr")
    if lines:  # of a row with pictures in the other cells, one cell alone has text
        lines += sum([tag == "td" and len(page.text[row]) <= MAX_CELL for row, tag in zip(rows, tags)])
    is_data = lines >= max(MIN_ROWS, ROW_SHARE * len(rows))
    return is_data and page.chars(rows) <= PAGE_SHARE * page.shown_chars


class Surroundings:
    """The kept rows around each visible row, and what stands between: other blocks and headings, or loose text."""

    def __init__(self, page: ScoredPage, kept: bytearray, found: list[Block]) -> None:
        visible = page.visible
        self._page, self._at = page, {row: at for at, row in enumerate(visible)}
        in_block = {row for block in found for row in block.rows}
        self._before, self._after, self._loose = [-1], [-1] * (len(visible) + 1), [0]
        own = [0.0] * len(page.elements)
        for row in visible:
            own[page.element[row]] += 1
            is_loose = not kept[row] and page.type[row] != "h" and row not in in_block
            self._before.append(row if kept[row] else self._before[-1])
            self._loose.append(self._loose[-1] + is_loose)
        self._inside = page.elements.sums(own)
        for at in range(len(visible) - 1, -1, -1):
            self._after[at] = visible[at] if kept[visible[at]] else self._after[at + 1]

    def has_around(self, block: Block, options: PolicyOptions) -> bool:
        """Whether a block stands between kept texts of the element around it, with other blocks and headings alone
        between, and its scores are near enough. Tables and code may end that element, too; notes may stand anywhere,
        and formulas below any text."""
        page, rows, elements = self._page, block.rows, self._page.elements
        if any(page.rule[row] is not None or page.marks[row] & HIDDEN for row in rows):
            return False
        if all(elements.inside[page.element[row]] & NEVER for row in rows):
            return False
        if block.kind == QUOTE and page.post[rows[0]] >= 0:  # of another post
            return False
        if block.kind == NOTE:
            return page.mean_score(rows) > MIN_NOTE
        first, last = self._at[rows[0]], self._at[rows[-1]] + 1
        before, after = self._before[first], self._after[last]
        if before < 0 or self._loose[self._at[before]] < self._loose[first]:
            return False
        if block.kind == FORMULA:
            return True
        around = elements.parent[block.element]
        while around and self._inside[around] <= len(rows) + MAX_BESIDE:  # it wraps the block
            around = elements.parent[around]
        if not elements.is_in(page.element[before], around):
            return False
        is_inside = after >= 0 and elements.is_in(page.element[after], around)
        if is_inside and self._loose[self._at[after]] > self._loose[last]:
            return False
        if not is_inside and (block.kind not in (TABLE, CODE) or elements.depth[around] < 2):  # the end of the page
            return False
        return page.link_share(rows) < MAX_LINKS and page.mean_score(rows) > least_score(options, page) - MAX_BELOW


def _keep(page: ScoredPage, block: Block, kept: bytearray) -> None:
    """Keeps a block with its headings, without what is hidden in it unless all is."""
    shown = [row for row in block.rows if not page.marks[row] & NOT_SHOWN]
    for row in shown or block.rows:
        kept[row] = 1
    for row in block.headings:
        kept[row] = kept[row] or page.rule[row] is None


# Bits. A heading of kept text is kept above the first; one without kept text is dropped below the second: without that
# limit product and listing pages lose items.
HEADING_SCORE, EMPTY_HEADING_SCORE = -3.0, 2.0
# The number of elements that may wrap a heading but not its text: one in `div/header/h2` and `div/p`.
HEADING_WRAPPERS = 1
# Words, and the share that is a link, of a headline.
MIN_HEADLINE, LINK_SHARE = 4, 0.8
_QUESTION_MARKS = ("?", "？", "؟")
_EVERY_LEVEL = (1 << LOWEST_LEVEL + 1) - 1  # a bit for each


def decide_headings(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps a heading with the text directly below it; drops one whose section has text, but none that is kept. A
    heading without any text that is followed by one of its level is an item, such as a product, and stays."""
    if all(page.type[row] == "h" for row in rows_kept(kept)):
        return
    has_kept = has_dropped = 0  # bit n: whether the section of a heading of level n has such text, as far as it is read
    below, end_level = -1, 0  # the row below; the level of the next heading
    levels, element, visible = page.elements.level, page.element, page.visible
    for at in range(len(visible) - 1, -1, -1):
        row = visible[at]
        if page.type[row] != "h":
            if kept[row]:
                has_kept = _EVERY_LEVEL
            else:
                has_dropped = _EVERY_LEVEL
                if below >= 0 and kept[below] and _is_opener(page, row, below):
                    kept[row] = 1
            below = row
            continue
        level = levels[element[row]]
        if kept[row]:
            if not has_kept >> level & 1 and page.score[row] < EMPTY_HEADING_SCORE and not _is_headline(page, row):
                is_last = below < 0 or page.type[below] == "h" and end_level < level
                before = visible[at - 1] if at else -1
                is_empty = is_last and not (_heads(page, row, below, kept) or _ends(page, row, before, kept))
                kept[row] = not (has_dropped >> level & 1 or is_empty)
        elif below >= 0 and kept[below] and page.rule[row] is None and not is_ad_label(page.text[row]):
            if page.type[below] != "h" or level < end_level < LOWEST_LEVEL:
                kept[row] = page.score[row] > HEADING_SCORE and _is_heading_of(page, row, below)
            if not kept[row]:
                kept[row] = _is_opener(page, row, below)
        has_kept &= (1 << level) - 1
        has_dropped &= (1 << level) - 1
        below, end_level = row, level


def _is_heading_of(page: ScoredPage, row: int, below: int) -> bool:
    """Whether the text below a heading is in the element around it, or in one that has hardly more."""
    heading = page.elements.nearest(HEADING)[page.element[row]]
    return heading > 0 and _is_near(page, page.elements.parent[heading], below)


def _is_opener(page: ScoredPage, row: int, below: int) -> bool:
    """Whether a question or a heading is in a `<button>` or `<summary>` right above a text that it opens."""
    elements = page.elements
    opener = elements.nearest(OPENER)[page.element[row]]
    if not opener or page.rule[row] is not None or page.score[row] <= HEADING_SCORE:
        return False
    around = elements.parent[opener]
    is_heading = elements.signs[around] & HEADING
    if not is_heading and not page.text[row].endswith(_QUESTION_MARKS):
        return False
    if elements.is_in(page.element[below], opener):
        return False
    return _is_near(page, elements.parent[around] if is_heading else around, below)


def _is_near(page: ScoredPage, around: int, row: int) -> bool:
    """Whether a text is in an element, or in one that has hardly more; all of the page has."""
    elements = page.elements
    for _ in range(HEADING_WRAPPERS):
        if elements.is_in(page.element[row], around):
            return True
        around = elements.parent[around]
        if elements.depth[around] < 2:
            return False
    return bool(elements.is_in(page.element[row], around))


def _is_headline(page: ScoredPage, row: int) -> bool:
    """Whether a heading is a link that says what it leads to, as those of news and shops do."""
    if page.score[row] <= 0 or page.elements.level[page.element[row]] == LOWEST_LEVEL:
        return False
    return page.words()[row] >= MIN_HEADLINE and page.link_share([row]) >= LINK_SHARE


def _heads(page: ScoredPage, row: int, below: int, kept: bytearray) -> bool:
    """Whether a heading that has no text stands above a kept one in the same element, as its first line."""
    if below < 0 or not kept[below] or page.score[row] <= 0 or page.elements.level[page.element[row]] == LOWEST_LEVEL:
        return False
    parent = page.elements.parent
    return bool(parent[page.element[row]] == parent[page.element[below]])


def _ends(page: ScoredPage, row: int, before: int, kept: bytearray) -> bool:
    """Whether a heading outside of h1 to h6 is the end of the kept text before it: a cell or an item below others, the
    name below a quotation, a short text below a heading."""
    elements, element = page.elements, page.element
    if before < 0 or not kept[before] or elements.level[element[row]] < LOWEST_LEVEL:
        return False
    inside = elements.nearest(CELL | ITEM | DEFINITION | QUOTE, outermost=True)[element[row]]
    if inside and elements.is_in(element[before], elements.parent[inside]):
        return True
    if page.score[row] <= 0 or page.type[before] == "h" and elements.level[element[before]] == LOWEST_LEVEL:
        return False
    is_button = page.links[row] == len(page.text[row])
    return not is_button and page.part[row] != REST  # such as the number of likes


# Segments between what a page declares and its heading: those of buttons that convert amounts.
MAX_BUTTONS = 5


def keep_declared(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps what the page declares as its content (see `declared_content`); of two places of one text, that with the
    higher scores. The name of a step is in menus, too: "Bake"."""
    rows = [row for row, marks in enumerate(page.marks) if marks & DECLARED and page.rule[row] not in ("nav", "footer")]
    if not rows:
        return
    best: dict[int, int] = {}
    for row in rows:
        if page.score[row] > page.score[best.setdefault(page.same[row], row)]:
            best[page.same[row]] = row
    shape = page.elements.shape
    places = {shape[page.element[row]] for row in best.values()}
    shown = [row for row in rows if shape[page.element[row]] in places]
    for row in shown:
        kept[row] = 1
    before = ""  # the property that the segments before show
    at = {row: at for at, row in enumerate(page.visible)}
    for row in shown:
        name = str(page.segments[row]["declared"])
        if name != before and row in at:
            _keep_headings(page, kept, at[row])
        before = name


def _keep_headings(page: ScoredPage, kept: bytearray, at: int) -> None:
    """Keeps the headings above what a page declares, which the visible row at a place begins: right above it, or in an
    element around it, of rising levels. Buttons may be between."""
    elements, lowest = page.elements, LOWEST_LEVEL
    own = page.element[page.visible[at]]
    names = set(elements.names_below_cut(own))
    for place in range(at - 1, max(at - 2 - MAX_BUTTONS, -1), -1):
        row = page.visible[place]
        level, parent = elements.level[page.element[row]], elements.parent[page.element[row]]
        is_heading = level < lowest or place == at - 1 and page.type[row] == "h"
        # an element may wrap a heading, but not its text
        around = elements.parent[parent] if level < LOWEST_LEVEL else parent
        is_around = elements.is_in(own, around) or not names.isdisjoint(
            (elements.name_of(parent), elements.name_of(around))
        )
        if is_heading and page.rule[row] is None and is_around:
            kept[row] = 1
            lowest = level


# Where a page shows so few words of text, what it declares in JSON-LD is its text: the origins of such segments.
MAX_SHOWN = 10
BODIES = frozenset(f"json-ld:{name}" for name in ("articleBody", "text", "recipeIngredient", "recipeInstructions"))


def keep_embedded(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps the body of an article, recipe or thread that a page declares for search engines, and shows by a script."""
    if "origin" not in page.names:
        return
    rows = [row for row, origin in enumerate(page.column("origin", "")) if origin in BODIES]
    if rows and page.size([row for row in page.visible if kept[row]]) <= MAX_SHOWN:
        for row in rows:
            kept[row] = 1


# A list of ingredients has so many lines of at most so many characters, and a number in this share of them: other
# things are called ingredients, too. A list is a copy if others have this share of it.
MIN_LINES, MAX_LINE, NUMBER_SHARE, COPY_SHARE = 3, 200, 0.25, 0.8


def keep_ingredients(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps the ingredients and the notes of a recipe of which something is kept: models know little of short lines
    with a number. Of lists with the same ingredients it keeps the first."""
    inside, element, same = page.elements.inside, page.element, page.same
    lists: dict[int, list[int]] = {}
    notes: list[int] = []
    outermost = page.elements.nearest(INGREDIENTS, outermost=True)
    for row in page.visible if any(kept) else ():
        around = inside[element[row]]
        if around & (INGREDIENTS | RECIPE_NOTES) and _is_line(page, row, around):
            if around & RECIPE_NOTES:
                notes.append(row)
            elif len(page.text[row]) <= MAX_LINE:
                lists.setdefault(outermost[element[row]], []).append(row)
    lines = [row for rows in lists.values() for row in rows]
    numbers = [row for row in lines if any(map(str.isnumeric, page.text[row]))]
    if len(lines) < MIN_LINES or len(numbers) < NUMBER_SHARE * len(lines):
        return
    known: set[int] = set()
    for rows in lists.values():
        is_copy = len(rows) >= MIN_LINES and sum([same[row] in known for row in rows]) >= COPY_SHARE * len(rows)
        known.update([same[row] for row in rows])
        for row in rows:
            kept[row] = not is_copy
    texts = {same[row] for row in rows_kept(kept)}
    notes = [row for row in notes if same[row] not in texts]
    if any(page.type[row] != "h" for row in notes):  # not a heading alone
        for row in notes:
            kept[row] = 1


def _is_line(page: ScoredPage, row: int, around: int) -> bool:
    """Whether a line of a recipe is shown, and no tool such as a button that changes portions."""
    is_tool = around & (RECIPE_TOOL | BUTTON) or page.marks[row] & HIDDEN
    return not is_tool and page.rule[row] in (None, "island") and not is_ad_label(page.text[row])
