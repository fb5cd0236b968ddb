"""The elements around the texts of a page: a row for each, made from its nodes or from the paths of a stream.

    table = ElementTable()
    item = table.child(table.add("body/ul.steps"), "li")
    table.path(item), table.depth[item]    # ('body/ul.steps/li', 3)

Paths have no positions: elements of one name in one parent are one row.
"""

from __future__ import annotations

from ..native.text_counts import PairNumbers, common_length
from ..words.element_names import REASONS, SIGN, signs_of
from . import dom_path
from .dom_path import bounded_path, join_path, without_id

LIST, ITEM, TABLE, ROW, CELL = SIGN["list"], SIGN["item"], SIGN["table"], SIGN["row"], SIGN["cell"]
TERM, DEFINITION, DEFINITIONS, CODE = SIGN["term"], SIGN["definition"], SIGN["definitions"], SIGN["code"]
QUOTE, QUOTATION, HEADING = SIGN["quote"], SIGN["quote"] | SIGN["quotation"] | SIGN["aside"], SIGN["heading"]
BUTTON, OPENER, FORMULA, NOTE = SIGN["button"], SIGN["button"] | SIGN["opener"], SIGN["formula"], SIGN["note"]
COMMENT, SUPPLEMENT = SIGN["comment"], SIGN["supplement"]
NEVER_TEXT = sum([SIGN[purpose] for purpose in REASONS])
PRINTED, SPOKEN, MENU, VARIANT = SIGN["printed"], SIGN["spoken"], SIGN["menu"], SIGN["variant"]
INGREDIENTS, RECIPE_NOTES, RECIPE_TOOL = SIGN["ingredients"], SIGN["recipe notes"], SIGN["recipe tool"]
WIDTHS, SHOWN = SIGN["mobile"] | SIGN["desktop"] | SIGN["tablet"], SIGN["hidden"] | SIGN["shown"]

# Rows of a page, which bounds memory. Beyond, a new element counts as the page.
MAX_ELEMENTS = 1 << 17
LOWEST_LEVEL = 7  # of headings outside h1 to h6
_MAX_ELEMENTS, _MAX_PATH_CHARS = MAX_ELEMENTS, dom_path.MAX_PATH_CHARS
_CUT = dom_path.ELLIPSIS[1:]


