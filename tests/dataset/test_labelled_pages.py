"""Labelled pages: which segments are clean, their weights, and folds of pages."""

from __future__ import annotations

import random

import pytest
from invented import CHINESE, MENU, labelled, page, texts

from ncfilters import record
from ncfilters.dataset import labelled_pages, labelling
from ncfilters.dataset.labelled_pages import LabelledPage, folds
from ncfilters.dataset.role_labels import ANY
from ncfilters.errors import RecordError


# ---- labels ---------------------------------------------------------------------------------------------------
def test_segments_in_the_gold_text_are_clean() -> None:
    some = page(1)
    material = labelled([some])
    assert texts(material.texts(True)) == some["gold"].split("\n\n") == texts(material.gold_texts())
    assert len(material.texts(False)) + material.counts()["segments marked by rules"] == 8
    assert set(texts(material.texts(False))) <= set(MENU)
    assert material.counts()["pages"] == 1


def test_gold_may_be_cleaneval_markup_or_chinese() -> None:
    html = "<body><div>Log in here</div><h1>The bridge</h1><p>It is closed for good.</p><div>Other stories</div></body>"
    material = labelled(
        [{"html": html, "gold": {"markup": "URL: http://x/\n<h>The bridge\n<p>It is closed for good."}}]
    )
    assert texts(material.texts(True)) == ["The bridge", "It is closed for good."]
    markup = "URL: http://x/\n\n<h>The bridge\n<p>It is closed for good.\n<l>May\n<l>June\n"
    page = {"html": "<h1>The bridge</h1><p>It is closed for good.<ul><li>May<li>June</ul>", "gold": {"markup": markup}}
    assert texts(labelled([page]).gold_texts()) == ["The bridge", "It is closed for good.", "May", "June"]
    material = labelled([CHINESE])
    assert texts(material.texts(True)) == [CHINESE["gold"]]
    assert set(texts(material.texts(False))) <= {"首页", "登录", "联系我们", "版权声明"}


def test_segments_that_are_clean_dirty_or_neither() -> None:
    # a segment with half its words in gold is clean
    assert labelling.CLEAN_SHARE == 0.5
    segments = [{"text": "one two three four"}, {"text": "five six seven eight"}, {"text": "a b c d e"}]
    material = labelled([{"segments": segments, "gold": "one two five a b"}])
    assert texts(material.texts(True)) == ["one two three four"]
    assert texts(material.texts(False)) == ["five six seven eight", "a b c d e"]
    # marked and wordless segments have no label
    segments = [{"text": "Home | About", "rule": "bars"}, {"text": "***"}, {"text": "text"}, {"text": "other"}]
    material = labelled([{"segments": segments, "gold": "text"}])
    assert (texts(material.texts(True)), texts(material.texts(False))) == (["text"], ["other"])
    assert material.counts()["segments marked by rules"] == 1
    # a page without its gold text is left out
    material = labelled([{**page(1), "gold": "Nothing of this stands on that page, quite another story."}, page(2)])
    assert (material.counts()["pages"], material.counts()["pages left out"]) == (2, 1)
    assert texts(material.texts(True)) == page(2)["gold"].split("\n\n")
    # an empty gold text makes the whole page dirty
    material = labelled([{"segments": [{"text": "one"}, {"text": "two"}], "gold": ""}])
    assert (material.texts(True), texts(material.texts(False))) == ([], ["one", "two"])
    # pages are segmented as by nc segment
    text = "Home\n\nThe bridge is closed.\n\nLogin"
    material = labelled([{"text": text, "gold": "The bridge is closed."}])
    assert texts(material.texts(True)) == ["The bridge is closed."]
    # a segment with a rule is never clean
    (some,) = labelled(
        [{"segments": [{"text": "one two", "rule": "bars"}, {"text": "one two"}], "gold": "one two"}]
    ).pages
    assert some.labels()[0] is None
    assert some.marked == [True, False]


