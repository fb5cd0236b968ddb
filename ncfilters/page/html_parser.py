"""nc-normalize: HTML in, tidy HTML out (NCleaner, stage 1).

    nc-normalize -f text page.jsonl | lynx -dump -stdin

The page is parsed as browsers do, what nobody sees is deleted, and the tree is written out again in one
regular notation, which nc-render reads with a regular expression. For people who put their own renderer
next, headings and list items carry the CleanEval markers as text and line breaks become paragraph breaks,
so that both survive a plain dump (Evert 2008, section 2, first stage).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import RecordError
from ..record import Record
from . import metadata

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Elements whose content no reader sees. <noscript> and <template shadowrootmode> stay: whole forum
# threads stand in them.
INVISIBLE = "script style iframe noembed noframes svg canvas audio video datalist annotation annotation-xml".split()
# These have no text to begin with: only the tidy page is better without them.
TEXTLESS = "img picture source track map area embed link meta base".split()

# Blink stops nesting at 512 elements; lexbor looks up the whole stack for every block, so that 100,000
# nested <div>s cost 9 s. No real page seen is deeper than 300.
MAX_DEPTH = 1000
# Pages with fewer tags than this are parsed in under half a second however deep they are.
MANY_TAGS = 10_000
# More options than this are read as one text: lexbor takes time in proportion to those before.
MANY_OPTIONS = 5_000
# So many open formatting elements are carried from block to block; old pages that never close <font> have dozens.
MAX_FORMATTING = 100
# A start tag longer than this holds data, not structure; lexbor's check for repeated attributes is quadratic.
MAX_TAG = 30_000

# The attributes of a start tag as the parser writes it.
_ATTRIBUTES = r"(?: [^ >][^ =>]*=\"[^\"]*\")*"
_SURROGATE = re.compile("[\ud800-\udfff]")
# Attributes in which applications carry their data, which may be long (see `embedded`), as `srcdoc` may. Long values do
# no harm where there are few; of MAX_TRIES tags it is found out.
CARRIERS = ("data-page", "data-props", "data-react-props", "data-preloaded", "data-state")
MAX_TRIES = 20
_CARRIER = re.compile(rf"\s(?:srcdoc|{'|'.join(CARRIERS)})=", re.I)
_VALUE = r"""\"[^\"]{0,2000000}\"|'[^']{0,2000000}'|[^\s\"'<>=]{1,1000}"""
_FEW_ATTRIBUTES = re.compile(
    rf"<[a-zA-Z][^\s<>/]{{0,40}}(?:\s{{1,100}}[^\s=<>\"'/]{{1,200}}(?:=(?:{_VALUE}))?){{1,100}}\s{{0,100}}/?>"
)
_START_TAG = re.compile(r"<[a-zA-Z][^\s<>/]{0,40}")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)[^<>]*>?")
# Void elements and those whose end tag may be left out: none nests directly in its like.
_FLAT = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dd dt tr td th thead tbody tfoot option "
    "colgroup caption html head body".split()
)
# What the parser opens again in every block until it is closed (HTML standard, "list of active formatting elements").
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_TEMPLATE = re.compile(rf"<(/?)template({_ATTRIBUTES})>")
_OPTION = re.compile(r"</?option[^<>]*>", re.I)
_INSTRUCTION = re.compile(r"<\?[^>]*>")
_RAW = re.compile(rf"<(xmp|plaintext)({_ATTRIBUTES})>(.*?)</\1>", re.S)
_OPEN_FRAME = re.compile(r"<iframe\b[^<>]*>(?=\s*</noscript)", re.I)
_BREAKS = re.compile(rf"(?:<br{_ATTRIBUTES}>\s*)+")
# A heading or list item, and the tags that follow before its text.
_MARKED = re.compile(rf"<(h[1-6]|li){_ATTRIBUTES}>(?:\s*<(?:p|div|span|a|b|i|em|strong|font){_ATTRIBUTES}>)*")
MARKERS = ("<h> ", "<l> ")


