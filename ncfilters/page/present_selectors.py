"""A list of simple selectors, searched for in one pass: the parser compares each of them with each element.

    selectors = PresentSelectors("h1, time, [rel~='author' i]")
    selectors.of(parse_html("<h1>Rain</h1>"))    # 'h1'

Without a compiled core, all selectors are taken, and the parser finds their elements.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from .compiled_core import core, makes_nodes
from .survey import SURVEYED, Survey, has_special, survey

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_SELECTOR = re.compile(
    r"""(?P<tag>[\w-]*)(?:\.(?P<class>[\w-]+)|"""
    r"""\[(?P<name>[\w-]+)(?:(?P<operator>[*^$~]?)=(?P<quote>['"])(?P<value>[^'"]*)(?P=quote)(?P<any>\s+i)?)?\])?"""
)


class PresentSelectors:
    """One or more lists of selectors, separated by commas: an element, a class, an attribute and its value, or an
    element with one of these.

    Of *note_links*, selectors with an attribute for links, only those count whose text or target may be that of the
    mark of a note (see `note_marks.may_be_mark`), or that may be links of headings to themselves.
    """

    def __init__(self, *lists: str, note_links: Collection[str] = ()) -> None:
        self._lists = lists
        self._each = [selector.strip() for selectors in lists for selector in selectors.split(",")]
        self._parsed = [_parsed(selector, selector in note_links) for selector in self._each]
        self._ends = [0, *accumulate(selectors.count(",") + 1 for selectors in lists)]
        self._masks = {each: (1 << end) - (1 << start) for each, start, end in zip(lists, self._ends, self._ends[1:])}
        self._all = ", ".join(lists)
        self._masks[self._all] = (1 << self._ends[-1]) - 1
        self._compiled: Any = None

    def of(self, tree: LexborHTMLParser) -> str:
        """The selectors that may match elements of a page; empty if none does."""
        return ", ".join(filter(None, self.parts_of(tree)))

    def parts_of(self, tree: LexborHTMLParser) -> list[str]:
        """The same, for each of the lists."""
        compiled, root = core(), tree.root
        if compiled is None or root is None:
            return [*self._lists]
        found = compiled.present(root.mem_id, self._selectors(compiled))
        return [
            ", ".join([self._each[number] for number in found if start <= number < end])
            for start, end in zip(self._ends, self._ends[1:])
        ]

    def may_be_in(self, node: LexborNode) -> bool:
        """Whether an element or one in it may match a selector: the parser reads selectors again for each element."""
        compiled = core()
        if compiled is None:
            return True
        return bool(compiled.present(node.mem_id, self._selectors(compiled)))

    def _selectors(self, compiled: Any) -> Any:
        """The selectors as the compiled core has them."""
        if self._compiled is None:
            self._compiled = compiled.selectors(self._parsed)
        return self._compiled

    def nodes(self, tree: LexborHTMLParser) -> list[LexborNode]:
        """The elements that a selector matches, in the order of the page; one that several match, as often."""
        return self.search(tree).nodes(self._all)

    def nodes_in(self, node: LexborNode) -> list[LexborNode]:
        """The same of an element and those in it."""
        compiled = core()
        if compiled is None or not makes_nodes():
            return node.css(self._all)
        found, present, unsure, _ = compiled.search(node.mem_id, self._selectors(compiled), None)
        if unsure:  # the parser knows where case counts
            return node.css(self._all)
        nodes: list[LexborNode] = compiled.found_nodes(found, present, node.parser) if present else []
        return nodes

    def search(self, tree: LexborHTMLParser, texts: Any = None) -> Search:
        """The elements that the selectors of each list match. Puts the *texts* that `condensed_html` has cut back into
        the tree, which they must outlive. Raises LookupError if it is not that of the page, because the page looks as
        if it had been condensed before; then the tree is of no use."""
        compiled, root = core(), tree.root
        if compiled is None or root is None or texts is None and not makes_nodes():
            return Search(tree)
        found = compiled.search(root.mem_id, self._selectors(compiled), texts)
        if found is None:
            raise LookupError("cut texts")
        return CompiledSearch(tree, self._masks, compiled, found) if makes_nodes() else Search(tree)


class Search:
    """The elements of a page that match the selectors of several lists."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.tree = tree

    def has(self, selectors: str) -> bool:
        """Whether there are elements that those of a list match."""
        return self.tree.css_first(selectors) is not None

    def nodes(self, selectors: str) -> list[LexborNode]:
        """The elements that the selectors of a list match, in the order of the page; one that several match, as often.

        Of `note_links`, it may have only those that may be marks of notes, or links of headings to themselves."""
        return self.tree.css(selectors)

    def compiled(self, selectors: str) -> tuple[Any, Any, int] | None:
        """The compiled core, and what its functions are told of the elements that the selectors of a list match; None
        if only `nodes` knows them."""
        return None

    @property
    def has_special(self) -> bool:
        """As `survey.has_special`."""
        return has_special(self.tree)

    @cached_property
    def survey(self) -> Survey:
        """The survey of the page."""
        return survey(self.tree)

    def survey_of_head(self, fields: tuple[str, ...], max_bytes: int) -> tuple[Survey, list[str]]:
        """As `survey.survey_of_head`."""
        return self.survey, []


class CompiledSearch(Search):
    """The same, found by the compiled core in one pass."""

    def __init__(self, tree: LexborHTMLParser, masks: Mapping[str, int], compiled: Any, found: Any) -> None:
        super().__init__(tree)
        self._masks, self._core = masks, compiled
        self._found, self._present, self._unsure, self._has_special = found

    def has(self, selectors: str) -> bool:
        mask = self._masks[selectors]
        return bool(self._present & mask) or bool(self._unsure & mask) and super().has(selectors)

    def nodes(self, selectors: str) -> list[LexborNode]:
        mask = self._masks[selectors]
        if self._unsure & mask:  # the parser knows where case counts
            return super().nodes(selectors)
        if not self._present & mask:
            return []
        nodes: list[LexborNode] = self._core.found_nodes(self._found, mask, self.tree)
        return nodes

    def compiled(self, selectors: str) -> tuple[Any, Any, int] | None:
        mask = self._masks[selectors]
        return None if self._unsure & mask else (self._core, self._found, mask)

    @property
    def has_special(self) -> bool:
        return bool(self._has_special)

    @cached_property
    def survey(self) -> Survey:
        mask = self._masks[SURVEYED]
        return Survey(*self._core.found_survey(self._found, mask)) if self._present & mask else Survey([], [], [], [])

    def survey_of_head(self, fields: tuple[str, ...], max_bytes: int) -> tuple[Survey, list[str]]:
        found = self._core.found_head_survey(self._found, self._masks[SURVEYED], fields, max_bytes)
        if found is None:
            return self.survey, []
        metas, titles, types, item_types = found
        return Survey(metas, titles, [], item_types), types


def _parsed(selector: str, is_note_link: bool) -> tuple[str, str, str, str, str]:
    """The name of the element, the attribute, the operator, the value in lower case, and the value in the case that
    matches, or nothing. Raises ValueError for other selectors."""
    match = _SELECTOR.fullmatch(selector)
    if match is None:
        raise ValueError(f"selector: expected a simple one, got {selector}")
    if match["class"]:
        return match["tag"], "class", "~", match["class"].lower(), match["class"]
    value = (match["value"] or "").replace("\\\\", "\\")
    operator = "#" if is_note_link else "" if match["value"] is None else match["operator"] or "="
    return match["tag"], match["name"] or "", operator, value.lower(), "" if match["any"] else value
