"""Names of files from the metadata of documents.

name = NameTemplate("{date}-{title}")
name.of({"head": {"title": "It rained: a day / night", "date": "2024-05-03", "evidence": {}}}, 1)
# '2024-05-03-It_rained_a_day_night'
"""

from __future__ import annotations

from string import Formatter
from unicodedata import normalize

from ..record import Record
from ..streams.writers import file_name
from ..text.lazy_pattern import lazy_pattern
from .front_matter import document_metadata

# The fields that a template may have, beside the `id`.
FIELDS = ("title", "author", "date", "modified", "site", "language")
# Authors in a name.
MAX_AUTHORS = 3

_NO_WORDS = lazy_pattern(r"[^\w.+=@-]+|_+")
# Signs that a missing field leaves at the ends of the name, or doubled.
_ENDS, _DOUBLED = "-_. +=@", lazy_pattern(r"([-_.+=@])[-_.+=@ ]+")


class NameTemplate:
    """A template with fields in braces. Raises ValueError for one that is unknown, for a template without fields, and
    for a slash: files are in one folder."""

    def __init__(self, template: str) -> None:
        if "/" in template:
            raise ValueError("no slash: all files are in one folder")
        try:
            self._parts = [(literal, name) for literal, name, form, kind in Formatter().parse(template)]
            is_plain = not any(form or kind for _, _, form, kind in Formatter().parse(template))
        except ValueError as error:
            raise ValueError(str(error).lower()) from None
        accepted = ("id", *FIELDS)
        for _, name in self._parts:
            if name is not None and name not in accepted or not is_plain:
                raise ValueError(f"expected fields in braces: {', '.join(accepted)}")
        if all(name is None for _, name in self._parts):
            raise ValueError(f"no field in braces: {', '.join(accepted)}")

    def of(self, record: Record, number: int) -> str:
        """The name of a record's file, without suffix; its *number* if it has none of the fields.

        Letters, digits and `-_.=+@` stay, runs of others become `_`; there are no folders, no leading dots, and at most
        MAX_NAME bytes.
        """
        fields = document_metadata(record)
        values = {name: _value(fields.get(name)) for name in FIELDS} | {"id": _value(record.get("id"))}
        if not any(values[name] for _, name in self._parts if name):
            return file_name(None, number)
        text = "".join([literal + (values[name] if name else "") for literal, name in self._parts])
        text = _NO_WORDS.sub("_", normalize("NFC", text))
        return file_name(_DOUBLED.sub(r"\1", text).strip(_ENDS) or None, number)


def _value(value: object) -> str:
    """A value as a part of a name; of a list, its first items."""
    if isinstance(value, list):
        value = "-".join(value[:MAX_AUTHORS])
    if isinstance(value, int):
        value = str(value)
    return _NO_WORDS.sub("_", normalize("NFC", value)).strip(_ENDS) if isinstance(value, str) else ""
