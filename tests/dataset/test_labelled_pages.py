"""Training material: which segments are clean, what they weigh, and folds of pages."""

from __future__ import annotations

import random

import pytest
from invented import CHINESE, MENU, learned, page, texts

from ncfilters import record
from ncfilters.dataset import labelled_pages as materials
from ncfilters.dataset import labelling
from ncfilters.dataset.labelled_pages import LabelledPage, folds
from ncfilters.errors import RecordError

# ---- labels ---------------------------------------------------------------------------------------------------


def test_segments_of_the_gold_text_are_clean_and_others_dirty() -> None:
    some = page(1)
    material = learned([some])
    assert texts(material.texts(True)) == some["gold"].split("\n\n") == texts(material.gold_texts())
    assert len(material.texts(False)) + material.counts()["segments marked by rules"] == 8
    assert set(texts(material.texts(False))) <= set(MENU)
    assert material.counts()["pages"] == 1


def test_cleaneval_markup_as_gold() -> None:
    html = "<body><div>Log in here</div><h1>The bridge</h1><p>It is closed for good.</p><div>Other stories</div></body>"
    material = learned([{"html": html, "gold": {"markup": "URL: http://x/\n<h>The bridge\n<p>It is closed for good."}}])
    assert texts(material.texts(True)) == ["The bridge", "It is closed for good."]


def test_cleaneval_markers_part_the_gold_text() -> None:
    markup = "URL: http://x/\n\n<h>The bridge\n<p>It is closed for good.\n<l>May\n<l>June\n"
    page = {"html": "<h1>The bridge</h1><p>It is closed for good.<ul><li>May<li>June</ul>", "gold": {"markup": markup}}
    assert texts(learned([page]).gold_texts()) == ["The bridge", "It is closed for good.", "May", "June"]


def test_a_chinese_page() -> None:
    material = learned([CHINESE])
    assert texts(material.texts(True)) == [CHINESE["gold"]]
    assert set(texts(material.texts(False))) <= {"首页", "登录", "联系我们", "版权声明"}


def test_half_of_the_words_make_a_segment_clean() -> None:
    assert labelling.CLEAN_SHARE == 0.5
    segments = [{"text": "one two three four"}, {"text": "five six seven eight"}, {"text": "a b c d e"}]
    material = learned([{"segments": segments, "gold": "one two five a b"}])
    assert texts(material.texts(True)) == ["one two three four"]
    assert texts(material.texts(False)) == ["five six seven eight", "a b c d e"]


def test_marked_and_wordless_segments_teach_nothing() -> None:
    segments = [{"text": "Home | About", "rule": "bars"}, {"text": "***"}, {"text": "text"}, {"text": "other"}]
    material = learned([{"segments": segments, "gold": "text"}])
    assert (texts(material.texts(True)), texts(material.texts(False))) == (["text"], ["other"])
    assert material.counts()["segments marked by rules"] == 1


def test_longer_pages_and_segments_weigh_more_but_not_as_much_as_they_are_longer() -> None:
    material = learned([{"segments": [{"text": "word " * 40}, {"text": "word"}, {"text": "no"}], "gold": "word " * 41}])
    (_, long), (_, short) = materials.by_segment(material.texts(True))
    assert long < short and long * 200 > short * 5


def test_a_page_whose_gold_is_not_found_is_left_out() -> None:
    material = learned([{**page(1), "gold": "Nothing of this stands on that page, quite another story."}, page(2)])
    assert (material.counts()["pages"], material.counts()["pages left out"]) == (2, 1)
    assert texts(material.texts(True)) == page(2)["gold"].split("\n\n")


def test_an_empty_gold_text_makes_the_whole_page_dirty() -> None:
    material = learned([{"segments": [{"text": "one"}, {"text": "two"}], "gold": ""}])
    assert (material.texts(True), texts(material.texts(False))) == ([], ["one", "two"])


def test_pages_are_read_as_nc_segment_reads_them() -> None:
    text = "Home\n\nThe bridge is closed.\n\nLogin"
    material = learned([{"text": text, "gold": "The bridge is closed."}])
    assert texts(material.texts(True)) == ["The bridge is closed."]


