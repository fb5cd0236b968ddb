"""Gold text, and pages that are labelled by it."""

from __future__ import annotations

import gzip
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from invented import CHINESE, MENU, folds, labelled, page, texts

from ncfilters import record
from ncfilters.dataset import gold, labelled_pages, labelling
from ncfilters.dataset.gold import Gold, PageIds, gold_of, strip_markers
from ncfilters.dataset.labelled_pages import LabelledPage, count_labels, gold_texts, texts_of
from ncfilters.dataset.labelling import ANY
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
    for name in ("plain", "policy", "required", "forbidden", "title", "author", "date", "comments", "runs"):
        assert getattr(again, name) == getattr(known, name)


def test_gold_as_authors_and_plain_text() -> None:
    assert gold_of({"gold": {"text": "Some text.", "author": ["Ann Vale", "Bo Lund"]}}).author == ("Ann Vale, Bo Lund")
    with pytest.raises(RecordError, match="gold.author"):
        gold_of({"gold": {"text": "Some text.", "author": ["Ann Vale", 7]}})
    text = "Write <p> for a paragraph.\nURL: this line is of the text."
    assert gold_of({"gold": {"text": text}}).plain == text
    gold = gold_of({"gold": {"text": "", "title": "Rain", "roles": [{"role": "headline", "text": "Rain"}]}})
    assert (gold.title, gold.runs) == ("Rain", (("headline", "Rain"),))


# ---- files and folders --------------------------------------------------------------------------------------
def written(path: Path, *pages: Any) -> str:
    path.write_text("".join((page if isinstance(page, str) else json.dumps(page)) + "\n" for page in pages))
    return str(path)


def folder_of(folder: Path, **files: str) -> str:
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
    folder = folder_of(
        tmp_path / "gold", **{"10-cleaned": "URL: http://a.example/\n\n<p>a", "9-cleaned": "URL: http://b/\n"}
    )
    found = read_gold(folder)
    assert list(found) == ["9", "10"]
    # a page without text has no marker, but counts as CleanEval markup
    assert all(one.has_markers for one in found.values())
    assert (found["9"].plain.strip(), found["10"].plain.strip()) == ("", "a")
    found = read_gold(folder_of(tmp_path / "plain", a="URL: of the text\nx", b=""))
    assert [(one.plain, one.has_markers) for one in found.values()] == [("URL: of the text\nx", False), ("", False)]


@pytest.mark.parametrize(
    ("pages", "message"), [([{"gold": "a"}], "record 1: id: missing"), ([[1]], "not records: expected a JSON object")]
)
def test_errors_name_the_file_and_the_record(tmp_path: Path, pages: list[Any], message: str) -> None:
    path = written(tmp_path / "my.jsonl", *pages)
    with pytest.raises(UsageError) as error:
        read_gold(path)
    assert str(error.value).startswith(f"{path}: {message}")
    assert str(error.value).count(path) == 1
    assert str(error.value).endswith(" (gold text must be records with id and gold, or a folder of texts named by id)")


def test_errors_name_the_file_in_a_folder(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "gold", **{"1": "a", "1-cleaned": "b"})
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


# ---- labels ---------------------------------------------------------------------------------------------------
def test_segments_in_the_gold_text_are_clean() -> None:
    some = page(1)
    material = labelled([some])
    assert texts(texts_of(material, True)) == some["gold"].split("\n\n") == texts(gold_texts(material))
    assert len(texts_of(material, False)) + count_labels(material)["segments marked by rules"] == 8
    assert set(texts(texts_of(material, False))) <= set(MENU)
    assert count_labels(material)["pages"] == 1


