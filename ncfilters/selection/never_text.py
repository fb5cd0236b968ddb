"""What is no text of a page, whatever its scores: navigation, footers, dialogs, choices, and notes for browsers without
scripts.

    table = table_of([{"text": "Please enable JavaScript.", "origin": "noscript", "score": 3.0}])
    without_boilerplate(table, [True])    # [False]
"""

from __future__ import annotations

from .scored_table import ScoredTable

# Rules of nc-segment. Of the words that models keep there on the WCXB development pages, of sites that were not in
# training, 97 % are not gold text. Of other rules, scores know better.
RULES = frozenset(("nav", "footer", "dialog", "select"))
# Words. What pages say to browsers without scripts is text, such as the posts of a forum, if there is more of it.
MAX_NOTE = 60


def without_boilerplate(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, without what is no text."""
    out = [keep and rule not in RULES for keep, rule in zip(kept, table.rule)]
    if "origin" in table.names:
        notes = [row for row, segment in enumerate(table.segments) if segment.get("origin") == "noscript"]
        sizes = table.words() if notes else []
        if sum([sizes[row] for row in notes]) <= MAX_NOTE:
            for row in notes:
                out[row] = False
    return out
