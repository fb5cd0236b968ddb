"""The elements of a page as columns, read once from the paths of its segments.

    table = ElementTable(["body/main/ul.steps/li", "body/main/p"])
    table.inside[table.of_path["body/main/ul.steps/li"]] & LIST != 0    # True

Paths have no positions: elements of one name in one parent are one element.
"""

from __future__ import annotations

from ..page.blocks.dom_path import ELLIPSIS, bounded_path, without_id
from ..words.element_names import SIGN, signs_of

LIST, ITEM, TABLE, ROW, CELL = SIGN["list"], SIGN["item"], SIGN["table"], SIGN["row"], SIGN["cell"]
TERM, DEFINITION, DEFINITIONS, CODE = SIGN["term"], SIGN["definition"], SIGN["definitions"], SIGN["code"]
QUOTE, QUOTATION, HEADING = SIGN["quote"], SIGN["quote"] | SIGN["quotation"] | SIGN["aside"], SIGN["heading"]
BUTTON, OPENER, FORMULA, NOTE = SIGN["button"], SIGN["button"] | SIGN["opener"], SIGN["formula"], SIGN["note"]
COMMENT, SUPPLEMENT, DIALOG, CHOICES = SIGN["comment"], SIGN["supplement"], SIGN["dialog"], SIGN["choices"]
PRINTED, SPOKEN, MENU, VARIANT = SIGN["printed"], SIGN["spoken"], SIGN["menu"], SIGN["variant"]
INGREDIENTS, RECIPE_NOTES, RECIPE_TOOL = SIGN["ingredients"], SIGN["recipe notes"], SIGN["recipe tool"]
WIDTHS, SHOWN = SIGN["mobile"] | SIGN["desktop"] | SIGN["tablet"], SIGN["hidden"] | SIGN["shown"]

LOWEST_LEVEL = 7  # of headings outside h1 to h6
_CUT = ELLIPSIS[1:]


class ElementTable:
    """A row for each element, parents before their children; row 0 is the page, which is its own parent.

    `name`, as in a path; `parent`; `depth`, 0 for the page; `signs` of its own, and `inside`: its own and those of all
    around it; `level` of the heading that it is in, LOWEST_LEVEL for none; `shape`: the same number for two elements
    whose paths differ in ids alone. `of_path` has the element of each path.
    """

    def __init__(self, paths: list[str]) -> None:
        self.name, self.parent, self.depth = [""], [0], [0]
        self.of_path: dict[str, int] = {"": 0}
        for path in paths:
            if path not in self.of_path:
                short = bounded_path(path)
                self._add(short)
                self.of_path[path] = self.of_path[short]
        self.signs = signs_of(self.name)
        self.inside, self.level, self.shape = [0], [LOWEST_LEVEL], [0]
        shapes: dict[tuple[int, str], int] = {}
        for element in range(1, len(self.parent)):
            above, name, signs = self.parent[element], self.name[element], self.signs[element]
            self.inside.append(signs | self.inside[above])
            own = int(name[1]) if signs & HEADING else LOWEST_LEVEL
            self.level.append(min(self.level[above], own))
            self.shape.append(shapes.setdefault((self.shape[above], without_id(name)), len(shapes) + 1))
        self._nearest: dict[tuple[int, bool], list[int]] = {}

    def __len__(self) -> int:
        return len(self.parent)

    def _add(self, path: str) -> None:
        """Adds the element of a path, and those around it."""
        new = []
        while path not in self.of_path:
            new.append(path)
            path = path.rpartition("/")[0]
        above = self.of_path[path]
        for own in reversed(new):
            self.name.append(own.rpartition("/")[2])
            self.parent.append(above)
            self.depth.append(self.depth[above] + 1)
            above = self.of_path[own] = len(self.parent) - 1

    def nearest(self, signs: int, outermost: bool = False) -> list[int]:
        """For each element the nearest one with one of the *signs*, itself included, or the *outermost*; 0 for none."""
        out = self._nearest.get((signs, outermost))
        if out is None:
            out = self._nearest[signs, outermost] = [0]
            for element in range(1, len(self)):
                above, is_own = out[self.parent[element]], self.signs[element] & signs
                out.append(element if is_own and not (outermost and above) else above)
        return out

    def subtree(self, root: int) -> list[bool]:
        """For each element whether it is *root* or in it."""
        out = [False] * len(self)
        out[root] = True
        for element in range(root + 1, len(self)):
            out[element] = out[self.parent[element]]
        return out

    def sums(self, own: list[float]) -> list[float]:
        """For each element the sum of what it and the elements in it have of their *own*."""
        out = own.copy()
        for element in range(len(self) - 1, 0, -1):
            out[self.parent[element]] += out[element]
        return out

    def names_below_cut(self, element: int) -> list[str]:
        """The names of the elements around one, as far as others are left out of a long path above them."""
        names: list[str] = []
        while element and self.name[element] != _CUT:
            names.append(self.name[element])
            element = self.parent[element]
        return names[1:] if element else []

    def is_in(self, element: int, other: int) -> bool:
        """Whether an element is in another one, or is it."""
        while self.depth[element] > self.depth[other]:
            element = self.parent[element]
        return element == other
