"""The words that readers of Markdown, HTML and XML see in an output form, and those that the segments have."""

from __future__ import annotations

import re
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import html5lib

from ncfilters.record import BYLINE, MARKUP_FIELDS
from ncfilters.selection.forms.blocks import heading_level
from ncfilters.selection.forms.elements import html, tei
from ncfilters.selection.forms.markdown import markdown
from ncfilters.selection.forms.notes import note_labels
from ncfilters.selection.forms.plain import inline_tex, plain_tex
from ncfilters.selection.forms.posts import post_tree
from ncfilters.selection.forms.spans import LINKS, span_kinds

Segment = dict[str, Any]

_CONTROLS, _NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]"), re.compile("[\ud800-\udfff\ufffe\uffff]")
# What links to the place that they are in show.
_LETTERS, _ANCHORS = re.compile(r"[^\W\d_]+"), frozenset(("edit", "Link", "to", "heading"))
_OWN_MARKER = re.compile(r"(?:\d{1,9}[.)]|[•‣◦▪▸►·●○■□])\s+(?=\S)")
# The box of a task, which the parser of Markdown makes.
_BOX = '<input class="task-list-item-checkbox" (?:checked="checked" )?disabled="disabled" type="checkbox">'
INLINE_KINDS = frozenset("em strong code sup sub del mark link reference text note math image aside".split())
# Elements whose ends separate words.
_INLINE = frozenset("a em strong code sup sub del mark span img hi ref formula graphic desc".split())
SAFE_URL = re.compile(r"https?:|mailto:|[^:]*$|[^:/?#]*[/?#]", re.IGNORECASE)


def words(text: str) -> list[str]:
    """The words of *text*, with spaces for control characters, and without what XML does not allow."""
    return "".join(" " if _is_space(c) else c for c in _NOT_XML.sub("", _CONTROLS.sub(" ", text))).split(" ")