def test_a_rule_decides_even_where_the_gold_text_says_clean() -> None:
    (some,) = learned(
        [{"segments": [{"text": "one two", "rule": "bars"}, {"text": "one two"}], "gold": "one two"}]
    ).pages
    assert some.labels()[0] is None
    assert some.marked == [True, False]


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        (7, "segments"),
        ([{"text": 7}], r"segments\[0\].text: a string is wanted, not a number"),
        ([{"type": "p"}], r"segments\[0\].text: missing"),
    ],
)
def test_segments_that_cannot_be_read(segments: object, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        document = {"segments": segments, "gold": "x"}
        record.check(document)
        materials.label_page(document)


def test_a_page_without_page_is_refused() -> None:
    with pytest.raises(RecordError, match="html"):
        materials.label_page({"id": "1", "gold": "Some text."})


# ---- weights --------------------------------------------------------------------------------------------------


def test_weights_of_pages_are_those_of_the_manual() -> None:
    # T ^ -0.5 (c + 1) ^ -0.6, T the sum of c + 1 over the segments of the class on the page
    segments = [{"text": "four"}, {"text": "sevenxx"}, {"text": "no"}]
    clean = materials.by_segment(learned([{"segments": segments, "gold": "four sevenxx"}]).texts(True))
    total = 5 + 8
    assert [weight for _, weight in clean] == pytest.approx([total**-0.5 * 5**-0.6, total**-0.5 * 8**-0.6])


def test_a_class_is_weighed_by_itself_and_marked_segments_count_nowhere() -> None:
    segments = [{"text": "four"}, {"text": "no"}, {"text": "x " * 500, "rule": "bars"}, {"text": "*" * 90}]
    material = learned([{"segments": segments, "gold": "four"}])
    assert material.texts(True) == [("four", pytest.approx(5**-0.5))]
    assert material.texts(False) == [("no", pytest.approx(3**-0.5))]


# ---- folds ----------------------------------------------------------------------------------------------------


def made(domains: list[str]) -> list[LabelledPage]:
    return [
        materials.label_page({"id": str(n), "url": domain and f"http://{domain}/{n}", "text": "x", "gold": "x"})
        for n, domain in enumerate(domains)
    ]


def keys(parts: list[list[LabelledPage]]) -> list[list[str]]:
    return [[some.key for some in part] for part in parts]


def test_each_page_is_in_one_fold_and_a_domain_too() -> None:
    rnd = random.Random(1)
    pages = made([f"site{int(rnd.paretovariate(0.7)) % 40}.example" for _ in range(200)])
    for number in (2, 3, 10):
        parts = folds(pages, number)
        assert len(parts) == number
        assert sorted(key for part in keys(parts) for key in part) == sorted(some.key for some in pages)
        homes = [{some.domain for some in part} for part in parts]
        assert sum(map(len, homes)) == len(set().union(*homes))


def test_folds_are_balanced_although_domains_are_not() -> None:
    pages = made(["a.example"] * 6 + ["b.example"] * 3 + [f"s{n}.example" for n in range(9)])
    assert sorted(map(len, folds(pages, 3))) == [6, 6, 6]
    assert sorted(map(len, folds(pages, 2))) == [9, 9]
    assert max(map(len, folds(pages, 10))) == 6  # the largest domain cannot be parted


def test_folds_come_of_the_seed_alone() -> None:
    pages = made([f"s{n}.example" for n in range(30)])
    assert keys(folds(pages, 5)) == keys(folds(list(pages), 5, 0))
    other = folds(pages, 5, 1)
    assert keys(other) != keys(folds(pages, 5))
    # the order in which pages come is not of the domains: each stays with those it is with
    turned = folds(pages[::-1], 5)
    assert [set(part) for part in keys(turned)] == [set(part) for part in keys(folds(pages, 5))]


def test_www_is_no_other_domain_but_a_host_is() -> None:
    assert [some.domain for some in made(["www.a.example", "a.example", "blog.a.example"])] == [
        "a.example",
        "a.example",
        "blog.a.example",
    ]


def test_a_page_without_address_is_a_domain_of_its_own() -> None:
    assert sorted(map(len, folds(made([""] * 6), 3))) == [2, 2, 2]
    nameless = [materials.label_page({"text": "x", "gold": "x"}) for _ in range(6)]
    assert sorted(map(len, folds(nameless, 6))) == [1] * 6


@pytest.mark.parametrize("gold", ["URL: http://www.a.example/x\n<p>x", {"markup": "URL: http://www.a.example/x\n<p>x"}])
def test_the_address_may_stand_in_the_gold(gold: object) -> None:
    assert materials.label_page({"id": "1", "text": "x", "gold": gold}).domain == "a.example"


@pytest.mark.parametrize("url", ["http://[broken", "no address", None, ""])
def test_an_address_that_is_none_is_passed_over(url: object) -> None:
    assert materials.label_page({"id": "1", "url": url, "text": "x", "gold": "x"}).domain == "1"


@pytest.mark.parametrize("number", [-1, 0, 1])
def test_fewer_than_two_folds_are_none(number: int) -> None:
    with pytest.raises(ValueError, match=f"^{number} folds: at least 2"):
        folds(made(["a.example", "b.example"]), number)


def test_more_folds_than_domains_cannot_be() -> None:
    with pytest.raises(ValueError, match=r"^3 folds need .*\(pages: 4, domains: 2\)"):
        folds(made(["a.example", "b.example", "a.example", "b.example"]), 3)
