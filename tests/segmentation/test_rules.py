"""Rules of trivial boilerplate, and landmarks."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest
from operations import assert_linear
from page_elements import elements_of
from uncompiled import in_both_forms

from ncfilters.page import dom_path
from ncfilters.page.blocks.block_table import table_of
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.landmarks import (
    IN_CONTENT,
    IN_HEADER,
    IN_HEADING,
    IN_ITEM,
    RULE_BITS,
    RULES,
    kinds_of_elements,
    wrappers_of,
)

FORMS = in_both_forms("segmentation.rules")

LONG = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def rule_of_first(form: ModuleType, *segments: dict[str, str]) -> str | None:
    """The rule of the first of some segments."""
    table = table_of(segments)
    form.mark_boilerplate(table, kinds_of_elements(table.elements))
    return table.rule[0]


def rules(html: str) -> list[tuple[str | None, str]]:
    return [(s.get("rule"), s["text"]) for s in segmenter.segment_html(html)]


@FORMS
@pytest.mark.parametrize("path, rule", [
    ("body/nav/ul/li", "nav"), ("body/main/nav/ul/li", "nav"), ("body/footer/p", "footer"),
    ("body/footer.site/nav/ul/li", "footer"), ("body/dialog/p", "dialog"), ("body/form/select/option", "select"),
    ("body/header/div", "header"), ("body/main/header/h1", None), ("body/article#post-1/header/h1", None),
    ("body/div.main/header/p", "header"), ("body/div.nav/p", None), ("body/navigation/p", None),
    ("body/div#cookie-banner/p", "widget"), ("body/div.site_cookies/p", "widget"),
    ("body/aside.related-stories/p", "widget"), ("body/ul.breadcrumbs/li", "widget"),
    ("body/div.modal.fade/p", "widget"), ("body/form.Login/p", "widget"), ("body/div.login/p", "widget"),
    ("body/div.a.b.social/p", "widget"), ("body/td#copyright", "widget"), ("body/div.modality/p", None),
    ("body/div.socialist/p", None), ("body/div.correlated/p", None), ("body.modal-open/p", None),
    ("body/section.related/p", None), ("body/main/p", None), ("", None),
])  # fmt: skip
def test_rules_of_paths(form: ModuleType, path: str, rule: str | None) -> None:
    around = {"text": 3 * LONG, "path": "body/div"}
    assert rule_of_first(form, {"text": LONG, "path": path}, around) == rule


@FORMS
@pytest.mark.parametrize("text, rule", [
    ("Home | About | Contact", "bars"), ("Home|About|Contact", "bars"), ("Home » News » Sport", "bars"),
    ("Home > News > Sport", "bars"), ("One · two · three", "bars"), ("and/or either/or", None), ("One | two", None),
    (f"{LONG} | {LONG} | {LONG}", None), ("© 2025 Somebody", "copyright"),
    ("Copyright (c) 2007 by somebody", "copyright"), ("Somebody. All rights reserved.", "copyright"),
    ("ALL RIGHTS RESERVED", "copyright"), (f"{LONG} © 2025", None), (f"© {LONG * 4}", None), ("I know my rights", None),
    ("***", "wordless"), ("| |", "bars"), ("→", "wordless"), ("7", None), ("文", None), (LONG, None),
])  # fmt: skip
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
    html = f"<p>{LONG}</p><p><a href=x>One</a></p><p>|</p><p><a href=x>Two</a></p><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == [None, "links", "wordless", "links", None]


def test_rules_of_islands_and_plain_text() -> None:
    html = f"<nav>a</nav><p>Caption</p><p>Label</p><nav>b</nav><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == ["nav", "island", "island", "nav", None]
    html = f"<nav>a</nav><p>Caption</p><p>A sentence.</p><nav>b</nav><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == ["nav", None, None, "nav", None]
    assert rules("<p>A page of one line</p>") == [(None, "A page of one line")]
    assert rules("") == []
    segments = segmenter.segment_text("Home | News | Sport\n\n" + LONG + "\n\n© 2025 Somebody\n")
    assert [s.get("rule") for s in segments] == ["bars", None, "copyright"]


@pytest.mark.parametrize(
    "html",
    [
        f"<nav>a</nav><h1>The title</h1><select><option>b</select><p>{LONG}</p>",
        f"<h1><a href=x>The title</a></h1><p><a href=y>Category</a></p><p>{LONG}</p>",
    ],
)
def test_the_title_is_no_boilerplate(html: str) -> None:
    assert (None, "The title") in rules(html)


FORMS_LANDMARKS = in_both_forms("segmentation.landmarks")

TEXT = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def segment(path: str, text: str = TEXT, **fields: Any) -> dict[str, Any]:
    return {"path": path, "tag": path.rpartition("/")[2], "text": text, **fields}


def landmarks_of(html: str) -> list[str | None]:
    return [s.get("rule") for s in segmenter.segment_html(html)]


NAV, FOOTER, DIALOG, WIDGET = (RULES.index(name) << RULE_BITS for name in ("nav", "footer", "dialog", "widget"))


@FORMS_LANDMARKS
@pytest.mark.parametrize(("path", "kind"), [
    ("body/main/header/div.modal/p", WIDGET | IN_HEADER | IN_CONTENT), ("body/main/header", IN_HEADER | IN_CONTENT),
    ("body/main/headers", IN_CONTENT), ("body/nav/div.modal", NAV), ("body/DIV.a/NAV", NAV), ("", 0), ("body", 0),
    ("h1", 0), ("body/h1", IN_HEADING), ("body/h6.x/li#y/b", IN_HEADING | IN_ITEM),
    ("body/h1-x/li_x/h7/hr/link/h10/lié", 0), ("body/h2:x/li:x", IN_HEADING | IN_ITEM),
    ("body/div:dialog#x.y/p", DIALOG), ("body/div:contentinfo", FOOTER),
    ("body/span:tooltip.a/h2", WIDGET | IN_HEADING), ("body/nav:dialog", NAV),
    ("body/main:contentinfo", FOOTER | IN_CONTENT), ("body/div:main/div#:dialog", 0), ("body/div..modal", WIDGET),
    ("body/div.x__modal", WIDGET), ("body/h4/div.a.tool-tip__content", WIDGET | IN_HEADING),
    ("body/div#Tooltip.b", WIDGET), ("body/div.icon-tooltip/p.tooltip-wrap", 0),
    ("body/div.modals/body.modal/section#modal", 0), ("body/article/...", IN_CONTENT),
])  # fmt: skip
def test_what_paths_say(form: ModuleType, path: str, kind: int) -> None:
    elements = elements_of(["body/nav/p", path, "body/main/p", "body", path + "/p"])
    kinds = form.kinds_of_elements(elements)
    assert kinds[elements.add(path)] == kinds[elements.add(path + "/p")] == kind


@FORMS_LANDMARKS
def test_headings_and_items_are_those_of_paths(form: ModuleType) -> None:
    choose = random.Random(2)
    parts = ("h1", "h", "7", "6", "li", "l", "/", ".", "-", "_", "#", ":", "é", "nav", "x", "/", "/")
    for _ in range(2_000):
        path = "".join(choose.choices(parts, k=choose.randrange(9))).lstrip("/")
        elements = elements_of([path])
        kind = form.kinds_of_elements(elements)[elements.add(path)]
        assert (kind & IN_HEADING != 0) == bool(dom_path.HEADING.search(path)), path
        assert (kind & IN_ITEM != 0) == bool(dom_path.ITEM.search(path)), path


@FORMS_LANDMARKS
def test_wrappers_say_nothing(form: ModuleType) -> None:
    paths = ["body/nav/div.modal/p", "body/nav", "body/nav2/nav/h1", "body/main/h1/p", "body/main"]
    elements = elements_of(paths)
    wrappers = {elements.add("body/nav"), elements.add("body/nav2/nav/h1")}
    kinds = form.kinds_of_elements(elements, wrappers)
    expected = [WIDGET, 0, NAV | IN_HEADING, IN_CONTENT | IN_HEADING, IN_CONTENT]
    assert [kinds[elements.add(path)] for path in paths] == expected


@pytest.mark.parametrize(
    "start", ['<div class="render-target-modal">', "<header>", "<nav>", "<dialog open>", "<footer>"]
)
def test_a_part_that_holds_the_page_is_no_boilerplate(start: str) -> None:
    page = f"{start}<nav><a href=x>Home</a></nav><h1>Rain</h1><p>{TEXT}<p>{TEXT}<footer><p>© 2026</footer>"
    assert landmarks_of(page) == ["nav", None, None, None, "footer"]


def test_where_a_page_may_have_a_wrapper() -> None:
    # parts in a wrapper may be wrappers
    page = f'<div class=modal><div class=modal-x><section><div class="popup"><h1>Rain</h1><p>{TEXT}'
    assert landmarks_of(page) == [None, None]
    # a wrapper needs the titles of the page
    consent = f'<div class="cookie-consent"><p>{TEXT}<p>{TEXT}</div>'
    assert landmarks_of(f"{consent}<h1>Rain</h1><p>{TEXT}") == ["widget", "widget", None, None]
    consent = f'<div class="cookie-consent"><h1>Cookies</h1><p>{TEXT}<p>{TEXT}</div>'
    assert landmarks_of(f"{consent}<h1>Rain</h1><p>{TEXT}") == ["widget", "widget", "widget", None, None]
    assert landmarks_of(
        f"<header><h1>Our site</h1></header><div class=modal><h1>Rain</h1><p>{TEXT}</div><p>And so on."
    ) == ["header", None, None, None]
    # a page without title may have a wrapper
    assert landmarks_of(f'<div class="modal"><p>{TEXT}<p>{TEXT}</div><p>{TEXT[:40]}') == [None, None, None]
    assert landmarks_of(f'<div class="modal"><p>{TEXT}<p>{TEXT}</div><p>{TEXT}') == ["widget", "widget", None]
    assert landmarks_of(f'<div class="modal"><p>{TEXT}<p>{TEXT}</div><h1>Rain</h1>') == ["widget", "widget", None]
    assert landmarks_of(f'<div role="dialog"><p>{TEXT}<p>{TEXT}</div><p>{TEXT[:40]}') == [None, None, None]
    assert landmarks_of(f'<div role="dialog"><p>{TEXT}<p>{TEXT}</div><p>{TEXT}') == ["dialog", "dialog", None]
    # many pages whose text is missing have nothing but their footer
    assert landmarks_of(f"<footer><p>{TEXT}<p>{TEXT}</footer>") == ["footer", "footer"]
    # links are no text of a wrapper
    menu = segment("body/div.modal/h1", 9 * TEXT, links=9 * len(TEXT))
    assert not wrappers_of(table_of([menu, segment("body/p"), segment("body/p", 3 * TEXT)]))
    # options of a form are never a wrapper
    assert not wrappers_of(table_of([segment("body/select/option/h1"), segment("body/select/option")]))


def test_wrappers_of_large_pages_take_linear_time() -> None:
    assert_linear(
        wrappers_of, lambda size: table_of([segment(f"body/div.modal/div#related-{at}/p") for at in range(size)]), 2_000
    )
