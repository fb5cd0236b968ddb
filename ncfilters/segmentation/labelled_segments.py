"""Author and date of a page, from short segments with a label, wherever they are.

segments = [{"text": "Rain"}, {"text": "Written by Ann Lee"}, {"text": "Published: 3 May 2024"}]
labelled_statements(segments)    # {'author': ['Ann Lee'], 'date': '2024-05-03'}
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ..page.metadata.author_names import author_names
from ..page.metadata.dates import iso_day
from ..record import SEEN, Segment
from ..text.lazy_pattern import lazy_pattern
from .byline_text import are_persons, is_of_another

# Characters of a segment that is read, and after a label.
MAX_CHARS, MAX_LABELLED = 200, 40

# Labels of authors, in small letters, as all that follow: a pattern that ignores case takes twice as long to compile.
_WRITTEN = lazy_pattern(
    r"(?:(?:this )?(?:article|post|story|text)\s+(?:(?:was|is)\s+)?)?(?:written|by|words)(?:\s+by|:)\s+(?=\S)|"
    r"(?:article|story|post|words|text) by:?\s+(?=\S)|(?:authors?|contributors?):\s+(?=\S)|"
    r"(?:text|autorin|autore?|auteure?):\s+(?=\S)"
)
_WRITTEN_ALONE = frozenset(("written by", "words by", "article written by", "article words by", "author", "authors"))
# Who has written it beside a day, which comments and other posts say, too.
_POSTED = lazy_pattern(r"posted by:?\s+(?=\S)")
_PUBLISHED = lazy_pattern(
    r"\W*(?:(?:this )?(?:article|page|post|story)\s+(?:(?:was|is)\s+)?)?(?:(?:first|originally|date|last) )?"
    r"(?:published|posted|post time|publication date|publish date|release date|veröffentlicht|erschienen|erstellt|"
    r"publié|"
    r"publicado|pubblicato|gepubliceerd|geplaatst|opublikowan[oy]|"
    r"опубликовано|дата публикации|发布时间|发布日期|公開日|投稿日)"
    r"(?:\s+(?:on|am|le|el|il|op|em))?(?:\s+the)?\W*"
)
_CHANGED = lazy_pattern(
    r"\W*(?:(?:this )?(?:article|page|post|content)\s+(?:(?:was|is)\s+)?)?(?:(?:last|date|zuletzt) )?"
    r"(?:updated|edited(?=\s+on\b)|modified|revised|reviewed/updated|aktualisiert|geändert|mis à jour|actualizado|"
    r"aggiornato|bijgewerkt|обновлено|更新日|最后更新)(?:\s+(?:on|am|le|el|il|op|em))?\W*"
)
# What labels of days say.
_DAYS = {"date": _PUBLISHED, "modified": _CHANGED}


def labelled_statements(
    segments: Sequence[Segment],
    sites: Iterable[str] = (),
    month_first: bool = False,
    wanted: Collection[str] = ("author", *_DAYS),
) -> dict[str, Any]:
    """The `author`, the `date` and the day `modified` that short segments with a label say anywhere on the page
    ("Written by Ann Lee", "Published" and a date), each if it is *wanted* and all of them say the same."""
    with_author = "author" in wanted
    found: dict[str, list[Any]] = {name: [] for name in wanted}
    days = [(name, label) for name, label in _DAYS.items() if name in wanted]
    for number, segment in enumerate(segments):
        text = segment["text"]
        if len(text) > MAX_CHARS or segment.get("origin", SEEN[0]) not in SEEN or is_of_another(segment):
            continue
        if text.casefold().removesuffix(":") in _WRITTEN_ALONE and number + 1 < len(segments):
            text = f"Written by {segments[number + 1]['text'][:MAX_CHARS]}"
        lower = text.lower()
        if with_author and (match := _WRITTEN.match(lower) or _posted(text, segment)):
            rest = text[match.end() :]
            names = author_names(rest, sites) or author_names(rest)  # of a person after whom the site is named
            if are_persons(names, text):
                found["author"].append(names)
        for name, label in days:
            if match := label.match(lower):
                rest = text[match.end() :]
                if not rest and number + 1 < len(segments):
                    rest = _own_text(segments[number + 1])
                if day := iso_day(rest[:MAX_LABELLED], month_first):
                    found[name].append(day)
    return {name: values[0] for name, values in found.items() if values and all(value == values[0] for value in values)}


def _own_text(segment: Segment) -> str:
    """The text of a segment, empty if all of it is a link, as to another page with its day."""
    text: str = segment["text"]
    is_link = any(span[2] == "link" and span[1] - span[0] >= len(text) for span in segment.get("spans", ()))
    return "" if is_link else text


def _posted(text: str, segment: Segment) -> re.Match[str] | None:
    """What says at the start of a *text* who posted it, if a day is there, and no comment."""
    match = _POSTED.match(text.lower())
    return match if match and iso_day(text) and "comment" not in str(segment.get("path", "")) else None
