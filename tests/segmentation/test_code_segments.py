"""The exact text of code."""

from __future__ import annotations

import pytest

from ncfilters.page.blocks.block_table import table_of
from ncfilters.segmentation.code_segments import clean_code


@pytest.mark.parametrize(
    "segments, expected",
    [
        ([{"text": "a\n  b", "code": 1, "code_text": "a\n  b"}], [None]),
        ([{"text": "a", "code": 1, "code_text": "a\n  b"}, {"text": "b", "code": 1}], ["a\n  b", None]),
        ([{"text": "a", "code": 1, "code_text": "a"}, {"text": "Copy", "code": 1}], ["a", None]),
        ([{"text": "a b", "code": 1, "code_text": "a\u200b\x00  b  \n\n"}], ["a  b"]),
        ([{"text": "a", "code": 1, "code_text": "\ue000"}], [None]),
        ([{"text": "a"}], [None]),
    ],
)
def test_code(segments: list[dict[str, object]], expected: list[str | None]) -> None:
    table = table_of(segments)
    clean_code(table)
    assert [segment.get("code_text") for segment in table.records()] == expected
