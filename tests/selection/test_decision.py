"""The page-level evidence of a document."""

from __future__ import annotations

from math import nan
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.selection.decision import page_evidence, without_rows

PAGE = {"odds": 3.0, "types": {"article": 1.0}}


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (7, "page: expected an object, got a number"),
        ([], "page: expected an object, got an array"),
        ({}, "page.odds: missing"),
        ({"odds": "3"}, "page.odds: expected a number, got a string"),
        ({"odds": 1, "types": []}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": 1, "types": {"article": "1"}}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": 1, "types": {"article": 1, "listing": 50}}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": 1, "types": {"listing": -0.1}}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": 1, "types": {"listing": nan}}, "page.types: expected an object of numbers from 0 to 1"),
        ({"odds": True}, "page.odds: expected a number, got a boolean"),
    ],
)
def test_a_wrong_page_is_an_error(page: Any, message: str) -> None:
    with pytest.raises(RecordError) as error:
        page_evidence({"page": page})
    assert str(error.value) == message


def test_documents_without_a_page_have_no_evidence() -> None:
    assert page_evidence({}) is page_evidence({"page": None}) is None
    assert page_evidence({"page": PAGE}) is PAGE


def test_rows_that_are_dropped() -> None:
    kept = [True, True, False]
    assert without_rows(kept, [0, 2]) == [False, True, False]
    assert kept == [True, True, False]
