"""Visual blocks with their markup: links, emphasis, code, images, and what the elements around them say.

    page = parse_html("<blockquote><p>See <a href=b.html>this</a>.")
    blocks_with_markup(PageLinks("http://a.example/"), page)
    # [{'text': 'See this.', …, 'spans': [[4, 8, 'link', 'http://a.example/b.html']], 'quote': 1}]

The blocks are those of `block_builder.blocks`, with more fields. To record another kind of element, add its handlers to
MARKUP_HANDLERS: `builder.run` has `open`, `close` and `add_point`. For a field from the elements around a block, see
`markup_context.CONTEXTS`.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ...record import Block
from ...text.lazy_pattern import lazy_pattern
from ..block_builder import HANDLERS, BlockBuilder
from ..html_parser import walked_root
from ..open_elements import ARIA_HIDDEN, Attributes, Holder, OpenBlock
from ..tree_walk import End, Handler, walk
from .figures import Figure, is_caption
from .images import Image, image_of
from .markup_context import CONTEXTS, Context, Numbers, context_in, new_quote
from .markup_fields import join, keep_part
from .markup_run import Mark, MarkupRun, without_goes_on
from .page_links import PageLinks

# The innermost block elements whose roles count, and those whose classes say that a check box is that of a task.
MAX_ROLE_DEPTH, MAX_TASK_DEPTH = 2, 3
# Styles that make text bold (the group) or italic, and that undo what <b> or <em> does.
_STRONG_STYLE = lazy_pattern(r"font-weight:\s*(bold|[6-9]00)|font-style:\s*(?:italic|oblique)", re.I)
_PLAIN_STYLE = lazy_pattern(r"font-weight:\s*(?:normal|[34]00)|font-style:\s*normal", re.I)
# Classes of elements that show the sign which their text names, and of lists of tasks.
_ICON_CLASS, _TASK_CLASS = lazy_pattern(r"icon|material-symbols", re.I | re.A), lazy_pattern(r"task", re.I | re.A)

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# tag name → the kind of its spans, for elements without handlers in `block_builder`
KINDS = {
    **dict.fromkeys(("em", "i"), "em"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    "mark": "mark",
}

_NO_IMAGE: tuple[Image, tuple[int, int], bool] = ({}, (-1, 0), False)


def blocks_with_markup(links: PageLinks, tree: LexborHTMLParser, holders: list[Holder] | None = None) -> list[Block]:
    """The visual blocks of a page (see `block_builder.blocks`) with their markup (see nc-stream(5))."""
    root = walked_root(tree)
    if root is None:
        return []
    builder = MarkupBuilder(links, holders)
    walk(root, builder, MARKUP_HANDLERS)
    builder.attach_figures()
    return builder.blocks


def is_plain_style(style: str) -> bool:
    """Whether a style undoes what `<b>` or `<em>` does."""
    return _PLAIN_STYLE.search(style) is not None


def style_kind(style: str) -> str:
    """The kind of the spans of elements with a style: `strong`, `em` or neither."""
    found = _STRONG_STYLE.search(style)
    return "" if found is None else "strong" if found[1] else "em"


class MarkupBuilder(BlockBuilder):
    """A builder that also records markup."""

    __slots__ = ("contexts", "figures", "last", "last_image", "last_quotes", "links", "num_marks", "numbers")
    run: MarkupRun
    new_run = MarkupRun

    def __init__(self, links: PageLinks, holders: list[Holder] | None = None) -> None:
        super().__init__(holders)
        self.links = links
        self.num_marks = 0  # inline elements of all texts
        self.contexts = [Context()]  # of the page, and in the open elements of CONTEXTS
        self.numbers = Numbers()
        self.figures: list[Figure] = []  # the images since the last block
        # the last image, its place (the blocks and the pieces of text before it), and whether it is in a <noscript>
        self.last_image = _NO_IMAGE
        self.last_quotes: tuple[OpenBlock, ...] = ()  # around the last block in a quote
        self.last: tuple[Block, list[OpenBlock]] | None = None  # the last visible block, and the elements around it

    # ---- inline elements

    def start_marked(self, name: str, node: Any) -> End | None:
        """Begins an inline element of KINDS."""
        attributes = node.attributes
        if attributes and ("style" in attributes or "hidden" in attributes or ARIA_HIDDEN in attributes):
            end = self.start_hidden_inline(name, node, attributes)
            if end is not None:
                return end
        if KINDS[name] == "em" and attributes and _is_no_emphasis(attributes):
            return _end_nothing
        self.run.open(KINDS[name])
        return None

    def end_marked(self) -> None:
        self.run.close()

    def start_styled(self, name: str, node: Any) -> End | None:
        """Begins an inline element that may be bold or italic by its style."""
        attributes = node.attributes
        if not attributes:
            return None
        style = attributes.get("style")
        if style or "hidden" in attributes or ARIA_HIDDEN in attributes:
            end = self.start_hidden_inline(name, node, attributes)
            if end is not None:
                return end
        kind = style_kind(style) if style else ""
        if not kind:
            return None
        self.run.open(kind)
        return MarkupBuilder.end_marked

    def start_marked_bold(self, name: str, node: Any) -> End | None:
        self.start_bold(name, node)
        if is_plain_style(node.attrs.get("style") or ""):  # editors wrap whole texts in such elements
            return BlockBuilder.end_bold
        self.run.open("strong")
        return None

    def end_marked_bold(self) -> None:
        self.run.close()
        self.end_bold()

    def start_marked_raised(self, name: str, node: Any) -> None:
        self.start_raised(name, node)
        self.run.open(name)

    def end_marked_sub(self) -> None:
        self.run.end_raised(is_superscript=False)
        self.run.close()

    def end_marked_sup(self) -> None:
        self.run.end_raised(is_superscript=True)
        self.run.close()

    def start_anchor(self, name: str, node: Any) -> End | None:
        self.start_link(name, node)
        url = self.links.resolve(node.attrs.get("href"))
        if url is None:
            return BlockBuilder.end_link
        self.run.open("link", url)
        return None

    def end_anchor(self) -> None:
        self.run.close()
        self.end_link()

    def start_base(self, name: str, node: Any) -> None:
        """A `<base>` in the body, for the links after it: something before it has ended the head."""
        self.links.set_base(node.attributes.get("href"))

    def start_image(self, name: str, node: Any) -> None:
        if self.open_blocks[-1].hidden in ("hidden", "display"):
            return
        if any(mark is not None and mark.entry[0] == "math" for mark in self.run.open_marks):
            return  # another form of the formula
        image = image_of(node, self.links)
        if image is None:
            self.last_image = _NO_IMAGE
            return
        if self._is_twin(image, node) or self._leads_home():
            return
        run = self.run
        if run.parts:
            run.add_point("image", image)
        else:
            self.add_figure(image, run.around())

    def start_wrapped_image(self, name: str, node: Any) -> End | None:
        """An image of AMP, which has another one in it for browsers without scripts."""
        attributes = node.attributes
        end = None
        if attributes and ("style" in attributes or "hidden" in attributes or ARIA_HIDDEN in attributes):
            end = self.start_hidden_inline(name, node, attributes)
        self.start_image(name, node)
        return end

    def start_task(self, name: str, node: Any) -> None:
        """A control; the box of a task, at the start of an item, is a point in its text."""
        if not self.run.parts and "item" in self.contexts[-1].fields:
            attributes = node.attributes
            if attributes.get("type") == "checkbox" and self._is_task(attributes):
                self.run.add_point("task", "x" if "checked" in attributes else " ")
        self.start_control(name, node)

    def _is_task(self, attributes: Attributes) -> bool:
        """Whether nobody can change a check box, or a class says that it is that of a task."""
        own = [element.attributes for element in self.open_blocks[-MAX_TASK_DEPTH:] if element.attributes]
        return "disabled" in attributes or any(_TASK_CLASS.search(at.get("class") or "") for at in (attributes, *own))

    def _leads_home(self) -> bool:
        """Whether an image is the sign of the site: a link to its front page."""
        marks = self.run.open_marks
        return any(mark and mark.entry[0] == "link" and self.links.is_front_page(mark.entry[1]) for mark in marks)

    def _is_twin(self, image: Image, node: Any) -> bool:
        """Whether an image is another form of the one before it, for browsers without scripts."""
        place = (len(self.blocks), len(self.run.parts))
        in_noscript = self.noscript_depth > 0 or _is_in_noscript(node)
        before, before_place, was_in_noscript = self.last_image
        if before_place == place and (before["src"] == image["src"] or in_noscript and not was_in_noscript):
            return True
        self.last_image = image, place, in_noscript
        return False

    def start_break(self, name: str, node: Any) -> None:
        if not self.run.parts:
            for figure in self.figures:  # what follows is another line
                figure.element = None
        super().start_break(name, node)

    # ---- blocks

    def end_row(self) -> None:
        if self.run.parts:
            self.flush()
        cells = self.blocks[self.rows[-1].start :]
        super().end_row()
        if len(cells) < 2 or self.blocks[-1] is cells[-1]:
            return
        row = self.blocks[-1]
        ends = list(accumulate(len(cell["text"]) + 1 for cell in cells))
        join(row, cells, [0, *ends[:-1]])
        if self.last is not None and any(self.last[0] is cell for cell in cells):
            self.last = row, self.last[1]
        for figure in self.figures:
            if figure.before is not None and any(figure.before[0] is cell for cell in cells):
                figure.before = row, figure.before[1]

    def flush(self) -> None:
        blocks, run, element = self.blocks, self.run, self.open_blocks[-1]
        count = len(blocks)
        if self.figures:
            self._place_in_text(element)
        self.num_marks += len(run.marks)
        if self.num_marks > self.max_blocks:
            raise OverflowError("marks")
        super().flush()
        if len(blocks) == count:
            images = [span[3] for span in run.spans if span[2] == "image"]
            for image in images:
                self.add_figure(image, ())
            return
        block = blocks[-1]
        if run.spans:
            spans = [span for span in run.spans if span[2] != "code"] if self.pre_depth else run.spans
            if "br" not in block:
                without_goes_on(spans)
            if spans:
                block["spans"] = spans
                if len(run.taken) != len(block["text"]):  # a marker of nc-normalize
                    keep_part(block, len(run.taken) - len(block["text"]), len(run.taken))
        context = self._context()
        if context.fields:
            block.update(context.fields)
        if context.quotes:
            if depth := new_quote(self.last_quotes, context.quotes):
                block["new_quote"] = depth
            self.last_quotes = context.quotes
        if self.figures and not element.hidden:
            self.attach_figures(block, context.is_caption or is_caption(element))
        if not element.hidden:
            self.last = block, self.open_blocks[:]

    def add_figure(self, image: Image, marks: tuple[Mark, ...]) -> Figure:
        """Adds an image that stands here, in the inline elements of these *marks*."""
        figure = Figure(image, self.open_blocks[:], self.last, marks)
        self.figures.append(figure)
        return figure

    def attach_figures(self, block: Block | None = None, in_caption: bool = False) -> None:
        """Attaches the images since the last block to it or to the next *block*; None at the end of the page."""
        after = (block, self.open_blocks) if block is not None else None
        waiting = []
        is_of_next = in_caption and any("caption" not in figure.image for figure in self.figures)
        for figure in self.figures:
            if block is not None and figure.waits(block, self.open_blocks, in_caption, is_of_next):
                waiting.append(figure)
                if in_caption:
                    figure.add_caption(block["text"], self.open_blocks)
            else:
                figure.attach(after)
        self.figures = waiting

    def _place_in_text(self, element: OpenBlock) -> None:
        """Makes the images at the start of the open text, in the same *element*, part of it."""
        run = self.run
        waiting = []
        for figure in self.figures:
            if figure.element is element:
                run.marks.append(Mark(0, ("image", figure.image), figure.marks))
            else:
                waiting.append(figure)
        self.figures = waiting

    def start_context(self, name: str, node: Any) -> None:
        """Begins an element of CONTEXTS."""
        HANDLERS[name][0](self, name, node)
        self.contexts.append(context_in(self.contexts[-1], self.open_blocks[-1], self.numbers))

    def _context(self) -> Context:
        """What the open elements say about a block."""
        context = self.contexts[-1]
        for element in self.open_blocks[-MAX_ROLE_DEPTH:]:
            if element.attributes and "role" in element.attributes and element.name not in CONTEXTS:
                context = context_in(context, element, self.numbers)
        return context


def _end_context(end: End) -> End:
    """The end of an element of CONTEXTS, whose usual end is *end*."""

    def end_context(builder: MarkupBuilder) -> None:
        end(builder)
        builder.contexts.pop()

    return end_context


def _end_nothing(builder: MarkupBuilder) -> None:
    """The end of an element that is not recorded."""


def _is_no_emphasis(attributes: Attributes) -> bool:
    """Whether an `<em>` or `<i>` is a sign of an icon font, or its style undoes the emphasis."""
    return _ICON_CLASS.search(attributes.get("class") or "") is not None or is_plain_style(
        attributes.get("style") or ""
    )


def _is_in_noscript(node: Any) -> bool:
    around = node.parent
    return around is not None and around.tag == "noscript"


_Builder = MarkupBuilder
MARKUP_HANDLERS: dict[str, Handler] = {
    **HANDLERS,
    **{tag: (_Builder.start_context, _end_context(HANDLERS[tag][1] or _end_nothing)) for tag in CONTEXTS},
    **dict.fromkeys(KINDS, (_Builder.start_marked, _Builder.end_marked)),
    **dict.fromkeys(["b", "strong"], (_Builder.start_marked_bold, _Builder.end_marked_bold)),
    **dict.fromkeys(["br", "hr"], (_Builder.start_break, None)),
    **dict.fromkeys(["font", "span"], (_Builder.start_styled, None)),
    "a": (_Builder.start_anchor, _Builder.end_anchor),
    "base": (_Builder.start_base, None),
    "img": (_Builder.start_image, None),
    "amp-img": (_Builder.start_wrapped_image, None),
    "input": (_Builder.start_task, None),
    "sub": (_Builder.start_marked_raised, _Builder.end_marked_sub),
    "sup": (_Builder.start_marked_raised, _Builder.end_marked_sup),
    "tr": (_Builder.start_row, _Builder.end_row),
}