def parsed(html: str, parser: str = "lexbor") -> LexborHTMLParser:
    """The page's tree; nc-render passes over what is INVISIBLE.

    *parser* is "lexbor" (selectolax) or "html5lib", the reference: then the tree is what html5lib made of the page.
    Shadow roots are elements `<shadow-root>`; the content of other templates is not in the tree. Raises ValueError for
    another parser.
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = tree_of(before(parser)(bounded(html)))
    special = tree.css("template, iframe")
    if any("</noscript" in node.text(deep=True) for node in special if node.tag == "iframe" and node.child):
        tree = tree_of(before(parser)(bounded(closed(html))))
        special = tree.css("template")
    if any("shadowrootmode" in node.attributes for node in special):
        # the parser keeps the content of templates apart from the tree
        tree = LexborHTMLParser(_with_shadow_roots(tree.html or ""))
    return tree


def closed(html: str) -> str:
    """*html* with an end to each `<iframe>` that ends a `<noscript>`: browsers with scripts end it there, a parser
    without looks for its end in what follows, and takes all that for its text."""
    return _OPEN_FRAME.sub(r"\g<0></iframe>", html)


def before(parser: str) -> Callable[[str], str]:
    """What *parser* makes of a page before lexbor gets it. Raises ValueError for one there is not."""
    try:
        return PARSERS[parser]
    except KeyError:
        raise ValueError(f"unknown parser '{parser}': one of {', '.join(PARSERS)}") from None


def tree_of(html: str) -> LexborHTMLParser:
    """What lexbor makes of *html*; a lone surrogate is U+FFFD."""
    from selectolax.lexbor import LexborHTMLParser

    try:
        return LexborHTMLParser(html)
    except UnicodeEncodeError:
        return LexborHTMLParser(_SURROGATE.sub("\ufffd", html))


def tidy(html: str, parser: str = "lexbor") -> str:
    """The page as regular HTML without anything invisible.

    Every start tag in the result reads `<name attr="value" …>`, every element that is not void is closed, and
    `&`, `<` and `>` in text are entities. Raises ValueError for another *parser* (see `parsed`).
    """
    return _tidied(parsed(html, parser))


def _tidied(tree: LexborHTMLParser) -> str:
    tree.strip_tags([*INVISIBLE, *TEXTLESS, "template"])
    first, *after = (tree.html or "").split("<!--")
    out = first + "".join([part.partition("-->")[2] for part in after])
    if "<?" in out:
        out = _INSTRUCTION.sub("", out)
    if "<xmp" in out or "<plaintext" in out:
        out = _RAW.sub(lambda m: f"<pre{m[2]}>{escape(m[3])}</pre>", out)
    return out


def _with_shadow_roots(tidied: str) -> str:
    """Shadow roots as elements of the page; other templates stay apart."""
    roots: list[bool] = []

    def rename(tag: re.Match[str]) -> str:
        if not tag[1]:
            roots.append("shadowrootmode=" in tag[2])
            return f"<shadow-root{tag[2]}>" if roots[-1] else tag[0]
        return "</shadow-root>" if roots and roots.pop() else tag[0]

    return _TEMPLATE.sub(rename, tidied)


def bounded(html: str) -> str:
    """*html* with no tag deeper than MAX_DEPTH and none longer than MAX_TAG: what parsers take too long for."""
    html = _shortened(html)
    if html.count("<") < MANY_TAGS:
        return html
    if html.count("<option") > MANY_OPTIONS:
        html = _OPTION.sub("\n", html)
    depth = formatting = 0
    dropped: list[str] = []  # names of the start tags left out, whose end tags go, too

    def limit(tag: re.Match[str]) -> str:
        nonlocal depth, formatting
        name = tag[2].lower()
        if name in _FLAT:
            return tag[0]
        if not tag[1]:
            if depth >= MAX_DEPTH or name in _FORMATTING and formatting >= MAX_FORMATTING:
                dropped.append(name)
                return ""
            depth += 1
            formatting += name in _FORMATTING
        elif dropped and dropped[-1] == name:
            dropped.pop()
            return ""
        elif depth:
            depth -= 1
            formatting -= name in _FORMATTING and formatting > 0
        return tag[0]

    return _TAG.sub(limit, html)


def _shortened(html: str) -> str:
    """*html* with only the names of tags longer than MAX_TAG, unless they are few that carry content. Such a tag covers
    one of the windows looked into."""
    window, tries = MAX_TAG // 2, MAX_TRIES
    out: list[str] = []
    done = 0
    for start in range(window, len(html) - window, window):
        if start > done and html.find(">", start, start + window) < 0:
            tag = html.rfind("<", start - window, start)
            name = _START_TAG.match(html, tag) if tag >= 0 else None
            if name and html.find(">", tag, start) < 0:
                tries -= 1
                plain = _FEW_ATTRIBUTES.match(html, tag) if tries >= 0 else None
                if plain and _CARRIER.search(plain[0]):
                    out.append(html[done : plain.end()])
                    done = plain.end()
                    continue
                ends = [end for end in (html.find(">", start), html.find("<", start)) if end >= 0]
                out.append(html[done : name.end()])
                done = min(ends, default=len(html))
    return "".join([*out, html[done:]]) if done else html


def escape(text: str) -> str:
    """*text* for the inside of an element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mark(tidied: str) -> str:
    """Tidy HTML for other renderers: `<h>` and `<l>` as text before headings and list items, `<br>` as paragraphs."""
    tidied = _BREAKS.sub("<p></p>", tidied)
    return _MARKED.sub(lambda m: f"{m[0]}&lt;{m[1][0]}&gt; ", tidied)