def test_weights_of_segments_and_pages() -> None:
    material = labelled(
        [{"segments": [{"text": "word " * 40}, {"text": "word"}, {"text": "no"}], "gold": "word " * 41}]
    )
    (_, long), (_, short) = labelled_pages.by_segment(material.texts(True))
    assert long < short and long * 200 > short * 5
    # T ^ -0.5 (c + 1) ^ -0.6, T the sum of c + 1 over the segments of the class on the page
    segments = [{"text": "four"}, {"text": "sevenxx"}, {"text": "no"}]
    clean = labelled_pages.by_segment(labelled([{"segments": segments, "gold": "four sevenxx"}]).texts(True))
    total = 5 + 8
    assert [weight for _, weight in clean] == pytest.approx([total**-0.5 * 5**-0.6, total**-0.5 * 8**-0.6])
    segments = [{"text": "four"}, {"text": "no"}, {"text": "x " * 500, "rule": "bars"}, {"text": "*" * 90}]
    material = labelled([{"segments": segments, "gold": "four"}])
    assert material.texts(True) == [("four", pytest.approx(5**-0.5))]
    assert material.texts(False) == [("no", pytest.approx(3**-0.5))]


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


def test_a_record_without_a_page_is_an_error() -> None:
    with pytest.raises(RecordError, match="html"):
        labelled_pages.label_page({"id": "1", "gold": "Some text."})


# ---- weights --------------------------------------------------------------------------------------------------
# ---- folds ----------------------------------------------------------------------------------------------------
def made(domains: list[str]) -> list[LabelledPage]:
    return [
        labelled_pages.label_page({"id": str(n), "url": domain and f"http://{domain}/{n}", "text": "x", "gold": "x"})
        for n, domain in enumerate(domains)
    ]


def keys(parts: list[list[LabelledPage]]) -> list[list[str]]:
    return [[some.key for some in part] for part in parts]


def test_each_domain_is_in_one_fold() -> None:
    rnd = random.Random(1)
    pages = made([f"site{int(rnd.paretovariate(0.7)) % 40}.example" for _ in range(200)])
    for number in (2, 3, 10):
        parts = folds(pages, number)
        assert len(parts) == number
        assert sorted(key for part in keys(parts) for key in part) == sorted(some.key for some in pages)
        homes = [{some.domain for some in part} for part in parts]
        assert sum(map(len, homes)) == len(set().union(*homes))


def test_folds_of_unequal_domains_are_balanced() -> None:
    pages = made(["a.example"] * 6 + ["b.example"] * 3 + [f"s{n}.example" for n in range(9)])
    assert sorted(map(len, folds(pages, 3))) == [6, 6, 6]
    assert sorted(map(len, folds(pages, 2))) == [9, 9]
    assert max(map(len, folds(pages, 10))) == 6  # the largest domain cannot be divided


def test_folds_depend_on_the_seed_alone() -> None:
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


@pytest.mark.parametrize("gold", ["URL: http://www.a.example/x\n<p>x", {"markup": "URL: http://www.a.example/x\n<p>x"}])
def test_the_domain_may_come_from_the_gold(gold: object) -> None:
    assert labelled_pages.label_page({"id": "1", "text": "x", "gold": gold}).domain == "a.example"


@pytest.mark.parametrize("url", ["http://[broken", "no address", None, ""])
def test_a_malformed_address_gives_no_domain(url: object) -> None:
    assert labelled_pages.label_page({"id": "1", "url": url, "text": "x", "gold": "x"}).domain == "1"


@pytest.mark.parametrize("number", [-1, 0, 1])
def test_fewer_than_two_folds_are_an_error(number: int) -> None:
    with pytest.raises(ValueError, match=f"^{number} folds: at least 2"):
        folds(made(["a.example", "b.example"]), number)


def test_more_folds_than_domains_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"^3 folds need .*\(pages: 4, domains: 2\)"):
        folds(made(["a.example", "b.example", "a.example", "b.example"]), 3)


# ---- snippets alone --------------------------------------------------------------------------------------------
SNIPPETS = {"html": "<p>The bridge is closed.<p>Read more<p>It opens in May.", "gold": {"with": ["bridge"]}}


def test_snippets_alone_label_the_segments_that_have_them() -> None:
    page = labelled_pages.label_page(SNIPPETS, keep_record=True, partial=True)
    assert page.known == [True, False, False]
    assert page.labels() == [True, None, None]
    assert set(page.roles) == {ANY}


def test_snippets_alone_are_no_gold_text() -> None:
    with pytest.raises(RecordError, match="expected the cleaned text"):
        labelled_pages.label_page(SNIPPETS)
