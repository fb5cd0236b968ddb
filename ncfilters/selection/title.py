"""The title of a page: the one segment that is it, its copies, and the title in the head without the name of the site.

table = table_of([{"text": "Rain", "type": "h", "path": "body/h1", "role": "title", "role_probability": 0.8}])
find_title(table, {})    # 0
head_title({"head": {"title": "It rained all day | The Gazette"}})    # 'It rained all day'
"""

from __future__ import annotations

from collections.abc import Sequence

from ..page.metadata.head_record import declared_title
from ..page.metadata.site_name import title_key, title_parts, without_site_name
from ..record import SEEN, Record
from .copies import CELL, rows_of_key
from .headings import LOWEST_LEVEL, heading_level
from .scored_table import ScoredTable

# The title is the segment with this role that has the highest sum of its probability, of a share of its overlap with
# the title in the head (the F of distinct words), and of a bonus, if it is in h1. The weights are the best of four each
# on 727 pages of WCXB, L3S-GN1 and DAnIEL whose sites were not in training: 94.5 % of the titles are found, 94.1 % by
# the probability alone. If the sum is lower than MIN_EVIDENCE, the page has no title.
OVERLAP_WEIGHT, H1_BONUS, MIN_EVIDENCE = 0.25, 0.1, 0.5
# More than what is added to a probability.
MAX_OTHER_EVIDENCE = OVERLAP_WEIGHT + H1_BONUS + 1e-6
# A heading with at least this overlap with the title in the head says the same.
MIN_OVERLAP = 0.7
# Characters. A longer segment is not compared with the title in the head.
MAX_TITLE_CHARS = 300
# Characters by which a copy of the title may be longer, because of punctuation.
MAX_PUNCTUATION = 16
# What a title keeps as the heading of the text.
_TITLE_FIELDS = ("segment", "start", "level", "spans")


def find_title(table: ScoredTable, document: Record) -> int | None:
    """The row of the segment that is the title of the page; None if there is none.

    The segments have roles. Embedded segments are no titles.
    """
    rows = table.rows_of_roles().get("title", [])
    rows = [row for row in rows if table.segments[row].get("origin", SEEN[0]) in SEEN]
    # a title in a menu, such as the last of its breadcrumbs, is written for search engines
    for candidates in ([row for row in rows if table.rule[row] != "nav"], rows):
        best = _best_title([table.segments[row] for row in candidates], document)
        if best is not None:
            return candidates[best]
    return None


def _best_title(candidates: list[Record], document: Record) -> int | None:
    """The index of the candidate that is the title of the page; None if there is none."""
    if not candidates:
        return None
    if len(candidates) == 1 and candidates[0]["role_probability"] >= MIN_EVIDENCE:
        return 0
    if (surest := _surest([float(segment["role_probability"]) for segment in candidates])) is not None:
        return _below_site_name(candidates, surest, document)
    titles = dict.fromkeys((_title_in_head(document), head_title(document)))
    heads = [set(title_key(text).split()) for text in titles if text]
    sums = [_evidence(segment, heads) for segment in candidates]
    best = sums.index(max(sums))
    return _below_site_name(candidates, best, document) if sums[best] >= MIN_EVIDENCE else None


def _evidence(segment: Record, heads: list[set[str]]) -> float:
    bonus = H1_BONUS if heading_level(segment.get("path", "")) == 1 else 0.0
    return float(segment["role_probability"]) + OVERLAP_WEIGHT * _overlap(segment["text"], heads) + bonus


def _surest(probabilities: Sequence[float]) -> int | None:
    """The index of the candidate that has the most evidence whatever the title in the head says; None if there may be
    another."""
    *_, second, first = sorted([*probabilities, 0.0])
    is_sure = first >= MIN_EVIDENCE and first - second > MAX_OTHER_EVIDENCE
    return probabilities.index(first) if is_sure else None


def _below_site_name(candidates: Sequence[Record], best: int, document: Record) -> int:
    """*best*, unless it is the last part of the title in the head and a heading of at least its score is what precedes
    that: documentation has the name of the whole in `<h1>`, above the heading of the page.

    Of 1,970 pages of WCXB and L3S-GN1 whose sites were not in training, 7 get another title by this, the right one.
    """
    parts = title_parts(_title_in_head(document))
    if not parts or not _is_part(candidates[best]["text"], parts[1]):
        return best
    page = [set(title_key(parts[0]).split())]
    others = (
        index
        for index, candidate in enumerate(candidates)
        if index != best
        and heading_level(candidate.get("path", "")) < LOWEST_LEVEL
        and candidate["score"] >= candidates[best]["score"]
        and _overlap(candidate["text"], page) >= MIN_OVERLAP
    )
    return next(others, best)


def _is_part(text: str, part: str) -> bool:
    """Whether a text says the same as a part of the title in the head."""
    return _overlap(text, [set(title_key(part).split())]) >= MIN_OVERLAP


def keep_title(table: ScoredTable, kept: list[bool], title: int) -> list[bool]:
    """*kept*, with the title kept and without segments that repeat it and nothing else; the head of a table and a
    term may."""
    out = list(kept)
    key = title_key(table.text[title])
    for row in rows_of_key(table, kept, key, len(table.text[title]) + MAX_PUNCTUATION) if key else ():
        out[row] = CELL.search(table.path[row]) is not None or table.path[row].endswith("/dt")
    out[title] = True
    return out


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
