"""Labels of segments from gold text, and samples of pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.roles import names_of
from ncfilters.dataset import labelling
from ncfilters.dataset.gold import GoldLocation, consume_with_gold, describe_inputs, gold_of
from ncfilters.dataset.head_labels import days, find_titles, forms, is_dated, other_words, title_of
from ncfilters.dataset.labelled_pages import label_page
from ncfilters.dataset.labelling import ANY, matched_runs
from ncfilters.errors import UsageError
from ncfilters.record import Record
from ncfilters.roles import ROLES
from ncfilters.streams.runner import StreamOptions
from ncfilters.text.words import words
from ncfilters.training.base import registered_domain, whole_sites

# ---- runs of gold text ----
RUNS = [("headline", "Bridge closed"), ("text", "It is closed until autumn, the council says."), ("comments", "Good.")]


def _matched(*texts: str) -> list[tuple[str, bool]]:
    return matched_runs([{"text": text} for text in texts], RUNS, [len(words(text)) for text in texts])


def test_runs_that_segments_are_in() -> None:
    assert _matched("Home", "Bridge closed", "It is closed until autumn", "", "Good.") == [
        ("", False), ("headline", True), ("text", True), ("", False), ("comments", True),
    ]  # fmt: skip
    assert _matched("the council") == [("text", False)]
    assert _matched("Bridge closed. It is closed until") == [("text", False)]


# ---- pages of complete sites ----
RECORDS = [{"id": number, "url": f"http://www.site{number % 7}.example/{number}"} for number in range(40)]


def sites(records: list[dict[str, object]]) -> set[str]:
    return {str(record["url"]).split("/")[2] for record in records}


@pytest.mark.parametrize("host, expected", [("a.b.org", "b.org"), ("www.a.co.uk", "a.co.uk"), ("org", "org"), ("", "")])
def test_registered_domains(host: str, expected: str) -> None:
    assert registered_domain(host) == expected


def test_samples_of_complete_sites() -> None:
    chosen = whole_sites(RECORDS, 20)
    rest = [record for record in RECORDS if record not in chosen]
    assert 10 < len(chosen) <= 20
    assert not sites(chosen) & sites(rest)
    assert sites(chosen) == sites(whole_sites(RECORDS[::-1], 20))
    assert len(whole_sites(RECORDS, 40)) == 40
    assert whole_sites([], 5) == []


# ---- titles ----
PROSE = "The old bridge over the river is closed for repairs until the end of the summer."
TITLE = "Bridge closed until autumn"


def _found(segments: list[tuple[str, str]], gold: Any, head: str = "", first: int | None = None) -> Any:
    page = [{"tag": tag, "text": text} for tag, text in segments]
    counts = [len(words(text)) for _, text in segments]
    if first is None:
        first = next(place for place, (_, text) in enumerate(segments) if text == PROSE)
    return find_titles(page, counts, gold_of({"gold": gold}), head, first)


def test_which_segment_is_the_title() -> None:
    # the gold standard names the title
    assert title_of(gold_of({"gold": {"text": "", "title": TITLE}})) == TITLE
    runs = [{"role": "supplement", "text": "3 May"}, {"role": "headline", "text": TITLE}]
    assert title_of(gold_of({"gold": {"text": "", "roles": runs}})) == TITLE
    assert title_of(gold_of({"gold": TITLE})) == ""
    # the headline is a heading next to the text
    segments = [("li", TITLE), ("h1", "The Valley Post"), ("h1", TITLE), ("p", PROSE), ("h3", TITLE)]
    assert _found(segments, {"text": PROSE, "title": TITLE}) == (2, [0, 4])
    # the first line of the gold text is the title if it is a heading or in the title of the head
    gold = f"3 May 2024\n{TITLE}\n{PROSE}"
    assert _found([("h2", TITLE), ("p", PROSE)], gold)[0] == 0
    assert _found([("div", TITLE), ("p", PROSE)], gold, head=f"{TITLE} - The Valley Post")[0] == 0
    assert _found([("div", TITLE), ("p", PROSE)], gold)[0] is None
    # a part of the title of the head is the title if it is near the text
    segments = [("h1", "The Valley Post online"), *[("li", "Menu")] * 40, ("h2", TITLE), ("p", PROSE)]
    assert _found(segments, PROSE, head=f"The Valley Post online | {TITLE}")[0] == 41
    # the title element in the body is not the headline
    assert _found([("title", TITLE), ("p", PROSE)], {"text": PROSE, "title": TITLE}) == (None, [])


@pytest.mark.parametrize(
    "other", ["Bridge closed until the autumn", "Bridge closed until autumn: what you need to know"]
)
def test_a_heading_may_have_the_title_in_other_words(other: str) -> None:
    assert _found([("h1", other), ("p", PROSE)], {"text": PROSE, "title": TITLE}) == (0, [])
    assert _found([("h1", "Opening hours"), ("p", PROSE)], {"text": PROSE, "title": TITLE}) == (None, [])


# ---- labelling ----
PAGE = ["Home News Contact", "The bridge is closed.", "It opens again in May, they say.", "Read more news"]


def test_shares_of_words_in_order() -> None:
    assert labelling.matched_shares(PAGE, "The bridge is closed. It opens again in May, they say.") == [0, 1, 1, 0]
    # of "It opens again in May they say" the gold has four of seven
    assert labelling.matched_shares(PAGE, "The bridge is closed. It opens in May.") == [0, 1, 4 / 7, 0]
    assert labelling.matched_shares(["a b c", "x y", "a b c"], "x y a b c") == [0, 1, 1]
    assert labelling.matched_shares(["a b c", "x y", "a b c"], "a b c x y") == [1, 1, 0]
    assert labelling.matched_shares(["THE bridge\n is – closed"], "“the Bridge is closed!”") == [1]
    assert labelling.matched_shares(["* * *", "text", "", "…"], "text") == [None, 1, None, None]
    assert labelling.matched_shares([], "text") == []
    assert labelling.matched_shares(["text"], "") == [0]


def test_chinese_and_long_pages_are_aligned() -> None:
    page = ["首页 新闻 体育", "大桥关闭，五月重新开放。", "市长说：“我们在修。”", "版权所有"]
    assert labelling.matched_shares(page, "大桥关闭，五月重新开放。\n市长说：“我们在修。”") == [0, 1, 1, 0]
    assert labelling.matched_shares(page, "大桥关闭 五月开放") == [0, pytest.approx(8 / 10), 0, 0]
    page = [f"segment {number} of the page" for number in range(4000)]
    shares = labelling.matched_shares(page, " ".join(page[1000:3000]))
    # at the edges a neighbour may give the words that all segments share
    assert shares[1001:2999] == [1] * 1998
    assert max(share or 0 for share in shares[:999] + shares[3001:]) < 1


@pytest.mark.parametrize(
    ("required", "forbidden", "labels"),
    [
        (["bridge IS  closed"], [], [None, True, None, None]),
        ([], ["news"], [False, None, None, False]),
        (["news"], [], [None] * 4),  # which of the two is meant is not known
        (["in May"], ["they say"], [None, None, False, None]),  # a segment that must not appear is dirty
        (["", "ferry"], [" "], [None] * 4),
    ],
)
def test_snippets_label_the_segments_that_have_them(
    required: list[str], forbidden: list[str], labels: list[bool | None]
) -> None:
    assert labelling.snippet_labels(PAGE, required, forbidden) == labels


# ---- dates and bylines ----
@pytest.mark.parametrize("text", [
    "3 May 2024", "Last updated at 8:37 AM on 12th January 2012", "Posted : Fri, 11 Jan 2008 11:01:23 GMT",
    "08/01/2008 11:13", "2012年1月17日 10:25", "Środa, 11 stycznia 2012", "// 09.12.2011 // 10:19 //",
])  # fmt: skip
def test_a_line_with_a_date_and_nothing_else_is_a_date(text: str) -> None:
    assert forms(text) == {"date"}
    assert is_dated(text)


@pytest.mark.parametrize(
    "text",
    ["By Ann Lee", "by AL ALEXANDER The Patriot Ledger", "Written by: Jo Ray", "Author : Sports Desk", "記者陳木隆"],
)
def test_a_line_that_says_by_whom_is_a_byline(text: str) -> None:
    assert forms(text) == {"byline"}


def test_a_line_may_be_both() -> None:
    assert forms("By Ann Lee, 3 May 2024") == {"byline", "date"}
    assert other_words("Ann Lee | May 3, 2024") == ["ann", "lee"]


@pytest.mark.parametrize("text", [
    "by the river the road is closed", "EDITORS", "May we come in?", "12 34 56", "Home",
    "The bridge closed on 3 May 2024",
])  # fmt: skip
def test_other_lines_are_neither(text: str) -> None:
    assert forms(text) == set()


@pytest.mark.parametrize(("text", "day"), [
    ("May 3, 2024", (2024, 5, 3)), ("3. Mai 2024", (2024, 5, 3)), ("2024-05-03", (2024, 5, 3)),
    ("17/01/08", (2008, 1, 17)),
])  # fmt: skip
def test_days(text: str, day: tuple[int, int, int]) -> None:
    assert day in days(text)
    assert not days("room 12, floor 3")


# ---- roles ----
ROLE_PROSE = "The old bridge over the river is closed for repairs until the end of the summer, the council says."
MORE = "Walkers and cyclists can still cross by the ferry at the mill, which runs every twenty minutes."
REMARK = "I crossed it every day when I was at school, and it creaked even then."
HTML = f"""<html><head><title>Bridge closed until autumn | The Valley Post</title></head><body>
<nav><a href=/>News</a> <a href=/s>Sport pages</a></nav>
<div class=main><h1>Bridge closed until autumn</h1><div>By Ann Lee</div><div>3 May 2024</div>
<p>{ROLE_PROSE}</p><figure><figcaption>The bridge in winter</figcaption></figure><p>{MORE}</p>
<div class=comments><p>{REMARK}</p></div>
<div><a href=/mill>Mill opens its doors to the public</a></div><div>Log in to vote</div></div></body></html>"""
TEXT = f"{ROLE_PROSE}\n\n{MORE}"


def _roles(gold: Any, **fields: Any) -> dict[str, str]:
    page = label_page({"html": HTML, "gold": gold, **fields}, keep_record=True)
    return {text[:12]: " ".join(names_of(mask)) for text, mask in zip(page.texts, page.roles)}


def test_roles_from_the_gold_standard() -> None:
    # title author and date of the gold standard
    roles = _roles({"text": TEXT, "title": "Bridge closed until autumn", "author": "Ann Lee", "date": "2024-05-03"})
    assert roles["Bridge close"] == "title"
    assert roles["By Ann Lee"] == "byline"
    assert roles["3 May 2024"] == "date"
    assert roles["The old brid"] == roles["Walkers and "] == "text"
    assert roles["The bridge i"] == "caption"
    assert roles["News Sport p"] == "boilerplate"
    # what a gold standard leaves out need not be boilerplate
    roles = _roles({"text": TEXT, "title": "Another title altogether"})
    assert roles["I crossed it"] == "comment boilerplate"
    assert roles["Mill opens i"] == "related"
    assert roles["Log in to vo"] == "related boilerplate"
    # comments of the gold standard
    assert _roles({"text": TEXT, "comments": REMARK})["I crossed it"] == "comment"
    assert _roles({"text": TEXT, "comments": ""})["I crossed it"] == "comment boilerplate"
    assert _roles({"text": TEXT, "comments": ""})["Mill opens i"] == "related"
    # runs of the gold standard
    runs = [
        ("headline", "Bridge closed until autumn"), ("supplement", "3 May 2024"), ("text", ROLE_PROSE),
        ("text", MORE), ("comments", REMARK), ("related", "Mill opens its doors to the public"),
    ]  # fmt: skip
    roles = _roles({"text": TEXT, "roles": [{"role": role, "text": text} for role, text in runs]})
    expected = {
        "Bridge close": "title", "3 May 2024": "date", "The old brid": "text", "I crossed it": "comment",
        "Mill opens i": "related",
    }  # fmt: skip
    assert {start: roles[start] for start in expected} == expected
    # the title is known from the first gold line
    assert _roles("Bridge closed until autumn\n\n" + TEXT)["Bridge close"] == "title"
    # the entries of a forum have dates of their own
    assert "comment" in _roles({"text": TEXT}, page_type="forum")["3 May 2024"]


def test_other_documents_have_roles_too() -> None:
    html = f'<script type=application/ld+json>{{"articleBody": "{ROLE_PROSE} {MORE}"}}</script><p>{ROLE_PROSE}</p>'
    page = label_page({"html": html, "gold": TEXT}, keep_record=True)
    assert [mask == ANY for mask in page.roles] == ["rule" in segment for segment in (page.record or {})["segments"]]
    assert names_of(ANY) == ROLES
    page = label_page({"text": f"Bridge closed\n\n{ROLE_PROSE}\n\nLog in", "gold": ROLE_PROSE}, keep_record=True)
    assert [names_of(mask)[0] for mask in page.roles][1] == "text"
    row = {"text": "Wednesday\tclosed", "tag": "tr", "path": "body/main/table/tr", "type": "p"}
    code = {"text": "open_bridge(now)", "tag": "pre", "path": "body/main/pre", "type": "p", "pre": True}
    segments = [
        {"text": ROLE_PROSE, "type": "p"},
        row,
        code,
        {"text": "Rain\nall day", "path": "body/pre", "pre": True},
    ]
    gold = {"text": f"{ROLE_PROSE}\nWednesday closed\nopen_bridge(now)\nRain all day", "title": "The bridge"}
    page = label_page({"segments": segments, "gold": gold}, keep_record=True)
    assert [" ".join(names_of(mask)) for mask in page.roles] == ["text", "table", "code", "text code"]


# ---- gold text joined to pages ----
OPTIONS = StreamOptions("nc-test")


def written(path: Path, *records: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def consumed(files: list[str], where: GoldLocation, options: StreamOptions = OPTIONS) -> tuple[int, list[Record]]:
    pages: list[Record] = []

    def take(page: Record) -> Record:
        pages.append(page)
        return page

    return consume_with_gold(files, take, where, options), pages


def test_gold_is_joined_by_id_or_name(tmp_path: Path) -> None:
    # gold in the records themselves
    path = written(tmp_path / "pages", {"id": 1, "html": "a", "gold": "b"})
    status, pages = consumed([path], GoldLocation())
    assert (status, [page["gold"] for page in pages]) == (0, ["b"])
    # gold is joined by id whatever the order
    pages = written(tmp_path / "pages", {"id": 1, "html": "x"}, {"id": 2, "html": "y"})
    golds = written(tmp_path / "gold", {"id": 2, "best": "b"}, {"id": 1, "best": "a", "url": "http://a.example/"})
    status, found = consumed([pages], GoldLocation(golds, "best"))
    assert (status, [page["gold"]["text"] for page in found]) == (0, ["a", "b"])
    assert [page.get("url") for page in found] == ["http://a.example/", None]
    # cleaneval markup stays markup
    pages = written(tmp_path / "pages", {"id": 1, "html": "x"})
    golds = written(tmp_path / "gold", {"id": 1, "gold": "<p>a"})
    assert consumed([pages], GoldLocation(golds))[1][0]["gold"] == {"text": None, "markup": "<p>a"}
    # a page has the gold of its name
    pages = written(tmp_path / "p", {"id": "1.html", "text": "a"}, {"id": "2-original.html", "text": "b"})
    gold = written(tmp_path / "g", {"id": "1", "gold": "A"}, {"id": "2", "gold": "B"})
    status, found = consumed([pages], GoldLocation(gold))
    assert (status, [(page["id"], page["gold"]["text"]) for page in found]) == (
        0,
        [("1.html", "A"), ("2-original.html", "B")],
    )


def test_pages_without_id_or_gold_fail_alone_or_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [{"html": "x"}, {"id": 1, "html": "x"}, {"id": 1, "html": "x"}, {"id": 3, "html": "x"}]
    pages, golds = written(tmp_path / "pages", *records), written(tmp_path / "gold", {"id": 1, "gold": "a"})
    status, found = consumed([pages], GoldLocation(golds))
    assert (status, len(found)) == (1, 1)
    err = capsys.readouterr().err.splitlines()
    assert err == [
        "nc-test: record 1: id: missing: gold text is joined to pages by id",
        f"nc-test: record 3 (1): an earlier page has the same id and the gold text in {golds}",
        f"nc-test: record 4 (3): no gold text in {golds} has this id",
    ]
    pages = written(tmp_path / "pages", {"id": 2, "html": "x"}, {"id": 1, "html": "x"})
    golds = written(tmp_path / "gold", {"id": 1, "gold": "a"})
    assert consumed([pages], GoldLocation(golds), StreamOptions("nc-test", strict=True)) == (1, [])


def test_gold_without_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = written(tmp_path / "pages", {"id": 1, "html": "x"})
    golds = written(tmp_path / "gold", *({"id": number, "gold": "a"} for number in range(1, 7)))
    assert consumed([pages], GoldLocation(golds))[0] == 0
    assert capsys.readouterr().err == f"nc-test: {golds}: 5 of 6 gold texts have no page, such as '2', '3', '4'\n"
    pages = written(tmp_path / "pages", {"id": "a", "html": "x"})
    golds = written(tmp_path / "gold", {"id": "b", "gold": "a"})
    with pytest.raises(UsageError, match="gold: no page has the id of a gold text, such as 'b'$"):
        consumed([pages], GoldLocation(golds))
    with pytest.raises(UsageError, match="standard input cannot be both"):
        consumed([], GoldLocation("-"))


@pytest.mark.parametrize(
    ("files", "name"),
    [([], "standard input"), (["-"], "standard input"), (["a"], "a"), (["a", "b", "c"], "a and 2 more")],
)
def test_the_name_of_the_input(files: list[str], name: str) -> None:
    assert describe_inputs(files) == name
