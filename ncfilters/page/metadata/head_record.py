"""The fields `head` and `url` of a record: what models read of it, and the metadata beside that.

without_metadata({"title": "Rain", "site": "Log", "evidence": {"site": "url"}})    # {'title': 'Rain'}

A module of its own for start-up: stages that read no page need it.
"""

from __future__ import annotations

from ...record import Record, fits_head

# Characters of a title or description, and kinds of a page.
MAX_TITLE_CHARS, MAX_KINDS = 300, 30
# What models read of a head.
_MODEL_FIELDS = ("title", "description", "kinds", "declared_title")


def add_head(record: Record, head: Record) -> None:
    """Sets the `head` of *record* unless *head* is empty or the record has one. A head without metadata gets those of
    *head*; what models read of it stays as it is, if it is of its type."""
    if not head:
        return
    own = record.setdefault("head", head)
    if own is head or not isinstance(own, dict) or has_metadata(own) or not has_metadata(head):
        return
    added = {name: value for name, value in head.items() if name not in _MODEL_FIELDS}
    if (title := head.get("title", "")) and title != declared_title(own):
        added |= {"title": title, "declared_title": declared_title(own)}
    record["head"] = {**{name: value for name, value in own.items() if fits_head(name, value)}, **added}


def add_address(record: Record, address: str | None) -> None:
    """Sets the `url` of *record* to the *address* of its page, if there is one, unless the record has its own."""
    if address and not record.get("url"):
        record["url"] = address


def has_metadata(head: Record) -> bool:
    """Whether a head has the metadata of the page (see `page_metadata`)."""
    return isinstance(head.get("evidence"), dict)


def declared_title(head: Record) -> str:
    """The title that the page declares, of a head: what models read. Empty if there is none."""
    title = head.get("declared_title", head.get("title"))
    return title if isinstance(title, str) else ""


def without_metadata(head: Record) -> Record:
    """The head as it is without the metadata of the page: what models read."""
    if not has_metadata(head):
        return head
    fields = {"title": declared_title(head), "description": head.get("description"), "kinds": head.get("kinds")}
    return {name: value for name, value in fields.items() if value}
