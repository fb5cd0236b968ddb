"""The title of a page: the one segment that is it, its copies, and the title in the head without the name of the site.

page = [{"text": "Rain", "type": "h", "path": "body/h1", "role": "title", "role_probability": 0.8}]
find_title(page, {})    # 0
head_title({"head": {"title": "It rained all day | The Gazette"}})    # 'It rained all day'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from ..record import SEEN, Record
from .structure import heading_level

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
# The last part of the title in the head is taken for the name of the site if it has at most so many words, and at least
# so many remain. Of the WCXB development pages whose title is part of that in the head, 79 % get the title of the gold
# standard, 1 % less, and others more.
MAX_SITE_WORDS, MIN_TITLE_WORDS = 4, 3
# Letters of a name, or initials of its words, that must be in the host for the name to be that of the site.
MIN_NAME_LETTERS = 3

# What a title keeps as the heading of the text.
_TITLE_FIELDS = ("segment", "start", "level", "spans", "figure")
_WORD = re.compile(r"\w+")
_SEPARATOR = re.compile(r"\s+(?:[|·•»«~–—-]|::|<|>)+\s+|\s*\|\s*|\s*»\s*")


def title_key(text: str) -> str:
    """The words of *text* in lower case: titles with the same key are copies."""
    return " ".join(_WORD.findall(text.casefold()))


def find_title(segments: Sequence[Record], document: Record) -> int | None:
    """The index of the segment that is the title of the page; None if there is none.

    *segments* have roles. Embedded segments are no titles.
    """
    candidates = [
        index
        for index, segment in enumerate(segments)
        if segment["role"] == "title" and segment.get("origin", SEEN[0]) in SEEN
    ]
    if not candidates:
        return None
    titles = dict.fromkeys((_title_in_head(document), head_title(document)))
    heads = [set(title_key(text).split()) for text in titles if text]

    def evidence(index: int) -> float:
        segment = segments[index]
        overlap, bonus = _overlap(segment["text"], heads), H1_BONUS if heading_level(segment) == 1 else 0.0
        return float(segment["role_probability"]) + OVERLAP_WEIGHT * overlap + bonus

    best = max(candidates, key=evidence)
    return best if evidence(best) >= MIN_EVIDENCE else None


def keep_title(segments: Sequence[Record], kept: Sequence[bool], title: int) -> list[bool]:
    """*kept*, with the title kept and without segments that repeat it and nothing else."""
    text = segments[title]["text"]
    key, longest = title_key(text), len(text) + MAX_PUNCTUATION
    out = [
        decision and not (key and len(key) <= len(segment["text"]) <= longest and title_key(segment["text"]) == key)
        for segment, decision in zip(segments, kept)
    ]
    out[title] = True
    return out


def title_first(kept: Sequence[Record], title: Record) -> list[Record]:
    """The segments *kept*, with the title as a heading before all others; all its sentences, if it was split."""
    number = title.get("segment")
    own = [segment for segment in kept if segment is title or number is not None and segment.get("segment") == number]
    others = [segment for segment in kept if all(segment is not part for part in own)]
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


def without_site_name(title: str, url: str = "") -> str:
    """*title* without a first or last part that names the site: `It rained - The Gazette`.

    The name is recognised by the host in *url*; otherwise the last part is one if it is short. The title of a front
    page stays, because it is the name of the site.
    """
    separators = list(_SEPARATOR.finditer(title))
    host, path = _host_and_path(url)
    if not separators or host and not path:
        return title
    first, last = separators[0], separators[-1]
    rest, name = title[: last.start()], title[last.end() :]
    if _is_name_of(name, host):
        return rest
    if _is_name_of(title[: first.start()], host):
        return title[first.end() :]
    left = _words(rest)
    return rest if left >= MIN_TITLE_WORDS and _words(name) <= min(MAX_SITE_WORDS, left) else title


def _as_title(segment: Record) -> Record:
    """The segment as the heading of the text: of its level, where the markup of the page says so, else of the first."""
    tag = f"h{segment.get('level', 1)}"
    title = {"text": segment["text"], "type": "h", "tag": tag, "path": f"body/{tag}"}
    return title | {name: segment[name] for name in _TITLE_FIELDS if name in segment}


def _title_in_head(document: Record) -> str:
    head = document.get("head")
    title = head.get("title") if isinstance(head, dict) else None
    return title[:MAX_TITLE_CHARS] if isinstance(title, str) else ""


def _overlap(text: str, heads: list[set[str]]) -> float:
    """The F of the distinct words of a text and those of the title in the head, with the name of the site or without,
    whichever is higher."""
    if not heads or len(text) > MAX_TITLE_CHARS:
        return 0.0
    words = set(title_key(text).split())
    return max([2 * len(words & head) / max(len(words) + len(head), 1) for head in heads])


def _words(text: str) -> int:
    return len(_WORD.findall(text))


def _host_and_path(url: str) -> tuple[str, str]:
    """The letters and digits of the host in *url*, without `www`, and the path; both empty where there is no host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    host = parts.hostname or ""
    return "".join(_WORD.findall(host.removeprefix("www."))), parts.path.strip("/")


def _is_name_of(name: str, host: str) -> bool:
    """Whether a part of a title names the site: its letters, or the initials of its words, are in the host."""
    words = title_key(name).removeprefix("the ").split()
    letters, initials = "".join(words), "".join([word[0] for word in words])
    return any(len(text) >= MIN_NAME_LETTERS and text in host for text in (letters, initials))
