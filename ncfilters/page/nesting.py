"""The elements that a parser has open, by their tags.

They are no fewer than it has of those that may nest, but for markup that only a parser understands, such as end tags in
quoted values, in CDATA sections and around unclosed paragraphs.

opened = OpenElements()
for name in ("div", "object"):
    opened.start(name)
opened.end("div")
len(opened)    # 2: an object is a scope of its own
"""

from __future__ import annotations

# Elements beyond which end tags of blocks close nothing (HTML standard, "has an element in scope"), and those whose
# content has no tags but theirs.
SCOPES = tuple(
    "applet marquee object template table select svg math foreignobject desc title mi mo mn ms mtext annotation-xml "
    "textarea xmp iframe noembed noframes plaintext".split()
)
# Elements whose end tag closes all that is open in them, in their scope.
BLOCKS = tuple(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup "
    "listing main menu nav ol pre search section summary ul applet marquee object template".split()
)
# Further elements beyond which other end tags close nothing (HTML standard, "special").
SPECIAL = tuple("li dd dt bgsound button form frame frameset h1 h2 h3 h4 h5 h6 keygen noscript script style".split())
# Elements that the parser may not open, or may close before their end tag, which then closes nothing around them.
ALONE = tuple("a button form frame frameset h1 h2 h3 h4 h5 h6 keygen nobr optgroup rb rp rt rtc".split())
# Elements that end a drawing or a formula, besides blocks.
NOT_IN_DRAWINGS = tuple("b big code em font i nobr ruby s small span strike strong sub sup tt u var".split())
# Elements whose start tag ends the drawing or the formula around it.
LEAVING = tuple(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strike strong sub sup table tt u ul var".split()
)
DRAWINGS = ("svg", "math")

# Elements of lists, which close the last one of theirs through these.
ITEMS = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt")}
PASSED_BY_ITEMS = ("address", "div")

# Sets of names for the compiled core, in its order.
NAMES = (SCOPES, BLOCKS, SPECIAL, ALONE, NOT_IN_DRAWINGS, LEAVING)

_SPECIAL = frozenset((*SCOPES, *BLOCKS, *SPECIAL))
_IN_TEXT = frozenset((*BLOCKS, *SPECIAL, *NOT_IN_DRAWINGS))
_SPACES = " \t\n\r\f"


def ends_itself(tag: str, name: str) -> bool:
    """Whether a start tag surely ends with `/>`, not with a value that ends with a slash."""
    if not tag.endswith("/>"):
        return False
    before = tag[:-2].rstrip(_SPACES)
    return before[-1] in "\"'" or len(before) == len(name) + 1 or len(before) < len(tag) - 2 and before[-1] != "="


class OpenElements:
    """The names of open elements. Each tag takes constant time, on average."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._places: dict[str, list[int]] = {}
        # Of each open element: where the last one is, up to it, of templates, of scopes, of special elements, and of
        # what is in no drawing.
        self._stops: list[tuple[int, int, int, int]] = []

    def __len__(self) -> int:
        return len(self._names)

    def start(self, name: str) -> None:
        """A start tag of an element that may nest."""
        self._leave_drawings(name)
        if name in ITEMS:
            self._close_item(ITEMS[name])
        place = len(self._names)
        template, scope, special, html = self._stops[-1] if place else (-1, -1, -1, -1)
        if name == "template":
            template = place
        if name in SCOPES:
            scope = place
        if name in _SPECIAL:
            special = html = place
        elif name in NOT_IN_DRAWINGS:
            html = place
        self._stops.append((template, scope, special, html))
        self._places.setdefault(name, []).append(place)
        self._names.append(name)

    def is_closed(self, name: str) -> bool:
        """Whether a start tag that ends with `/>` opens nothing: in a drawing, and of one."""
        if name in DRAWINGS:
            return True
        if not self._names or name == "table" or name in _IN_TEXT:
            return False
        return self._in_drawing()

    def is_flat(self, name: str) -> bool:
        """Whether an element that nests only in a drawing does not do so here."""
        return name in LEAVING or not self._in_drawing()

    def pass_flat(self, name: str, is_end: bool) -> None:
        """A tag of an element that does not nest: it may have ended the drawing that it is in."""
        if not is_end:
            self._leave_drawings(name)
        if self._names:
            self._stops[-1] = (*self._stops[-1][:3], len(self._names))

    def end(self, name: str) -> None:
        """An end tag: it closes the last element of that name and all in it, or nothing."""
        places = self._places.get(name)
        if places and places[-1] >= self._stop(name):
            self._close(places[-1])

    def _leave_drawings(self, name: str) -> None:
        """Closes a drawing in which nothing is open, before a start tag that is in none."""
        while name in LEAVING and self._names and self._names[-1] in DRAWINGS:
            self._close(len(self._names) - 1)

    def _in_drawing(self) -> bool:
        """Whether the next element is one of a drawing."""
        _, scope, _, html = self._stops[-1] if self._stops else (-1, -1, -1, -1)
        return scope == html and scope >= 0 and self._names[scope] in DRAWINGS

    def _close_item(self, names: tuple[str, ...]) -> None:
        for place in range(len(self._names) - 1, -1, -1):
            name = self._names[place]
            if name in names:
                self._close(place)
                return
            if name in _SPECIAL and name not in PASSED_BY_ITEMS:
                return

    def _close(self, place: int) -> None:
        for closed in reversed(self._names[place:]):
            self._places[closed].pop()
        del self._names[place:], self._stops[place:]

    def _stop(self, name: str) -> int:
        """The place of the first element that this end tag may close."""
        template, scope, special, html = self._stops[-1]
        if name in ALONE:
            return len(self._names) - 1
        if name == "table":
            return template
        if name in DRAWINGS:
            return html
        return scope if name in BLOCKS else special