def _html5lib(html: str) -> str:
    import html5lib

    tree: Any = html5lib.parse(closed(html), treebuilder="etree", namespaceHTMLElements=False)
    # lexbor gets what may hold content (see `embedded`)
    invisible = frozenset([*INVISIBLE, *TEXTLESS]) - {"script", "iframe", "meta"}
    todo = [tree]
    while todo:
        parent = todo.pop()
        before = None
        for child in list(parent):
            name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
            if name in invisible or not name or name == "iframe" and "srcdoc" not in child.attrib:
                # ElementTree hangs the text after an element on the element itself
                if child.tail and before is not None:
                    before.tail = (before.tail or "") + child.tail
                elif child.tail:
                    parent.text = (parent.text or "") + child.tail
                parent.remove(child)
            else:
                before = child
                todo.append(child)
    out: str = html5lib.serialize(
        tree,
        tree="etree",
        quote_attr_values="always",
        quote_char='"',
        omit_optional_tags=False,
        minimize_boolean_attributes=False,
        use_trailing_solidus=False,
        escape_lt_in_attrs=False,
        resolve_entities=False,
    )
    return out.replace("\xa0", "&nbsp;")


def _as_it_is(html: str) -> str:
    return html


# parser → what it makes of a page before lexbor gets it
PARSERS: dict[str, Callable[[str], str]] = {"lexbor": _as_it_is, "html5lib": _html5lib}


def normalized(record: Record, parser: str = "lexbor", markers: bool = True) -> Record:
    """The record with its `html` decoded (see `encoding`) and tidied, and with its `head`, most of which goes. Raises
    RecordError without `html`."""
    out = dict(with_text(record))
    tree = parsed(out["html"], parser)
    metadata.put(out, metadata.of_page(tree))
    tidied = _tidied(tree)
    out["html"] = mark(tidied) if markers else tidied
    return out


def with_text(record: Record) -> Record:
    """The record with `html` as text: bytes, which MessagePack can carry, are decoded as a browser would."""
    html = record.get("html")
    if html is None:
        raise RecordError("html: missing")
    if isinstance(html, str):
        return record
    from ..streams import charset

    text, found = charset.decoded(html)
    return {**record, "html": text, "encoding": found}
