"""Pages whose elements are known: those of `tests/data/markup`, and pages of gold sets with the elements of their DOM.

for page in own_pages():
    print(page.name, page.expected.headings)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lxml.etree
from rapidfuzz.distance import LCSseq

from bench.markup_elements import Elements, elements_of_html, elements_of_markdown, parse, words
from bench.support import ROOT, Record, read_pages
from ncfilters.streams.charset import undo_latin1

OWN_PAGES = ROOT / "tests" / "data" / "markup"
# The sets with gold text or gold Markdown, and every so many of their pages.
SETS = {"wcxb-dev": 12, "dragnet-dev": 20, "sources-dev": 1}
# Of wcxb-dev, pages of these types alone: what counts as the text of a product or a list of products is a choice.
TYPES = frozenset(("article", "documentation", "forum", None))
# A run of text is gold text if this share of the words in it and up to CONTEXT words away is.
GOLD_SHARE, CONTEXT = 0.6, 8
# An image belongs to the gold text if it lies between two runs of it that are at most so many words apart.
MAX_GAP = 40
# An image of fewer pixels in width or height is an icon.
MIN_PIXELS = 60
ICON = re.compile(
    r"avatar|emoji|smil|badge|icon|logo|rating|headshot|sprite|placeholder|/data/medias/svg", re.IGNORECASE
)
# A cell of a data table has at most so many words.
MAX_CELL_WORDS = 60
SKIPPED = frozenset("head script style noscript template svg math select button textarea iframe object nav".split())
LAZY = ("data-src", "data-lazy-src", "data-original", "data-orig-file")
GUTTER = re.compile(r"(?:^|[\s_-])(?:gutter|lineno|linenos|line-numbers|line_numbers)(?:$|[\s_-])")
FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n", re.S)


@dataclass
class Page:
    """A page with the elements that its text has."""

    name: str
    html: str
    url: str
    expected: Elements
    metadata: dict[str, str] = field(default_factory=dict)
    title: str = ""  # of pages whose gold text lacks the title, which is no mistake in the output

    @property
    def record(self) -> Record:
        """The page as systems read it."""
        return {"html": self.html, "url": self.url}


def own_pages(folder: Path = OWN_PAGES) -> Iterator[Page]:
    """The pages of a folder: NAME.html, and NAME.md with what a careful reader would write, metadata first."""
    for path in sorted(folder.glob("*.html")):
        text = path.with_suffix(".md").read_text(encoding="utf-8")
        found = FRONT_MATTER.match(text)
        if found is None:
            raise ValueError(f"{path.stem}.md: no metadata")
        metadata = dict(line.split(": ", 1) for line in found[1].splitlines())
        expected = elements_of_markdown(text[found.end() :], metadata["url"])
        yield Page(path.stem, path.read_text(encoding="utf-8"), metadata["url"], expected, metadata)


def gold_pages(data: Path, name: str, every: int = 1) -> Iterator[Page]:
    """Each *every*-th page of a set, with the elements of its gold Markdown, or those of its DOM in the gold text."""
    records = read_pages(data / f"{name}.jsonl.xz")
    records = [record for record in records if name != "wcxb-dev" or record.get("page_type") in TYPES]
    for record in records[::every]:
        gold, html, url = record["gold"], record["html"], record.get("url") or ""
        html = undo_latin1(html) or html  # what the page says, for all systems
        if "markdown" in gold:
            yield Page(record["id"], html, url, elements_of_markdown(gold["markdown"], url))
            continue
        text = "\n".join(gold.get(part) or "" for part in ("title", "text", "comments"))
        expected = elements_of_dom(html, text, url)
        yield Page(record["id"], html, url, expected, title=words(gold.get("title") or ""))


def elements_of_dom(html: str, gold: str, base: str) -> Elements:
    """The elements of a page whose text lies in the gold text, which is aligned with the page word by word."""
    root = parse(html)
    if root is None:
        return Elements()
    for node in list(root.iter()):
        if not isinstance(node.tag, str) or node.tag in SKIPPED or GUTTER.search(node.get("class") or ""):
            _empty(node)
    base_node = root.find(".//base[@href]")
    _prune(root, words(gold).split())
    for table in list(root.iter("table")):
        if not _is_data_table(table):
            _unwrap(table)
    kept = lxml.etree.tostring(root, encoding="unicode", method="html")
    return elements_of_html(kept, base_node.get("href") if base_node is not None and not base else base, is_page=True)


def _empty(node: Any) -> None:
    """Empties an element, but keeps the text after it."""
    tail = node.tail
    node.clear()
    node.tail = tail
    node.text = None


def _prune(root: Any, gold: list[str]) -> None:
    """Removes the text that is not gold, and the images that are not between gold text."""
    runs: list[tuple[Any, str, int, int]] = []  # element, "text" or "tail", start and end in the words of the page
    images: list[tuple[Any, int]] = []
    page: list[str] = []
    for event, node in lxml.etree.iterwalk(root, events=("start", "end")):
        if event == "start" and node.tag == "img":
            images.append((node, len(page)))
        part = "text" if event == "start" else "tail"
        if text := getattr(node, part):
            own = words(text).split() if isinstance(node.tag, str) or part == "tail" else []
            runs.append((node, part, len(page), len(page) + len(own)))
            page += own
    is_gold = bytearray(len(page))
    for step in LCSseq.opcodes(page, gold):
        if step.tag == "equal":
            is_gold[step.src_start : step.src_end] = b"\1" * (step.src_end - step.src_start)
    places = []
    blocks = _blocks_of_code(runs)
    for node, part, start, end in runs:
        start, end = blocks.get((node, part), (start, end))
        low, high = max(0, start - CONTEXT), end + CONTEXT
        own_share = sum(is_gold[start:end]) / max(end - start, 1)
        near = is_gold[low:high]
        if start == end or own_share >= GOLD_SHARE and sum(near) / max(len(near), 1) >= GOLD_SHARE:
            places.append((start, end))
        else:
            setattr(node, part, None)
    kept = sorted(place for place in places if place[0] < place[1])
    for node, place in images:
        _keep_image(node, place, kept)


def _blocks_of_code(runs: list[tuple[Any, str, int, int]]) -> dict[tuple[Any, str], tuple[int, int]]:
    """Of the text in each `<pre>` where the words of all of it start and end: code is gold text as a whole."""
    parts: dict[Any, list[tuple[Any, str, int, int]]] = {}
    for run in runs:
        inside = run[0] if run[1] == "text" else run[0].getparent()
        pre = next((above for above in (inside, *inside.iterancestors()) if above.tag == "pre"), None)
        if pre is not None:
            parts.setdefault(pre, []).append(run)
    return {
        (node, part): (min(run[2] for run in own), max(run[3] for run in own))
        for own in parts.values()
        for node, part, _, _ in own
    }


def _keep_image(node: Any, place: int, kept: list[tuple[int, int]]) -> None:
    before = max((end for _, end in kept if end <= place), default=None)
    after = min((start for start, _ in kept if start >= place), default=None)
    source = node.get("src") or ""
    if not source or source.startswith("data:"):
        source = next((node.get(name) for name in LAZY if node.get(name)), "")
    sizes = [node.get(name) or "" for name in ("width", "height")]
    is_icon = any(size.isdecimal() and int(size) < MIN_PIXELS for size in sizes)
    is_icon = is_icon or bool(ICON.search(f"{source} {node.get('class') or ''}"))
    if before is None or after is None or after - before > MAX_GAP or is_icon or not source:
        for name in ("src", "alt"):
            node.attrib.pop(name, None)
    else:
        node.set("src", source)


def _is_data_table(table: Any) -> bool:
    """Whether a table holds data, and is not for the layout: at least two rows and columns of short cells."""
    if table.get("role") == "presentation" or table.find(".//table") is not None or table.find(".//pre") is not None:
        return False
    rows = [
        [words("".join(cell.itertext())).split() for cell in row if cell.tag in ("td", "th")]
        for row in table.iter("tr")
    ]
    rows = [row for row in rows if any(row)]
    return (
        len(rows) > 1 and max(map(len, rows)) > 1 and max(len(cell) for row in rows for cell in row) <= MAX_CELL_WORDS
    )


def _unwrap(table: Any) -> None:
    for node in table.iter("table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption"):
        node.tag = "div"
