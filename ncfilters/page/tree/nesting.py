"""The elements that a parser has open, by their tags.

They are no fewer than it has of those that may nest, but for markup that only a parser understands: end tags of
elements that it has closed unasked, as headings in headings.

opened = OpenElements()
for name in (b"div", b"object"):
    opened.start(opened.number_of(name, 0, len(name)))
opened.end(opened.number_of(b"div", 0, 3))
opened.depth    # 2: an object is a scope of its own
"""

from __future__ import annotations

from ...native.markup_bytes import NameTable

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
# Elements of lists: an item closes the last one through the elements of these names.
ITEMS, TERMS, PASSED_BY_ITEMS = ("li",), ("dd", "dt"), ("address", "div")

# The same as bits of a name; and what is in no drawing, or ends one.
BITS = [1 << number for number in range(16)]
IS_FLAT, IS_FORMATTING, IS_RAW = BITS[:3]
_FORMATTING = IS_FORMATTING
_SCOPE, _BLOCK, _SPECIAL, _ALONE, _UNSURE, _CLOSES_ITEMS, _ENDS_DRAWING, _LEAVES, _DRAWING = BITS[3:12]
_ITEM, _TERM, _PASSED, _NEVER_DRAWN = BITS[12:]
_SETS = [
    (FLAT, IS_FLAT | _NEVER_DRAWN),
    (FORMATTING, IS_FORMATTING),
    (RAW, IS_RAW),
    (SCOPES, _SCOPE | _SPECIAL | _NEVER_DRAWN),
    (BLOCKS, _BLOCK | _SPECIAL | _NEVER_DRAWN),
    (SPECIAL, _SPECIAL | _ENDS_DRAWING | _NEVER_DRAWN),
    (ALONE, _ALONE | _NEVER_DRAWN),
    (UNSURE, _UNSURE),
    (CLOSING_ITEMS, _CLOSES_ITEMS),
    (NOT_IN_DRAWINGS, _ENDS_DRAWING | _NEVER_DRAWN),
    (LEAVING, _LEAVES | _NEVER_DRAWN),
    (DRAWINGS, _DRAWING),
    (ITEMS, _ITEM),
    (TERMS, _TERM),
    (PASSED_BY_ITEMS, _PASSED),
]


def _kinds() -> dict[str, int]:
    """The bits of each known name."""
    out: dict[str, int] = {}
    for names, bits in _SETS:
        for name in names:
            out[name] = out.get(name, 0) | bits
    for name in SHARED:
        out[name] &= ~_NEVER_DRAWN
    return out


KINDS = _kinds()
_NAMES = [name.encode() for name in KINDS]
_TABLE_OF_NAMES = NameTable(_NAMES)
_KINDS_OF_NAMES = list(KINDS.values())
_P, _TABLE, _TEMPLATE, _SELECT, _SVG, _MATH = map(list(KINDS).index, "p table template select svg math".split())


class OpenTag:
    """An open element: the number of its name, and its bits. Where the last one is, up to it, of its name before it, of
    templates, of scopes, of special elements, of these and paragraphs, and of what is in no drawing; and the first
    `<select>`. -1 for none."""

    def __init__(self) -> None:
        self.name = self.kinds = 0
        self.before = self.template = self.scope = self.special = self.text = self.html = self.select = -1