class ElementTable:
    """Parents come before their children; row 0 is the page, which is its own parent.

    `parent`; `depth`, 0 for the page; `name`, an index into `names`, which are those in paths, `tag:role#id.class`.

    After `read_signs`: `signs` of its own name (see `element_names`), and `inside`: these and those of all around it;
    `level` of the heading that it is in, LOWEST_LEVEL for none. After `read_shapes`: `shape`, the same number for two
    elements whose paths differ in ids alone.
    """

    def __init__(self) -> None:
        self.parent, self.depth, self.name = [0], [0], [0]
        self.names = [""]
        self._chars = [0]  # of the path of each element
        self._paths: dict[int, str] = {0: ""}
        self._of_path: dict[str, int] = {"": 0}
        # An element has a number for its parent and its name.
        self._rows = PairNumbers()
        self._rows.add(0, 0)
        self._number_of = {"": 0}
        # The path that was added last: where each of its names ends, and their rows.
        self._path, self._ends, self._trail = "", [0], [0]
        self._last, self._last_row = "", 0  # the path that was asked for last
        self.signs: list[int] = []
        self.inside: list[int] = []
        self.level: list[int] = []
        self.shape: list[int] = []
        self._nearest: dict[tuple[int, bool], list[int]] = {}

    def __len__(self) -> int:
        return len(self.parent)

    def child(self, parent: int, name: str) -> int:
        """The row of the element of this name in another one, which is added if it is new. Of a long path the first and
        the last elements are kept."""
        chars = self._chars[parent] + (parent > 0) + len(name)
        if chars > _MAX_PATH_CHARS:
            return self.add(join_path(self.path(parent), name))
        row = self._child(parent, parent, name, chars)
        return row if row > 0 else 0

    def add(self, path: str) -> int:
        """The row of the element of a path, which is added with those around it if it is new."""
        if path == self._last:
            return self._last_row
        row = self._of_path.get(path)
        if row is None:
            row = self._of_path[path] = self._add(path if len(path) <= _MAX_PATH_CHARS else bounded_path(path))
            self._paths.setdefault(row, path)
        self._last, self._last_row = path, row
        return row

    def path(self, row: int) -> str:
        """The path of an element."""
        path = self._paths.get(row)
        if path is None:
            parent, name = self.parent[row], self.name_of(row)
            path = self._paths[row] = f"{self.path(parent)}/{name}" if parent else name
        return path

    def name_of(self, row: int) -> str:
        """The name of an element, as in paths."""
        return self.names[self.name[row]]

    def _add(self, path: str) -> int:
        ends, trail, size = self._ends, self._trail, len(path)
        shared = common_length(path, self._path)
        end = ends[-1]
        while len(ends) > 1 and (end > shared or (end < size and path[end] != "/")):
            ends.pop()
            trail.pop()
            end = ends[-1]
        row, start = trail[-1], end + (len(ends) > 1)
        self._path = path
        while start <= size:
            # a slash before the first name makes it another one
            first = start + (start == 0 and path[0] == "/")
            end = path.find("/", first)
            end = end if end >= 0 else size
            row = self._child(row, -1 if first > start else row, path[first:end], end)
            if row < 0:
                self._path = path[: ends[-1]]
                return 0
            ends.append(end)
            trail.append(row)
            start = end + 1
        return row

    def _child(self, parent: int, above: int, name: str, chars: int) -> int:
        """The row of an element below another one (*above*: -1 for a path that begins with a slash), whose path has so
        many *chars*; -1 for a new one if there is no room for it."""
        number = self._number_of.get(name, -1)
        if number < 0:
            number = self._number_of[name] = len(self.names)
            self.names.append(name)
        size = len(self.parent)
        row = self._rows.add(above, number) if size <= _MAX_ELEMENTS else self._rows.find(above, number)
        if row == size:
            self.parent.append(parent)
            self.depth.append(self.depth[parent] + 1)
            self.name.append(number)
            self._chars.append(chars)
        return row

    def around(self, row: int) -> list[int]:
        """An element and those around it, from the innermost to the outermost."""
        out = []
        while row:
            out.append(row)
            row = self.parent[row]
        return out

    # ---- columns

    def read_signs(self) -> None:
        """Makes the columns of signs."""
        if len(self.signs) == len(self.parent):
            return
        of_names = signs_of(self.names)
        self.signs, self.inside, self.level = [0], [0], [LOWEST_LEVEL]
        for row in range(1, len(self.parent)):
            above, number = self.parent[row], self.name[row]
            own = of_names[number]
            level = int(self.names[number][1]) if own & HEADING else LOWEST_LEVEL
            self.signs.append(own)
            self.inside.append(own | self.inside[above])
            self.level.append(min(level, self.level[above]))
        self._nearest = {}

    def read_shapes(self) -> None:
        """Makes the column of shapes."""
        if len(self.shape) == len(self.parent):
            return
        plain_of: list[int] = []
        plain: dict[str, int] = {}
        for name in self.names:
            plain_of.append(plain.setdefault(without_id(name), len(plain)))
        shapes = PairNumbers()
        self.shape = [shapes.add(-1, 0)]
        for row in range(1, len(self.parent)):
            self.shape.append(shapes.add(self.shape[self.parent[row]], plain_of[self.name[row]]))

    def nearest(self, signs: int, outermost: bool = False) -> list[int]:
        """For each element the nearest one with one of the *signs*, itself included, or the *outermost*; 0 for none."""
        out = self._nearest.get((signs, outermost))
        if out is None:
            out = self._nearest[signs, outermost] = [0]
            for row in range(1, len(self.parent)):
                above, is_own = out[self.parent[row]], self.signs[row] & signs
                out.append(row if is_own and not (outermost and above) else above)
        return out

    def subtree(self, root: int) -> list[bool]:
        """For each element whether it is *root* or in it."""
        out = [False] * len(self.parent)
        out[root] = True
        for row in range(root + 1, len(self.parent)):
            out[row] = out[self.parent[row]]
        return out

    def sums(self, own: list[float]) -> list[float]:
        """For each element the sum of what it and the elements in it have of their *own*."""
        out = own.copy()
        for row in range(len(self.parent) - 1, 0, -1):
            out[self.parent[row]] += out[row]
        return out

    def names_below_cut(self, row: int) -> list[str]:
        """The names of the elements around one, as far as others are left out of a long path above them."""
        names: list[str] = []
        while row and self.name_of(row) != _CUT:
            names.append(self.name_of(row))
            row = self.parent[row]
        return names[1:] if row else []

    def is_in(self, row: int, other: int) -> bool:
        """Whether an element is in another one, or is it."""
        while self.depth[row] > self.depth[other]:
            row = self.parent[row]
        return row == other
