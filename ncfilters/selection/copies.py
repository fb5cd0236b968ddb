"""Texts that a page has twice, such as for mobile devices or for browsers without scripts: the copies are dropped.

table = table_of([{"text": "It rained.", "path": "body/p"}, {"text": "It rained.", "path": "body/main/p"}])
without_copies(table, [True, True], min_repeated=2)    # [True, False]
"""

from __future__ import annotations

from ..page.metadata.site_name import title_key
from ..text.lazy_pattern import lazy_pattern
from .scored_table import ScoredTable

# A text of at least so many words that follows itself is a copy, too, such as a heading for mobile devices or the label
# of a card that turns over. So many shorter texts may be between names, such as the badge of a product.
MIN_ECHO_WORDS, MAX_BETWEEN = 3, 2
# Texts in a row that are on the page before: their number, their words, and these as a share of all that is kept. Less
# is repeated for each of several products.
MIN_RUN, MIN_RUN_WORDS, MIN_RUN_SHARE = 3, 50, 0.12
# The part of a path that identifies a single element.
ID = lazy_pattern(r"#[^./]*")
# Classes of elements beside each other with the same text, of which a screen of any width shows one. `ssr-variant` is
# Framer's.
_WIDTH = lazy_pattern(
    r"ssr-variant[^/]*|(?:\b(?:hid|show|visible)[a-z]*-)?(?:(?<![A-Za-z])(?:mobile|desktop|tablet)|(?:Mobile|Desktop|Tablet))(?![a-z])"
)
CELL = lazy_pattern(r"/(?:tr|td|th)(?![\w-])")


def without_copies(table: ScoredTable, kept: list[bool], min_repeated: int) -> list[bool]:
    """*kept*, but False for texts of at least *min_repeated* words that are kept before in another place, and for parts
    of the page that follow in the same order again, such as a recipe for each width of a window. A single text in the
    same place, such as a term or the head of a table, is meant. Posts and code may quote others."""
    segments = table.segments
    rows = [row for row, keep in enumerate(kept) if keep and "post" not in segments[row] and "pre" not in segments[row]]
    texts = [table.text[row] for row in rows]
    if len(set(texts)) == len(texts):
        return kept
    sizes, out = table.words(), list(kept)
    least = max(MIN_RUN_WORDS, MIN_RUN_SHARE * sum([sizes[row] for row in rows]))
    first: dict[str, int] = {}
    at, end = 0, len(rows)
    while at < end:
        before, size = first.setdefault(texts[at], at), 0
        while at + size < end and before + size < at and texts[at + size] == texts[before + size]:
            size += 1
        run = rows[at : at + size]
        if size < MIN_RUN or sum([sizes[row] for row in run]) < least:
            pairs = zip(run, rows[before:])
            run = [row for row, other in pairs if sizes[row] >= min_repeated and not _is_same_place(table, row, other)]
        for row in run:
            out[row] = False
        at += max(size, 1)
    return out


def without_echoes(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, but False for texts that repeat the one kept before them in another place outside of tables; of a heading
    and another text, for the latter. Short texts are none. False for texts that repeat one for screens of another
    width, and for those of a carousel that screen readers skip because it has them twice."""
    sizes, out, last, between = table.words(), _without_clones(table, _without_other_widths(table, kept)), -1, 0
    for row, keep in enumerate(out.copy()):
        if not keep:
            continue
        size = sizes[row]
        if size < MIN_ECHO_WORDS:
            between += 1
            continue
        before, last, distance, between = last, row, between, 0
        if before < 0 or size != sizes[before] or distance > (0 if table.type[row] == "p" else MAX_BETWEEN):
            continue
        path, other = table.path[row], table.path[before]
        is_same = table.text[row].split() == table.text[before].split()
        is_same = is_same and table.segments[row].get("post") == table.segments[before].get("post")
        if is_same and ID.sub("", path) != ID.sub("", other) and CELL.search(path) is None:
            last = before if table.type[row] != "h" or table.type[before] == "h" else row
            out[row + before - last] = False
    return out


def _without_clones(table: ScoredTable, kept: list[bool]) -> list[bool]:
    if "hidden" not in table.names:
        return kept
    hidden = [segment.get("hidden") for segment in table.segments]
    shown = {table.text[row] for row, keep in enumerate(kept) if keep and hidden[row] is None}
    shown = {text for text in shown if any(map(str.isalpha, text))}  # several products may have the same price
    return [keep and not (hidden[row] == "aria" and table.text[row] in shown) for row, keep in enumerate(kept)]


def _without_other_widths(table: ScoredTable, kept: list[bool]) -> list[bool]:
    sizes, out = table.words(), list(kept)
    paths: dict[str, str] = {}  # of texts for screens of some width
    for row, keep in enumerate(kept):
        path = table.path[row]
        # speed: most paths have none of these
        may_differ = "obile" in path or "esktop" in path or "ablet" in path or "ssr-variant" in path
        if keep and may_differ and _WIDTH.search(path) and CELL.search(path) is None:
            path = ID.sub("", path)
            other = paths.get(table.text[row])
            if other is None:
                paths[table.text[row]] = path
            else:  # paths have the first classes of an element: those of Framer may be the same
                is_same_variant = path == other and "ssr-variant" in path and sizes[row] >= MIN_ECHO_WORDS
                out[row] = not is_same_variant and not _differ_in_width(other, path)
    return out


def _differ_in_width(path: str, other: str) -> bool:
    """Whether both outermost elements that two paths do not share are for screens, of different widths."""
    for one, two in zip(path.split("/"), other.split("/"), strict=False):
        if one != two:
            widths = _WIDTH.findall(one), _WIDTH.findall(two)
            return widths[0] != widths[1] and [] not in widths
    return False


def rows_of_key(table: ScoredTable, kept: list[bool], key: str, longest: int) -> list[int]:
    """The rows of kept segments that repeat a title with this *key* and nothing else, by texts of at most *longest*
    characters."""
    shortest = len(key)
    out = []
    for row, keep in enumerate(kept):
        if keep:
            text = table.text[row]
            if shortest <= len(text) <= longest and title_key(text) == key:
                out.append(row)
    return out


def _is_same_place(table: ScoredTable, row: int, other: int) -> bool:
    """Whether two texts have the same path but for ids; without a path, each place is another."""
    path = table.path[row]
    return ("path" in table.segments[row] or path != "") and ID.sub("", path) == ID.sub("", table.path[other])
