"""The elements that a parser has open, by their tags.

They are no fewer than it has of those that may nest, but for markup that only a parser understands: end tags of
elements that it has closed unasked, as headings in headings.

opened = OpenElements()
for name in ("div", "object"):
    opened.start(name)
opened.end("div")
len(opened)    # 2: an object is a scope of its own
"""

from __future__ import annotations

# Void elements and those whose end tag may be omitted: none nests directly in an element of its name.
FLAT = tuple(
    "area base br col embed hr img input link meta param source track wbr p tr td th thead tbody tfoot option "
    "colgroup caption html head body".split()
)
# Elements that the parser reopens in every block until they are closed (HTML standard, "list of active formatting
# elements").
FORMATTING = tuple("a b big code em font i nobr s small strike strong tt u".split())
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
ALONE = tuple(
    "a button form frame frameset h1 h2 h3 h4 h5 h6 keygen nobr optgroup rb rp rt rtc select script style textarea "
    "title xmp iframe noembed noframes plaintext".split()
)
# Elements whose content is text, unless the parser ignores them or they are parts of a drawing.
RAW = tuple("script style textarea title xmp iframe noembed noframes plaintext".split())
# Elements in which it may do so.
UNSURE = tuple("svg math select template frameset".split())
# Elements with which the parser may close the items of lists that are open.
CLOSING_ITEMS = tuple("button form h1 h2 h3 h4 h5 h6 rb rp rt rtc".split())
# Elements that end a drawing or a formula, besides blocks.
NOT_IN_DRAWINGS = tuple("b big code em font i nobr ruby s small span strike strong sub sup tt u var".split())
# Elements whose start tag ends the drawing or the formula around it.
LEAVING = tuple(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strike strong sub sup table tt u ul var".split()
)
DRAWINGS = ("svg", "math")
# Elements of drawings and formulas whose names are those of others, too.
SHARED = tuple("svg math foreignobject desc title mi mo mn ms mtext annotation-xml a script style".split())

# Elements of lists, which close the last one of theirs through these.
ITEMS = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt")}
PASSED_BY_ITEMS = ("address", "div")

_SPECIAL = frozenset((*SCOPES, *BLOCKS, *SPECIAL))
_IN_TEXT = frozenset((*BLOCKS, *SPECIAL, *NOT_IN_DRAWINGS))
_NEVER_DRAWN = frozenset((*_SPECIAL, *NOT_IN_DRAWINGS, *LEAVING, *ALONE, *FLAT)) - frozenset(SHARED)


