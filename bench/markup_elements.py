"""What a text says besides its words: the headings, lists, tables, code, links … of Markdown and of HTML.

elements_of_markdown("## Rain\\n\\nIt *rained*.").headings     # Counter({(2, 'rain'): 1})

markdown-it-py parses Markdown (CommonMark, with the tables and the strike-through of GitHub, footnotes and `$…$`) and
lxml reads what it renders, as it reads the HTML of other systems. So the elements of both are those of one function.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

import lxml.html
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from rapidfuzz import fuzz

Node = Any  # an element of lxml

HEADINGS = {f"h{level}": level for level in range(1, 7)}
LISTS = frozenset(("ul", "ol", "menu"))
INNER = LISTS | {"pre", "table"}  # what is in an item but not of its words
EMPHASIS = {"em": "em", "i": "em", "strong": "strong", "b": "strong"}
CODE = frozenset(("code", "kbd", "samp", "tt"))
# Emphasis is part of the look of these, not of what they say.
LABELS = frozenset((*HEADINGS, "th", "pre"))
TASK = re.compile(r"^\s*\[[ xX]\]\s")  # the box of a task list
SPACES = re.compile(r"\s+")
WORD = re.compile(r"\w+")
# Formulas in the text of systems that write no element for them.
TEX = re.compile(
    r"\$\$(.+?)\$\$|^\\\[(.+?)\\\]$|\\\((.+?)\\\)|(?<![\\$\w])\$(?=\S)([^$\n]+?)(?<=\S)\$(?![\w$])", re.S | re.M
)
MATH_CLASS = re.compile(r"(?:^|\s)math(?:\s|$)")
LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|brush:)[- ]?([\w+#.-]+)")

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
PARSER.use(footnote_plugin).use(dollarmath_plugin, allow_space=False, allow_digits=False)


@dataclass
class Elements:
    """The elements of a text, each with what is compared; words are lower-cased and without punctuation."""

    headings: Counter[tuple[int, str]] = field(default_factory=Counter)  # level, words
    items: Counter[tuple[int, str]] = field(default_factory=Counter)  # depth, words without inner lists and code
    code: list[tuple[str, str]] = field(default_factory=list)  # lines, language
    inline_code: Counter[str] = field(default_factory=Counter)
    cells: Counter[tuple[int, int, str]] = field(default_factory=Counter)  # row, column, words
    links: Counter[tuple[str, str]] = field(default_factory=Counter)  # words, URL
    sources: Counter[str] = field(default_factory=Counter)  # of images
    alts: Counter[tuple[str, str]] = field(default_factory=Counter)  # of images: source, words
    emphasis: Counter[tuple[str, str]] = field(default_factory=Counter)  # em or strong, words
    quotes: Counter[str] = field(default_factory=Counter)  # words in block quotes
    formulas: list[str] = field(default_factory=list)  # TeX without spaces
    notes: list[tuple[str, str]] = field(default_factory=list)  # the words before the mark, the words of the note
    text: str = ""  # all of it


def elements_of_markdown(markdown: str, base: str = "") -> Elements:
    """The elements of Markdown; URLs are resolved against *base*."""
    return elements_of_html(PARSER.render(markdown), base, markdown)


def elements_of_html(html: str, base: str = "", source: str | None = None, is_page: bool = False) -> Elements:
    """The elements of HTML; *source* is the text that it was made from, if it was. In a page, `$` is a price."""
    out = Elements()
    root = parse(html)
    if root is None:
        return out
    _take_notes(root, out)
    _take_formulas(root, out, source, is_page)
    walk(root, out, base)
    out.text = source if source is not None else root.text_content()
    return out


def parse(html: str) -> Node | None:
    """The body of HTML without scripts and comments; None if there is nothing."""
    if not html.strip():
        return None
    root = lxml.html.document_fromstring(html.encode("utf-8", "replace"), lxml.html.HTMLParser(encoding="utf-8"))
    for node in list(root.iter(lxml.etree.Comment, lxml.etree.ProcessingInstruction, "script", "style", "template")):
        if not (node.tag == "script" and str(node.get("type")).startswith("math/")):
            drop(node)
    return root


def drop(node: Node) -> None:
    """Removes an element with what is in it, but not the text after it."""
    parent, tail = node.getparent(), node.tail
    if parent is None:
        return
    if tail:
        before = node.getprevious()
        if before is None:
            parent.text = (parent.text or "") + tail
        else:
            before.tail = (before.tail or "") + tail
    parent.remove(node)


def words(text: str) -> str:
    """The words of a text, lower-cased, with single spaces."""
    return " ".join(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def spaceless(tex: str) -> str:
    """A formula without its spaces, and without the braces and the style that MediaWiki puts around it."""
    tex = SPACES.sub("", tex)
    return tex[14:-1] if tex.startswith("{\\displaystyle") and tex.endswith("}") else tex.removeprefix("\\displaystyle")


def normal_url(url: str, base: str = "") -> str:
    """A URL that is equal for equal addresses: absolute, the characters escaped alike, without a final slash."""
    try:
        url = urljoin(base, url.strip()) if base else url.strip()
        parts = urlsplit(url)
        path = quote(unquote(parts.path), safe="/:@!$&'()*+,;=~-._%").rstrip("/")
        query = quote(unquote(parts.query), safe="/:@!$&'()*+,;=~-._%?")
        return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), path, query, unquote(parts.fragment)))
    except ValueError:
        return url


# ---- the walk


def walk(root: Node, out: Elements, base: str) -> None:
    """Adds what is below *root* to *out*."""
    for node in root.iter():
        tag = node.tag
        if tag in HEADINGS:
            _count(out.headings, HEADINGS[tag], words(text_of(node)))
        elif tag == "li":
            depth = max(1, sum(above.tag in LISTS for above in node.iterancestors()))
            _count(out.items, depth, words(TASK.sub("", text_of(node, without=INNER))))
        elif tag == "pre":
            code = code_of(node)
            if code[0].strip():
                out.code.append(code)
        elif tag in CODE and not any(above.tag == "pre" or above.tag in CODE for above in node.iterancestors()):
            if text := SPACES.sub(" ", text_of(node)).strip():
                out.inline_code[text] += 1
        elif tag == "table":
            for row, column, cell, _ in cells_of(node):
                _count(out.cells, row, column, words(text_of(cell)))
        elif tag == "a" and node.get("href"):
            _take_link(node, out, base)
        elif tag == "img" and node.get("src"):
            _take_image(node, out, base)
        elif tag in EMPHASIS and not any(above.tag in LABELS for above in node.iterancestors()):
            _count(out.emphasis, EMPHASIS[tag], words(text_of(node)))
        elif tag == "blockquote" and not any(above.tag == "blockquote" for above in node.iterancestors()):
            out.quotes.update(words(text_of(node)).split())


def _count(counter: Counter[Any], *key: Any) -> None:
    """Counts an element that has words."""
    if key[-1]:
        counter[key] += 1


def text_of(node: Node, without: frozenset[str] = frozenset()) -> str:
    """The text of an element, with spaces between blocks, without elements of the names *without*."""
    return "".join(_texts(node, without))


def _texts(node: Node, without: frozenset[str]) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        if child.tag not in without:
            separate = child.tag in _BLOCKS
            yield " " if separate else ""
            yield from _texts(child, without)
            yield " " if separate else ""
        yield child.tail or ""


_BLOCKS = frozenset("p div br li ul ol table tr td th pre blockquote h1 h2 h3 h4 h5 h6 dt dd img figure hr".split())


def _take_link(node: Node, out: Elements, base: str) -> None:
    href = node.get("href").strip()
    if href.startswith("#") or href.lower().startswith("javascript:"):
        return
    url = normal_url(href, base)
    if base and url.partition("#")[0] == normal_url(base).partition("#")[0]:
        return  # this page, as of a heading that leads to itself, or a place in it
    _count(out.links, url, words(text_of(node)))


def _take_image(node: Node, out: Elements, base: str) -> None:
    source = normal_url(node.get("src"), base)
    if not source.startswith("data:"):
        out.sources[source] += 1
        _count(out.alts, source, words(node.get("alt") or ""))


def code_of(node: Node) -> tuple[str, str]:
    """The text of a `<pre>`, and its language."""
    lines = "".join(_texts_of_code(node)).replace("\r\n", "\n").split("\n")
    names = [node.get("class") or "", *(code.get("class") or "" for code in node.iter("code"))]
    found = next((match for name in names if (match := LANGUAGE.search(name))), None)
    return "\n".join(line.rstrip() for line in lines).strip("\n"), found[1].lower() if found else ""


def _texts_of_code(node: Node) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        if child.tag == "br":
            yield "\n"
        else:
            yield from _texts_of_code(child)
        yield child.tail or ""


def cells_of(table: Node) -> Iterator[tuple[int, int, Node, int]]:
    """Row, column, element and number of columns of the cells of a table; rows without text do not count."""
    taken: dict[tuple[int, int], bool] = {}
    row = 0
    for tr in (tr for tr in table.iter("tr") if next(tr.iterancestors("table")) is table):
        own = [cell for cell in tr if cell.tag in ("td", "th")]
        if not any(words(text_of(cell)) for cell in own):
            continue
        column = 0
        for cell in own:
            while (row, column) in taken:
                column += 1
            rows, columns = _span(cell, "rowspan"), _span(cell, "colspan")
            for place in ((row + down, column + right) for down in range(rows) for right in range(columns)):
                taken[place] = True
            yield row, column, cell, columns
            column += columns
        row += 1


def _span(cell: Node, name: str) -> int:
    value = cell.get(name) or ""
    return min(int(value), 200) or 1 if value.strip().isdecimal() and len(value) < 6 else 1


# ---- footnotes and formulas


def _take_notes(root: Node, out: Elements) -> None:
    """Finds the footnotes, and takes their marks out of the tree: links that lead to a definition."""
    targets = {node.get("id") or node.get("name"): node for node in root.iter() if node.get("id") or node.get("name")}
    marks: list[Node] = []
    found: set[Node] = set()
    for link in root.iter("a"):
        place = (link.get("href") or "").rpartition("#")[2] if "#" in (link.get("href") or "") else ""
        text = SPACES.sub("", link.text_content())
        if not place or len(text) > 12 or BACK.search(text) or "backref" in (link.get("class") or ""):
            continue
        is_mark = "footnote" in (link.getparent().get("class") or "") or MARK.fullmatch(text)
        definition = targets.get(place)
        if not is_mark:
            continue
        note = _definition(definition) if definition is not None else ""
        out.notes.append((_words_before(link), note))
        marks.append(link)
        if definition is not None:
            found.add(definition)
    for section in root.find_class("footnotes"):
        for node in section.iter("ol", "ul", "li"):
            node.tag = "div"  # a list of footnotes is no list
    back = [link for link in root.iter("a") if "backref" in (link.get("class") or "")]
    for node in [*marks, *back]:
        drop(node)


MARK = re.compile(r"\[?(?:note|nb|n)?\d{1,3}\]?|\[?[a-z*†‡]\]?", re.IGNORECASE)
BACK = re.compile(r"[↩↑^⏎]")


def _definition(node: Node) -> str:
    """The words of a definition, which may be the element itself or the one that a place in it belongs to."""
    while node is not None and node.tag in ("a", "sup", "span"):
        node = node.getparent()
    return words(re.sub(r"^\s*\[?\d+\]?[.:]?", "", text_of(node))) if node is not None else ""


def _words_before(link: Node) -> str:
    """The last three words before a mark, in its block."""
    block = next((above for above in link.iterancestors() if above.tag in _BLOCKS), link.getroottree().getroot())
    text = ""
    for event, node in lxml.etree.iterwalk(block, events=("start", "end")):
        if node is link:
            break
        text += (node.text or "") if event == "start" else (node.tail or "") if node is not block else ""
    return " ".join(words(re.sub(r"\[\d+\]", " ", text)).split()[-3:])


def _take_formulas(root: Node, out: Elements, source: str | None, is_page: bool) -> None:
    """Takes the formulas that are delimited: elements, `$…$` of other systems, and TeX in MathML."""
    for node in root.iter("span", "div", "eqn", "eq"):
        if node.tag in ("eqn", "eq") or MATH_CLASS.search(node.get("class") or ""):
            out.formulas.append(spaceless(node.text_content()))
    for node in root.iter("annotation", "script"):
        out.formulas.append(spaceless(node.text_content()))
    if not is_page and (source is None or not out.formulas):
        text = source if source is not None else root.text_content()
        out.formulas += [spaceless(next(filter(None, found.groups()))) for found in TEX.finditer(text)]


# The least similarity (0 to 100) of a code block, of a footnote, with the one that is expected.
SAME_CODE, SAME_NOTE = 80, 85
# Names of languages that mean the same.
SAME_LANGUAGE = {
    "py": "python", "python3": "python", "js": "javascript", "ts": "typescript", "sh": "bash", "shell": "bash",
    "console": "bash", "shell-session": "bash", "yml": "yaml", "c++": "cpp", "golang": "go", "rb": "ruby",
    "jscript": "javascript", "rs": "rust", "htm": "html", "text": "", "plain": "", "none": "", "default": "",
}  # fmt: skip

Row = Callable[[Elements, Elements], "float | None"]


def f_score(expected: Counter[Any], found: Counter[Any]) -> float | None:
    """F of two multisets; None if nothing is expected."""
    if not expected:
        return None
    both = sum((expected & found).values())
    return 2 * both / (sum(expected.values()) + sum(found.values()))


def code_pairs(expected: Elements, found: Elements) -> list[tuple[tuple[str, str], tuple[str, str] | None]]:
    """Each code block that is expected, and the most similar one of those that are left; None if none is similar."""
    left = list(found.code)
    pairs: list[tuple[tuple[str, str], tuple[str, str] | None]] = []
    for block in expected.code:
        wanted = spaceless(block[0])
        best = max(left, key=lambda other: fuzz.ratio(wanted, spaceless(other[0])), default=None)
        if best is not None and fuzz.ratio(wanted, spaceless(best[0])) >= SAME_CODE:
            left.remove(best)
        else:
            best = None
        pairs.append((block, best))
    return pairs


def code_found(expected: Elements, found: Elements) -> float | None:
    """The share of code blocks that are blocks of code."""
    return _share([block is not None for _, block in code_pairs(expected, found)])


def code_exact(expected: Elements, found: Elements) -> float | None:
    """The share of code blocks with exactly the same lines and indents."""
    return _share([block is not None and block[0] == own[0] for own, block in code_pairs(expected, found)])


def code_language(expected: Elements, found: Elements) -> float | None:
    """The share of code blocks in a known language that have its name."""
    pairs = [(own[1], block) for own, block in code_pairs(expected, found) if own[1]]
    return _share([block is not None and _language(block[1]) == _language(name) for name, block in pairs])


def tex_found(expected: Elements, found: Elements) -> float | None:
    """The share of formulas whose TeX is in the output."""
    text = spaceless(found.text)
    plain = re.sub(r"\\([^\w\s])", r"\1", text)  # with Markdown's escapes, or without
    return _share([tex in text or tex in plain or tex in found.formulas for tex in expected.formulas])


def tex_delimited(expected: Elements, found: Elements) -> float | None:
    """The share of formulas that are formulas in the output."""
    left = Counter(found.formulas)
    return _share([_take(left, tex) for tex in expected.formulas])


def notes_linked(expected: Elements, found: Elements) -> float | None:
    """The share of footnotes whose mark stands behind the right word and leads to the right text.

    A link to a place in the page counts where Markdown has no place for it, if the text of the note is in the output.
    """
    text = " ".join(re.findall(r"\w+", found.text.casefold()))
    left, out = list(found.notes), []
    for before, note in expected.notes:
        match = next((mark for mark in left if _is_note(mark, (before, note), text)), None)
        if match is not None:
            left.remove(match)
        out.append(match is not None)
    return _share(out)


def _is_note(mark: tuple[str, str], expected: tuple[str, str], text: str) -> bool:
    if _last_word(mark[0]) != _last_word(expected[0]):
        return False
    if mark[1]:
        return fuzz.ratio(mark[1], expected[1]) >= SAME_NOTE
    return expected[1] in text


def _last_word(before: str) -> str:
    """The last word before a mark that is not another mark."""
    return next((word for word in reversed(before.split()) if not word.isdecimal()), "")


def _without_note_items(notes: Sequence[tuple[str, str]], elements: Elements) -> Elements:
    """The elements without the list items that are footnotes: their list is no list of the text."""
    definitions = [note for _, note in notes if note]
    items = {
        item: count
        for item, count in elements.items.items()
        if not any(fuzz.ratio(re.sub(r"^\d+ ", "", item[1]), note) >= SAME_NOTE for note in definitions)
    }
    return replace(elements, items=Counter(items))


def _language(name: str) -> str:
    return SAME_LANGUAGE.get(name, name)


def _take(left: Counter[str], key: str) -> bool:
    left[key] -= 1
    return left[key] >= 0


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _f_of(name: str) -> Row:
    return lambda expected, found: f_score(getattr(expected, name), getattr(found, name))


# The rows of the tables: what is compared, and the field of Elements that must be empty where a page has none.
ROWS: dict[str, tuple[Row, str]] = {
    "headings, right level": (_f_of("headings"), "headings"), "list items, right depth": (_f_of("items"), "items"),
    "code blocks found": (code_found, "code"), "code, lines and indents exact": (code_exact, ""),
    "code, language": (code_language, ""), "inline code": (_f_of("inline_code"), "inline_code"),
    "table cells, right row and column": (_f_of("cells"), "cells"), "links, text and URL": (_f_of("links"), "links"),
    "images, src": (_f_of("sources"), "sources"), "images, alt": (_f_of("alts"), ""),
    "emphasis": (_f_of("emphasis"), "emphasis"), "block quotes, words": (_f_of("quotes"), "quotes"),
    "TeX found": (tex_found, ""), "TeX delimited": (tex_delimited, "formulas"),
    "footnotes linked": (notes_linked, "notes"),
}  # fmt: skip


def scores(expected: Elements, found: Elements) -> dict[str, float]:
    """The figure of each row whose element the page has."""
    expected, found = (_without_note_items(expected.notes, one) for one in (expected, found))
    figures = {name: row(expected, found) for name, (row, _) in ROWS.items()}
    return {name: figure for name, figure in figures.items() if figure is not None}


def invented(expected: Elements, found: Elements) -> dict[str, bool]:
    """Of each row whose element the page does not have, whether the output has it."""
    return {name: bool(getattr(found, of)) for name, (_, of) in ROWS.items() if of and not getattr(expected, of)}
