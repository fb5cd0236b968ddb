"""The exact text of a block of code: its lines and indents, without line numbers and buttons.

    page = "<pre><table><tr><td class=gutter>1<td><div class=line>if a:</div><div class=line>  b</div></table>"
    code_text(parse_html(page).css_first("pre"))    # 'if a:\\n  b'

Lines are text between line breaks, `<br>`s, or elements of their own, such as rows of a table, list items or
`<span class="line">`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...text.lazy_pattern import lazy_pattern
from ..elements import INVISIBLE, TEXTLESS
from ..present_selectors import PresentSelectors

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Elements in which white space is text.
PRE_TAGS = frozenset(("pre", "listing", "xmp", "plaintext"))

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
_ROWS, _INLINE = PresentSelectors("tr"), PresentSelectors("span, font, b, i")
_ROW_PARENTS = frozenset("table thead tbody tfoot tr ol ul dl colgroup".split())


def code_text(code: LexborNode) -> str:
    """The text of the element *code*, without empty lines at its ends and white space at the ends of lines. Linear in
    its size."""
    out = _Lines(code.tag in PRE_TAGS or _is_in_pre(code) or code.css_first("pre") is None and _keeps_space(code))
    _read(code, out, _cells_without_code(code))
    lines = [line.rstrip() for line in "".join(out.parts).replace("\xa0", " ").split("\n")]
    return _without_leading_numbers(code, "\n".join(_without_numbers(lines)).strip("\n"))


def _without_leading_numbers(code: LexborNode, text: str) -> str:
    """The text of code without its line numbers, where they are elements in the lines that no class names."""
    if text.lstrip()[:2] != "1 " or "\n" not in text:
        return text
    lines = [line.lstrip() for line in text.split("\n")]
    numbers = [str(place) for place in range(1, len(lines) + 1)]
    if not all(line == number or line.startswith(f"{number} ") for line, number in zip(lines, numbers)):
        return text
    children = [node.child for node in _INLINE.nodes_in(code)]
    texts = {(child.text_content or "").strip() for child in children if child is not None and child.tag == "-text"}
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


def is_no_code(node: LexborNode) -> bool:
    """Whether an element in code holds line numbers, a button or a label."""
    attributes = node.attributes
    kind = kind_of(node.tag or "", attributes.get("class") or "")
    if kind & _SKIPPED:
        return True
    if kind & _NO_CODE_CLASS:
        # `line-numbers` is also the class of code that has some
        return not kind & _NUMBERED or _has_numbers(node)
    if "data-line-number" in attributes or "data-linenumber" in attributes or "data-pseudo-content" in attributes:
        return _has_numbers(node)
    if _UNSELECTABLE.search(attributes.get("style") or "") or "unselectable" in attributes:
        return _has_numbers(node)
    return attributes.get("role") == "button"


def _has_numbers(node: LexborNode) -> bool:
    return _NUMBERS.fullmatch(node.text(deep=True) or "0") is not None


def title_row(table: LexborNode) -> LexborNode | None:
    """The first row of a table of code, if it has the name of the file over all columns."""
    first, second, *_ = [*table.css("tr")[:2], None, None]
    if first is None or second is None:
        return None
    cells, below = _cells(first), _cells(second)
    if len(cells) != 1 or len(below) < 2 or cells[0].css_first("pre, code") is not None:
        return None
    return first if cells[0].tag == "th" or "colspan" in cells[0].attributes else None


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


def _read(code: LexborNode, out: _Lines, skipped_cells: set[int]) -> None:
    """Adds the text in *code* but for that of some cells. A loop, because markup may be nested deeply."""
    todo: list[Any] = [code.child] if code.child is not None else []  # nodes, and the ends of lines
    while todo:
        node = todo.pop()
        if type(node) is tuple:
            out.end_line(*node)
            continue
        if (after := node.next) is not None:
            todo.append(after)
        name = node.tag or ""
        if name == "-text":
            _read_text(node, out)
        elif name == "br":
            out.add_break()
        elif name[:1] != "-" and node.mem_id not in skipped_cells:
            attributes = node.attributes
            kind = kind_of(name, attributes.get("class") or "")
            has_others = len(attributes) > ("class" in attributes)
            if (has_others or kind & (_SKIPPED | _NO_CODE_CLASS)) and is_no_code(node):
                continue
            if kind & _LINE or kind & _MAY_BE_STYLED_LINE and _is_styled_line(attributes):
                out.start_line()
                todo.append((len(out.parts), kind & _BLOCK > 0))
            if (child := node.child) is not None:
                todo.append(child)


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


def _read_text(node: Any, out: _Lines) -> None:
    text = node.text_content or ""
    if not text:
        return
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isspace() and "\n" in text:
        around = node.parent
        if around.tag in _ROW_PARENTS or not out.is_pre and around.tag == "div":
            return  # between rows
    if out.after_break and not out.is_pre and text[0] == "\n":
        text = text[1:]
    if text:
        out.add(text)


def _is_styled_line(attributes: dict[str, str | None]) -> bool:
    return "data-line" in attributes or _BLOCK_STYLE.search(attributes.get("style") or "") is not None


def _cells_without_code(code: LexborNode) -> set[int]:
    """The cells of line numbers that have no class: each the first of its row, before another with text; and the row
    of the title."""
    cells = set()
    if code.tag == "table" and (title := title_row(code)) is not None:
        cells.add(title.mem_id)
    for row in _ROWS.nodes_in(code) if _ROWS.may_be_in(code) else ():
        first, *others = _cells(row) or [None]
        if first is not None and others and _NUMBERS.fullmatch(first.text(deep=True) or ""):
            cells.add(first.mem_id)
    return cells


def _cells(row: LexborNode) -> list[Any]:
    return [child for child in _children(row) if child.tag in ("td", "th")]


def _is_in_pre(node: LexborNode) -> bool:
    around = node.parent
    while around is not None:
        if around.tag in PRE_TAGS:
            return True
        around = around.parent
    return False


def _keeps_space(node: LexborNode) -> bool:
    """Whether the lines of a `<code>` outside `<pre>` are line breaks in its text."""
    return node.css_first("br") is None and "\n" in node.text(deep=True)


def _children(node: Any) -> list[Any]:
    out = []
    at = node.child
    while at is not None:
        out.append(at)
        at = at.next
    return out
