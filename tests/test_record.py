"""The record: an error names the field, and its fields are the same wherever they are listed; errors and roles."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from conftest import ROOT
from uncompiled import both_forms

from ncfilters import record
from ncfilters.checked import Checked
from ncfilters.errors import RecordError, UsageError, require_library
from ncfilters.head import FIELDS, NAMES
from ncfilters.installed import installed_folder
from ncfilters.roles import DEFAULT_POLICY, POLICIES, ROLES
from ncfilters.selection import file_names
from ncfilters.selection.forms.html_head import html_head, tei_header
from ncfilters.selection.front_matter import document_metadata
from ncfilters.streams.columns import HEAD, to_record, to_row

SEGMENT = {"text": "Words.", "type": "p", "score": 1.5}


def test_fields_of_other_programs_pass() -> None:
    record.check({"id": 7, "url": None, "html": b"<p>", "theirs": object(), "head": {"title": 3}})


@pytest.mark.parametrize("field, value", [
    ("id", 1.5), ("id", True), ("url", 3), ("html", 7), ("text", b"bytes"), ("blocks", {}), ("segments", "x"),
    ("nc", 99), ("lang", ["en"]), ("quality", "high"), ("page", 3), ("head", "x"),
])  # fmt: skip
def test_a_value_of_another_type_is_an_error_that_names_it(field: str, value: Any) -> None:
    with pytest.raises(RecordError, match=rf"^{field}: "):
        record.check({field: value})


@pytest.mark.parametrize("value, message", [
    ({"page": {"types": {"a": 1, "b": "x"}}}, "page.types: expected an object of numbers from 0 to 1"),
    ({"page": {"words": 1}}, "page.words: expected true or false"),
    ({"page": {"odds": "1"}}, "page.odds: expected a number, got a string"),
    ({"head": {"evidence": {}, "title": 7}}, "head.title: not as in nc-stream(5)"),
    ({"head": {"evidence": {}, "author": [7]}}, "head.author: not as in nc-stream(5)"),
    ({"head": {"evidence": {"title": 7}}}, "head.evidence.title: not as in nc-stream(5)"),
])  # fmt: skip
def test_page_and_head_are_as_our_programs_write_them(value: Any, message: str) -> None:
    with pytest.raises(RecordError, match=f"^{re.escape(message)}$"):
        record.check(value)


def test_parts_have_their_required_fields() -> None:
    segments = [SEGMENT, {**SEGMENT, "more": 1}]
    required = {name: record.SEGMENT_FIELDS[name] for name in ("text", "score")}
    assert record.parts({"segments": segments}, "segments", required) is segments


@pytest.mark.parametrize("part, name", [
    ("text", r"segments\[1\]: "), ({"score": 1.0}, r"segments\[1\]\.text: "),
    ({"text": 5, "score": 1.0}, r"segments\[1\]\.text: "), ({"text": "x", "score": "1"}, r"segments\[1\]\.score: "),
    ({"text": "x", "score": True}, r"segments\[1\]\.score: "),
])  # fmt: skip
def test_a_broken_part_is_named_with_its_number(part: Any, name: str) -> None:
    required = {name: record.SEGMENT_FIELDS[name] for name in ("text", "score")}
    with pytest.raises(RecordError, match=f"^{name}"):
        record.parts({"segments": [SEGMENT, part]}, "segments", required)


def test_missing_parts_are_an_error_and_optional_ones_checked_where_they_are() -> None:
    record.check_optional([SEGMENT, {}], "segments", {"type": (str,)})
    record.check_types([{}, *({"type": name} for name in record.TYPES)], "segments")
    for check, message in (
        (lambda: record.parts({"id": "a"}, "segments", {}), r"^segments: missing"),
        (
            lambda: record.check_optional([{}, {"links": "3"}], "segments", {"links": (int,)}),
            r"^segments\[1\]\.links: ",
        ),
        (lambda: record.check_types([SEGMENT, {"type": "table"}], "segments"), r"^segments\[1\]\.type: "),
    ):
        with pytest.raises(RecordError, match=message):
            check()


@pytest.mark.parametrize(
    "error, is_error", [({"stage": "nc-render"}, True), ({"message": "x"}, False), ("text", False), (None, False)]
)
def test_an_error_of_a_stage_is_an_error(error: Any, is_error: bool) -> None:
    assert record.is_error({"error": error}) is is_error
    assert not record.is_error({})


@pytest.mark.parametrize(("fields", "message"), [
    ({"spans": {}}, "segments[0].spans: expected an array, got an object"),
    ({"level": "2"}, "segments[0].level: expected an integer, got a string"),
    ({"spans": [[0, 1, "em"], [0, 4, "em"]]}, "segments[0].spans[1]: not as in nc-stream(5)"),
    ({"spans": [[0, 1]]}, "segments[0].spans[0]: not as in nc-stream(5)"),
    ({"spans": [[2, 1, "em"]]}, "segments[0].spans[0]: not as in nc-stream(5)"),
    ({"spans": [[0, 1, "link"]]}, "segments[0].spans[0]: not as in nc-stream(5)"),
    ({"spans": [[0, 0, "image", "x.jpg"]]}, "segments[0].spans[0]: not as in nc-stream(5)"),
    ({"figure": [{"alt": "x"}]}, "segments[0].figure[0]: not as in nc-stream(5)"),
    ({"cells": [{"start": 0, "end": 1, "row": 0}]}, "segments[0].cells[0]: not as in nc-stream(5)"),
])  # fmt: skip
def test_markup_of_another_shape_is_an_error(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as error:
        record.check_markup([{"text": "abc", **fields}], "segments")
    assert str(error.value) == message


def test_markup_is_accepted() -> None:
    spans = [
        [0, 3, "link", "x"], [1, 2, "em"], [3, 3, "image", {"src": "y", "alt": ""}], [3, 3, "math", "z", "display"],
    ]  # fmt: skip
    cells = [{"start": 0, "end": 3, "row": 0, "column": 1, "header": True}]
    marked = {"text": "abc", "spans": spans, "cells": cells, "figure": [{"src": "y"}], "level": 1}
    record.check_markup([marked, {"text": "abc"}], "segments")


def test_of_two_wrong_fields_the_error_names_the_same_in_each_run() -> None:
    wrong = dict.fromkeys(reversed(record.FIELDS), object())
    first = next(name for name in record.FIELDS if name != "nc")
    with pytest.raises(RecordError, match=f"^{first}: "):
        record.check({name: value for name, value in wrong.items() if name != "nc"})


@pytest.mark.parametrize("form", both_forms("ncfilters.record"), ids=lambda form: form.__name__)
def test_the_names_of_all_fields(form: ModuleType) -> None:
    types = {"text": (str,), "score": (int, float)}
    good = [{"text": "a", "more": None}, {"text": "b", "score": 1}, {"score": 1.5, "more": 2}]
    assert form.field_names(good, types) == {"text", "more", "score"}
    assert form.field_names([], types) == set()
    for wrong in ({"text": None}, {"score": True}, [], "text"):
        assert form.field_names([*good, wrong], types) is None


# ---- named tuples that are checked when they are made ----
class _Limits(NamedTuple):
    low: int = 0
    high: int = 9


class Limits(Checked, _Limits):
    __slots__ = ()

    def check(self) -> None:
        if self.low > self.high:
            raise ValueError("low: expected at most high")


def test_values_are_checked_by_place_and_by_name() -> None:
    assert (Limits(), Limits(3, high=4)) == ((0, 9), (3, 4))
    assert Limits(3)._asdict() == {"low": 3, "high": 9}
    for make in (lambda: Limits(3, 2), lambda: Limits(low=10)):
        with pytest.raises(ValueError, match="low: expected at most high"):
            make()


def test_they_do_not_change() -> None:
    with pytest.raises(AttributeError):
        Limits().low = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Limits().other = 3  # type: ignore[attr-defined]


# ---- errors ----
def test_a_missing_library_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    require_library("json", "records need")
    monkeypatch.setitem(sys.modules, "scipy", None)
    message = "^the kind structure needs scipy, which is not installed: pip install 'ncfilters\\[workshop\\]'$"
    with pytest.raises(UsageError, match=message):
        require_library("scipy", "the kind structure needs")


# ---- the installed models ----
@pytest.mark.parametrize("name", ["en.model", "en.md", "stoplists/en.txt"])
def test_models_cards_and_stop_lists_are_installed(name: str) -> None:
    assert Path(installed_folder(), name).is_file()


# ---- roles and content policies ----
def test_policies_name_known_roles() -> None:
    assert all(policy.roles <= set(ROLES) - {"boilerplate"} for policy in POLICIES.values())
    assert {"title", "text", "caption", "table", "code"} == POLICIES[DEFAULT_POLICY].roles


# ---- the fields of a head with metadata ----
def test_fields_of_metadata_are_written_to_all_forms() -> None:
    head = {name: f"https://{name}.org/" for name in NAMES}
    head |= {field.name: [head[field.name]] for field in FIELDS if field.is_list} | {"language": "xx-language"}
    document = {"head": {**head, "evidence": {}}}
    record.check(document)
    assert to_record(to_row(document)) == document and {*NAMES} <= HEAD.keys()
    assert {*file_names.FIELDS} <= {*NAMES}
    written = {
        "front matter": "".join(document_metadata(document)),
        "html": html_head(document),
        "tei": "".join(tei_header(document)),
    }
    named = {form: {name for name in NAMES if name in text} for form, text in written.items()}
    assert named["front matter"] == {*NAMES}
    assert named["html"] == {field.name for field in FIELDS if field.html or field.name in ("title", "language")}
    by_hand = ("site", "language", "description", "license", "categories")
    assert named["tei"] == {field.name for field in FIELDS if field.tei or field.name in by_hand}


def test_documents_name_all_fields() -> None:
    page = (ROOT / "man/nc-stream.5").read_text(encoding="utf-8")
    part = page[page.index('.BR head " (object)"') : page.index('.BR blocks " (array)"')]
    named = {word for line in re.findall(r"^\.BR? (.+)$", part, re.M) for word in re.findall(r"\w+", line)}
    assert {*NAMES, "kinds", "declared_title", "alternatives"} <= named
