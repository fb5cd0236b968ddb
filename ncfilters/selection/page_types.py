"""What a page may be, by the type that the model predicts.

may_be_article({"odds": 5.0, "types": {"article": 0.7, "listing": 0.3}})    # True
is_list({"odds": 5.0, "types": {"article": 0.7, "listing": 0.3}})           # True
"""

from __future__ import annotations

from ..record import Record

# A list is of these types, with at least this probability of both.
LISTS, MIN_PROBABILITY = ("listing", "collection"), 0.3


def may_be_article(page: Record) -> bool:
    """Whether a *page* is an article by its most probable type, or has none."""
    types: dict[str, float] = page.get("types") or {}
    return not types or max(types, key=lambda name: types[name]) == "article"


def is_list(page: Record) -> bool:
    """Whether a *page* may be a list."""
    types: dict[str, float] = page.get("types") or {}
    return sum([types.get(name, 0.0) for name in LISTS]) >= MIN_PROBABILITY
