"""The columns of the buffers of a `SegmentTable`, and of the features that are computed from it.

table.numbers[row * NUMBERS + WEIGHT]    # the weight of a segment in averages
table.marks[row] & PROSE                 # whether it is a paragraph of prose
"""

from __future__ import annotations

from ..text.char_classes import CHAR_COLUMNS
from .categories import GROUP_KINDS, NEIGHBOUR_DISTANCES, SIDES, WINDOW_SIZES
from .schema import FAMILIES, NAMES

# The numbers of a segment: those of its characters (see `char_classes`), its characters in links, 1 / characters, the
# share of characters in links, the weight in averages.
LINKS, EACH, DENSITY, WEIGHT = range(CHAR_COLUMNS, CHAR_COLUMNS + 4)
NUMBERS = CHAR_COLUMNS + 4
# The marks of a segment. Of its kind: of type h; of type l; marked by a rule; h1; embedded content. Then: prose; a
# heading of the segments below it; long enough to count as repeated content; repeated before and after it.
TYPE_H, TYPE_L, RULED, H1, EMBEDDED, PROSE, HEADING, LONG, BEFORE, AFTER = (1 << bit for bit in range(10))
# The sums over the segments of a group: their number, characters, characters in links, of prose, words, weights.
SUM_N, SUM_CHARS, SUM_LINKS, SUM_PROSE, SUM_WORDS, SUM_WEIGHT = range(6)
SUMS = 6
KINDS = len(GROUP_KINDS)
UP1, SIG = GROUP_KINDS.index("up1"), GROUP_KINDS.index("sig")

# The features that each segment has for itself, in the order of the schema: the first column of each family.
CHARACTERS = 0
POSITION = CHARACTERS + len(FAMILIES["characters"])
REPEATS = POSITION + len(FAMILIES["position"]) - 1
SINCE_FIRST = REPEATS + len(FAMILIES["repeats"]) - 1
NEIGHBOURS = SINCE_FIRST + KINDS
WINDOWS = NEIGHBOURS + len(FAMILIES["neighbours"])
LANDMARKS = WINDOWS + len(FAMILIES["windows"])
SECTION = LANDMARKS + len(FAMILIES["landmarks"])
BESIDE_MAIN = SECTION + len(FAMILIES["section"])
HEAD = BESIDE_MAIN + 2
OWN = HEAD + len(FAMILIES["head"])
OF_NEIGHBOUR, OF_WINDOW = 7, 3
OF_TITLE = len(FAMILIES["head"]) // 2
OF_GROUP, OF_PLACE = 7, 4
OF_PAGE = len(FAMILIES["page"]) + 1
assert len(FAMILIES["neighbours"]) == OF_NEIGHBOUR * len(NEIGHBOUR_DISTANCES) + 2
assert len(FAMILIES["windows"]) == OF_WINDOW * len(WINDOW_SIZES) * len(SIDES)

# The indices in NAMES of the features of places, of each kind of group, of the page, and of each segment.
_FIRST = {f"{kind}_first" for kind in GROUP_KINDS}
PLACE_COLUMNS = [NAMES.index(name) for name in ("depth", "main_same", "main_up", "main_down")]
PAGE_COLUMNS = [NAMES.index(name) for name in (*FAMILIES["page"], "repeats_page")]
GROUP_COLUMNS = [
    [NAMES.index(name) for name in FAMILIES["groups"] if name.startswith(f"{kind}_") and name not in _FIRST]
    for kind in GROUP_KINDS
]
_SHARED = {*PLACE_COLUMNS, *PAGE_COLUMNS, *(column for columns in GROUP_COLUMNS for column in columns)}
_OWN_FAMILIES = "characters position repeats groups neighbours windows landmarks section main head".split()
OWN_COLUMNS = [
    column for family in _OWN_FAMILIES for name in FAMILIES[family] if (column := NAMES.index(name)) not in _SHARED
]
assert len(OWN_COLUMNS) == OWN
