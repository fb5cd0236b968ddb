"""The blocks of code on a page: `<pre>`, and what highlighters, editors and forums make of code.

    tree = parse_html("<table class=highlighttable><tr><td class=linenos><pre>1</pre><td><pre>make</pre></table>")
    set(code_blocks(tree).values())    # {CodeBlock(number=1, text='make', language=None)}

A block of code may be several visual blocks: its lines, its line numbers, a button. All of them belong to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...text.lazy_pattern import lazy_pattern
from ..block_builder import HANDLERS, BlockBuilder
from ..element_map import ElementMap, elements_in
from ..elements import INVISIBLE, TEXTLESS
from ..present_selectors import PresentSelectors, Search
from .code_language import LANGUAGE_LABELS, TextSizes, code_language
from .code_text import PRE_TAGS, code_text, is_no_code, title_row

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# Elements around a `<pre>` that are searched for its line numbers and buttons.
MAX_WRAPPERS = 6
# The element that wraps code has at most so many characters of other text.
MAX_OTHER_CHARS = 300
# Nodes beside an inline element that are examined.
MAX_BESIDE = 100
# Blocks of code on a page, and characters of one. More are left as they are.
MAX_BLOCKS, MAX_CHARS = 5_000, 1 << 20

# Elements that are a block of code without a `<pre>` around them: SyntaxHighlighter, GitHub, Gist, Crayon, CodeMirror,
# Ace, Monaco, Enlighter, Visual Studio, Doxygen, Distill.
_EDITORS = (
    ".syntaxhighlighter, table.highlight, table.js-file-line-container, .dp-highlighter, ol[class^='dp-'], "
    ".crayon-syntax, .CodeMirror-code, .cm-content, .ace_text-layer, .view-lines, .enlighter, .csharpcode, "
    "div.fragment, d-code[block], .codecolorer, .ql-code-block-container"
)
# Elements in a sentence that are blocks of code if they are lines on their own.
_INLINE_CODE = frozenset(("code", "tt", "kbd", "samp"))
_CODE, _STYLED = f"pre, listing, xmp, plaintext, {_EDITORS}, code, tt, kbd, samp", "[style*='white-space' i]"
_PAGE = PresentSelectors(_CODE, _STYLED, LANGUAGE_LABELS)
_EDITOR_CLASSES = frozenset(
    "syntaxhighlighter js-file-line-container dp-highlighter crayon-syntax CodeMirror-code cm-content ace_text-layer "
    "view-lines enlighter csharpcode codecolorer ql-code-block-container".split()
)
_LANGUAGE_CLASS = lazy_pattern(r"dp-\w+")  # of dp.SyntaxHighlighter
_TABLE_CLASSES = frozenset(("highlight", "js-file-line-container", "crayon-table"))
# An element that is styled as code.
_PRE_STYLE = lazy_pattern(r"white-space:\s*(?:pre|break-spaces)", re.I)
_CODE_FONT = lazy_pattern(r"font(?:-family)?:[^;]*(?:mono|courier|consolas|menlo|monaco)", re.I)
_CODE_CLASS = lazy_pattern(
    r"(?:^|[\s_-])(?:bbc_code|code-?block|codeBlock|hljs|highlight|language-\S+|lang-\S+|multiline)(?=$|\s)"
)
# Labels and buttons beside code, in its wrapper.
_LABELS = (
    "button, .lang, .language, .code-lang, .codeHeader, .code-header, .bbcode_description, "
    ".codeheader, .bbCodeBlock-title, .code-block-header, .copy, .toolbar, .gutter, "
    ".line-numbers, .line-numbers-wrapper, .line-numbers-rows, .linenodiv, .CodeMirror-gutter-wrapper, .md-clipboard, "
    "clipboard-copy, [role='button'], .crayon-toolbar, .crayon-nums, .enlighter-toolbar"
)
_SIMPLE_LABELS, _PRES = PresentSelectors(_LABELS), PresentSelectors("pre")
# The same of phpBB.
_FORUM_CODE, _FORUM_LABELS = PresentSelectors(".codebox"), ".codebox > p, .codebox > dt"
_STARTS = (
    BlockBuilder.start_block,
    BlockBuilder.start_list,
    BlockBuilder.start_item,
    BlockBuilder.start_row,
    BlockBuilder.start_cell,
    BlockBuilder.start_pre,
)
_BLOCKS = frozenset(name for name, (start, _) in HANDLERS.items() if start in _STARTS)
_WITHOUT_TEXT = frozenset((*TEXTLESS, *INVISIBLE))
_NO_WRAPPERS = frozenset(("body", "main", "article", "li", "td"))
_WRAPPER_WORDS = tuple(
    "highlight code listing syntax prism snippet shiki rouge hljs language- brush crayon enlighter source "
    "editor".split()
)


class CodeBlock(NamedTuple):
    """A block of code: its *number* on the page, its exact *text* and its *language*, if the page names it."""

    number: int
    text: str
    language: str | None


def code_blocks(tree: LexborHTMLParser, first: int = 1) -> ElementMap[CodeBlock]:
    """The blocks of code of a page, with numbers from *first* on, by all elements that belong to them."""
    found: ElementMap[CodeBlock] = ElementMap()
    inside: set[int] = set()  # elements in a block of code
    sizes, tables = TextSizes(), dict[int, bool]()
    number = first - 1
    search = _PAGE.search(tree)
    nodes, has_labels = _candidates(search), search.has(LANGUAGE_LABELS)
    has_code = any(node.tag in _INLINE_CODE for node in nodes)
    for node in nodes:
        if node.mem_id in inside or node.mem_id in found or number >= first + MAX_BLOCKS:
            continue
        if not _is_code(node):
            if has_code:
                inside.update([child.mem_id for child in node.css("code, tt, kbd, samp")])
            continue
        root = _with_line_numbers(node, tables)
        text = code_text(root)
        if root.mem_id in found or not text.strip() or len(text) > MAX_CHARS:
            continue
        number += 1
        block = CodeBlock(number, text, code_language(root, sizes, has_labels))
        found.put(root, block)
        inside.update(elements_in(root))
        for other in _labels_of(root, sizes):
            found.put(other, block)
    return found


def _candidates(search: Search) -> list[Any]:
    """The elements of a page that may be blocks of code."""
    return search.tree.css(f"{_CODE}, {_STYLED}")


def _is_code(node: LexborNode) -> bool:
    """Whether an element of _candidates is a block of code rather than an inline element or a paragraph."""
    name = node.tag
    if "data-math-style" in node.attributes:  # a formula of GitLab
        return False
    if name in PRE_TAGS or name == "d-code":
        return True
    is_inline = name in _INLINE_CODE
    if is_inline and _is_one_line(node):
        return False
    attributes = node.attributes
    classes = attributes.get("class") or ""
    if not is_inline and (name == "table" and may_be_code(node) or _is_editor(classes)):
        return True
    if name == "div" and "fragment" in classes.split():
        return node.css_first("div.line") is not None
    style = attributes.get("style") or ""
    is_pre = _PRE_STYLE.search(style) is not None
    if is_pre and not is_inline:
        return _CODE_FONT.search(style) is not None and "\n" in code_text(node)
    if not is_inline or "\n" not in code_text(node) or not _stands_alone(node):
        return False
    if not is_pre and node.css_first("br, div, li, tr, .line, [data-line]") is None and not _CODE_CLASS.search(classes):
        around = node.parent
        return around is not None and _PRE_STYLE.search(around.attributes.get("style") or "") is not None
    return True


def _stands_alone(node: LexborNode) -> bool:
    """Whether an inline element has no other text in its visual block, to the next block elements on both sides."""
    steps: list[Callable[[Any], Any]] = [lambda other: other.prev, lambda other: other.next]  # the sides that are open
    at: Any = node
    for _ in range(MAX_WRAPPERS):
        ends = [_end_beside(at, step) for step in steps]
        if "text" in ends:
            return False
        steps = [step for step, end in zip(steps, ends) if not end]
        at = at.parent
        if at is None or at.tag in _BLOCKS or not steps:
            return True
    return False


def _end_beside(node: Any, step: Callable[[Any], Any]) -> str:
    """What is beside a node in one direction: `text`, a `block`, or nothing."""
    at = step(node)
    for _ in range(MAX_BESIDE):
        if at is None:
            return ""
        if at.tag in _BLOCKS:
            return "block"
        if _may_have_text(at):
            break
        at = step(at)
    return "text"


def _may_have_text(node: Any) -> bool:
    """Whether a node has text, or so much in it that it may."""
    todo = [node]
    for _ in range(MAX_BESIDE):
        if not todo:
            return False
        at = todo.pop()
        if at.tag == "-text" and not (at.text_content or " ").isspace():
            return True
        if at.tag not in _WITHOUT_TEXT and (child := at.child) is not None:
            todo.append(child)
        if at is not node and (after := at.next) is not None:
            todo.append(after)
    return True


def _is_editor(classes: str) -> bool:
    """Whether a class is that of an element of _EDITORS."""
    words = classes.split()
    return not _EDITOR_CLASSES.isdisjoint(words) or "dp-" in classes and any(map(_LANGUAGE_CLASS.fullmatch, words))


def _is_one_line(node: LexborNode) -> bool:
    """Whether an element holds one text without line breaks, as most inline code does."""
    text = node.child
    return text is None or text.next is None and text.tag == "-text" and "\n" not in (text.text_content or "")


def may_be_code(table: LexborNode) -> bool:
    """Whether a table may hold the lines of code, for speed: most do not."""
    return not _TABLE_CLASSES.isdisjoint((table.attributes.get("class") or "").split())


def _with_line_numbers(node: Any, tables: dict[int, bool]) -> Any:
    """The table around a `<pre>` whose first column has line numbers; else the node itself. *tables* are those that
    have been examined."""
    at = node.parent
    for _ in range(MAX_WRAPPERS):
        if at is None or at.tag == "table":
            break
        at = at.parent
    if at is None or at.tag != "table":
        return node
    if at.mem_id not in tables:
        rows = at.css("tr")
        if title_row(at) is not None:
            rows = rows[1:]
        tables[at.mem_id] = len(at.css("table")) == 1 and bool(rows) and all(map(_has_number, rows))
    return at if tables[at.mem_id] else node


def _has_number(row: Any) -> bool:
    """Whether the first cell of a row has line numbers, and another one code."""
    cells = [child for child in row.iter() if child.tag in ("td", "th")]
    if len(cells) != 2:
        return False
    text: str = cells[0].text(deep=True).strip()
    return is_no_code(cells[0]) or text != "" and not text.strip(" \n\t.:|0123456789\xa0")


def _labels_of(root: Any, sizes: TextSizes) -> list[Any]:
    """The elements around the code that hold line numbers, buttons and labels."""
    out: list[Any] = []
    wrapper = root.parent
    for _ in range(MAX_WRAPPERS):
        if wrapper is None or wrapper.tag in _NO_WRAPPERS:
            break
        if not _is_wrapper(wrapper.attributes.get("class") or ""):
            wrapper = wrapper.parent
            continue
        if sizes.of(wrapper) > sizes.of(root) + MAX_OTHER_CHARS:
            break
        labels, pres = _labels_in(wrapper), _PRES.nodes_in(wrapper)
        if len(pres) > 1 or pres and pres[0].mem_id != root.mem_id:
            known = {node.mem_id for element in (root, *labels) for node in element.css("pre")}
            if any(node.mem_id not in known for node in pres):
                break  # of other code, too: each has its own labels
        out += labels
        wrapper = wrapper.parent
    return out


@lru_cache(maxsize=1 << 10)
def _is_wrapper(classes: str) -> bool:
    return any(map(classes.lower().__contains__, _WRAPPER_WORDS))


def _labels_in(wrapper: Any) -> list[Any]:
    """The elements of _LABELS in an element."""
    if _FORUM_CODE.may_be_in(wrapper):
        return wrapper.css(f"{_LABELS}, {_FORUM_LABELS}")  # type: ignore[no-any-return]
    return _SIMPLE_LABELS.nodes_in(wrapper)
