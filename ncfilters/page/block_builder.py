"""Visual blocks of a page, in reading order (NCleaner, stage 2, which uses Lynx).

    [block["text"] for block in blocks(parse_html("<p>One <b>two</b><p>three"))]    # ['One two', 'three']

A block is a run of text that a text browser sets apart from its neighbours. Nothing is dropped: hidden blocks are
marked, and the model decides.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ..record import Block
from .elements import INVISIBLE
from .html_parser import walked_root
from .math_text import is_drawn_again, is_formula, is_shown_beside, math_text, tex_of_script
from .open_elements import ARIA_HIDDEN, Attributes, Holder, OpenBlock, OpenRow, hiding_of, number_of, path_of
from .text_run import TextRun
from .tidy import MARKERS
from .tree_walk import End, Handler, end_skipped, walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Elements that may have content outside the visible tree (see `hidden_content`).
HOLDER_TAGS = ("script", "iframe", "template")
# A block is bold if at least this share of its text is bold.
MIN_BOLD = 0.9
# The number of line breaks since the last block that make a paragraph break.
PARAGRAPH_BREAK = 2


def blocks(tree: LexborHTMLParser, holders: list[Holder] | None = None, max_blocks: int = sys.maxsize) -> list[Block]:
    """The visual blocks of a page (see `html_parser.parse_html`), in reading order.

    Each is a dict: `text` (white space collapsed, except in `<pre>`), `tag` (the nearest block element), `path` (the
    block ancestors, `name#id.class`, joined by `/`), `links` (characters of text inside `<a>`), and where they
    apply: `br` (only one `<br>` separates it from the block before), `marker` (of a list item: `*` or `3.`),
    `hidden` (`display`, `hidden` or `aria`), `pre`, `bold` (all of it), `origin` (`noscript` or `shadow`). Linear in
    the page. The elements of HOLDER_TAGS are appended to *holders*. Raises OverflowError for more than *max_blocks*.
    """
    root = walked_root(tree)
    if root is None:
        return []
    builder = BlockBuilder(holders)
    builder.max_blocks = max_blocks
    walk(root, builder, HANDLERS)
    return builder.blocks


class BlockBuilder:
    """The blocks so far, and the open elements, text, links, lists and rows."""

    __slots__ = tuple(
        "blocks bold_depth breaks holders lists marker max_blocks noscript_depth open_blocks outer_runs pre_depth rows "
        "run shadow_depth shadow_ended".split()
    )

    new_run = TextRun

    def __init__(self, holders: list[Holder] | None = None) -> None:
        self.blocks: list[Block] = []
        self.max_blocks = sys.maxsize
        self.holders = holders
        self.run = self.new_run()  # the text of the open block
        self.outer_runs: list[TextRun] = []  # the texts around open hidden inline elements
        self.open_blocks = [OpenBlock("", {}, "", None)]
        self.lists: list[int | None] = []  # the last number of each open list; None where it has bullets
        self.rows: list[OpenRow] = []
        self.marker: str | None = None  # of the list item that has no block yet
        self.breaks = PARAGRAPH_BREAK  # line breaks since the last block
        self.bold_depth = self.pre_depth = self.noscript_depth = self.shadow_depth = 0  # open elements of these kinds
        self.shadow_ended = False  # whether a shadow root ended in the open block

    # ---- starts and ends, by kind of element

    def start_block(self, name: str, node: Any) -> None:
        if self.run.parts:
            self.flush()
        self.breaks = PARAGRAPH_BREAK
        attributes = node.attributes
        hidden = self.open_blocks[-1].hidden
        if not hidden and attributes and ("style" in attributes or "hidden" in attributes or ARIA_HIDDEN in attributes):
            hidden = hiding_of(attributes)
        self.open_blocks.append(OpenBlock(name, attributes, None, hidden))

    def end_block(self) -> None:
        if self.run.parts:
            self.flush()
        self.breaks = PARAGRAPH_BREAK
        del self.open_blocks[-1]

    def start_list(self, name: str, node: Any) -> None:
        self.start_block(name, node)
        attributes = self.open_blocks[-1].attributes
        self.lists.append(number_of(attributes, "start", 1) - 1 if name == "ol" else None)

    def end_list(self) -> None:
        self.end_block()
        self.lists.pop()

    def start_item(self, name: str, node: Any) -> None:
        self.start_block(name, node)
        self.marker = "*"
        if self.lists and (last := self.lists[-1]) is not None:
            self.lists[-1] = number = number_of(self.open_blocks[-1].attributes, "value", last + 1)
            self.marker = f"{number}."

    def end_item(self) -> None:
        self.end_block()
        self.marker = None

    def start_row(self, name: str, node: Any) -> None:
        self.start_block(name, node)
        if self.rows:
            self.rows[-1].is_data = False
        self.rows.append(OpenRow(len(self.blocks)))

    def end_row(self) -> None:
        if self.run.parts:
            self.flush()
        self.breaks = PARAGRAPH_BREAK
        self.rows.pop().join_cells(self.blocks, self.open_blocks)
        self.open_blocks.pop()

    def start_cell(self, name: str, node: Any) -> None:
        self.start_block(name, node)
        if self.rows:
            self.rows[-1].cell_start = len(self.blocks)

    def end_cell(self) -> None:
        self.end_block()
        if self.rows and len(self.blocks) - self.rows[-1].cell_start > 1:
            self.rows[-1].is_data = False

    def start_pre(self, name: str, node: Any) -> None:
        self.start_block(name, node)
        self.pre_depth += 1

    def end_pre(self) -> None:
        self.end_block()
        self.pre_depth -= 1

    def start_noscript(self, name: str, node: Any) -> End | None:
        if self.run.parts and not node.text(deep=True).strip():
            return lambda _: None  # an image within a sentence
        self.start_block(name, node)
        self.noscript_depth += 1
        return None

    def end_noscript(self) -> None:
        self.end_block()
        self.noscript_depth -= 1

    def start_shadow_root(self, name: str, node: Any) -> None:
        self.shadow_depth += 1

    def end_shadow_root(self) -> None:
        self.shadow_depth -= 1
        self.shadow_ended = bool(self.run.parts)

    def start_link(self, name: str, node: Any) -> None:
        run = self.run
        parts = run.parts
        if run.link_spans and run.link_spans[-1][1] == len(parts):  # adjacent links are set apart by style
            parts.append(" ")
        run.link_start = len(parts)

    def end_link(self) -> None:
        run = self.run
        if run.link_start >= 0:
            run.link_spans.append((run.link_start, len(run.parts)))
            run.link_start = -1

    def start_bold(self, name: str, node: Any) -> None:
        if not self.bold_depth:
            self.run.bold_start = len(self.run.parts)
        self.bold_depth += 1

    def end_bold(self) -> None:
        self.bold_depth -= 1
        if not self.bold_depth:
            self.run.bold_spans.append((self.run.bold_start, len(self.run.parts)))

    def start_break(self, name: str, node: Any) -> None:
        if self.pre_depth:
            self.run.parts.append("\n")
            return
        if self.run.parts:
            self.flush()
        self.breaks += PARAGRAPH_BREAK if name == "hr" else 1

    def start_control(self, name: str, node: Any) -> None:
        if self.run.parts:
            self.run.parts.append(" ")

    def start_raised(self, name: str, node: Any) -> None:
        self.run.raised_starts.append(len(self.run.parts))

    def start_math(self, name: str, node: Any) -> None:
        self.run.parts += filter(None, [math_text(node)])

    def start_skipped(self, name: str, node: Any) -> None:
        if name == "script" and (formula := tex_of_script(node)):
            self.run.parts.append(formula)
        elif self.holders is not None and name in HOLDER_TAGS:
            path = "" if name == "script" else path_of(self.open_blocks)
            self.holders.append(Holder(len(self.blocks) + bool(self.run.parts), path, node))

    def start_hidden_inline(self, name: str, node: Any, attributes: Attributes) -> End | None:
        """Begins a separate block for an inline element if its attributes hide it; returns what its end does.

        A formula stays in its sentence, in one of its forms.
        """
        hidden = hiding_of(attributes)
        if hidden in (None, "aria"):
            return end_skipped if hidden and is_drawn_again(node, attributes) else None
        if not self.outer_runs and is_formula(node):
            return end_skipped if is_shown_beside(node) else None
        self.open_blocks.append(OpenBlock(name, attributes, None, hidden))
        self.outer_runs.append(self.run)
        self.run = self.new_run()
        return BlockBuilder.end_hidden_inline

    def end_hidden_inline(self) -> None:
        if self.run.parts:
            self.flush()
        self.run = self.outer_runs.pop()
        self.open_blocks.pop()

    # ---- blocks

    def flush(self) -> None:
        """Makes a block of the open text, if there is any."""
        text, link_chars, bold_chars = self.run.take(self.pre_depth > 0, self.bold_depth > 0)
        if not text or self.pre_depth and not text.strip():
            return
        if text[0] == "<" and text.startswith(MARKERS):  # nc-normalize writes them
            text = text[4:].lstrip()
            if not text:
                return
        element = self.open_blocks[-1]
        path = element.path or path_of(self.open_blocks)
        block: Block = {"text": text, "tag": element.name, "path": path, "links": link_chars}
        if self.breaks == 1:
            block["br"] = True
        if self.marker:
            block["marker"] = self.marker
            self.marker = None
        if element.hidden:
            block["hidden"] = element.hidden
        if self.pre_depth:
            block["pre"] = True
        elif bold_chars >= MIN_BOLD * len(text):
            block["bold"] = True
        if self.noscript_depth or self.shadow_depth or self.shadow_ended:
            block["origin"] = "noscript" if self.noscript_depth else "shadow"
            self.shadow_ended = False
        self.breaks = 0
        if len(self.blocks) >= self.max_blocks:
            raise OverflowError("blocks")
        self.blocks.append(block)


_Builder = BlockBuilder
# tag name → the handlers of its start and its end. All other elements are inline.
HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(
        "address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption "
        "figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html legend main nav optgroup "
        "option p search section select summary table tbody textarea tfoot thead".split(),
        (_Builder.start_block, _Builder.end_block),
    ),
    **dict.fromkeys(["ul", "ol", "menu", "dir"], (_Builder.start_list, _Builder.end_list)),
    **dict.fromkeys(["td", "th"], (_Builder.start_cell, _Builder.end_cell)),
    **dict.fromkeys(["pre", "listing", "xmp", "plaintext"], (_Builder.start_pre, _Builder.end_pre)),
    **dict.fromkeys(["b", "strong"], (_Builder.start_bold, _Builder.end_bold)),
    **dict.fromkeys(["br", "hr"], (_Builder.start_break, None)),
    # a <title> outside the head is invisible, too (see `metadata`)
    **dict.fromkeys([*INVISIBLE, "template", "title"], (_Builder.start_skipped, end_skipped)),
    "a": (_Builder.start_link, _Builder.end_link),
    "input": (_Builder.start_control, None),
    "math": (_Builder.start_math, end_skipped),
    "sub": (_Builder.start_raised, lambda builder: builder.run.end_raised(is_superscript=False)),
    "sup": (_Builder.start_raised, lambda builder: builder.run.end_raised(is_superscript=True)),
    "li": (_Builder.start_item, _Builder.end_item),
    "noscript": (_Builder.start_noscript, _Builder.end_noscript),
    "shadow-root": (_Builder.start_shadow_root, _Builder.end_shadow_root),
    "tr": (_Builder.start_row, _Builder.end_row),
}
