"""What a page says of its title, author, date and site and what was not chosen, so that others may choose.

head = {"author": ["Ann Lee"], "evidence": {"author": "json-ld author"}}
without_chosen([{"field": "author", "value": "Bob Ray", "evidence": "meta author"}], head)
# [{'field': 'author', 'value': 'Bob Ray', 'evidence': 'meta author'}]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...record import Record
from .author_names import author_names, organization_name
from .dates import iso_day
from .site_name import title_key
from .statements import Reader, line

FIELDS = ("title", "author", "date", "modified", "site")
# Statements of a field that are read, characters of a value, and alternatives of a page.
MAX_STATEMENTS, MAX_CHARS, MAX_ALTERNATIVES = 20, 300, 20
_WINDOW, _HEADING = "title", "h1"
# Fields with days, and characters of one.
_DAYS, _DAY = ("date", "modified"), 10


def unchosen(reader: Reader, head: Record, window: str, headings: Sequence[str], sites: Sequence[str]) -> list[Record]:
    """What is said of each of FIELDS, and by the title of the *window* and the *headings*, with its evidence, that is
    not in the *head*; as that has values: a name of an author for each."""
    known = {(field, text) for field in FIELDS for text in _chosen(head.get(field))}
    found = []
    for field in FIELDS:
        said = [statement for _, statement in reader.statements(field)[:MAX_STATEMENTS]]
        if field == "title":
            said += [(window, _WINDOW), *[(text, _HEADING) for text in headings[:MAX_STATEMENTS]]]
        for text, evidence in said:
            key = field, text[:_DAY] if field in _DAYS else text
            if key not in known:  # for speed: most sources say the same
                known.add(key)
                found += [alternative(field, value, evidence) for value in _values(field, text, sites)]
    return without_chosen(found, head) if found else []


def alternative(field: str, value: str, evidence: str) -> Record:
    """A value of a field that was not chosen, and its evidence."""
    return {"field": field, "value": value[:MAX_CHARS], "evidence": evidence}


def without_chosen(others: Iterable[Record], head: Record) -> list[Record]:
    """The first MAX_ALTERNATIVES of *others* that say something else than the *head* and than those before."""
    known = {(field, title_key(value)) for field in FIELDS for value in _chosen(head.get(field))}
    out = []
    for one in others:
        key = one["field"], title_key(one["value"])
        if key not in known and one["value"]:
            known.add(key)
            out.append(one)
    return out[:MAX_ALTERNATIVES]


def _chosen(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


def _values(field: str, text: str, sites: Sequence[str]) -> list[str]:
    if field in _DAYS:
        return [day] if (day := iso_day(text)) else []
    if field == "author":
        return author_names(text, sites) or list(filter(None, [organization_name(text)]))
    return [line(text)]
