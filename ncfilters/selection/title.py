"""The title of a page: the one segment that is it, its copies, and the title in the head without the name of the site.

page = page_of([{"text": "Rain", "type": "h", "path": "body/h1", "role": "title", "role_probability": 0.8}])
find_title(page)    # 0
head_title({"head": {"title": "It rained all day | The Gazette"}})    # 'It rained all day'
"""

from __future__ import annotations

from collections.abc import Sequence

from ..head import declared_title
from ..page.element_table import CELL, ROW, TERM
from ..page.metadata.titles import title_key, without_site_name
from ..record import SEEN, Record
from .options import PolicyOptions
from .roles import left_out
from .scored_page import ScoredPage

# The title is the segment with this role that has the highest sum of its probability, of a share of its overlap with
# the title in the head (the F of distinct words), and of a bonus, if it is in h1. The weights are the best of four each
# on 727 pages of WCXB, L3S-GN1 and DAnIEL whose sites were not in training: 94.5 % of the titles are found, 94.1 % by
# the probability alone. If the sum is lower than MIN_EVIDENCE, the page has no title.
OVERLAP_WEIGHT, H1_BONUS, MIN_EVIDENCE = 0.25, 0.1, 0.5
# A heading with at least this overlap with the title in the head says the same.
MIN_OVERLAP = 0.7
# Characters. A longer segment is not compared with the title in the head.
MAX_TITLE_CHARS = 300
# Characters by which a copy of the title may be longer, because of punctuation.
MAX_PUNCTUATION = 16
# What a title keeps as the heading of the text.
_TITLE_FIELDS = ("segment", "start", "level", "spans")


def find_title(page: ScoredPage) -> int:
    """The row of the segment that is the title of the page; -1 if there is none. Embedded segments are no titles."""
    rows = [row for row, role in enumerate(page.role) if role == "title"]
    rows = [row for row in rows if page.segments[row].get("origin", SEEN[0]) in SEEN]
    # a title in a menu, such as the last of its breadcrumbs, is written for search engines
    outside = [row for row in rows if page.rule[row] != "nav"] or rows
    if len(outside) == 1 and float(page.role_probability[outside[0]]) >= MIN_EVIDENCE:
        return outside[0]
    titles = dict.fromkeys((_title_in_head(page.document), head_title(page.document))) if rows else {}
    heads = [set(title_key(text).split()) for text in titles if text]
    for own in outside, rows:
        evidence = [_evidence(page, row, heads) for row in own]
        if max(evidence, default=0.0) >= MIN_EVIDENCE:
            return own[evidence.index(max(evidence))]
    return -1


def _evidence(page: ScoredPage, row: int, heads: list[set[str]]) -> float:
    bonus = H1_BONUS if page.elements.level[page.element[row]] == 1 else 0.0
    return float(page.role_probability[row]) + OVERLAP_WEIGHT * _overlap(page.text[row], heads) + bonus


def keep_title(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps the title once, and drops segments that repeat it and nothing else; the head of a table and a term may."""
    title = find_title(page) if any(kept) and page.role[0] is not None else -1
    if title < 0:
        return
    key, longest = title_key(page.text[title]), len(page.text[title]) + MAX_PUNCTUATION
    for row, keep in enumerate(kept):
        text = page.text[row]
        if keep and key and len(key) <= len(text) <= longest and title_key(text) == key:
            kept[row] = page.elements.inside[page.element[row]] & (ROW | CELL | TERM) > 0
    kept[title] = "title" not in options.content.excluded
    page.title = title if kept[title] else -1


def title_words(page: ScoredPage, row: int, keep: bool, options: PolicyOptions) -> str:
    """Why `keep_title` keeps or drops a row."""
    return "title of the page" if keep else left_out("title", options.content) or "repeats the title"


def title_first(kept: Sequence[Record], title: Record) -> list[Record]:
    """The segments *kept*, with the title as a heading before all others; all its sentences, if it was split."""
    number = title.get("segment")
    own = [segment for segment in kept if segment is title or number is not None and segment.get("segment") == number]
    parts = set(map(id, own))
    others = [segment for segment in kept if id(segment) not in parts]
    return [*map(_as_title, own), *others]


def with_head_title(kept: list[Record], document: Record) -> list[Record]:
    """The segments *kept*, below the title in the head unless one of them says the same."""
    title = head_title(document)
    key = title_key(title)
    heads = [set(key.split())]
    if not key or any(
        title_key(segment["text"]) == key or segment["type"] == "h" and _overlap(segment["text"], heads) >= MIN_OVERLAP
        for segment in kept
        if len(segment["text"]) <= MAX_TITLE_CHARS
    ):
        return kept
    return [_as_title({"text": title}), *kept]


def head_title(document: Record) -> str:
    """The title in the head of a page (`og:title`, else `<title>`), without the name of the site."""
    return without_site_name(_title_in_head(document), document.get("url") or "")


def _as_title(segment: Record) -> Record:
    """The segment as the heading of the text: of its level, where the markup of the page says so, else of the first."""
    tag = f"h{segment.get('level', 1)}"
    title = {"text": segment["text"], "type": "h", "tag": tag, "path": f"body/{tag}"}
    if "figure" in segment:  # below the title, wherever they were
        title["figure"] = [
            {**image, "after": True} if isinstance(image, dict) else image for image in segment["figure"]
        ]
    return title | {name: segment[name] for name in _TITLE_FIELDS if name in segment}


def _title_in_head(document: Record) -> str:
    head = document.get("head")
    return declared_title(head)[:MAX_TITLE_CHARS] if isinstance(head, dict) else ""


def _overlap(text: str, heads: list[set[str]]) -> float:
    """The F of the distinct words of a text and those of the title in the head, with the name of the site or without,
    whichever is higher."""
    if not heads or len(text) > MAX_TITLE_CHARS:
        return 0.0
    words = set(title_key(text).split())
    return max([2 * len(words & head) / max(len(words) + len(head), 1) for head in heads])
