"""The HTML report: well-formed, complete, and safe for any content of pages."""

from __future__ import annotations

import base64
import hashlib
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import html5lib
import pytest

from ncfilters.evaluation.report import html
from ncfilters.evaluation.report.html import ReportPage, html_report, template_source

HOSTILE = "</td></details><script>alert(1)</script>\"'&amp;\0\x1b\ud800\ufdd0\u202e<!--"
SHOWN = "</td></details><script>alert(1)</script>\"'&amp;����\u202e<!--"


def page(
    id: str, f: float = 90.0, *diff: tuple[str, list[str]], group: str = "en", url: str = "http://a.example/"
) -> ReportPage:
    return ReportPage(id, url, group, {"precision": f, "recall": 100.0, "F": f}, list(diff))


def written(systems: dict[str, list[ReportPage]], title: str = "Title", summary: Any = (), signature: Any = ()) -> str:
    return "".join(html_report(title, list(summary), systems, list(signature)))


def parsed(text: str) -> Any:
    """The tree; the parser raises at the first error of markup."""
    text.encode()  # no lone surrogates
    return html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False).parse(text)


def content(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


PAGES = [
    page("a/1", 95.0, ("equal", ["<p>", "Some", "text", "<h>", "Title"]), ("delete", ["Home", "|", "News"])),
    page("a/2", 20.0, ("insert", ["<l>", "lost"]), ("equal", ["found"]), ("insert", ["too"]), group="de"),
    page("a/3", math.nan),
]


def test_a_report_is_well_formed_and_has_its_parts() -> None:
    summary, signature = [["", "F"], ["one", "57.5"]], ["version 1", "q = 0.5"]
    tree = parsed(written({"one": PAGES, "two": PAGES[:1]}, "A & B", summary, signature))
    assert content(tree.find(".//title")) == content(tree.find(".//h1")) == "A & B"
    assert [[content(cell) for cell in row] for row in tree.find(".//table").iter("tr")] == summary
    assert [content(head) for head in tree.iter("h2")] == ["one", "two"]
    assert [content(item) for item in tree.find(".//footer").iter("li")] == signature
    assert [content(head) for head in tree.iter("h3")] == ["3 pages", "Texts", "1 page", "Texts"]


def test_an_empty_report_is_well_formed() -> None:
    parsed(written({}))
    parsed(written({"one": []}))


def test_pages_are_listed_by_f_and_link_to_their_texts() -> None:
    tree = parsed(written({"one": PAGES, "two": PAGES}))
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for section in tree.iter("section"):
        links = list(section.find("table[@class='pages']").iter("a"))
        assert [content(link) for link in links] == ["a/2", "a/1", "a/3"]
        texts = section.findall("details")
        assert ["#" + text.get("id") for text in texts] == [link.get("href") for link in links]
        assert [content(text.find("summary")).split(":")[0] for text in texts] == ["a/2", "a/1", "a/3"]
    assert all(link.get("href")[1:] in ids for link in tree.iter("a"))


def test_figures_and_numbers_of_words_are_listed() -> None:
    tree = parsed(written({"one": PAGES}))
    heads = [content(cell) for cell in tree.find(".//table[@class='pages']/thead/tr")]
    assert heads == [
        "page",
        "group",
        "precision",
        "recall",
        "F",
        "words kept rightly",
        "words kept wrongly",
        "words missed",
    ]
    rows = [[content(cell) for cell in row][1:] for row in tree.find(".//table[@class='pages']/tbody")]
    assert rows == [
        ["de", "20.0", "100.0", "20.0", "1", "0", "3"],
        ["en", "95.0", "100.0", "95.0", "5", "3", "0"],
        ["en", "–", "100.0", "–", "0", "0", "0"],
    ]
    counts = [content(text.find("p")) for text in tree.findall(".//details[@class='page']")]
    assert counts[0].endswith("1 word kept rightly, 0 words kept wrongly, 3 words missed")


def test_means_by_group_ignore_undefined_figures() -> None:
    tree = parsed(written({"one": PAGES}))
    rows = [[content(cell) for cell in row] for row in tree.find(".//section/table").iter("tr")]
    assert rows == [
        ["group", "pages", "mean precision", "mean recall", "mean F"],
        ["de", "1", "20.0", "100.0", "20.0"],
        ["en", "2", "95.0", "100.0", "95.0"],
    ]
    assert len(parsed(written({"one": PAGES[:1]})).findall(".//section/table")) == 1


def test_elements_mark_wrong_and_missed_words() -> None:
    tree = parsed(written({"one": PAGES}))
    lost, kept, empty = tree.findall(".//div[@class='text']")
    assert [(element.tag, element.text) for element in kept] == [("del", "Home | News")]
    assert kept.text == "<p> Some text\n<h> Title "
    assert [(element.tag, element.text, element.tail) for element in lost] == [
        ("ins", "<l> lost", " found "),
        ("ins", "too", None),
    ]
    assert content(empty) == "no words"
    assert "text-decoration: line-through" in template_source("report.css")
    assert "text-decoration: underline" in template_source("report.css")


def test_every_marker_starts_a_line() -> None:
    diff = [
        ("equal", ["a"]),
        ("delete", ["<p>", "b", "<L>", "x<p>"]),
        ("insert", ["c", "<h>"]),
        ("equal", ["<l>", "d"]),
    ]
    tree = parsed(written({"one": [page("a", 1.0, *diff)]}))
    assert "".join(tree.find(".//div[@class='text']").itertext()) == "a\n<p> b\n<L> x<p> c\n<h>\n<l> d"


def test_long_correct_runs_are_folded_without_loss() -> None:
    words = [f"w{i}" for i in range(html.MAX_UNFOLDED_WORDS + 1)]
    diff = [("equal", words), ("delete", words), ("equal", words[:-1])]
    text = parsed(written({"one": [page("a", 1.0, *diff)]})).find(".//div[@class='text']")
    (fold,) = text.findall("details")
    summary = fold.find("summary")
    assert content(summary) == f"… {len(words) - 2 * html.EDGE_WORDS} words kept rightly …"
    assert summary.tail.split() == words[html.EDGE_WORDS : -html.EDGE_WORDS]
    summary.text = " "
    assert content(text).split() == words + words + words[:-1]


def test_markup_in_pages_is_escaped() -> None:
    nasty = ReportPage(HOSTILE, HOSTILE, HOSTILE, {HOSTILE: 1.0, "F": 2.0}, [(kind, [HOSTILE]) for kind in html.KINDS])
    text = written({HOSTILE: [nasty, page("b")]}, HOSTILE, [[HOSTILE], [HOSTILE]], [HOSTILE])
    tree = parsed(text)
    assert [script.text for script in tree.iter("script")] == ["\n" + template_source("report.js")]
    assert tree.find(".//h1").text == tree.find(".//h2").text == tree.find(".//tbody//a").text == SHOWN
    assert [tree.find(f".//div[@class='text']/{element}").text for element in ("del", "ins")] == [SHOWN, SHOWN]
    assert not [name for element in tree.iter() for name in element.attrib if name.startswith("on")]


def test_no_other_resource_is_referenced() -> None:
    tree = parsed(written({"one": [page("a", 1.0, ("equal", ["http://b.example/x.js"]), url="javascript:alert(1)")]}))
    for element in tree.iter():
        assert element.tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        for name, value in element.attrib.items():
            assert name != "src"
            assert name != "href" or value.startswith("#")
    assert "url(" not in template_source("report.css") and "@import" not in template_source("report.css")


def test_the_policy_allows_only_the_script_of_the_report() -> None:
    tree = parsed(written({}))
    policy = tree.find(".//meta[@http-equiv]").get("content")
    script = tree.find(".//script").text
    assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none';")


def test_histograms_count_every_page_once() -> None:
    values = [0, 4.9, 5, 50, 99.9, 100, 100, math.nan]
    tree = parsed(written({"one": [page(str(i), value) for i, value in enumerate(values)]}))
    precision, recall, f = tree.iter("figure")
    svg = "{http://www.w3.org/2000/svg}"
    bars = [title.text for title in precision.iter() if title.tag in ("title", svg + "title")]
    assert bars == ["0 to 5: 2 pages", "5 to 10: 1 page", "50 to 55: 1 page", "95 to 100: 3 pages"]
    assert list(precision.find("figcaption").itertext()) == ["precision: mean 51.4", "7 pages, highest bar 3"]
    assert list(recall.find("figcaption").itertext()) == ["recall: mean 100.0", "8 pages, highest bar 8"]
    assert "7 pages" in content(f.find("figcaption"))


def test_an_unknown_kind_of_difference_is_an_error() -> None:
    with pytest.raises(
        ValueError, match=r"^a/9: 'replace' is not a kind of difference; known are equal, delete, insert$"
    ):
        written({"one": [page("a/9", 1.0, ("replace", ["x"]))]})


def test_no_piece_is_longer_than_a_page() -> None:
    pages = [page(f"a/{i}", float(i % 100), ("delete", ["word"] * 1000)) for i in range(200)]
    sizes = [len(piece) for piece in html_report("Many", [], {"one": pages}, [])]
    assert max(sizes) < 8000
    assert sum(sizes) > 200 * 5000


def test_the_script_is_valid(tmp_path: Path) -> None:
    if not (node := shutil.which("node")):
        pytest.skip("node is not installed")
    (tmp_path / "report.js").write_text(template_source("report.js"), encoding="utf-8")
    done = subprocess.run([node, "--check", str(tmp_path / "report.js")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
