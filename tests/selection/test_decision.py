"""The page-level evidence of a document."""

from __future__ import annotations

from math import nan
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.selection.decision import page_evidence

PAGE = {"odds": 3.0, "types": {"article": 1.0}}


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (7, "page: an object is wanted, not a number"),
        ([], "page: an object is wanted, not an array"),
        ({}, "page.odds: missing"),
        ({"odds": "3"}, "page.odds: a number is wanted, not a string"),
        ({"odds": 1, "types": []}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": 1, "types": {"article": "1"}}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": 1, "types": {"article": 1, "listing": 50}}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": 1, "types": {"listing": -0.1}}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": 1, "types": {"listing": nan}}, "page.types: an object of numbers from 0 to 1 is wanted"),
        ({"odds": True}, "page.odds: a number is wanted, not true or false"),
    ],
)
def test_a_wrong_page_is_an_error(page: Any, message: str) -> None:
    with pytest.raises(RecordError) as error:
        page_evidence({"page": page})
    assert str(error.value) == message


def test_documents_without_a_page_have_no_evidence() -> None:
    assert page_evidence({}) is page_evidence({"page": None}) is None
    assert page_evidence({"page": PAGE}) is PAGE
