"""Gold text: where it may stand, CleanEval markup, files and folders of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ncfilters import align
from ncfilters.gold import domain, gold_of, plain, read
from ncfilters.record import RecordError
from ncfilters.stream import UsageError


def test_cleaneval_markup_is_taken_off() -> None:
    markup = "URL: http://example.org/bridge\n\n<h>The bridge\n<p>It is closed.\n<l>May\n<L>June"
    assert plain(markup).split() == ["The", "bridge", "It", "is", "closed.", "May", "June"]
    assert align.shares(["http example org", "The bridge", "It is closed", "p h l"], plain(markup)) == [0, 1, 1, 0]


@pytest.mark.parametrize(
    "gold",
    [
        "Some text.",
        {"text": "Some text."},
        {"markup": "URL: http://example.org/\n<p>Some text."},
        {"text": None, "markup": "<h>Some <p>text."},
        {"text": "Some text.", "markup": "<p>Something else"},
        "URL: http://example.org/\n<p>Some\n<l>text.",
    ],
)
def test_where_the_gold_text_may_stand(gold: object) -> None:
    assert gold_of({"gold": gold}).plain.split() == ["Some", "text."]


@pytest.mark.parametrize(
    "page", [{}, {"gold": None}, {"gold": 7}, {"gold": {}}, {"gold": ["x"]}, {"gold": {"text": 1}}]
)
def test_no_gold_text(page: dict[str, object]) -> None:
    with pytest.raises(RecordError, match="gold: missing"):
        gold_of(page)


def test_plain_gold_text_is_no_markup() -> None:
    gold = "Write <p> for a paragraph.\nURL: this line is of the text."
    assert gold_of({"gold": {"text": gold}}).plain == gold


# ---- gold elsewhere -------------------------------------------------------------------------------------------


def test_gold_of_a_file_by_id_or_url(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text(
        '{"id": 1, "gold": "One."}\n{"id": "b", "text": "<p>Two."}\n{"url": "http://c", "clean": "x", "text": "y"}\n'
    )
    assert {key: found.plain for key, found in read(str(file), 99).items()} == {
        "1": "One.",
        "b": "\n\nTwo.",
        "http://c": "y",
    }
    assert read(str(file), 99, "clean")["http://c"].plain == "x"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no gold in it"),
        ('{"id": 1, "gold": "x"}\n{"id": 2}\n', "record 2: gold: missing"),
        ('{"gold": "x"}\n', "record 1: id: missing: gold and page are matched by it"),
        ('{"id": 1, "gold": "x"}\n{"id": "1", "gold": "x"}\n', "record 2: id: '1' a second time"),
        ('{"id": 1, "gold"\n', "record 1: not JSON"),
        ('{"id": 1, "gold": "  <!DOCTYPE html><html>"}\n', "record 1: gold: HTML, not cleaned text"),
        ('{"id": 1, "gold": "' + "x" * 200 + '"}\n', r"record 1: a record of \d+ bytes; the limit is 99"),
    ],
)
def test_a_file_of_gold_that_cannot_be(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text(content)
    with pytest.raises(UsageError, match=f"^{re.escape(str(file))}: {message}"):
        read(str(file), 99)


def test_a_folder_of_gold(tmp_path: Path) -> None:
    (tmp_path / "2-cleaned.txt").write_bytes("URL: http://www.a.example/2\r\n<h>Café\r\n<p>“Text”".encode("cp1252"))
    (tmp_path / "1.txt").write_text("Plain.")
    found = read(str(tmp_path), 999)
    assert list(found) == ["1", "2"]
    assert found["2"].plain.split() == ["Café", "“Text”"]
    assert (found["2"].has_markers, found["1"].has_markers) == (True, False)
    (tmp_path / "3.html").write_text("<html><p>A page")
    with pytest.raises(UsageError, match="record 3: gold: HTML, not cleaned text: is this the folder of the pages"):
        read(str(tmp_path), 999)


@pytest.mark.parametrize(
    ("page", "host"),
    [
        ({"url": "https://www.A.example:80/x"}, "a.example"),
        ({"id": 7, "gold": "URL: http://a.example/\n<p>x"}, "a.example"),
        ({"id": 7, "gold": {"markup": "URL: http://a.example/\n<p>x"}}, "a.example"),
        ({"id": 7, "url": "http://b.example", "gold": "URL: http://a.example/"}, "b.example"),
        ({"id": 7, "url": "nonsense"}, "7"),
        ({"url": "http://[::bad"}, "http://[::bad"),
        ({}, ""),
    ],
)
def test_the_domain_of_a_page(page: dict[str, object], host: str) -> None:
    assert domain(page) == host
