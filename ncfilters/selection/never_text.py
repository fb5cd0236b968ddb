"""What is no text of a page, whatever its scores: navigation, footers, dialogs, lists of choices, widgets, labels of
buttons, notes for screen readers and for browsers without scripts, labels of advertisements, and data of scripts.

    table = table_of([{"text": "Please enable JavaScript.", "origin": "noscript", "score": 3.0}])
    without_boilerplate(table, [True])    # [False]

The time is linear in the page.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterable
from itertools import compress
from typing import Any

from ..page.blocks.screen_readers import CLASSES
from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .decision import without_rows
from .scored_table import ScoredTable

# Rules of nc-segment. Of the words that models keep there on the WCXB development pages, of sites that were not in
# training, 97 % are not gold text. Of other rules, scores know better.
RULES = frozenset(("nav", "footer", "dialog", "select"))
# The same of widgets, unless so much of what is kept is in them: pages give such names to other parts, too. A dialog is
# never text, also in a widget (see `open_elements` for roles in paths).
MAX_WIDGETS, _DIALOG = 0.3, ":dialog"
# Words. What pages say to browsers without scripts, or on paper, is text if there is more of it, such as the posts of a
# forum.
MAX_NOTE = 60
# Lists of choices that are no `<select>`.
_CHOICES = lazy_pattern(r"(?i)[.#_-](?:select-?menu|drop-?down-?menu|listbox|combobox|facets?)(?![a-z])")
# For speed: what one of these names has.
_PARTS_OF_CHOICES = ("select-menu", "selectmenu", "down-menu", "downmenu", "listbox", "combobox", "facet")
# Blocks for screen readers, such as "Results list" above one. Where the title of a page is a picture, or what a cell
# has, they have its text.
_SPOKEN = lazy_pattern(rf"(?i)^(?!.*/t[dh](?![\w-])).*[.#_-](?:{CLASSES})(?![^./_-])[^/]*$")
_PARTS_OF_SPOKEN = ("sr-", "sronly", "-sr", "hidden", "screen", "invisible", "assistive", "text-hide", "clipped")
# What is printed on paper alone, such as the address of the page (MediaWiki, Bootstrap, Foundation).
_PRINTED = lazy_pattern(r"(?i)[.#_-](?:print-?(?:footer|header|only)|visible-print|show-for-print|only-print)(?![a-z])")
_REASONS = ((_CHOICES, "list of choices"), (_SPOKEN, "text for screen readers"), (_PRINTED, "text for paper"))
# What pages write above advertisements, and where a script writes text later.
_LABELS = frozenset(
    "advertisement|advertisements|advertising|advert|anzeige|anzeigen|werbung|publicité|publicite|publicidad|publicidade"
    "|pubblicità|reklama|реклама|annonse|annons|annonce|広告|广告|광고|loading|advertisement · scroll to continue"
    "|advertisement. scroll to continue reading|advertisement: story continues below".split("|")
)
# Characters. A shorter object may be an example in a text.
_MIN_DATA = 60
_MAX_LABEL, _AROUND = 60, string.punctuation + string.whitespace + "…–—•·▼↓"


def without_boilerplate(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, without what is no text."""
    marked = [row for row, (keep, rule) in enumerate(zip(kept, table.rule)) if keep and rule is not None]
    dropped = [row for row in marked if table.rule[row] in RULES]
    texts = compress(range(len(kept)), kept)
    dropped += [row for row in texts if is_label(table.text[row]) or is_data(table.segments[row])]
    dropped += _found(table, kept, _CHOICES, _PARTS_OF_CHOICES)
    dropped += [row for row in _found(table, kept, _SPOKEN, _PARTS_OF_SPOKEN) if table.role[row] != "title"]
    widgets = [row for row in marked if table.rule[row] == "widget"]
    if widgets:
        dropped += [row for row in widgets if _DIALOG in table.path[row]]
        others = [row for row in widgets if _DIALOG not in table.path[row]]
        rest = set(compress(range(len(kept)), kept)).difference(dropped)
        if _num_words(table, others) <= MAX_WIDGETS * _num_words(table, rest):
            dropped += others
    notes = _found(table, kept, _PRINTED, ("print",))
    if "origin" in table.names:
        notes += [row for row, segment in enumerate(table.segments) if segment.get("origin") == "noscript"]
    if _num_words(table, notes) <= MAX_NOTE:
        dropped += notes
    return without_rows(kept, dropped)


def reason_of(table: ScoredTable, row: int) -> str:
    """What the text of a row is that these rules drop."""
    if table.rule[row]:
        return f"rule {table.rule[row]}"
    if table.segments[row].get("origin") == "noscript":
        return "note for browsers without scripts"
    if is_label(table.text[row]):
        return "label of an advertisement"
    if is_data(table.segments[row]):
        return "data of a script"
    path = table.path[row]
    return next((words for pattern, words in _REASONS if pattern.search(path) is not None), "button")


def is_label(text: str) -> bool:
    """Whether a text is the label of an advertisement, or stands for text that a script writes."""
    return len(text) <= _MAX_LABEL and text.strip(_AROUND).lower() in _LABELS


def is_data(segment: Record) -> bool:
    """Whether a text is a JSON object as scripts write it. People write JSON with spaces, or as code."""
    text: str = segment["text"]
    if not (text.startswith('{"') and text.endswith("}")) or '": ' in text or len(text) < _MIN_DATA:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return not any(name in segment for name in ("pre", "code", "spans"))


def _found(table: ScoredTable, kept: list[bool], pattern: Any, parts: tuple[str, ...]) -> list[int]:
    """The kept rows in whose paths a pattern is found (see `ScoredTable.matches`)."""
    places = table.matches(pattern, parts)
    return [row for row, place in enumerate(table.places()) if kept[row] and places[place]] if places else []


def _num_words(table: ScoredTable, rows: Iterable[int]) -> float:
    sizes = table.words()
    return sum([sizes[row] for row in rows])
