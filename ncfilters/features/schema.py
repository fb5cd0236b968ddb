"""The columns of the feature matrix: their names, in order, and a description of each.

    NAMES.index("up1_share")    # its column
    DESCRIPTIONS["up1_share"]          # 'the parent element: its share of the characters of the page'

One function fills the columns of a family. In the descriptions, log stands for log(1 + n); prose is a paragraph with a
sentence, 8 words and few links.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..text.char_classes import CHAR_COLUMNS

# field → its categories. Any other value is OTHER; a missing field has no category.
OTHER = "other"
CATEGORIES: dict[str, tuple[str, ...]] = {
    "type": ("p", "h", "l"),
    "tag": tuple(
        "p div li td tr th h1 h2 h3 h4 h5 h6 span a dd dt blockquote pre figcaption figure caption section article "
        "main body header footer nav aside address form fieldset legend button label option textarea summary ul title "
        "noscript center".split()
    )
    + (OTHER,),
    "rule": (*"nav footer header dialog select widget links bars copyright wordless island".split(), OTHER),
    # the source of embedded content: the part before the colon
    "origin": (*"json-ld hydration shadow template srcdoc noscript meta".split(), OTHER),
    "hidden": ("display", "hidden", "aria", OTHER),
}
FLAGS = ("bold", "marker", "pre")
# field → the types it may have
READS: dict[str, tuple[type, ...]] = dict.fromkeys(("path", "tag", "type", "rule", "origin", "hidden"), (str,))
READS["links"] = (int,)
# Groups by an ancestor this many steps up.
STEPS_UP = range(5)
GROUP_KINDS = (*(f"up{steps}" for steps in STEPS_UP), "sig", "sig2")
# Distances of neighbours, in segments; the sizes of windows, whose means are taken on either side.
NEIGHBOUR_DISTANCES, WINDOW_SIZES, SIDES = (-2, -1, 1, 2), (3, 8, 20), ("before", "after")

_CHARACTERS = {
    "chars": "log of the characters",
    "words": "log of the words; a Chinese one is 1.5 characters",
    "word_length": "characters a word, up to 20",
    "link_density": "share of the characters in links",
    "link_all": "1 if all is link",
    "upper": "share of ASCII capitals",
    "digit": "share of ASCII digits",
    "punctuation": "share of ASCII punctuation but .!?,;:",
    "symbol": "share of $|@#*/\\<>=_+~^&%",
    "foreign": "share of characters beyond ASCII",
    "sentences": "full stops of any script that end a sentence, up to 20",
    "commas": "commas, colons and semicolons a word",
    "title": "share of the words that begin with a capital",
    "ends_stop": "1 if a full stop ends it",
    "ends_comma": "1 if a comma, colon or semicolon ends it",
    "ends_other": "1 if other ASCII punctuation or a sign ends it",
    "starts_upper": "1 if an ASCII capital begins it",
    "starts_lower": "1 if a small ASCII letter begins it",
    "starts_digit": "1 if a digit begins it",
    "starts_other": "1 if punctuation or a sign begins it",
}
_FLAGS = {"bold": "1 if it is all bold", "marker": "1 if it begins an item of a list", "pre": "1 if it is preformatted"}
_POSITION = {
    "position": "share of the page's segments before it",
    "index": "log of the segments before it",
    "index_end": "log of the segments after it",
    "char_position": "share of the page's characters before it",
    "prose_before": "share of the page's prose before it",
    "depth": "elements around it, in tens, up to 4",
}
_REPEATS = {
    "repeats_before": "1 if it has 6 words or more and stands higher on the page, too",
    "repeats_after": "1 if it has 6 words or more and stands further down, too",
    "repeats_short": "1 if it has fewer words and stands elsewhere on the page, too",
    "repeats_count": "log of how often it stands elsewhere on the page",
    "repeats_page": "share of the page's characters that repeat 6 words or more from above",
    "is_h1": "1 if its text is that of the page's first h1",
}
_OF_GROUPS = {
    "n": "log of its segments",
    "chars": "log of its characters",
    "links": "share of its characters in links",
    "prose": "share of its characters in prose",
    "share": "its share of the characters of the page",
    "prose_share": "its share of the prose of the page",
    "words": "words a segment, up to 50 of each",
    "first": "segments since its first, over the number it has, up to 20",
}
_GROUPS = {
    "up0": "what has the same path",
    "up1": "the parent element",
    "up2": "the same element two steps up",
    "up3": "the same element three steps up",
    "up4": "the same element four steps up",
    "sig": "the same path but for ids",
    "sig2": "the same two innermost elements",
}
_OF_NEIGHBOURS = {
    "chars": "log of its characters",
    "link_density": "share of its characters in links",
    "h": "1 if it is a heading",
    "l": "1 if it is an item",
    "ends_stop": "1 if a full stop ends it",
    "ruled": "1 if a rule marked it",
    "place": "1 if it has the same path (0 if there is none)",
}
_OF_WINDOWS = {"chars": "mean log of their characters", "links": "mean share of links", "prose": "share that are prose"}
_LANDMARKS = {
    "from_h1": "segments since the first h1, in 25s, -2 to 4; -2.4 without one",
    "from_first_prose": "segments since the first prose, in 25s, -4 to 4; 4 without any",
    "from_last_prose": "segments since the last prose, in 25s, -4 to 4; 4 without any",
    "to_prose": "log of the segments to the next prose; 5 without one",
    "since_prose": "log of the segments since the last prose; 5 without one",
}
_SECTION = {
    "since_heading": "log of the segments between the heading above and it",
    "section_n": "log of the segments from one heading to the next, the first included",
    "section_prose": "share of the characters from one heading to the next that are prose",
}
_MAIN = {
    "main_same": "1 if its parent element is the one with most prose on the page, the main text",
    "main_up": "steps up to the nearest element that holds the main text, too, up to 10",
    "main_down": "steps from there down to the main text, up to 10",
    "main_before": "log of the segments from it down to the first of the main text; 0 if it is not before",
    "main_after": "log of the segments since the last of the main text; 0 if it is not after",
}
_OF_HEAD = {
    "share": "share of the segment's different words that it has",
    "found": "share of its words that the segment has",
    "both": "share of the words of both that they have in common (Dice)",
    "there": "1 if a segment of the page is it",
    "is": "1 if the segment is it",
    "from": "segments since it, in 25s, -2 to 4; -2.4 without it",
    "since": "log of the segments since it; 5 above it, or without it",
    "before": "1 if the segment stands above it",
}
_PAGE = {
    "n": "log of its segments",
    "chars": "log of its characters",
    "links": "share of its characters in links",
    "prose": "share of its characters in prose",
    "paragraphs": "log of its paragraphs of prose",
    "headings": "share of its segments that are headings",
    "lists": "share of its characters in items",
    "ruled": "share of its characters that a rule marked",
}


def _beside(distance: int) -> str:
    return f"{abs(distance)} {'before' if distance < 0 else 'after'}, -1 if there is none"


# family → its names, in order, with a description
FAMILIES: dict[str, dict[str, str]] = {
    "characters": _CHARACTERS,
    "flags": _FLAGS,
    "position": _POSITION,
    "repeats": _REPEATS,
    "groups": {
        f"{group}_{name}": f"{_GROUPS[group]}: {about}" for name, about in _OF_GROUPS.items() for group in GROUP_KINDS
    },
    "neighbours": {
        **{
            f"{name}{distance:+d}": f"segment {_beside(distance)}: {about}"
            for distance in NEIGHBOUR_DISTANCES
            for name, about in _OF_NEIGHBOURS.items()
        },
        "sig-1": "1 if the segment before has the same path but for ids",
        "sig+1": "1 if the segment after has the same path but for ids",
    },
    "windows": {
        f"{side}{size}_{name}": f"{size} segments {side}: {about}"
        for size in WINDOW_SIZES
        for side in SIDES
        for name, about in _OF_WINDOWS.items()
    },
    "landmarks": _LANDMARKS,
    "section": _SECTION,
    "main": _MAIN,
    "head": {
        f"{what}_{name}": f"the page's {what}: {about}"
        for what in ("title", "description")
        for name, about in _OF_HEAD.items()
    },
    "page": {f"page_{name}": f"the page: {about}" for name, about in _PAGE.items()},
    **{field: {f"{field}={value}": f"1 if {field} is {value}" for value in CATEGORIES[field]} for field in CATEGORIES},
}
# Features that depend on the script or the language: capitals, ASCII, and rules of nc-segment, some of which know
# words. Models without words leave them out: on DAnIEL, which is never trained on, F is 2.5 points higher for it.
SCRIPT_DEPENDENT = frozenset(("upper", "foreign", "title", "starts_upper", "starts_lower", *FAMILIES["rule"]))
# All names in the order of the columns, with their descriptions.
DESCRIPTIONS: dict[str, str] = {name: about for family in FAMILIES.values() for name, about in family.items()}
NAMES: tuple[str, ...] = tuple(DESCRIPTIONS)


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


# group → the families of `schema` in it
GROUP_FAMILIES: dict[str, tuple[str, ...]] = {
    "text": ("characters", "flags"),
    "element": ("type", "tag", "rule", "origin", "hidden"),
    "position": ("position", "repeats"),
    "relatives": ("groups",),
    "neighbours": ("neighbours", "windows"),
    "main": ("landmarks", "section", "main"),
    "head": ("head",),
    "page": ("page",),
}
# group → what it contributes, in reports. The last five have no columns: without them, vocabularies stay empty, the
# network has no averages, and training has less data augmentation.
GROUP_DESCRIPTIONS = {
    "text": "the characters, words and signs of the text",
    "element": "its type, its element, the rule that marks it, its origin",
    "position": "its position on the page, and repetitions",
    "relatives": "the segments in the same elements, from the parent up",
    "neighbours": "the segments next to it, and windows of them",
    "main": "the distances of headings, prose and the main text",
    "head": "the page's title and description: words in common, positions; its types, its address",
    "page": "features of the page as a whole",
    "names": "names on paths: elements, ids and classes",
    "words": "first words, its own and its heading's",
    "around": "the network's averages over its surroundings",
    "fragments": "data augmentation: pieces of pages",
    "portals": "data augmentation: articles among lists of other pages",
}
GROUPS = tuple(GROUP_DESCRIPTIONS)


def left_out_columns(without: Collection[str], names: Sequence[str]) -> list[bool]:
    """Whether each of the columns *names* is in one of the groups *without*."""
    left_out = {name for group in without for family in GROUP_FAMILIES.get(group, ()) for name in FAMILIES[family]}
    return [name in left_out for name in names]
