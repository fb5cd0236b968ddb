"""The fields of a head with metadata are the same wherever they are listed."""

from __future__ import annotations

import re

from conftest import ROOT

from ncfilters.page.metadata.page_metadata import _FIELDS
from ncfilters.page.metadata.page_metadata import FIELDS as ALTERNATIVES
from ncfilters.selection import file_names, front_matter
from ncfilters.selection.forms import html_head
from ncfilters.selection.forms.html_head import tei_header
from ncfilters.streams.columns.rows import HEAD

# What any head has, and what one with metadata has beside its fields.
OF_ANY, BESIDE = {"title", "description", "kinds"}, {"declared_title", "alternatives"}
# Fields that a form does not write.
NOT_IN_HTML, NOT_IN_TEI = {"image", "price"}, {"canonical", "image", "price"}
LISTS = {"author", "categories"}


def test_columns_have_all_fields() -> None:
    assert HEAD.keys() == {*_FIELDS} | OF_ANY | BESIDE


def test_front_matter_has_all_fields_and_those_of_the_record() -> None:
    assert {*front_matter.FIELDS} == {*_FIELDS, "description", "url", "retrieved"}


def test_names_and_alternatives_are_of_fields() -> None:
    assert {*file_names.FIELDS} | {*ALTERNATIVES} <= {*_FIELDS}


def test_the_head_of_html_has_all_fields() -> None:
    written = html_head._METAS.keys() | html_head._LINKS.keys() | {"title", "language"}
    assert written == {*_FIELDS, "description"} - NOT_IN_HTML


def test_the_header_of_tei_has_all_fields() -> None:
    head = {name: f"https://{name}.org/" for name in _FIELDS} | {name: [f"https://{name}.org/"] for name in LISTS}
    written = "".join(tei_header({"head": {**head, "language": "xx-language", "evidence": {}}}))
    assert {name for name in _FIELDS if name not in written} == NOT_IN_TEI


def test_documents_name_all_fields() -> None:
    page = (ROOT / "man/nc-stream.5").read_text(encoding="utf-8")
    part = page[page.index('.BR head " (object)"') : page.index('.BR blocks " (array)"')]
    named = {word for line in re.findall(r"^\.BR? (.+)$", part, re.M) for word in re.findall(r"\w+", line)}
    assert {*_FIELDS} | OF_ANY | BESIDE <= named
    python = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    assert {name for name in (*_FIELDS, "alternatives") if f"`{name}`" not in python} == set()
