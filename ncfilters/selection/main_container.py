"""The main container of a page, such as `<article>`: short lists, tables and notes in it go with its text.

    segments = [{"text": "Some words of a paragraph.", "type": "p", "path": "body/article/p", "score": 3.0},
                {"text": "An item", "type": "l", "path": "body/article/ul/li", "score": -0.5}]
    fit_main_container(segments, [True, False], {"odds": 5.0})    # [True, True]

A model knows less of short segments, and of small pages. The time is linear in the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

from ..record import EMBEDDED, Record
from .expected_f import word_counts

# The rule is for pages of the type `documentation` with at least this probability, and for small pages, with at most so
# many words. On held-out pages, F is 0.04 higher on documentation (95 pages) and the same on small pages (199, of which
# few have lists or tables); on other pages of WCXB it is 0.1 to 0.3 lower.
MIN_DOCUMENTATION, MAX_WORDS = 0.2, 400
# Pages of fewer words are mostly error pages and notices.
MIN_WORDS = 100
# The main container is the innermost element with this share of the words that are kept, if that share of its own words
# is kept.
KEPT_SHARE, OWN_SHARE = 0.9, 0.6
# Bits. Segments of the main container with a higher score are kept.
CONTAINER_SCORE = -2.0
# Segments of these roles are not.
OTHER_ROLES = frozenset(("related", "comment", "byline", "date"))


def fit_main_container(segments: list[Record], kept: Sequence[bool], page: Record) -> list[bool]:
    """*kept*, and with it what the main container has before its last kept segment, if the *page* is small or a
    documentation. Marked segments stay as they are."""
    out = list(kept)
    sizes = word_counts(segments)
    words = sum(sizes)
    if True not in out or not is_documentation(page) and not MIN_WORDS <= words <= MAX_WORDS:
        return out
    container = _main_container(segments, sizes, kept)
    if container is None:
        return out
    members = [index for index, segment in enumerate(segments) if _path(segment).startswith(container)]
    last = max(index for index in members if out[index])
    for index in members:
        segment = segments[index]
        if index < last and "rule" not in segment and segment.get("role") not in OTHER_ROLES:
            out[index] = out[index] or segment["score"] > CONTAINER_SCORE
    return out


def is_documentation(page: Record) -> bool:
    """Whether the rule is for pages of any size of this type."""
    share: float = page.get("types", {}).get("documentation", 0.0)
    return share >= MIN_DOCUMENTATION


def _path(segment: Record) -> str:
    path: str = segment.get("path", "")
    return path + "/"


def _main_container(segments: list[Record], sizes: Sequence[float], kept: Sequence[bool]) -> str | None:
    """The path of the main container, with a final slash; None if there is none."""
    visible = [index for index, segment in enumerate(segments) if segment.get("rule") != EMBEDDED]
    all_words = _words_by_container([(_path(segments[index]), sizes[index]) for index in visible])
    kept_words = _words_by_container([(_path(segments[index]), sizes[index]) for index in visible if kept[index]])
    least = KEPT_SHARE * max(kept_words.values(), default=0.0)
    found = [path for path, words in kept_words.items() if words >= least]
    best = max(found, key=len, default=None)
    return best if best is not None and kept_words[best] >= OWN_SHARE * all_words[best] else None


def _words_by_container(places: Sequence[tuple[str, float]]) -> dict[str, float]:
    """The number of words inside each element, from the path and the number of words of segments."""
    own: dict[str, float] = defaultdict(float)
    for path, size in places:
        own[path] += size
    out: dict[str, float] = defaultdict(float)
    for path, size in own.items():
        for container in accumulate(path.split("/")[:-2], "{}/{}".format):
            out[container + "/"] += size
    return out