def test_gold_may_be_cleaneval_markup_or_chinese() -> None:
    html = "<body><div>Log in here</div><h1>The bridge</h1><p>It is closed for good.</p><div>Other stories</div></body>"
    material = labelled(
        [{"html": html, "gold": {"markup": "URL: http://x/\n<h>The bridge\n<p>It is closed for good."}}]
    )
    assert texts(texts_of(material, True)) == ["The bridge", "It is closed for good."]
    markup = "URL: http://x/\n\n<h>The bridge\n<p>It is closed for good.\n<l>May\n<l>June\n"
    page = {"html": "<h1>The bridge</h1><p>It is closed for good.<ul><li>May<li>June</ul>", "gold": {"markup": markup}}
    assert texts(gold_texts(labelled([page]))) == ["The bridge", "It is closed for good.", "May", "June"]
    material = labelled([CHINESE])
    assert texts(texts_of(material, True)) == [CHINESE["gold"]]
    assert set(texts(texts_of(material, False))) <= {"首页", "登录", "联系我们", "版权声明"}


def test_segments_that_are_clean_dirty_or_neither() -> None:
    # a segment with half its words in gold is clean
    assert labelling.CLEAN_SHARE == 0.5
    segments = [{"text": "one two three four"}, {"text": "five six seven eight"}, {"text": "a b c d e"}]
    material = labelled([{"segments": segments, "gold": "one two five a b"}])
    assert texts(texts_of(material, True)) == ["one two three four"]
    assert texts(texts_of(material, False)) == ["five six seven eight", "a b c d e"]
    # marked and wordless segments have no label
    segments = [{"text": "Home | About", "rule": "bars"}, {"text": "***"}, {"text": "text"}, {"text": "other"}]
    material = labelled([{"segments": segments, "gold": "text"}])
    assert (texts(texts_of(material, True)), texts(texts_of(material, False))) == (["text"], ["other"])
    assert count_labels(material)["segments marked by rules"] == 1
    # a page without its gold text is left out
    material = labelled([{**page(1), "gold": "Nothing of this stands on that page, quite another story."}, page(2)])
    assert (count_labels(material)["pages"], count_labels(material)["pages left out"]) == (2, 1)
    assert texts(texts_of(material, True)) == page(2)["gold"].split("\n\n")
    # an empty gold text makes the whole page dirty
    material = labelled([{"segments": [{"text": "one"}, {"text": "two"}], "gold": ""}])
    assert (texts_of(material, True), texts(texts_of(material, False))) == ([], ["one", "two"])
    # pages are segmented as by nc segment
    text = "Home\n\nThe bridge is closed.\n\nLogin"
    material = labelled([{"text": text, "gold": "The bridge is closed."}])
    assert texts(texts_of(material, True)) == ["The bridge is closed."]
    # a segment with a rule is never clean
    (some,) = labelled([{"segments": [{"text": "one two", "rule": "bars"}, {"text": "one two"}], "gold": "one two"}])
    assert some.labels()[0] is None
    assert some.marked == [True, False]


