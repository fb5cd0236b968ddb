"""Lines between single `<br>`s: the lines of a poem, an address or a log, or those of wrapped prose.

    join_blocks(table)    # [0, 0, 1]: the segment that each block becomes, or is a line of
    join_lines(["Roses are red,", "Violets are blue."])    # 'Roses are red,\\nViolets are blue.'
    join_lines(["Somebody wrapped this sentence by hand with a break at", "some width."])
    # 'Somebody wrapped this sentence by hand with a break at some width.'

Prose is wrapped if its breaks are in the middle of sentences, or where the next word would have exceeded the width of
the longest line.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..page.blocks.block_table import BOLD, BR, LINES, PRE, BlockTable
from ..text.lazy_pattern import lazy_pattern
from ..text.scripts import ends_with
from .segment_types import ITEM_START, may_be_item

# Characters. A line shorter than the first, before a single <br> and a line longer than the second, is a heading, not a
# broken line.
MAX_HEADING_LINE, MIN_TEXT_LINE = 60, 120
# Elements of labels: a `<br>` in them is for the layout, as in headings and bold text.
LABEL_TAGS = frozenset("th button label legend summary option".split())
# Elements of single lines in preformatted text.
LINE_TAGS = frozenset("div li ol".split())
# Characters. Verse is narrower than the first; nobody wraps at more than the second.
MIN_WIDTH, MAX_WIDTH = 45, 120
# A line is full if the first word of the next line would have exceeded the width of the longest line, less this share
# of it: lines that are wrapped by hand are less even than those of a program. Narrow lines have no such tolerance.
SLACK = 0.12
# So many lines are few: their widths say little.
FEW_BREAKS = 2
# Lines are wrapped prose if at least the first share of the breaks is in the middle of a sentence, or the second if the
# third share of the lines is full (German sentences, with their capitals, have a third of such breaks). Narrow lines
# are wrapped prose if at least the fourth share is full: the right margin of verse is uneven. Full lines alone tell
# nothing: below most of them is a name, a date or a note.
MOST_INSIDE, MIN_INSIDE, MIN_FULL, MOST_FULL = 0.6, 0.3, 0.6, 0.8

LINE_ENDS = ".!?:;…。！？：；"  # of sentences and clauses, at the end of a line
# A line of a program or of a shell, which seldom begins with a capital.
_CODE = lazy_pattern(r"[{};]\s*$|\s[=:+-]?=\s|\w\(\S{0,300}\)|^[$>#/] ")
_HEADING = lazy_pattern(r"h[1-6](?![\w-])")
_LABEL = lazy_pattern(r"[^\s:]{1,20}:\s")


def join_lines(lines: Sequence[str]) -> str:
    """The text of lines that single `<br>`s separate: joined with spaces where these wrap prose, else with `\\n`."""
    width = max(map(len, lines))
    least = width if width < MIN_WIDTH else width * (1 - SLACK)
    full = [len(line) + 1 + _first_word(after) > least for line, after in pairwise(lines)]
    inside = [_is_inside(line, after, width) for line, after in pairwise(lines)]
    if not _is_wrapped(lines, full, inside):
        return "\n".join(lines)
    out = [lines[0]]
    for at, line in enumerate(lines[1:]):
        # in wrapped prose a line that could be longer ends a paragraph
        is_end = not full[at] and not inside[at] and ends_with(lines[at], LINE_ENDS)
        out += "\n" if is_end else " ", line
    return "".join(out)


def join_blocks(table: BlockTable) -> list[int]:
    """Joins the blocks of a table, whose text is clean: those without text are dropped, and one after a single `<br>`
    is a line of the one before it, if it goes on with it. So are lines of preformatted text that have elements of their
    own. Returns the number of the segment of each block that was there, -1 for those without text."""
    texts, flags, links = table.text, table.flags, table.links
    numbers, heads = [], []
    head, last = -1, ""  # the first block and the last line of the last segment
    lines: list[str] = []  # its lines if there are several
    number = -1
    for row, text in enumerate(texts):
        flag = flags[row]
        if not text:
            numbers.append(-1)
            continue
        if flag & BR:
            flags[row] = flag & ~BR
        if (flag & (BR | PRE)) != 0 and head >= 0 and _is_next_line(table, head, row, last, flag & BR != 0):
            if not lines:
                lines = [last]
            lines.append(text)
            links[head] += links[row]
        else:
            if lines:
                _join(table, head, lines)
                lines = []
            head = row
            heads.append(row)
            number += 1
        last = text
        numbers.append(number)
    if lines:
        _join(table, head, lines)
    if len(heads) < len(texts):
        table.take(heads)
    return numbers


def _is_next_line(table: BlockTable, head: int, row: int, last: str, is_broken: bool) -> bool:
    """Whether a block is a line of the segment before it, whose *last* line this is; *is_broken*: after a `<br>`."""
    return is_broken and _continues(table, head, row, last) or _is_next_of_pre(table, head, row)


def _join(table: BlockTable, head: int, lines: list[str]) -> None:
    """Gives the first block of some lines the text of all."""
    if table.flags[head] & PRE:
        table.marker[head] = None  # the number of a line
        table.text[head] = "\n".join(lines)
    elif table.tag[head] in LABEL_TAGS or table.flags[head] & BOLD or _is_in_heading(table, head):
        table.text[head] = " ".join(lines)
    else:
        text = table.text[head] = join_lines(lines)
        if "\n" in text:
            table.flags[head] |= LINES
            if table.extra[head] is not None:
                table.fields(head)


def _is_in_heading(table: BlockTable, row: int) -> bool:
    elements = table.elements
    return any(_HEADING.match(elements.name_of(at)) for at in elements.around(table.element[row])[:-1])


def _is_next_of_pre(table: BlockTable, before: int, row: int) -> bool:
    """Whether two blocks are lines of the same preformatted text, each in an element of its own."""
    tag = table.tag[row]
    if not table.flags[before] & table.flags[row] & PRE or tag not in LINE_TAGS or tag != table.tag[before]:
        return False
    parent = table.elements.parent
    return bool(parent[table.element[before]] == parent[table.element[row]])


def _continues(table: BlockTable, before: int, row: int, last_line: str) -> bool:
    """Whether a block after a single `<br>` continues the paragraph *before*. It must not be a list item, and
    *last_line* not a heading."""
    text = table.text[row]
    if table.element[before] != table.element[row] or table.hidden[before] != table.hidden[row]:
        return False
    if (table.flags[before] ^ table.flags[row]) & BOLD or may_be_item(text) and ITEM_START.match(text) is not None:
        return False
    return not (len(last_line) < MAX_HEADING_LINE and len(text) > MIN_TEXT_LINE)


def _is_wrapped(lines: Sequence[str], full: list[bool], inside: list[bool]) -> bool:
    breaks, width = len(full), max(map(len, lines))
    if sum(inside) >= MOST_INSIDE * breaks:
        return width >= MIN_WIDTH or breaks <= FEW_BREAKS or sum(full) >= MOST_FULL * breaks
    is_full = sum(inside) >= MIN_INSIDE * breaks and sum(full) >= MIN_FULL * breaks
    return is_full and MIN_WIDTH <= width <= MAX_WIDTH


def _is_inside(line: str, after: str, width: int) -> bool:
    """Whether the break between two lines is in the middle of a sentence.

    Where letters have no case, only the length of the first line tells.
    """
    if ends_with(line, LINE_ENDS):
        return False
    first = after[0]
    if first.islower():
        return not (_LABEL.match(after) or _CODE.search(line) or _CODE.search(after))
    return first.isalpha() and not first.isupper() and len(line) >= max(width * (1 - SLACK), MIN_WIDTH // 2)


def _first_word(line: str) -> int:
    """The length of the first word of a line."""
    end = line.find(" ")
    return len(line) if end < 0 else end