def _is_space(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Zs", "Zl", "Zp")


def segment_words(segments: Iterable[Segment]) -> list[str]:
    """The words of segments without the markers of lists."""
    out = []
    segments = list(segments)
    has_markup = any(segment.keys() & set(MARKUP_FIELDS) for segment in segments)
    for segment in segments:
        text = segment["text"]
        is_marked = "marker" in segment or segment["type"] == "l" and "depth" not in segment
        is_row = segment.get("tag") == "tr" and not has_markup
        if is_marked and not segment.keys() & {"table", "pre"} and not is_row and heading_level(segment) is None:
            match = _OWN_MARKER.match(segment["text"])
            if match and not _is_number_marked(segment, match.end()):
                text = text[match.end() :]
        out += words(text)
    return [word for word in out if word]


def _is_number_marked(segment: Segment, end: int) -> bool:
    """Whether the number of a segment outside of lists is in bold or a link with the words after it, and stays."""
    if segment.keys() & {"item", "depth"} or not segment["text"][0].isdecimal():
        return False
    kinds = ("strong", "em", "link", "reference", "code")
    return any(span[0] == 0 and span[1] > end and span[2] in kinds for span in segment.get("spans", ()))


def tree_words(
    nodes: Iterable[Any], tex: Callable[[str], str], labels: dict[str, str], comma: str = "", in_link: bool = False
) -> Iterator[str]:
    """The texts of a tree of blocks, with *tex* in place of formulas, without the marks of footnotes; *comma* is before
    the days of posts."""
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif node.kind == "math" and tex(node.value[0]):
            yield tex(node.value[0])
        elif not (node.kind == "note" and node.value in labels and not in_link):
            is_block = node.kind not in INLINE_KINDS
            yield " " * is_block
            if node.kind == "post" and any(node.value):
                yield f"{comma} ".join(filter(None, node.value)) + " "
            for caption in node.value if node.kind == "table" else ():
                yield from (*tree_words(caption, tex, labels), " ")
            yield from tree_words(node.content, tex, labels, comma, in_link or node.kind in LINKS)
            yield " " * is_block


def markdown_words(text: str, full: bool = True, math: bool = False) -> list[str]:
    """The words that a CommonMark parser sees; *full* with tables, strikethrough, tasks and footnotes, *math* with
    formulas.

    Fails on HTML other than `<sup>`, `<sub>` and the boxes of tasks, and on addresses that run code.
    """
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.tasklists import tasklists_plugin

    parser = MarkdownIt("commonmark")
    if full:
        parser = parser.enable(["table", "strikethrough"]).use(footnote_plugin).use(tasklists_plugin)
    if math:
        parser = parser.use(dollarmath_plugin)
    out: list[str] = []
    _collect(parser.parse(text), out)
    return [word for word in words("".join(out)) if word]


def _collect(tokens: Sequence[Any], out: list[str]) -> None:
    for token in tokens:
        if token.type == "inline":
            _collect(token.children, out)
        elif token.type in ("text", "code_inline", "fence", "code_block", "math_inline", "math_block"):
            out.append(token.content)
        elif token.type == "footnote_anchor":
            continue
        elif token.type == "html_inline":
            assert re.fullmatch(f"</?su[bp]>|{_BOX}", token.content), token.content
        elif token.type == "image":
            assert SAFE_URL.match(str(token.attrs["src"])), token.attrs
        elif token.type == "link_open":
            assert SAFE_URL.match(str(token.attrs["href"])), token.attrs
        else:
            assert token.type != "html_block", token.content
        if token.block and token.type != "inline" or token.type in ("softbreak", "hardbreak", "math_block"):
            out.append(" ")


def html_words(text: str) -> list[str]:
    """The words that a browser shows. Fails on elements and attributes that run code."""
    root = html5lib.parse(f"<!doctype html><body>{text}", namespaceHTMLElements=False)
    for element in root.iter():
        assert element.tag not in ("script", "style", "iframe", "object", "svg", "math", "form"), element.tag
        for name, value in element.attrib.items():
            assert name in (_BOX_ATTRIBUTES if element.tag == "input" else ALLOWED_ATTRIBUTES), name
            if name in ("href", "src"):
                assert SAFE_URL.match(value), value
    return _element_words(root.find("body"))


_BOX_ATTRIBUTES = frozenset(("type", "disabled", "checked"))
ALLOWED_ATTRIBUTES = frozenset(
    "href src alt class id start value rowspan colspan data-id data-url lang datetime".split()
)


def xml_words(text: str) -> list[str]:
    """The words of the body of a TEI document."""
    root = ET.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if element.tag == "desc":
            element.text = ""
    return _element_words(root.find("text/body"))


def _element_words(root: Any) -> list[str]:
    out: list[str] = []

    def add(element: Any) -> None:
        if (
            element.tag == "a"
            and re.match("#d[0-9a-f]{8}-fn-", element.get("href", ""))
            or element.get("type") == "note"
        ):
            return
        if element.tag == "span" and element.get("class", "").startswith("math "):
            element.text = element.text[2:-2]
        space = "" if element.tag in _INLINE else " "
        out.extend((space, element.text or ""))
        for child in element:
            add(child)
            out.append(child.tail or "")
        out.append(space)

    add(root)
    return [word for word in words("".join(out)) if word]


def differences(document: dict[str, Any]) -> dict[str, str]:
    """The forms in which the text of the tree of blocks of a segmented document is not read back, with the first words
    that differ; and as `lost` the words of segments that are not in the tree, except links to the places that they are
    in.

    Formulas are TeX, marks of footnotes are references, and footnotes may have another place.
    """
    segments = document["segments"]
    labels = note_labels(segments)
    has_math = "math" in span_kinds(segments)
    tree = post_tree(segments, labels, document)
    forms: dict[str, tuple[Callable[[], list[str]], Callable[[str], str]]] = {
        "markdown": (lambda: markdown_words(markdown(segments, document), math=has_math), inline_tex),
        "html": (lambda: html_words(html(segments, document)), plain_tex),
        "xml": (lambda: xml_words(tei(segments, document)), plain_tex),
    }
    texts = [segment["text"] for segment in segments if segment.get("part") != BYLINE]
    lost = Counter(_LETTERS.findall(" ".join(texts)))
    lost -= Counter(_LETTERS.findall("".join(tree_words(tree, lambda tex: "", {}))))
    out = {"lost": " ".join(found)} if (found := sorted(filter(str.isalpha, lost.keys() - _ANCHORS))) else {}
    for name, (read, tex) in forms.items():
        expected = [
            word for word in words("".join(tree_words(tree, tex, labels, "," if name == "markdown" else ""))) if word
        ]
        try:
            found = read()
        except AssertionError as error:
            out[name] = f"not safe: {error}"
            continue
        if has_math:  # a displayed formula has a line of its own
            expected, found = list("".join(expected)), list("".join(found))
        if labels:
            expected, found = sorted(expected), sorted(found)
        if found != expected:
            pairs = zip([*found, ""], [*expected, ""])
            at = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(found), len(expected)))
            out[name] = f"{found[max(at - 3, 0) : at + 4]} for {expected[max(at - 3, 0) : at + 4]}"
    return out
