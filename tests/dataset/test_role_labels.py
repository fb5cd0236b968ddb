"""Which roles a gold standard allows for the segments of a page."""

from __future__ import annotations

from typing import Any

from ncfilters.dataset.labelled_pages import label_page
from ncfilters.dataset.role_labels import ANY, names_of
from ncfilters.roles import ROLES

PROSE = "The old bridge over the river is closed for repairs until the end of the summer, the council says."
MORE = "Walkers and cyclists can still cross by the ferry at the mill, which runs every twenty minutes."
REMARK = "I crossed it every day when I was at school, and it creaked even then."
HTML = f"""<html><head><title>Bridge closed until autumn | The Valley Post</title></head><body>
<nav><a href=/>News</a> <a href=/s>Sport pages</a></nav>
<div class=main><h1>Bridge closed until autumn</h1><div>By Ann Lee</div><div>3 May 2024</div>
<p>{PROSE}</p><figure><figcaption>The bridge in winter</figcaption></figure><p>{MORE}</p>
<div class=comments><p>{REMARK}</p></div>
<div><a href=/mill>Mill opens its doors to the public</a></div><div>Log in to vote</div></div></body></html>"""
TEXT = f"{PROSE}\n\n{MORE}"


def _roles(gold: Any, **fields: Any) -> dict[str, str]:
    page = label_page({"html": HTML, "gold": gold, **fields}, keep_record=True)
    return {text[:12]: " ".join(names_of(mask)) for text, mask in zip(page.texts, page.roles)}


def test_title_author_and_date_of_the_gold_standard() -> None:
    roles = _roles({"text": TEXT, "title": "Bridge closed until autumn", "author": "Ann Lee", "date": "2024-05-03"})
    assert roles["Bridge close"] == "title"
    assert roles["By Ann Lee"] == "byline"
    assert roles["3 May 2024"] == "date"
    assert roles["The old brid"] == roles["Walkers and "] == "text"
    assert roles["The bridge i"] == "caption"
    assert roles["News Sport p"] == "boilerplate"


def test_what_a_gold_standard_leaves_out_need_not_be_boilerplate() -> None:
    roles = _roles({"text": TEXT, "title": "Another title altogether"})
    assert roles["I crossed it"] == "comment boilerplate"
    assert roles["Mill opens i"] == "related"
    assert roles["Log in to vo"] == "related boilerplate"


def test_comments_of_the_gold_standard() -> None:
    assert _roles({"text": TEXT, "comments": REMARK})["I crossed it"] == "comment"
    assert _roles({"text": TEXT, "comments": ""})["I crossed it"] == "comment boilerplate"
    assert _roles({"text": TEXT, "comments": ""})["Mill opens i"] == "related"


def test_runs_of_the_gold_standard() -> None:
    runs = [
        ("headline", "Bridge closed until autumn"),
        ("supplement", "3 May 2024"),
        ("text", PROSE),
        ("text", MORE),
        ("comments", REMARK),
        ("related", "Mill opens its doors to the public"),
    ]
    roles = _roles({"text": TEXT, "roles": [{"role": role, "text": text} for role, text in runs]})
    expected = {
        "Bridge close": "title",
        "3 May 2024": "date",
        "The old brid": "text",
        "I crossed it": "comment",
        "Mill opens i": "related",
    }
    assert {start: roles[start] for start in expected} == expected


def test_the_title_is_known_from_the_first_gold_line() -> None:
    assert _roles("Bridge closed until autumn\n\n" + TEXT)["Bridge close"] == "title"


def test_everything_is_allowed_for_embedded_content() -> None:
    html = f'<script type=application/ld+json>{{"articleBody": "{PROSE} {MORE}"}}</script><p>{PROSE}</p>'
    page = label_page({"html": html, "gold": TEXT}, keep_record=True)
    assert [mask == ANY for mask in page.roles] == ["rule" in segment for segment in (page.record or {})["segments"]]
    assert names_of(ANY) == ROLES


def test_plain_text_has_roles_too() -> None:
    page = label_page({"text": f"Bridge closed\n\n{PROSE}\n\nLog in", "gold": PROSE}, keep_record=True)
    assert [names_of(mask)[0] for mask in page.roles][1] == "text"


def test_the_entries_of_a_forum_have_dates_of_their_own() -> None:
    assert "comment" in _roles({"text": TEXT}, page_type="forum")["3 May 2024"]


def test_rows_of_tables_and_code() -> None:
    row = {"text": "Wednesday\tclosed", "tag": "tr", "path": "body/main/table/tr", "type": "p"}
    code = {"text": "open_bridge(now)", "tag": "pre", "path": "body/main/pre", "type": "p", "pre": True}
    segments = [{"text": PROSE, "type": "p"}, row, code, {"text": "Rain\nall day", "path": "body/pre", "pre": True}]
    gold = {"text": f"{PROSE}\nWednesday closed\nopen_bridge(now)\nRain all day", "title": "The bridge"}
    page = label_page({"segments": segments, "gold": gold}, keep_record=True)
    assert [" ".join(names_of(mask)) for mask in page.roles] == ["text", "table", "code", "text code"]
