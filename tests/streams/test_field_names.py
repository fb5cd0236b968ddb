"""Fields with other names in the input."""

from __future__ import annotations

import json

import pytest

from ncfilters.streams.field_names import FieldNames


def test_fields_are_renamed() -> None:
    names = FieldNames({"html": "content", "text": "plain"})
    record = {"id": 1, "content": "<p>x", "html": "old"}
    names.rename(record)
    assert record == {"id": 1, "html": "<p>x"}
    assert names.message() == "no record has the field plain (--text-field)"


def test_a_name_that_no_record_has_is_remarked() -> None:
    names = FieldNames({"html": "contnet"})
    names.rename({"html": "<p>x"})
    names.see({"content": "<p>x"})
    names.see(
        b'{"content": "contnet"'
    )  # the value is not the name, but is quoted alike: no remark, rather than a wrong one
    assert names.message() is None
    other = FieldNames({"html": "contnet"})
    other.see(b'{"content": "x"}')
    assert other.message() == "no record has the field contnet (--html-field)"
    assert FieldNames({}).message() is None


@pytest.mark.parametrize("is_ascii", [False, True])
def test_a_name_is_seen_in_a_line_of_json(is_ascii: bool) -> None:
    names = FieldNames({"html": "содержание"})
    names.see(json.dumps({"содержание": "<p>x"}, ensure_ascii=is_ascii).encode())
    assert names.message() is None
