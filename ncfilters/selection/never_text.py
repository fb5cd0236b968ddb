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
# The same of widgets, unless so much of what is kept is in them: pages give such names to other parts, too. A dialog is
# never text, also in a widget (see `open_elements` for roles in paths).
MAX_WIDGETS, _DIALOG = 0.3, ":dialog"
# Words. What pages say to browsers without scripts is text, such as the posts of a forum, if there is more of it.
MAX_NOTE = 60


def without_boilerplate(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, without what is no text."""
    out = [keep and rule not in RULES for keep, rule in zip(kept, table.rule)]
    if "widget" in table.rule:
        _drop_widgets(table, out)
    if "origin" in table.names:
        notes = [row for row, segment in enumerate(table.segments) if segment.get("origin") == "noscript"]
        if _num_words(table, notes) <= MAX_NOTE:
            for row in notes:
                out[row] = False
    return out


def _drop_widgets(table: ScoredTable, kept: list[bool]) -> None:
    widgets = []
    for row, rule in enumerate(table.rule):
        if rule == "widget" and kept[row]:
            kept[row] = _DIALOG not in table.path[row]
            if kept[row]:
                widgets.append(row)
    if _num_words(table, widgets) <= MAX_WIDGETS * _num_words(table, [row for row, keep in enumerate(kept) if keep]):
        for row in widgets:
            kept[row] = False


def _num_words(table: ScoredTable, rows: list[int]) -> float:
    sizes = table.words() if rows else []
    return sum([sizes[row] for row in rows])
