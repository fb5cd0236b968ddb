"""Content that is not in the visible tree: JSON-LD, hydration data, templates, `srcdoc`, the description in the head.

    render.of_html('<script type="application/ld+json">{"@type": "Article", "articleBody": "It rained."}</script>')
    # [{"text": "It rained.", "tag": "p", "path": "json-ld/Article/articleBody", "links": 0,
    #   "origin": "json-ld:articleBody"}]

What the page shows is not offered again, and nothing is offered twice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..record import SEEN
from . import hydration, json_ld
from .dom_path import MAX_NAME, joined
from .elements import DATA_ATTRIBUTES
from .shown_text import Shown, squashed

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

Block = dict[str, Any]
Cut = Callable[[str], list[Block]]
# A script, iframe or template: before which block it stands, in what path, and the element itself.
Place = tuple[int, str, "LexborNode"]

# A page that shows so many characters lacks nothing.
MAX_SHOWN = 1 << 20
# One that shows fewer characters of prose may have it in its hydration data, or say in the head what it is about: on
# the WCXB development pages two thirds of what hydration data brings is there, with 7 % of their blocks, and nearly all
# that the description brings. A block of PROSE characters or more is prose unless LINKED of it is links. A page of more
# than FEW blocks is not waiting for its data.
SCARCE, PROSE, LINKED, FEW = 1_000, 80, 0.5, 300
# Text in `<noscript>` of so many characters that is shown, too, is no coincidence.
REPEATED = 40
# Blocks offered of one page, and characters of HTML that are parsed for one of them.
MAX_BLOCKS, MAX_HTML = 5_000, 1 << 22

_LINKED_DATA = 'script[type*="ld+json" i]'
_IN_HEAD = f'{_LINKED_DATA},meta[name="description" i],meta[property="og:description" i]'
_TAG = re.compile(
    r"</?(?:p|br|hr|div|span|h[1-6]|[uod]l|li|d[td]|a|strong|em|[biu]|su[bp]|table|tr|td|th|blockquote|section|article"
    r"|figure|img|pre|code|small)(?=[\s/>])[^<>]*>",
    re.I,
)
_ENTITY = re.compile(r"&(?:#\d+|#x[\da-f]+|[a-z]+\d*);", re.I)
_PLACEHOLDER = re.compile(r"\{\{|\$\{|<%|\{%")
_UNNAMED = re.compile(r"[^\w/-]+")
_LINES = re.compile(r"[\r\n]+")
# These origins are of HTML, whatever it looks like.
_HTML = ("srcdoc", "template")


def extra(block: Block) -> bool:
    """Whether a block (or segment) is none of what the page shows."""
    return "origin" in block and block["origin"] not in SEEN


def completed(shown: list[Block], tree: LexborHTMLParser, places: list[Place], cut: Cut) -> list[Block]:
    """The blocks that a page shows, and what it has besides: in place, or behind them.

    *cut* makes blocks of HTML. Each new block has its `origin`. Linear in the page.
    """
    head = tree.head.css(_IN_HEAD) if tree.head and tree.body else []
    scripts = [(node, _type(node)) for _, _, node in places if node.tag == "script"]
    linked = [node for node in head if node.tag == "script"] + [node for node, kind in scripts if "ld+json" in kind]
    at, scarce = len(shown), _is_scarce(shown)
    texts = list(_in_place(places)) if len(places) > len(scripts) else []
    texts += _linked(linked, at, scarce)
    if scarce:
        if tree.head and tree.body:
            scripts = [(node, _type(node)) for node in tree.head.css("script")] + scripts
        if at <= FEW:
            texts += _hydration(scripts, tree, at)
        described = [node.attributes.get("content") for node in head if node.tag == "meta"]
        texts += [_Text(at, 2, "meta", "head/meta", content) for content in described if content]
    out = shown
    if texts:
        visible = "".join([block["text"] for block in shown])
        if len(visible) <= MAX_SHOWN:
            out = _merged(shown, _resolved(texts, Shown(visible), cut))
    return _said_once(out)


class _Text(NamedTuple):
    """A text that may be worth offering: before which block, how early it is looked at, and what it is."""

    at: int
    rank: int
    origin: str
    path: str
    source: str


def _type(node: LexborNode) -> str:
    return (node.attributes.get("type") or "").lower()


def _content(node: LexborNode) -> str:
    return node.text(deep=True) or ""


def _is_scarce(shown: list[Block]) -> bool:
    """Whether the page shows little prose."""
    left = SCARCE
    for block in shown:
        size = len(block["text"])
        if size >= PROSE and block["links"] < LINKED * size:
            left -= size
            if left <= 0:
                return False
    return True


def _in_place(places: list[Place]) -> Iterator[_Text]:
    for at, path, node in places:
        if node.tag == "iframe":
            if source := node.attributes.get("srcdoc"):
                yield _Text(at, 0, "srcdoc", joined(path, "iframe"), source)
        elif node.tag == "template":
            source = (node.html or "").partition(">")[2].rpartition("</")[0]
            if len(source) >= PROSE and not _PLACEHOLDER.search(source):
                yield _Text(at, 0, "template", joined(path, "template"), source)


def _linked(nodes: Iterable[LexborNode], at: int, all_of_it: bool) -> Iterator[_Text]:
    """The content of JSON-LD: *all of it*, or what is made of sentences, with their questions and steps."""
    for node in nodes:
        for kind, field, text in json_ld.texts(json_ld.loaded(_content(node)), all_of_it):
            path = joined(joined("json-ld", _name(kind)[:MAX_NAME]), field)
            yield _Text(at, 0 if field in json_ld.BODIES else 1, f"json-ld:{field}", path, text)


def _hydration(scripts: list[tuple[LexborNode, str]], tree: LexborHTMLParser, at: int) -> Iterator[_Text]:
    data = [(kind, _content(node)) for node, kind in scripts]
    for carrier in tree.css(",".join(f"[{name}]" for name in DATA_ATTRIBUTES)):
        data += [("json", carrier.attributes.get(name) or "") for name in DATA_ATTRIBUTES]
    for path, text in hydration.texts(data):
        yield _Text(at, 1, "hydration", joined("hydration", _name(path)), text)


def _name(text: str) -> str:
    """Names in data as they may stand in a path."""
    return _UNNAMED.sub("_", text) or "_"


def _resolved(texts: list[_Text], known: Shown, cut: Cut) -> list[tuple[int, Block]]:
    """New blocks, each with the place it goes to, in order of place and then of *texts*."""
    out: list[tuple[int, int, list[Block]]] = []
    left = MAX_BLOCKS
    for number, text in sorted(enumerate(texts), key=lambda item: item[1].rank):
        if left <= 0:
            break
        blocks = [block for block in _blocks(text, cut) if block["text"]]
        new = [] if text.origin == "json-ld:price" and _has_price(known, text.source) else _lacking(blocks, known)
        left -= len(new)
        out.append((text.at, number, new))
    return [(at, block) for at, _, new in sorted(out, key=lambda item: item[:2]) for block in new]


def _blocks(text: _Text, cut: Cut) -> list[Block]:
    """The blocks of a text, which may be HTML, or plain with a paragraph a line."""
    source = text.source
    if not _TAG.search(source) and "&" in source and _ENTITY.search(source):
        source = html.unescape(source)
    if text.origin in _HTML or _TAG.search(source):
        if len(source) > MAX_HTML:
            return []
        blocks = cut(source)
        for block in blocks:
            inner = block["path"].partition("/")[2]
            block["path"] = joined(text.path, inner) if inner else text.path
    else:
        tag = "tr" if text.origin == "json-ld:property" else "p"
        blocks = [
            {"text": line if tag == "tr" else " ".join(line.split()), "tag": tag, "path": text.path, "links": 0}
            for line in _LINES.split(source)
        ]
    for block in blocks:
        block["origin"] = text.origin
    return blocks


def _lacking(blocks: list[Block], known: Shown) -> list[Block]:
    """What the page does not show of the blocks: whole ones, or the sentences of theirs that are lacking."""
    out = []
    for block in blocks:
        text = block["text"]
        block.pop("br", None)
        if block["origin"] == "template" and not hydration.is_prose(text):
            continue
        if "pre" in block or "\t" in text:
            if known.lacks_all(text):
                out.append(block)
            continue
        for part in known.lacks(text):
            out.append({**block, "text": part, "links": min(block["links"], len(part))})
            block.pop("marker", None)
    return out


def _has_price(known: Shown, price: str) -> bool:
    """Whether an amount stands anywhere, however it is written."""
    amount = price.split()[0]
    return known.has(squashed(amount)) or known.has(squashed(amount.removesuffix(".00").removesuffix(".0")))


def _said_once(blocks: list[Block]) -> list[Block]:
    """The blocks without those in `<noscript>` that repeat what is shown. Short ones may well stand twice."""
    if not any("origin" in block and block["origin"] == "noscript" for block in blocks):
        return blocks
    known = Shown("".join([block["text"] for block in blocks if "origin" not in block]))
    return [
        block
        for block in blocks
        if block.get("origin") != "noscript" or len(block["text"]) < REPEATED or not known.has(squashed(block["text"]))
    ]


def _merged(shown: list[Block], new: list[tuple[int, Block]]) -> list[Block]:
    out: list[Block] = []
    done = 0
    for at, block in new:
        out += shown[done:at]
        out.append(block)
        done = max(done, min(at, len(shown)))
    return out + shown[done:]
