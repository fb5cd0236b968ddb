"""The exact text of a block of code: its lines and indents, without line numbers and buttons.

    html = "<pre><table><tr><td class=gutter>1<td><div class=line>if a:</div><div class=line>  b</div></table>"
    code_text(table_of(parse_html(html).css_first("pre")), 0)    # 'if a:\\n  b'

Lines are text between line breaks, `<br>`s, or elements of their own, such as rows of a table, list items or
`<span class="line">`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...native.element_names import BLANK, TEXT, UNKNOWN, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import INVISIBLE, TEXTLESS, child_elements, elements_of, has_element

# Elements in which white space is text.
PRE_TAGS = tag_groups({1: "pre listing xmp plaintext"})

# Lines with a number and nothing else that are line numbers; from 1 on, where no other line is a number.
MIN_NUMBERS, MIN_FROM_ONE = 3, 2

_SKIPPED_TAGS = frozenset((*INVISIBLE, *TEXTLESS, "button", "label", "select", "textarea", "template", "noscript"))
# Classes of line numbers, of buttons and of labels in code, in small letters.
_NO_CODE = lazy_pattern(
    r"(?:^|\s)(?:[\w-]*-)?(?:line-?num(?:ber)?s?(?:-rows|-wrapper)?|line_numbers|linenos?|linenodiv|gutters?(?:-\w+)*|gutter_cell|"
    r"crayon-nums?|hljs-ln-(?:numbers|n)|blob-num|toolbar|clipboard|clipboard-copy|copy(?:-?btn|-?button|-?code|-to-clipboard)?|"
    r"copybtn|pre-numbering|code__nav|headerlink|viewcode-back|sr-only|visually-hidden|screen-reader-text)(?=$|\s)"
    r"|(?:^|\s)(?:gl|lnum|lnt|ln|nums|bar|tools|copyable)(?=$|\s)"
)
# Start-up: what such classes have, and few others.
_NO_CODE_WORDS = tuple("line num gutter bar copy clipboard nav link back only hidden screen gl ln tools".split())
_NUMBERED_LINES = frozenset(("line-numbers", "linenums", "linenos"))
_NUMBERS = lazy_pattern(r"[\s\d.:|]*\d[\s\d.:|]*")
_UNSELECTABLE = lazy_pattern(r"user-select:\s*none", re.I)
_LINE_CLASS = lazy_pattern(
    r"(?:^|\s)(?:line|(?:[\w-]+-)?code-?line|highlighted-line|token-line|cm-line|view-line|ace_line|codemirror-line|crayon-line|loc|cl-line|highlight-line)(?=$|\s)"
)
_LINE_WORDS = ("line", "loc")
_BLOCK_STYLE = lazy_pattern(r"display:\s*(?:block|table-row|flex|grid)", re.I)
_LINE_TAGS = frozenset("div li p tr pre dd dt ol ul table tbody figure section blockquote h1 h2 h3 h4 h5 h6".split())
_BLOCK_TAGS = _LINE_TAGS - {"li"}
# The bits of `kind_of`.
_SKIPPED, _NO_CODE_CLASS, _NUMBERED, _LINE, _BLOCK, _MAY_BE_STYLED_LINE = (1 << bit for bit in range(6))
_ROWS, _INLINE, _CELLS = tag_groups({1: "tr"}), tag_groups({1: "span font b i"}), tag_groups({1: "td th"})
_BREAKS, _PRES, _CODES = tag_groups({1: "br"}), tag_groups({1: "pre"}), tag_groups({1: "pre code"})
_ROW_PARENTS = tag_groups({1: "table thead tbody tfoot tr ol ul dl colgroup"})
_BREAK, _TABLE, _DIV, _HEADER = map(number_of_tag, ("br", "table", "div", "th"))


def code_text(page: PageTable, code: int) -> str:
    """The text of the element *code*, without empty lines at its ends and white space at the ends of lines. Linear in
    its size."""
    is_pre = PRE_TAGS[page.tag[code]] or _is_in_pre(page, code)
    out = _Lines(bool(is_pre) or not has_element(page, code, _PRES) and _keeps_space(page, code))
    _read(page, code, out, _rows_without_code(page, code))
    lines = [line.rstrip() for line in "".join(out.parts).replace("\xa0", " ").split("\n")]
    return _without_leading_numbers(page, code, "\n".join(_without_numbers(lines)).strip("\n"))


def _without_leading_numbers(page: PageTable, code: int, text: str) -> str:
    """The text of code without its line numbers, where they are elements in the lines that no class names."""
    if text.lstrip()[:2] != "1 " or "\n" not in text:
        return text
    lines = [line.lstrip() for line in text.split("\n")]
    numbers = [str(place) for place in range(1, len(lines) + 1)]
    if not all(line == number or line.startswith(f"{number} ") for line, number in zip(lines, numbers)):
        return text
    inline = [at + 1 for at in elements_of(page, code, _INLINE) if page.end[at] > at + 1]
    texts = {page.text_of(first).strip() for first in inline if page.tag[first] == TEXT}
    if not texts.issuperset(numbers):
        return text
    return "\n".join([line[len(number) + 1 :] for line, number in zip(lines, numbers)])


def _without_numbers(lines: list[str]) -> list[str]:
    """The lines of code where each follows a line that is its number, of an element that no class names."""
    first = next((place for place, line in enumerate(lines) if line), 0)
    numbers = lines[first::2]
    if len(numbers) < MIN_FROM_ONE or not numbers[0].strip().isdecimal():
        return lines
    start = int(numbers[0].strip()[:9])
    if len(numbers) < MIN_NUMBERS and (start != 1 or any(line.strip().isdecimal() for line in lines[first + 1 :: 2])):
        return lines
    if all(line.strip() == str(start + count) for count, line in enumerate(numbers)):
        return lines[first + 1 :: 2]
    return lines


def is_no_code(page: PageTable, row: int) -> bool:
    """Whether an element in code holds line numbers, a button or a label."""
    attributes = page.attributes_of(row)
    kind = kind_of(page.name_of(row), attributes.get("class") or "")
    if kind & _SKIPPED:
        return True
    if kind & _NO_CODE_CLASS:
        # `line-numbers` is also the class of code that has some
        return not kind & _NUMBERED or _has_numbers(page, row)
    if "data-line-number" in attributes or "data-linenumber" in attributes or "data-pseudo-content" in attributes:
        return _has_numbers(page, row)
    if _UNSELECTABLE.search(attributes.get("style") or "") or "unselectable" in attributes:
        return _has_numbers(page, row)
    return attributes.get("role") == "button"


def _has_numbers(page: PageTable, row: int) -> bool:
    return _NUMBERS.fullmatch(page.text_below(row) or "0") is not None


def title_row(page: PageTable, table: int) -> int:
    """The first row of a table of code, if it has the name of the file over all columns; else -1."""
    rows = elements_of(page, table, _ROWS)
    if len(rows) < 2:
        return -1
    cells, below = _cells(page, rows[0]), _cells(page, rows[1])
    if len(cells) != 1 or len(below) < 2 or has_element(page, cells[0], _CODES):
        return -1
    return rows[0] if page.tag[cells[0]] == _HEADER or "colspan" in page.attributes_of(cells[0]) else -1


class _Lines:
    """The pieces of the text, and whether a line has ended that has no line break yet."""

    __slots__ = ("after_break", "is_block_end", "is_pre", "is_soft_end", "parts")

    def __init__(self, is_pre: bool) -> None:
        self.parts: list[str] = []
        self.is_pre = is_pre
        self.is_soft_end = self.is_block_end = self.after_break = False

    def add(self, text: str) -> None:
        if self.is_soft_end:
            self.is_soft_end = self.is_block_end = False
            if not text.startswith("\n"):
                self.parts.append("\n")
        self.parts.append(text)
        self.after_break = False

    def add_break(self) -> None:
        """Adds a `<br>`. After a block it is an empty line; after another line it is the end of that."""
        if self.is_block_end:
            self.start_line()
        self.add("\n")
        self.after_break = True

    def start_line(self) -> None:
        if self.is_soft_end or self.parts and not self.parts[-1].endswith("\n"):
            self.is_soft_end = self.is_block_end = False
            self.parts.append("\n")

    def end_line(self, start: int, is_block: bool) -> None:
        """Ends the line whose first piece is *start*, unless its last piece has a line break. A block without text has
        no height."""
        if len(self.parts) == start:
            self.is_soft_end = self.is_soft_end or not is_block
        else:
            self.is_soft_end = not self.parts[-1].endswith("\n")
        self.is_block_end = is_block and self.is_soft_end


def _read(page: PageTable, code: int, out: _Lines, skipped: set[int]) -> None:
    """Adds the text in *code* but for that of some rows."""
    ends: list[tuple[int, int, bool]] = []  # of lines: the row after each, its first piece, whether it is a block
    row, last, tags = code + 1, page.end[code], page.tag  # speed: each look-up makes a view of the column
    while row < last:
        while ends and ends[-1][0] <= row:
            out.end_line(*ends.pop()[1:])
        tag = tags[row]
        if tag == TEXT:
            _read_text(page, row, out)
        elif tag == _BREAK:
            out.add_break()
        elif tag >= UNKNOWN and (row in skipped or _starts_no_code(page, row, out, ends)):
            row = page.end[row]
            continue
        row += 1
    while ends:
        out.end_line(*ends.pop()[1:])


def _starts_no_code(page: PageTable, row: int, out: _Lines, ends: list[tuple[int, int, bool]]) -> bool:
    """Begins a line, if an element is one. Whether it holds no code."""
    attributes = page.attributes_of(row)
    kind = kind_of(page.name_of(row), attributes.get("class") or "")
    has_others = len(attributes) > ("class" in attributes)
    if (has_others or kind & (_SKIPPED | _NO_CODE_CLASS)) and is_no_code(page, row):
        return True
    if kind & _LINE or kind & _MAY_BE_STYLED_LINE and _is_styled_line(attributes):
        out.start_line()
        ends.append((page.end[row], len(out.parts), kind & _BLOCK > 0))
    return False


@lru_cache(maxsize=1 << 10)
def kind_of(name: str, classes: str) -> int:
    """What the name and the classes of an element in code say, as bits: what holds no code, and what is a line."""
    is_skipped, is_line = name in _SKIPPED_TAGS, name in _LINE_TAGS
    lower = classes.lower()
    has_line_class = any(map(lower.__contains__, _LINE_WORDS)) and _LINE_CLASS.search(lower) is not None
    has_no_code = any(map(lower.__contains__, _NO_CODE_WORDS)) and _NO_CODE.search(lower) is not None
    may_be_line = name not in ("td", "th", "code")
    return (
        _SKIPPED * is_skipped
        | _NO_CODE_CLASS * has_no_code
        | _NUMBERED * (not _NUMBERED_LINES.isdisjoint(lower.split()))
        | _LINE * (is_line or (may_be_line or name == "code") and has_line_class)
        | _BLOCK * (name in _BLOCK_TAGS and not has_line_class)
        | _MAY_BE_STYLED_LINE * may_be_line
    )


def _read_text(page: PageTable, row: int, out: _Lines) -> None:
    text = page.text_of(row)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if page.flags[row] & BLANK and "\n" in text:
        around = page.tag[page.parent[row]]
        if _ROW_PARENTS[around] or not out.is_pre and around == _DIV:
            return  # between rows
    if out.after_break and not out.is_pre and text[:1] == "\n":
        text = text[1:]
    if text:
        out.add(text)


def _is_styled_line(attributes: dict[str, str | None]) -> bool:
    return "data-line" in attributes or _BLOCK_STYLE.search(attributes.get("style") or "") is not None


def _rows_without_code(page: PageTable, code: int) -> set[int]:
    """The cells of line numbers that have no class: each the first of its row, before another with text; and the row
    of the title."""
    found = set()
    if page.tag[code] == _TABLE and (title := title_row(page, code)) >= 0:
        found.add(title)
    for row in elements_of(page, code, _ROWS):
        first, *others = _cells(page, row) or [-1]
        if others and _NUMBERS.fullmatch(page.text_below(first)):
            found.add(first)
    return found


def _cells(page: PageTable, row: int) -> list[int]:
    return [at for at in child_elements(page, row) if _CELLS[page.tag[at]]]


def _is_in_pre(page: PageTable, row: int) -> bool:
    around = page.parent[row]
    while around >= 0:
        if PRE_TAGS[page.tag[around]]:
            return True
        around = page.parent[around]
    return False


def _keeps_space(page: PageTable, row: int) -> bool:
    """Whether the lines of a `<code>` outside `<pre>` are line breaks in its text."""
    return not has_element(page, row, _BREAKS) and "\n" in page.text_below(row)