class OpenElements:
    """The names of open elements. Each tag takes constant time, on average."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._places: dict[str, list[int]] = {}
        # Of each open element: where the last one is, up to it, of templates, of scopes, of special elements, of these
        # and paragraphs, and of what is in no drawing.
        self._stops: list[tuple[int, int, int, int, int]] = []
        self._unsure = 0  # elements that may change how raw ones are read
        self._drawings = 0  # elements that are drawings
        self._is_mixed = False  # whether the parser may have left a drawing that is open here, or not
        self._doubt: list[int] = [0, 0]  # from and up to where elements may be closed that are open here
        self._items = 0  # the place from which on items of lists are surely open

    def __len__(self) -> int:
        return len(self._names)

    def from_place(self, place: int) -> list[str]:
        """The names of the elements from this place on."""
        return self._names[place:]

    @property
    def is_unsure(self) -> bool:
        """Whether the parser may read raw elements as others, or sections of characters."""
        return self._unsure > 0

    def pass_drawing(self, name: str, is_end: bool) -> None:
        """A tag, before it is read. Where a drawing has a start tag of another element, or an end tag that closes
        nothing in it, it is not told any more which tags are in drawings: parts of tables may nest."""
        if self._drawings and not self._is_mixed:
            self._is_mixed = not self._is_open_in_drawing(name) if is_end else name in _NEVER_DRAWN

    def start(self, name: str) -> None:
        """A start tag of an element that may nest."""
        self._leave_drawings(name)
        if name in CLOSING_ITEMS:
            self._items = len(self._names)
        if name in ITEMS:
            self._close_item(ITEMS[name])
        self._open(name)

    def _open(self, name: str) -> None:
        place = len(self._names)
        template, scope, special, text, html = self._stops[-1] if place else (-1, -1, -1, -1, -1)
        if name == "template":
            template = place
        if name in SCOPES:
            scope = place
        if name in _SPECIAL:
            special = text = html = place
        elif name in NOT_IN_DRAWINGS:
            html = place
        self._stops.append((template, scope, special, text, html))
        self._places.setdefault(name, []).append(place)
        self._names.append(name)
        self._unsure += name in UNSURE
        self._drawings += name in DRAWINGS

    def is_closed(self, name: str) -> bool:
        """Whether a start tag that ends with `/>` opens nothing: in a drawing, and of one."""
        if name in DRAWINGS:
            return True
        if not self._names or self._is_mixed or name == "table" or name in _IN_TEXT:
            return False
        return self._in_drawing()

    def is_flat(self, name: str) -> bool:
        """Whether an element that nests only in a drawing does not do so here."""
        return name in LEAVING or not (self._drawings if self._is_mixed else self._in_drawing())

    def pass_flat(self, name: str, is_end: bool) -> None:
        """A tag of an element that does not nest: it may have ended the drawing that it is in. An open paragraph keeps
        elements around it open."""
        if not is_end:
            self._leave_drawings(name)
        if not self._names:
            return
        template, scope, special, text, _ = self._stops[-1]
        if name == "p":
            text = len(self._names) if not is_end else max(special, self._stops[-2][3] if len(self._names) > 1 else -1)
        self._stops[-1] = (template, scope, special, text, len(self._names))

    def end(self, name: str) -> None:
        """An end tag: it closes the last element of that name and all in it, or nothing: also where the parser may have
        closed that element before. The parser opens formatting elements again that had no end tag of their own."""
        place = self._last(name)
        start, end = self._doubt
        if 0 <= place < self._stop(name, place):
            self._doubt = [min(start, place) if end else place, len(self._names)]
        elif place >= 0 and (not start <= place < end or place == len(self._names) - 1):
            reopened = [inner for inner in self._names[place + 1 :] if inner in FORMATTING]
            self.close(place)
            for inner in reopened:
                self._open(inner)
        if name in CLOSING_ITEMS:
            self._items = len(self._names)

    def _leave_drawings(self, name: str) -> None:
        """Closes a drawing in which nothing is open, before a start tag that is in none."""
        while name in LEAVING and self._names and self._names[-1] in DRAWINGS:
            self.close(len(self._names) - 1)

    def _in_drawing(self) -> bool:
        """Whether the next element is one of a drawing."""
        _, scope, _, _, html = self._stops[-1] if self._stops else (-1, -1, -1, -1, -1)
        return scope == html and scope >= 0 and self._names[scope] in DRAWINGS

    def _is_open_in_drawing(self, name: str) -> bool:
        """Whether an element of that name is the last drawing, or in it."""
        return self._last(name) >= max(map(self._last, DRAWINGS))

    def _last(self, name: str) -> int:
        """The place of the last element of that name; -1 if there is none."""
        places = self._places.get(name)
        return places[-1] if places else -1

    def _close_item(self, names: tuple[str, ...]) -> None:
        for place in range(len(self._names) - 1, self._items - 1, -1):
            name = self._names[place]
            if name in names:
                self.close(place)
                return
            if name in _SPECIAL and name not in PASSED_BY_ITEMS:
                return

    def close(self, place: int) -> None:
        """Closes the elements from this place on."""
        for closed in reversed(self._names[place:]):
            self._places[closed].pop()
            self._unsure -= closed in UNSURE
            self._drawings -= closed in DRAWINGS
        del self._names[place:], self._stops[place:]
        self._items = min(self._items, place)
        self._doubt[1] = min(self._doubt[1], place) if place > self._doubt[0] else 0

    def _stop(self, name: str, place: int) -> int:
        """The place of the first element that this end tag may close; *place* is that of the last of its name."""
        template, scope, special, text, html = self._stops[-1]
        selects = self._places.get("select")
        if name in ALONE or name in ITEMS and place < self._items or selects and selects[0] < place:
            return len(self._names) - 1
        if name == "table":
            return template
        if name in DRAWINGS:
            return html
        if name in BLOCKS:
            return scope
        return special if name in FORMATTING or name in ITEMS else text
