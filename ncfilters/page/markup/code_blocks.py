"""The blocks of code on a page: `<pre>`, and what highlighters, editors and forums make of code.

    html = "<table class=highlighttable><tr><td class=linenos><pre>1</pre><td><pre>make</pre></table>"
    page = table_of(parse_html(html).root)
    set(code_blocks(page, candidates_of(page)).values())    # {CodeBlock(number=1, text='make', language=None)}

A block of code may be several visual blocks: its lines, its line numbers, a button. All of them belong to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from ...native.element_names import BLANK, CLASS, ROLE, TEXT, UNKNOWN, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import (
    BLOCK,
    INVISIBLE,
    KINDS,
    NO_TAGS,
    PRE,
    TEXTLESS,
    child_elements,
    elements_of,
    has_element,
    name_at,
    next_row,
)
from .candidates import EDITOR_CLASSES, Candidates
from .code_language import code_language
from .code_text import PRE_TAGS, code_text, is_no_code, title_row

# Elements around a `<pre>` that are searched for its line numbers and buttons.
MAX_WRAPPERS = 6
# The element that wraps code has at most so many characters of other text.
MAX_OTHER_CHARS = 300
# Nodes beside an inline element that are examined.
MAX_BESIDE = 100
# Blocks of code on a page, and characters of one. More are left as they are.
MAX_BLOCKS, MAX_CHARS = 5_000, 1 << 20

# Elements in a sentence that are blocks of code if they are lines on their own.
_INLINE_CODE = tag_groups({1: "code tt kbd samp"})
_LANGUAGE_CLASS = lazy_pattern(r"dp-\w+")  # of dp.SyntaxHighlighter
_TABLE_CLASSES = frozenset(("highlight", "js-file-line-container", "crayon-table"))
# An element that is styled as code.
_PRE_STYLE = lazy_pattern(r"white-space:\s*(?:pre|break-spaces)", re.I)
_CODE_FONT = lazy_pattern(r"font(?:-family)?:[^;]*(?:mono|courier|consolas|menlo|monaco)", re.I)
_CODE_CLASS = lazy_pattern(
    r"(?:^|[\s_-])(?:bbc_code|code-?block|codeBlock|hljs|highlight|language-\S+|lang-\S+|multiline)(?=$|\s)"
)
# Labels and buttons beside code, in its wrapper.
_LABEL_TAGS = tag_groups({1: "button clipboard-copy"})
_LABELS = frozenset(
    "lang language code-lang codeHeader code-header bbcode_description codeheader bbCodeBlock-title code-block-header "
    "copy toolbar gutter line-numbers line-numbers-wrapper line-numbers-rows linenodiv CodeMirror-gutter-wrapper "
    "md-clipboard crayon-toolbar crayon-nums enlighter-toolbar".split()
)
_FORUM_CODE, _FORUM_LABELS = "codebox", ("p", "dt")  # of phpBB: labels are children
_ROWS, _TABLES, _PRES = tag_groups({1: "tr"}), tag_groups({1: "table"}), tag_groups({1: "pre"})
_LINES, _LINE = tag_groups({1: "br div li tr"}), frozenset(("line",))
_TABLE, _DIV = number_of_tag("table"), number_of_tag("div")
# Elements that are blocks of their own.
_BLOCKS = bytearray([BLOCK <= kind <= PRE for kind in KINDS])
_BLOCKS[number_of_tag("textarea")] = 1
_WITHOUT_TEXT = tag_groups({1: " ".join((*TEXTLESS, *INVISIBLE))})
_NO_WRAPPERS = tag_groups({1: "body main article li td"})
_WRAPPER_WORDS = tuple(
    "highlight code listing syntax prism snippet shiki rouge hljs language- brush crayon enlighter source "
    "editor".split()
)


class CodeBlock(NamedTuple):
    """A block of code: its *number* on the page, its exact *text* and its *language*, if the page names it."""

    number: int
    text: str
    language: str | None


def code_blocks(page: PageTable, candidates: Candidates, first: int = 1) -> dict[int, CodeBlock]:
    """The blocks of code of a page, with numbers from *first* on, by the rows of all elements that belong to them."""
    found: dict[int, CodeBlock] = {}
    inside = inline_inside = 0  # the row after the last block; and after the last element that is none
    tables: dict[int, bool] = {}
    size_of = cache(lambda row: len(page.text_below(row)))  # of text, once for each element
    number = first - 1
    for row in candidates.code:
        is_inline = _INLINE_CODE[page.tag[row]] > 0
        if row < inside or is_inline and row < inline_inside or row in found or number >= first + MAX_BLOCKS:
            continue
        if not _is_code(page, row):
            inline_inside = max(inline_inside, page.end[row])
            continue
        root = _with_line_numbers(page, row, tables)
        text = code_text(page, root)
        if root in found or not text.strip() or len(text) > MAX_CHARS:
            continue
        number += 1
        block = CodeBlock(number, text, code_language(page, root, size_of, candidates.has_language_labels))
        found[root] = block
        inside = max(inside, page.end[root])
        for other in _labels_of(page, root, size_of):
            found[other] = block
    return found


def _is_code(page: PageTable, row: int) -> bool:
    """Whether an element that may be a block of code is one, rather than an inline element or a paragraph."""
    tag, attributes = page.tag[row], page.attributes_of(row)
    if "data-math-style" in attributes:  # a formula of GitLab
        return False
    if PRE_TAGS[tag] or page.name_of(row) == "d-code":
        return True
    is_inline = _INLINE_CODE[tag] > 0
    if is_inline and _is_one_line(page, row):
        return False
    classes = attributes.get("class") or ""
    if not is_inline and (tag == _TABLE and may_be_code(page, row) or _is_editor(classes)):
        return True
    if tag == _DIV and "fragment" in classes.split():
        return any(page.tag[at] == _DIV for at in elements_of(page, row, NO_TAGS, _LINE))
    style = attributes.get("style") or ""
    is_pre = _PRE_STYLE.search(style) is not None
    if is_pre and not is_inline:
        return _CODE_FONT.search(style) is not None and "\n" in code_text(page, row)
    if not is_inline or "\n" not in code_text(page, row) or not _stands_alone(page, row):
        return False
    if not is_pre and not _has_lines(page, row) and not _CODE_CLASS.search(classes):
        around = page.parent[row]
        return around >= 0 and _PRE_STYLE.search(page.attribute_of(around, "style") or "") is not None
    return True


def _has_lines(page: PageTable, row: int) -> bool:
    """Whether an element has others that may be lines."""
    elements = (at for at in range(row, page.end[row]) if page.tag[at] >= UNKNOWN)
    return has_element(page, row, _LINES, _LINE) or any("data-line" in page.attributes_of(at) for at in elements)


def _stands_alone(page: PageTable, row: int) -> bool:
    """Whether an inline element has no other text in its visual block, to the next block elements on both sides."""
    sides = [True, False]  # those that are open: before, and after
    at = row
    for _ in range(MAX_WRAPPERS):
        ends = [_end_beside(page, at, is_before) for is_before in sides]
        if "text" in ends:
            return False
        sides = [side for side, end in zip(sides, ends) if not end]
        at = page.parent[at]
        if at < 0 or _BLOCKS[page.tag[at]] or not sides:
            return True
    return False


def _end_beside(page: PageTable, row: int, is_before: bool) -> str:
    """What is beside a node in one direction: `text`, a `block`, or nothing."""
    at = row
    for _ in range(MAX_BESIDE):
        at = page.before[at] if is_before else next_row(page, at)
        if at < 0:
            return ""
        if page.tag[at] >= UNKNOWN and _BLOCKS[page.tag[at]]:
            return "block"
        if _may_have_text(page, at):
            break
    return "text"


def _may_have_text(page: PageTable, row: int) -> bool:
    """Whether a node has text, or so much in it that it may."""
    at, end = row, page.end[row]
    for _ in range(MAX_BESIDE):
        if at >= end:
            return False
        tag = page.tag[at]
        if tag == TEXT and not page.flags[at] & BLANK:
            return True
        at = page.end[at] if tag >= UNKNOWN and _WITHOUT_TEXT[tag] else at + 1
    return True


def _is_editor(classes: str) -> bool:
    """Whether a class is that of an editor or a highlighter."""
    words = classes.split()
    return not EDITOR_CLASSES.isdisjoint(words) or "dp-" in classes and any(map(_LANGUAGE_CLASS.fullmatch, words))


def _is_one_line(page: PageTable, row: int) -> bool:
    """Whether an element holds one text without line breaks, as most inline code does."""
    size = page.end[row] - row
    return size == 1 or size == 2 and page.tag[row + 1] == TEXT and "\n" not in page.text_of(row + 1)


def may_be_code(page: PageTable, table: int) -> bool:
    """Whether a table may hold the lines of code, for speed: most do not."""
    return not _TABLE_CLASSES.isdisjoint((page.attribute_of(table, "class") or "").split())


def _with_line_numbers(page: PageTable, row: int, tables: dict[int, bool]) -> int:
    """The table around a `<pre>` whose first column has line numbers; else the element itself. *tables* are those that
    have been examined."""
    at = page.parent[row]
    for _ in range(MAX_WRAPPERS):
        if at < 0 or page.tag[at] == _TABLE:
            break
        at = page.parent[at]
    if at < 0 or page.tag[at] != _TABLE:
        return row
    if at not in tables:
        # rows are read where no table is inside: those of tables in each other would be read again and again
        is_alone = not any(page.tag[inner] == _TABLE for inner in range(at + 1, page.end[at]))
        rows = elements_of(page, at, _ROWS)[title_row(page, at) >= 0 :] if is_alone else []
        tables[at] = bool(rows) and all(_has_number(page, each) for each in rows)
    return at if tables[at] else row


def _has_number(page: PageTable, row: int) -> bool:
    """Whether the first cell of a row has line numbers, and another one code."""
    cells = [child for child in child_elements(page, row) if name_at(page, child) in ("td", "th")]
    if len(cells) != 2:
        return False
    text = page.text_below(cells[0]).strip()
    return is_no_code(page, cells[0]) or text != "" and not text.strip(" \n\t.:|0123456789\xa0")


def _labels_of(page: PageTable, root: int, size_of: Callable[[int], int]) -> list[int]:
    """The elements around the code that hold line numbers, buttons and labels."""
    out: list[int] = []
    wrapper = page.parent[root]
    for _ in range(MAX_WRAPPERS):
        if wrapper < 0 or _NO_WRAPPERS[page.tag[wrapper]]:
            break
        if _is_wrapper(page.attribute_of(wrapper, "class") or ""):
            if size_of(wrapper) > size_of(root) + MAX_OTHER_CHARS:
                break
            labels = _labels_in(page, wrapper)
            known = {pre for at in (root, *labels) for pre in elements_of(page, at, _PRES)}
            if not known.issuperset(elements_of(page, wrapper, _PRES)):
                break  # of other code, too: each has its own labels
            out += labels
        wrapper = page.parent[wrapper]
    return out


@lru_cache(maxsize=1 << 10)
def _is_wrapper(classes: str) -> bool:
    return any(map(classes.lower().__contains__, _WRAPPER_WORDS))


def _labels_in(page: PageTable, wrapper: int) -> list[int]:
    """The elements in a wrapper of code that are its buttons and labels."""
    tags, flags = page.tag, page.flags  # speed: each look-up makes a view of the column
    rows = [at for at in range(wrapper, page.end[wrapper]) if tags[at] >= UNKNOWN]
    return [at for at in rows if _LABEL_TAGS[tags[at]] or _is_label(page, at, flags[at])]


def _is_label(page: PageTable, row: int, flags: int) -> bool:
    """Whether an element with these flags is a button or a label by its attributes, or by those of its parent."""
    if flags & ROLE and page.attribute_of(row, "role") == "button":
        return True
    if flags & CLASS and not _LABELS.isdisjoint((page.attribute_of(row, "class") or "").split()):
        return True
    if page.name_of(row) not in _FORUM_LABELS:
        return False
    around = page.parent[row]
    return around >= 0 and _FORUM_CODE in (page.attribute_of(around, "class") or "").split()
