"""Rules for trivial boilerplate."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

from ncfilters.page.blocks.block_table import table_of
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.landmarks import kinds_of_paths

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.segmentation.rules"), ids=lambda form: form.__name__)

LONG = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def rule_of_first(form: ModuleType, *segments: dict[str, str]) -> str | None:
    """The rule of the first of some segments."""
    table = table_of(segments)
    form.mark_boilerplate(table, kinds_of_paths(table.path))
    return table.rule[0]


def rules(html: str) -> list[tuple[str | None, str]]:
    return [(s.get("rule"), s["text"]) for s in segmenter.segment_html(html)]


@FORMS
@pytest.mark.parametrize(
    "path, rule",
    [
        ("body/nav/ul/li", "nav"),
        ("body/main/nav/ul/li", "nav"),
        ("body/footer/p", "footer"),
        ("body/footer.site/nav/ul/li", "footer"),
        ("body/dialog/p", "dialog"),
        ("body/form/select/option", "select"),
        ("body/header/div", "header"),
        ("body/main/header/h1", None),
        ("body/article#post-1/header/h1", None),
        ("body/div.main/header/p", "header"),
        ("body/div.nav/p", None),
        ("body/navigation/p", None),
        ("body/div#cookie-banner/p", "widget"),
        ("body/div.site_cookies/p", "widget"),
        ("body/aside.related-stories/p", "widget"),
        ("body/ul.breadcrumbs/li", "widget"),
        ("body/div.modal.fade/p", "widget"),
        ("body/form.Login/p", "widget"),
        ("body/div.login/p", "widget"),
        ("body/div.a.b.social/p", "widget"),
        ("body/td#copyright", "widget"),
        ("body/div.modality/p", None),
        ("body/div.socialist/p", None),
        ("body/div.correlated/p", None),
        ("body.modal-open/p", None),
        ("body/section.related/p", None),
        ("body/main/p", None),
        ("", None),
    ],
)
def test_rules_of_paths(form: ModuleType, path: str, rule: str | None) -> None:
    around = {"text": 3 * LONG, "path": "body/div"}
    assert rule_of_first(form, {"text": LONG, "path": path}, around) == rule


@FORMS
@pytest.mark.parametrize(
    "text, rule",
    [
        ("Home | About | Contact", "bars"),
        ("Home|About|Contact", "bars"),
        ("Home » News » Sport", "bars"),
        ("Home > News > Sport", "bars"),
        ("One · two · three", "bars"),
        ("and/or either/or", None),
        ("One | two", None),
        (f"{LONG} | {LONG} | {LONG}", None),
        ("© 2025 Somebody", "copyright"),
        ("Copyright (c) 2007 by somebody", "copyright"),
        ("Somebody. All rights reserved.", "copyright"),
        ("ALL RIGHTS RESERVED", "copyright"),
        (f"{LONG} © 2025", None),
        (f"© {LONG * 4}", None),
        ("I know my rights", None),
        ("***", "wordless"),
        ("| |", "bars"),
        ("→", "wordless"),
        ("7", None),
        ("文", None),
        (LONG, None),
    ],
)
def test_rules_of_texts(form: ModuleType, text: str, rule: str | None) -> None:
    assert rule_of_first(form, {"text": text}, {"text": LONG}) == rule


def test_links_in_a_row_are_a_menu() -> None:
    menu = "<p><a href=x>One link</a></p><p><a href=y>another</a></p>"
    assert rules(f"<p>{LONG}</p>{menu}<p>{LONG}</p>") == [
        (None, LONG),
        ("links", "One link"),
        ("links", "another"),
        (None, LONG),
    ]
    alone = f"<p>{LONG}</p><p><a href=x>One link</a></p><p>{LONG}</p><p><a href=x>One link</a></p><p>{LONG}</p>"
    assert [rule for rule, _ in rules(alone)] == [None] * 5


def test_links_go_on_over_wordless_segments() -> None:
    html = f"<p>{LONG}</p><p><a href=x>One</a></p><p>|</p><p><a href=x>Two</a></p><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == [None, "links", "wordless", "links", None]


def test_short_segments_between_marked_ones_are_islands() -> None:
    html = f"<nav>a</nav><p>Caption</p><p>Label</p><nav>b</nav><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == ["nav", "island", "island", "nav", None]
    html = f"<nav>a</nav><p>Caption</p><p>A sentence.</p><nav>b</nav><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == ["nav", None, None, "nav", None]
    assert rules("<p>A page of one line</p>") == [(None, "A page of one line")]
    assert rules("") == []


@pytest.mark.parametrize(
    "html",
    [
        f"<nav>a</nav><h1>The title</h1><select><option>b</select><p>{LONG}</p>",
        f"<h1><a href=x>The title</a></h1><p><a href=y>Category</a></p><p>{LONG}</p>",
    ],
)
def test_the_title_is_no_boilerplate(html: str) -> None:
    assert (None, "The title") in rules(html)


def test_rules_of_plain_text() -> None:
    segments = segmenter.segment_text("Home | News | Sport\n\n" + LONG + "\n\n© 2025 Somebody\n")
    assert [s.get("rule") for s in segments] == ["bars", None, "copyright"]
