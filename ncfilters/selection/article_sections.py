"""Sections of an article are no comments: the entries of a live blog, the slides of a show.

    rows = (("It rained all day.", "article/p"), ("Rain reaches the coast at noon", "article/div/h3"),
            ("Streets are under water.", "article/div/p"))
    table = table_of([{"text": text, "path": f"body/main/{path}", "role": "comment"} for text, path in rows])
    with_sections(table, [True, False, False], [True, True, True])    # [True, True, True]

They look like the comments of readers, one like the other, and the policy `article` leaves comments out. But they have
headings of their own, and stand in the element of the article. The time is linear in the page.
"""

from __future__ import annotations

from ..page.blocks.dom_path import HEADING
from .containers import innermost, words_by_container
from .scored_table import ScoredTable

# The element of the article is the innermost one with this share of what is kept, but neither `body` nor a child of it.
ELEMENT_SHARE, MIN_DEPTH = 0.9, 3
# Words of a heading. That of a comment is the name of its author.
MIN_HEADING = 4
_ROLES = frozenset(("text", "comment"))


def with_sections(table: ScoredTable, kept: list[bool], by_main: list[bool]) -> list[bool]:
    """*kept*, and the sections with headings in the element of the article, if their text and their headings are kept
    under the policy `main` (*by_main*). Marked segments stay as they are."""
    if True not in kept:
        return kept
    element = innermost(words_by_container(table, [row for row in table.visible if kept[row]]), ELEMENT_SHARE)
    if element.count("/") < MIN_DEPTH:
        return kept
    out, is_section = list(kept), False
    for row in table.visible:
        path = table.path[row]
        is_text = by_main[row] and table.rule[row] is None
        if not f"{path}/".startswith(element):
            is_section = False
        elif HEADING.search(path):
            is_section = is_text and len(table.text[row].split()) >= MIN_HEADING
            out[row] = out[row] or is_section
        elif is_section and is_text and table.role[row] in _ROLES:
            out[row] = True
    return out
