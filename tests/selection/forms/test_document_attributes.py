"""The attributes of documents for corpus tools."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.forms.document_attributes import ATTRIBUTES, document_attributes

HEAD = {"title": "Rain", "author": ["Ann Lee", "Bob"], "date": "2024-05-06", "language": "en-GB", "site": "News"}


def test_all_attributes_in_their_order() -> None:
    found = document_attributes({"lang": "en", "head": HEAD, "url": "https://www.a.example/b", "id": 7})
    assert tuple(found) == ATTRIBUTES
    assert list(found.values()) == [
        *("7", "https://www.a.example/b", "a.example", "Rain", "Ann Lee; Bob", "2024-05-06", "en")
    ]


@pytest.mark.parametrize(
    ("document", "attributes"),
    [
        ({}, {}),
        ({"id": None, "url": None, "head": None, "lang": None}, {}),
        ({"id": 0, "url": "javascript:x"}, {"id": "0"}),
        ({"head": {"title": 7, "author": [1, "B"], "date": ["x"]}}, {"title": "7", "author": "B"}),
        ({"head": {"author": "Ann"}, "url": 7}, {"author": "Ann"}),
        ({"head": {"language": "de", "author": []}}, {"lang": "de"}),
    ],
)
def test_what_is_missing_or_of_another_type_is_left_out(document: dict[str, Any], attributes: dict[str, str]) -> None:
    assert document_attributes(document) == attributes
