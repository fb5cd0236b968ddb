"""The header of a TEI document."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ncfilters.selection.forms.tei_header import CORPUS_HEAD, CORPUS_TAIL, tei_header


def test_a_header_with_all_fields() -> None:
    head = {
        "title": "A <title>",
        "author": ["Ann", "Bob & Co", 7],
        "date": "2026-05-01",
        "modified": "2026-05-02",
        "site": "The Gazette",
        "language": "en",
        "description": "What it is.",
        "license": "https://x/by/4.0/",
        "categories": ["News", ""],
    }
    root = ET.fromstring("".join(tei_header({"id": 7, "url": "https://x/a b", "head": head})))
    found = {
        path: [element.text for element in root.iterfind(f".//{path}")] for path in ("titleStmt/title", "bibl/author")
    }
    assert found == {"titleStmt/title": ["A <title>"], "bibl/author": ["Ann", "Bob & Co"]}
    assert [element.get("when") for element in root.iter("date")] == ["2026-05-01", "2026-05-02"]
    assert [element.get("target") for element in root.iter("licence")] == ["https://x/by/4.0/"]
    assert [element.text for element in root.iter("term")] == ["News"]
    assert [element.get("ident") for element in root.iter("language")] == ["en"]
    assert [element.text for element in root.iter("idno")] == ["7"]
    assert [element.get("target") for element in root.iter("ptr")] == ["https://x/a%20b"]


def test_a_header_of_nothing_and_of_odd_things() -> None:
    for document in (
        {},
        {"head": None, "url": None, "id": None},
        {"head": {"title": 7, "author": {}, "date": []}, "url": 8},
    ):
        root = ET.fromstring("".join(tei_header(document)))
        assert [child.tag for child in root] == ["fileDesc"]


def test_the_frame_is_a_corpus() -> None:
    assert ET.fromstring(CORPUS_HEAD + CORPUS_TAIL)[0][0][0][0].text == "Web pages"
