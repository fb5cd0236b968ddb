"""Roles that elements tell."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.scoring.structure.element_roles import with_element_roles

ROW = {"text": "Height\t140 m", "tag": "tr", "path": "body/table/tbody/tr"}
CODE = {"text": "make\nmake install", "tag": "pre", "path": "body/main/pre", "pre": True}


@pytest.mark.parametrize(
    "segment, role",
    [
        (ROW, "table"),
        ({**ROW, "text": "A cell that is laid out by a table."}, "text"),
        (CODE, "code"),
        ({**CODE, "path": "body/main/div/code"}, "code"),
        ({**CODE, "path": "body/pre"}, "text"),
        ({"text": "Some text."}, "text"),
    ],
)
def test_elements_tell_what_kind_of_text_it_is(segment: dict[str, Any], role: str) -> None:
    assert with_element_roles([segment], ["text"]) == [role]


def test_other_roles_stay() -> None:
    assert with_element_roles([ROW, CODE], ["comment", "boilerplate"]) == ["comment", "boilerplate"]
