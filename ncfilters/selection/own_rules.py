"""Rules of the user for elements, which nc-segment has marked segments with: they are obeyed, whatever the score.

obey_rules(table, [True, False])    # of segments with the rules 'drop aside' and 'keep .specs': [False, True]
"""

from __future__ import annotations

from ..record import ELEMENT_RULE
from .scored_table import ScoredTable


def has_rules(table: ScoredTable) -> bool:
    """Whether some segment is marked with a rule."""
    return ELEMENT_RULE in table.names


def obey_rules(table: ScoredTable, decisions: list[bool]) -> list[bool]:
    """The decisions, with those that rules ask for."""
    rules = [str(segment.get(ELEMENT_RULE, "")).partition(" ")[0] for segment in table.segments]
    return [rule == "keep" or decision and rule != "drop" for rule, decision in zip(rules, decisions)]