def test_weights_of_segments_and_pages() -> None:
    material = labelled(
        [{"segments": [{"text": "word " * 40}, {"text": "word"}, {"text": "no"}], "gold": "word " * 41}]
    )
    (_, long), (_, short) = labelled_pages.by_segment(texts_of(material, True))
    assert long < short and long * 200 > short * 5
    # T ^ -0.5 (c + 1) ^ -0.6, T the sum of c + 1 over the segments of the class on the page
    segments = [{"text": "four"}, {"text": "sevenxx"}, {"text": "no"}]
    clean = labelled_pages.by_segment(texts_of(labelled([{"segments": segments, "gold": "four sevenxx"}]), True))
    total = 5 + 8
    assert [weight for _, weight in clean] == pytest.approx([total**-0.5 * 5**-0.6, total**-0.5 * 8**-0.6])
    segments = [{"text": "four"}, {"text": "no"}, {"text": "x " * 500, "rule": "bars"}, {"text": "*" * 90}]
    material = labelled([{"segments": segments, "gold": "four"}])
    assert texts_of(material, True) == [("four", pytest.approx(5**-0.5))]
    assert texts_of(material, False) == [("no", pytest.approx(3**-0.5))]


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        (7, "segments"),
        ([{"text": 7}], r"segments\[0\].text: expected a string, got a number"),
        ([{"type": "p"}], r"segments\[0\].text: missing"),
    ],
)
def test_malformed_segments_are_errors(segments: object, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        document = {"segments": segments, "gold": "x"}
        record.check(document)
        labelled_pages.label_page(document)


def test_pages_and_folds_that_are_missing() -> None:
    with pytest.raises(RecordError, match="html"):
        labelled_pages.label_page({"id": "1", "gold": "Some text."})
    with pytest.raises(ValueError, match=r"^3 folds need .*\(pages: 4, domains: 2\)"):
        folds(made(["a.example", "b.example", "a.example", "b.example"]), 3)
    with pytest.raises(RecordError, match="expected the cleaned text"):
        labelled_pages.label_page(SNIPPETS)


# ---- weights --------------------------------------------------------------------------------------------------
# ---- folds ----------------------------------------------------------------------------------------------------
def made(domains: list[str]) -> list[LabelledPage]:
    return [
        labelled_pages.label_page({"id": str(n), "url": domain and f"http://{domain}/{n}", "text": "x", "gold": "x"})
        for n, domain in enumerate(domains)
    ]


def keys(parts: list[list[LabelledPage]]) -> list[list[str]]:
    return [[some.key for some in part] for part in parts]


def test_folds_of_domains() -> None:
    rnd = random.Random(1)
    pages = made([f"site{int(rnd.paretovariate(0.7)) % 40}.example" for _ in range(200)])
    for number in (2, 3, 10):
        parts = folds(pages, number)
        assert len(parts) == number
        assert sorted(key for part in keys(parts) for key in part) == sorted(some.key for some in pages)
        homes = [{some.domain for some in part} for part in parts]
        assert sum(map(len, homes)) == len(set().union(*homes))
    pages = made(["a.example"] * 6 + ["b.example"] * 3 + [f"s{n}.example" for n in range(9)])
    assert sorted(map(len, folds(pages, 3))) == [6, 6, 6]
    assert sorted(map(len, folds(pages, 2))) == [9, 9]
    assert max(map(len, folds(pages, 10))) == 6  # the largest domain cannot be divided
    pages = made([f"s{n}.example" for n in range(30)])
    assert keys(folds(pages, 5)) == keys(folds(list(pages), 5, 0))
    other = folds(pages, 5, 1)
    assert keys(other) != keys(folds(pages, 5))
    # the order of the pages does not change the domains of a fold
    turned = folds(pages[::-1], 5)
    assert [set(part) for part in keys(turned)] == [set(part) for part in keys(folds(pages, 5))]


def test_domains_of_pages() -> None:
    assert [some.domain for some in made(["www.a.example", "a.example", "blog.a.example"])] == [
        "a.example",
        "a.example",
        "blog.a.example",
    ]
    assert sorted(map(len, folds(made([""] * 6), 3))) == [2, 2, 2]
    nameless = [labelled_pages.label_page({"text": "x", "gold": "x"}) for _ in range(6)]
    assert sorted(map(len, folds(nameless, 6))) == [1] * 6


@pytest.mark.parametrize("number", [-1, 0, 1])
def test_fewer_than_two_folds_are_an_error(number: int) -> None:
    with pytest.raises(ValueError, match=f"^{number} folds: at least 2"):
        folds(made(["a.example", "b.example"]), number)


# ---- snippets alone --------------------------------------------------------------------------------------------
SNIPPETS = {"html": "<p>The bridge is closed.<p>Read more<p>It opens in May.", "gold": {"with": ["bridge"]}}


def test_snippets_alone_label_the_segments_that_have_them() -> None:
    page = labelled_pages.label_page(SNIPPETS, keep_record=True, partial=True)
    assert page.known == [True, False, False]
    assert page.labels() == [True, None, None]
    assert set(page.roles) == {ANY}
