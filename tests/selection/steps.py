"""Pages from short rows, and what the steps of the decision make of them.

after(drop_boilerplate, row("It rained."), row("Anzeige"))    # "+-"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from operations import assert_linear
from uncompiled import both_forms

from ncfilters.record import Record
from ncfilters.selection.options import DEFAULTS, ContentOptions, PolicyOptions
from ncfilters.selection.scored_page import ScoredPage, page_of

ARTICLE: Record = {"odds": 5.0, "types": {"article": 0.7, "forum": 0.3}}
FORUM: Record = {"odds": 5.0, "types": {"forum": 0.7, "article": 0.3}}


def row(text: str = "It rained.", path: str = "body/main/p", score: float = 2.0, **fields: Any) -> Record:
    """A segment; it is a heading in h1 to h6."""
    name = path.rpartition("/")[2]
    kind = "h" if name[:1] == "h" and name[1:2].isdigit() else "p"
    return {"text": text, "type": kind, "path": path, "score": score, **fields}


def words(number: int, path: str = "body/main/p", score: float = 2.0, **fields: Any) -> Record:
    """A segment of so many words."""
    return row(" ".join(["word"] * number), path, score, **fields)


def page_with(*rows: Record, evidence: Record = ARTICLE) -> ScoredPage:
    """The page of rows, with its elements."""
    page = page_of([*rows])
    page.evidence = evidence
    page.read_elements()
    return page


def content(policy: str = "main", included: str = "", excluded: str = "") -> PolicyOptions:
    """The options of a content policy."""
    roles = frozenset(included.split()), frozenset(excluded.split())
    return DEFAULTS._replace(content=ContentOptions(policy, *roles))


def after(
    step: Callable[..., None],
    *rows: Record,
    before: str = "",
    options: PolicyOptions = DEFAULTS,
    evidence: Record = ARTICLE,
) -> str:
    """What a step keeps (+) and drops (-) in both forms of its module; *before* it, scores above 0 are kept."""
    found = set()
    for form in both_forms(step.__module__):
        page = page_with(*rows, evidence=evidence)
        kept = bytearray([one == "+" for one in before] if before else [score > 0 for score in page.score])
        getattr(form, step.__name__)(page, kept, options)
        found.add(shown(kept))
    (out,) = found
    return out


def shown(kept: bytearray | list[bool]) -> str:
    """Decisions as + and -."""
    return "".join("-+"[keep] for keep in kept)


def assert_linear_step(step: Callable[..., None], rows: Callable[[int], list[Record]]) -> None:
    """Asserts that the time of a step is linear in the page, all of which is kept."""
    plain = getattr(both_forms(step.__module__)[0], step.__name__)
    assert_linear(
        lambda page: plain(page, bytearray(b"\1" * len(page)), DEFAULTS), lambda size: page_with(*rows(size)), 500
    )
