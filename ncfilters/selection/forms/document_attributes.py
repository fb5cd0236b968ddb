"""What corpus tools have of a document: attributes of `<doc>` in vertical text, comments in CoNLL-U.

document_attributes({"id": 7, "url": "https://www.a.example/b"})    # {"id": "7", "url": …, "site": "a.example"}
"""

from __future__ import annotations

from ...record import Record, runs_code
from ...text.hosts import host_of

# In the order of output: the fields of the record, of its head, and what is made of them.
ATTRIBUTES = ("id", "url", "site", "title", "author", "date", "lang")


def document_attributes(document: Record) -> dict[str, str]:
    """The attributes that a document has. `site` is the host of its address, `author` all authors, `date` that of
    publication, `lang` the language of the record, or else that which the page declares."""
    head = document.get("head")
    fields: Record = head if isinstance(head, dict) else {}
    url = document.get("url")
    address = url if isinstance(url, str) and not runs_code(url) else ""
    authors = fields.get("author")
    found = {
        "id": document.get("id"),
        "url": address,
        "site": host_of(address),
        "title": fields.get("title"),
        "author": "; ".join(filter(_is_string, authors)) if isinstance(authors, list) else authors,
        "date": fields.get("date"),
        "lang": document.get("lang") or fields.get("language"),
    }
    return {name: str(value) for name, value in found.items() if isinstance(value, (str, int)) and value != ""}


def _is_string(value: object) -> bool:
    return isinstance(value, str)