class OpenElements:
    """The open elements, each known by the number of its name. Each tag takes constant time, on average."""

    def __init__(self) -> None:
        self.depth = 0
        self._open = [OpenTag()]  # the first *depth* are open
        self._names, self._kinds = [*_NAMES], [*_KINDS_OF_NAMES]  # by the number of a name
        self._last = [-1] * len(_NAMES)  # the place of the last one
        self._others: dict[bytes, int] = {}  # the numbers of names that are not known
        self._unsure = 0  # elements that may change how raw ones are read
        self._drawings = 0  # elements that are drawings
        self._is_mixed = False  # whether the parser may have left a drawing that is open here, or not
        # From and up to where elements may be closed that are open here.
        self._doubt_from = self._doubt_to = 0
        self._items = 0  # the place from which on items of lists are surely open

    def number_of(self, html: bytes, at: int, end: int) -> int:
        """The number of the name of a tag between two places."""
        number = _TABLE_OF_NAMES.number_at(html, at, end)
        if number >= 0:
            return number
        name = html[at:end].lower()
        number = self._others.get(name, -1)
        if number < 0:
            number = self._others[name] = len(self._kinds)
            self._names.append(name)
            self._kinds.append(0)
            self._last.append(-1)
        return number

    def name_of(self, number: int) -> bytes:
        """The name with a number, in lower case."""
        return self._names[number]

    def kinds_of(self, number: int) -> int:
        """The bits of a name."""
        return self._kinds[number]

    def names_from(self, place: int) -> list[int]:
        """The numbers of the names of the elements from this place on."""
        return [self._open[at].name for at in range(place, self.depth)]

    def is_unsure(self) -> bool:
        """Whether the parser may read raw elements as others, or sections of characters."""
        return self._unsure > 0

    def pass_drawing(self, number: int, is_end: bool) -> None:
        """A tag, before it is read. Where a drawing has a start tag of another element, or an end tag that closes
        nothing in it, it is not told any more which tags are in drawings: parts of tables may nest."""
        if not self._drawings or self._is_mixed:
            return
        if is_end:
            svg, math, last = self._last[_SVG], self._last[_MATH], self._last[number]
            self._is_mixed = last < max(svg, math)
        else:
            self._is_mixed = self.kinds_of(number) & _NEVER_DRAWN != 0

    def start(self, number: int) -> None:
        """A start tag of an element that may nest."""
        kinds = self._kinds[number]
        if kinds & _LEAVES and self._drawings:
            self._leave_drawings()
        if kinds & _CLOSES_ITEMS:
            self._items = self.depth
        if kinds & (_ITEM | _TERM):
            self._close_item(kinds & (_ITEM | _TERM))
        self._push(number)

    def _push(self, number: int) -> None:
        place = self.depth
        if place == len(self._open):
            self._open.append(OpenTag())
        own = self._open[place]
        if place:
            around = self._open[place - 1]
            own.template, own.scope, own.special = around.template, around.scope, around.special
            own.text, own.html, own.select = around.text, around.html, around.select
        else:
            own.template = own.scope = own.special = own.text = own.html = own.select = -1
        kinds = self._kinds[number]
        own.name, own.kinds, own.before = number, kinds, self._last[number]
        if number == _TEMPLATE:
            own.template = place
        elif number == _SELECT and own.select < 0:
            own.select = place
        if kinds & _SCOPE:
            own.scope = place
        if kinds & _SPECIAL:
            own.special = own.text = own.html = place
        elif kinds & _ENDS_DRAWING:
            own.html = place
        self._last[number] = place
        self._unsure += kinds & _UNSURE != 0
        self._drawings += kinds & _DRAWING != 0
        self.depth += 1

    def is_closed(self, number: int) -> bool:
        """Whether a start tag that ends with `/>` opens nothing: in a drawing, and of one."""
        kinds = self._kinds[number]
        if kinds & _DRAWING:
            return True
        if not self.depth or self._is_mixed or number == _TABLE or kinds & (_BLOCK | _ENDS_DRAWING):
            return False
        return self._in_drawing()

    def is_flat(self, number: int) -> bool:
        """Whether an element that nests only in a drawing does not do so here."""
        kinds = self._kinds[number]
        if kinds & _LEAVES or not self._drawings:
            return True
        return not self._is_mixed and not self._in_drawing()

    def pass_flat(self, number: int, is_end: bool) -> None:
        """A tag of an element that does not nest: it may have ended the drawing that it is in. An open paragraph keeps
        elements around it open."""
        kinds = self._kinds[number]
        if not is_end and kinds & _LEAVES and self._drawings:
            self._leave_drawings()
        if not self.depth:
            return
        last = self._open[self.depth - 1]
        if number == _P:
            around = self._open[self.depth - 2].text if is_end and self.depth > 1 else -1
            last.text = max(last.special, around) if is_end else self.depth
        last.html = self.depth

    def end(self, number: int) -> None:
        """An end tag: it closes the last element of that name and all in it, or nothing: also where the parser may have
        closed that element before. The parser opens formatting elements again that had no end tag of their own."""
        place = self._last[number]
        if place >= 0:
            if place < self._stop(number, place):
                self._doubt_from = min(self._doubt_from, place) if self._doubt_to else place
                self._doubt_to = self.depth
            elif place == self.depth - 1:
                self.close(place)
            elif not self._doubt_from <= place < self._doubt_to:
                reopened = [inner for inner in self.names_from(place + 1) if self.kinds_of(inner) & _FORMATTING]
                self.close(place)
                for inner in reopened:
                    self._push(inner)
        if self.kinds_of(number) & _CLOSES_ITEMS:
            self._items = self.depth

    def _leave_drawings(self) -> None:
        """Closes a drawing in which nothing is open, before a start tag that is in none."""
        while self.depth and self._is_drawing(self.depth - 1):
            self.close(self.depth - 1)

    def _is_drawing(self, place: int) -> bool:
        own = self._open[place]
        return own.kinds & _DRAWING != 0

    def _in_drawing(self) -> bool:
        """Whether the next element is one of a drawing."""
        if not self.depth:
            return False
        last = self._open[self.depth - 1]
        return last.scope == last.html and last.scope >= 0 and self._is_drawing(last.scope)

    def _close_item(self, wanted: int) -> None:
        for place in range(self.depth - 1, self._items - 1, -1):
            own = self._open[place]
            if own.kinds & wanted:
                self.close(place)
                return
            if own.kinds & _SPECIAL and not own.kinds & _PASSED:
                return

    def close(self, place: int) -> None:
        """Closes the elements from this place on."""
        while self.depth > place:
            self.depth -= 1
            closed = self._open[self.depth]
            self._last[closed.name] = closed.before
            self._unsure -= closed.kinds & _UNSURE != 0
            self._drawings -= closed.kinds & _DRAWING != 0
        self._items = min(self._items, place)
        self._doubt_to = min(self._doubt_to, place) if place > self._doubt_from else 0

    def _stop(self, number: int, place: int) -> int:
        """The place of the first element that this end tag may close; *place* is that of the last of its name."""
        kinds = self._kinds[number]
        last = self._open[self.depth - 1]
        if kinds & _ALONE or kinds & (_ITEM | _TERM) and place < self._items or 0 <= last.select < place:
            return self.depth - 1
        if number == _TABLE:
            return last.template
        if kinds & _DRAWING:
            return last.html
        if kinds & _BLOCK:
            return last.scope
        return last.special if kinds & (_FORMATTING | _ITEM | _TERM) else last.text
