"""Decisions that fit the structure of the page: headings go with their text, tables and lists are kept whole.

    segments = [{"text": "Rain", "type": "h", "path": "body/h2", "score": -1.0},
                {"text": "It rained all day.", "type": "p", "path": "body/p", "score": 3.0}]
    fit_structure(segments, [False, True])    # [True, True]

Embedded segments have no place in the page, and their decisions stay. The time is linear in the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..page.dom_path import HEADING
from ..record import EMBEDDED, Record
from ..text.lazy_pattern import lazy_pattern
from .expected_f import word_counts

# The constants are from pages of sites that were not in training, two of five folds. Together the rules add 0.10 points
# of bag-F on WCXB (591 pages), 0.05 on Dragnet (455), 0.01 on L3S-GN1 (167), 0.03 on English DAnIEL (97) and 0.04 on
# CleanEval (15); with a model that had not seen Dragnet at all, 0.13 there.

# Bits. A kept heading without kept text below it is dropped if its score is lower. Of -1, 0, 1, 2 and none, 1 and 2
# have the best F: lower limits keep headings of boilerplate; without a limit, product and listing pages lose items.
EMPTY_HEADING_SCORE = 2.0
# Bits. A dropped heading is kept with the text that it stands above if it scores higher than the first, and the best
# segment of the text higher than the second. 80 % of these headings are gold text or the title. From -5 to -2 and from
# 0 to 2, F differs by 0.01; above text of lower scores, headings are mostly boilerplate, and so is the text.
HEADING_SCORE, HEADED_TEXT_SCORE = -3.0, 1.0
# The number of elements that may wrap a heading but not its text: one in `div/header/h2` and `div/p`.
HEADING_WRAPPERS = 1
# The level of headings outside h1 to h6.
LOWEST_LEVEL = 7
# A table holds data, not the layout of the page, if at least MIN_ROWS and ROW_SHARE of its segments are rows with short
# cells, and it has at most PAGE_SHARE of the page's characters.
MIN_ROWS, ROW_SHARE, PAGE_SHARE = 2, 0.3, 0.6
# A table is kept if at least this share of its words is; a term and its definitions likewise.
TABLE_SHARE, DEFINITION_SHARE = 0.5, 0.7
# A list whose items agree to this extent, by number and by words, follows the others; else its items differ.
LIST_AGREEMENT = 0.7

_EVERY_LEVEL = (1 << LOWEST_LEVEL + 1) - 1  # a bit for each

# A path up to its innermost table or list, with the name of that element.
_CONTAINER = lazy_pattern(r".*/(table|dl|ul|ol|menu|dir)(?![\w-])[^/]*", re.DOTALL)
_TERM, _DEFINITION = lazy_pattern(r"/dt(?![\w-])"), lazy_pattern(r"/dd(?![\w-])")


def fit_structure(segments: list[Record], kept: Sequence[bool]) -> list[bool]:
    """*kept*, corrected by the rules of this module: tables, definitions and lists first, then headings.

    A page of nothing but headings keeps them."""
    out = list(kept)
    if True in out:
        visible = [index for index, segment in enumerate(segments) if segment.get("rule") != EMBEDDED]
        _fit_containers(segments, visible, out)
        if any(kept and segment["type"] != "h" for kept, segment in zip(out, segments)):
            _fit_headings(segments, visible, out)
    return out


def heading_level(segment: Record) -> int:
    """1 to 6 for segments in `h1` to `h6`; LOWEST_LEVEL for others."""
    return _level_in_path(segment.get("path", ""))


@lru_cache(maxsize=1 << 12)
def _level_in_path(path: str) -> int:
    found = HEADING.search(path)
    return int(found[1]) if found else LOWEST_LEVEL


# ---- tables and lists


def _fit_containers(segments: list[Record], visible: list[int], kept: list[bool]) -> None:
    """Decides tables, definitions and lists with mixed decisions."""
    for name, prefix, members in _mixed_containers(segments, visible, kept):
        if name == "table":
            if _is_data_table(segments, members, visible):
                _decide_whole(segments, members, kept, TABLE_SHARE)
        elif name == "dl":
            for pair in _definitions(segments, members, len(prefix)):
                _decide_whole(segments, pair, kept, DEFINITION_SHARE)
        elif all("marker" in segments[index] for index in members):
            _decide_alike(segments, members, kept)


def _mixed_containers(
    segments: list[Record], visible: list[int], kept: list[bool]
) -> Iterator[tuple[str, str, list[int]]]:
    """The tables and lists that are kept in part: the name of the element, its path, and the indices of consecutive
    segments in it. Paths have no positions, so that equal elements in a row are one."""
    found: dict[str, tuple[str, str] | None] = {}

    def container(place: int) -> tuple[str, str] | None:
        path = segments[visible[place]].get("path", "")
        if path not in found:
            match = _CONTAINER.match(path)
            found[path] = (match[1], match[0]) if match else None
        return found[path]

    end = 0  # of the last container
    for place, index in enumerate(visible):
        if place < end or not kept[index] or (own := container(place)) is None:
            continue
        start, end = place, place + 1
        while start > 0 and container(start - 1) == own:
            start -= 1
        while end < len(visible) and container(end) == own:
            end += 1
        members = visible[start:end]
        if not all(kept[member] for member in members):
            yield *own, members


def _is_data_table(segments: list[Record], members: list[int], visible: list[int]) -> bool:
    rows = sum(segments[index].get("tag") == "tr" for index in members)
    if rows < max(MIN_ROWS, ROW_SHARE * len(members)):
        return False
    own, page = (sum(len(segments[index]["text"]) for index in indices) for indices in (members, visible))
    return own <= PAGE_SHARE * page


def _definitions(segments: list[Record], members: list[int], start: int) -> Iterator[list[int]]:
    """The terms of a `<dl>`, each with its definitions. *start* is the length of the path of the `<dl>`."""
    pair: list[int] = []
    is_defined = False
    for index in members:
        path = segments[index]["path"]
        if _TERM.match(path, start):
            if is_defined:
                yield pair
                pair, is_defined = [], False
            pair.append(index)
        elif pair and _DEFINITION.match(path, start):
            pair.append(index)
            is_defined = True
    if is_defined:
        yield pair


def _decide_whole(segments: list[Record], members: list[int], kept: list[bool], least: float) -> None:
    """Keeps all *members* if *least* of their words are kept, and else none."""
    decision = _kept_words(segments, members, kept) >= least
    for index in members:
        kept[index] = decision


def _decide_alike(segments: list[Record], members: list[int], kept: list[bool]) -> None:
    """Decides all *members* as most of them are, if LIST_AGREEMENT of them and of their words are."""
    share = sum(kept[index] for index in members) / len(members)
    if max(share, 1 - share) < LIST_AGREEMENT:
        return
    words = _kept_words(segments, members, kept)
    if (words if share > 0.5 else 1 - words) >= LIST_AGREEMENT:
        for index in members:
            kept[index] = share > 0.5


def _kept_words(segments: list[Record], members: list[int], kept: list[bool]) -> float:
    """The share of the words of *members* that are kept."""
    sizes = word_counts([segments[index] for index in members])
    return sum(size for index, size in zip(members, sizes) if kept[index]) / sum(sizes)


# ---- headings


def _fit_headings(segments: list[Record], visible: list[int], kept: list[bool]) -> None:
    """Drops headings of sections without kept text, and keeps those right above kept text.

    The section of a heading ends before the next heading of its level or a higher one. A heading without anything below
    it that is followed by one of its own level is an item, such as a product, and stays.
    """
    decided = bytes([kept[index] for index in visible])
    headings = [place for place, index in enumerate(visible) if segments[index]["type"] == "h"]
    kept_below = dropped_below = 0  # bit n: whether the section so far of a heading of level n has such text
    end, end_level = len(visible), 0  # of the text right below: the place and level of the next heading
    for place in reversed(headings):
        index = visible[place]
        text = decided[place + 1 : end]
        if 1 in text:
            kept_below = _EVERY_LEVEL
        if 0 in text:
            dropped_below = _EVERY_LEVEL
        level = heading_level(segments[index])
        if kept[index]:
            if not kept_below >> level & 1 and segments[index]["score"] < EMPTY_HEADING_SCORE:
                kept[index] = not (dropped_below >> level & 1 or end_level < level and not text)
        elif text and text[0]:
            below = [segments[below] for below, keep in zip(visible[place + 1 : end], text) if keep]
            kept[index] = _is_heading_of(segments[index], below)
        higher = (1 << level) - 1
        kept_below &= higher
        dropped_below &= higher
        end, end_level = place, level


def _is_heading_of(heading: Record, text: list[Record]) -> bool:
    """Whether the first of the segments below a heading is in the same element, and the scores allow to keep it."""
    if heading["score"] <= HEADING_SCORE or max(segment["score"] for segment in text) <= HEADED_TEXT_SCORE:
        return False
    found = HEADING.search(heading.get("path", ""))
    if not found:
        return False
    parent, path = heading["path"][: found.start()], text[0].get("path", "") + "/"
    for _ in range(HEADING_WRAPPERS + 1):
        if path.startswith(parent + "/"):
            return True
        parent = parent.rpartition("/")[0]
        if "/" not in parent:  # all of the page
            break
    return False
