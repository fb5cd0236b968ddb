"""Gold text: its fields, CleanEval markup, files and folders."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ncfilters.dataset import gold, labelling
from ncfilters.dataset.gold import Annotations, Gold, PageIds, gold_of, strip_markers
from ncfilters.errors import RecordError, UsageError
from ncfilters.record import Record


def test_cleaneval_markup_becomes_plain_text() -> None:
    markup = "URL: http://example.org/bridge\n\n<h>The bridge\n<p>It is closed.\n<l>May\n<L>June"
    assert strip_markers(markup).split() == ["The", "bridge", "It", "is", "closed.", "May", "June"]
    assert labelling.matched_shares(
        ["http example org", "The bridge", "It is closed", "p h l"], strip_markers(markup)
    ) == [0, 1, 1, 0]


@pytest.mark.parametrize("where", [
    "Some text.", {"text": "Some text."}, {"markup": "URL: http://example.org/\n<p>Some text."},
    {"text": None, "markup": "<h>Some <p>text."}, {"text": "Some text.", "markup": "<p>Something else"},
    "URL: http://example.org/\n<p>Some\n<l>text.",
])  # fmt: skip
def test_gold_is_a_string_or_an_object(where: object) -> None:
    assert gold_of({"gold": where}).plain.split() == ["Some", "text."]


@pytest.mark.parametrize(
    "page", [{}, {"gold": None}, {"gold": 7}, {"gold": {}}, {"gold": ["x"]}, {"gold": {"text": 1}}]
)
def test_missing_or_malformed_gold_is_an_error(page: dict[str, object]) -> None:
    with pytest.raises(RecordError, match="gold: (missing|invalid)"):
        gold_of(page)


@pytest.mark.parametrize("given", [
    "Some text.", {"text": "Some text.", "policy": "main"}, {"markup": "<p>Some text.", "policy": "article"},
    {"text": "Some text.", "title": "Some", "author": "Ann Vale", "date": "2024-05-01"},
    {"text": "Some text.", "comments": ""}, {"text": "Some text.", "roles": [{"role": "headline", "text": "Some"}]},
    {"text": "Some text.", "with": ["Some"], "without": ["Login"]},
])  # fmt: skip
def test_gold_survives_its_field(given: object) -> None:
    known = gold_of({"gold": given})
    again = gold_of({"gold": known.as_field()})
    assert (again.plain, again.policy, again.annotations) == (known.plain, known.policy, known.annotations)
    assert (again.required, again.forbidden) == (known.required, known.forbidden)


def test_gold_as_authors_and_plain_text() -> None:
    assert gold_of({"gold": {"text": "Some text.", "author": ["Ann Vale", "Bo Lund"]}}).annotations.author == (
        "Ann Vale, Bo Lund"
    )
    with pytest.raises(RecordError, match="gold.author"):
        gold_of({"gold": {"text": "Some text.", "author": ["Ann Vale", 7]}})
    text = "Write <p> for a paragraph.\nURL: this line is of the text."
    assert gold_of({"gold": {"text": text}}).plain == text
    gold = gold_of({"gold": {"text": "", "title": "Rain", "roles": [{"role": "headline", "text": "Rain"}]}})
    assert gold.annotations == Annotations("Rain", runs=(("headline", "Rain"),))


# ---- files and folders --------------------------------------------------------------------------------------
def written(path: Path, *pages: Any) -> str:
    path.write_text("".join((page if isinstance(page, str) else json.dumps(page)) + "\n" for page in pages))
    return str(path)


def texts(folder: Path, **files: str) -> str:
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return str(folder)


def read_gold(path: str, name: str | None = None) -> dict[str, Gold]:
    return gold.read_gold(path, 1 << 20, name)


def test_gold_is_read_from_a_file_of_records(tmp_path: Path) -> None:
    found = read_gold(
        written(
            tmp_path / "gold.jsonl",
            {"id": 7, "gold": "text", "lang": "de", "html": "<p>", "url": "http://a.example/"},
            {"url": "http://b.example/", "gold": {"text": "a", "with": ["b"], "without": ["c", "d"], "title": "t"}},
            {"id": "x", "text": "only text"},
            {"id": "y", "text": "of the system", "gold": ""},
        )
    )
    assert list(found) == ["7", "http://b.example/", "x", "y"]
    assert (found["7"].plain, found["7"].lang, dict(found["7"].fields)) == (
        "text",
        "de",
        {"id": 7, "lang": "de", "url": "http://a.example/"},
    )
    assert (found["http://b.example/"].required, found["http://b.example/"].forbidden) == (("b",), ("c", "d"))
    assert (found["x"].plain, found["y"].plain) == ("only text", "")


def test_gold_is_read_from_other_fields_and_compressed_files(tmp_path: Path) -> None:
    path = written(tmp_path / "gold.jsonl", {"id": 1, "reference": "a", "gold": "b"}, {"id": 2, "gold": "c"})
    assert [one.plain for one in read_gold(path, "reference").values()] == ["a", "c"]
    (tmp_path / "gold").write_bytes(gzip.compress(b'{"id": 1, "gold": "a"}\n'))
    assert read_gold(str(tmp_path / "gold"))["1"].plain == "a"


def test_gold_is_read_from_folders(tmp_path: Path) -> None:
    folder = texts(
        tmp_path / "gold", **{"10-cleaned": "URL: http://a.example/\n\n<p>a", "9-cleaned": "URL: http://b/\n"}
    )
    found = read_gold(folder)
    assert list(found) == ["9", "10"]
    # a page without text has no marker, but counts as CleanEval markup
    assert all(one.has_markers for one in found.values())
    assert (found["9"].plain.strip(), found["10"].plain.strip()) == ("", "a")
    found = read_gold(texts(tmp_path / "plain", a="URL: of the text\nx", b=""))
    assert [(one.plain, one.has_markers) for one in found.values()] == [("URL: of the text\nx", False), ("", False)]


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([{"id": 1, "gold": "a"}, {"id": 2}], "record 2: gold: missing"),
        ([{"gold": "a"}], "record 1: id: missing"),
        ([{"id": 1, "gold": "a"}, {"id": "1", "gold": "b"}], "record 2: id: '1' occurs twice"),
        ([{"id": 1, "gold": {"text": "a", "with": "b"}}], "record 1: gold.with: expected an array of strings"),
        ([{"id": 1, "gold": "a"}, "not json"], "record 2: not JSON"),
        ([[1]], "not records: expected a JSON object"),
        ([], "no gold text"),
        (["<html>"], "an HTML page"),
    ],
)
def test_errors_name_the_file_and_the_record(tmp_path: Path, pages: list[Any], message: str) -> None:
    path = written(tmp_path / "my.jsonl", *pages)
    with pytest.raises(UsageError) as error:
        read_gold(path)
    assert str(error.value).startswith(f"{path}: {message}")
    assert str(error.value).count(path) == 1
    assert str(error.value).endswith(" (gold text must be records with id and gold, or a folder of texts named by id)")


def test_errors_name_the_file_in_a_folder(tmp_path: Path) -> None:
    folder = texts(tmp_path / "gold", **{"1": "a", "1-cleaned": "b"})
    with pytest.raises(UsageError, match=r"gold/1\.txt: id: '1' occurs twice"):
        read_gold(folder)
    os.symlink("nowhere", tmp_path / "gold" / "0.txt")
    with pytest.raises(UsageError, match=r"^[^:]*gold/0\.txt: No such file or directory \(gold text must be"):
        read_gold(folder)


@pytest.mark.parametrize(
    ("page", "key"), [({"id": 0}, "0"), ({"id": "a", "url": "b"}, "a"), ({"id": None, "url": "b"}, "b"), ({}, None)]
)
def test_the_key_of_a_page_is_its_id_or_url(page: dict[str, Any], key: str | None) -> None:
    assert gold.key_of(page) == key


@pytest.mark.parametrize(("page", "host"), [
    ({"url": "https://www.A.example:80/x"}, "a.example"),
    ({"id": 7, "gold": "URL: http://a.example/\n<p>x"}, "a.example"),
    ({"id": 7, "gold": {"markup": "URL: http://a.example/\n<p>x"}}, "a.example"),
    ({"id": 7, "url": "http://b.example", "gold": "URL: http://a.example/"}, "b.example"),
    ({"id": 7, "url": "nonsense"}, "7"), ({"id": "press/20120112_www.B.example_0f3a"}, "b.example"),
    ({"id": "a.html"}, "a.html"), ({"url": "http://[::bad"}, "http://[::bad"), ({}, ""),
])  # fmt: skip
def test_the_domain_comes_from_url_gold_or_id(page: dict[str, object], host: str) -> None:
    assert gold.domain(page) == host


def test_html_as_gold_is_an_error(tmp_path: Path) -> None:
    folder = texts(tmp_path / "pages", one="  <!DOCTYPE html><html><p>A page")
    with pytest.raises(UsageError, match=r"pages/one\.txt: gold: HTML instead of cleaned text: is this the folder"):
        read_gold(folder)


# ---- content policies and annotations -------------------------------------------------------------------------
@pytest.mark.parametrize(("page", "policy"), [
    ({"gold": "A plain text."}, "article"), ({"gold": {"text": "A plain text."}}, "article"),
    ({"gold": {"text": "A plain text.", "comments": "Yes."}}, "article"),
    ({"gold": {"text": "A plain text.", "title": "Plain"}}, "main"),
    ({"gold": {"text": "A plain text.", "with": []}}, "main"), ({"gold": {"markup": "<p>A plain text."}}, "all"),
    ({"gold": "<p>A plain text."}, "all"), ({"gold": {"text": "A plain text.", "policy": "all"}}, "all"),
    ({"gold": "A plain text.", "policy": "main"}, "main"),
])  # fmt: skip
def test_the_policy_of_a_gold_standard_is_given_or_known_from_its_fields(page: Record, policy: str) -> None:
    assert gold_of(page).policy == policy


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ({"text": "", "policy": "mine"}, "gold.policy: expected one of main, article, all, got 'mine'"),
        ({"text": "", "roles": ["text"]}, "gold.roles: expected an array of objects with role and text"),
        ({"text": "", "comments": 7}, "gold.comments: expected a string"),
    ],
)
def test_wrong_annotations_are_errors(gold: Record, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        gold_of({"gold": gold})


def test_gold_is_found_by_the_id_or_by_the_name_of_the_page() -> None:
    ids = PageIds(["1", "2.html", "2.txt", "3"])
    assert [ids.find(id) for id in ("1", "1.html", "2.html", "2", "3-original", "4")] == [
        "1", "1", "2.html", "2", "3", "4",
    ]  # fmt: skip
