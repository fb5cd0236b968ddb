"""What the names of the elements around a segment say."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest
from operations import assert_linear
from uncompiled import both_forms

from ncfilters.page.blocks import dom_path
from ncfilters.page.blocks.block_table import table_of
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.landmarks import (
    IN_CONTENT,
    IN_HEADER,
    IN_HEADING,
    IN_ITEM,
    RULE_BITS,
    RULES,
    kinds_without_wrappers,
)

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.segmentation.landmarks"), ids=lambda form: form.__name__)

TEXT = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def segment(path: str, text: str = TEXT, **fields: Any) -> dict[str, Any]:
    return {"path": path, "tag": path.rpartition("/")[2], "text": text, **fields}


def rules(html: str) -> list[str | None]:
    return [s.get("rule") for s in segmenter.segment_html(html)]


NAV, FOOTER, DIALOG, WIDGET = (RULES.index(name) << RULE_BITS for name in ("nav", "footer", "dialog", "widget"))


@FORMS
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("body/main/header/div.modal/p", WIDGET | IN_HEADER | IN_CONTENT),
        ("body/main/header", IN_HEADER | IN_CONTENT),
        ("body/main/headers", IN_CONTENT),
        ("body/nav/div.modal", NAV),
        ("body/DIV.a/NAV", NAV),
        ("", 0),
        ("body", 0),
        ("h1", 0),
        ("body/h1", IN_HEADING),
        ("body/h6.x/li#y/b", IN_HEADING | IN_ITEM),
        ("body/h1-x/li_x/h7/hr/link/h10/lié", 0),
        ("body/h2:x/li:x", IN_HEADING | IN_ITEM),
        ("body/div:dialog#x.y/p", DIALOG),
        ("body/div:contentinfo", FOOTER),
        ("body/span:tooltip.a/h2", WIDGET | IN_HEADING),
        ("body/nav:dialog", NAV),
        ("body/main:contentinfo", FOOTER | IN_CONTENT),
        ("body/div:main/div#:dialog", 0),
        ("body/div..modal", WIDGET),
        ("body/div.x__modal", WIDGET),
        ("body/h4/div.a.tool-tip__content", WIDGET | IN_HEADING),
        ("body/div#Tooltip.b", WIDGET),
        ("body/div.icon-tooltip/p.tooltip-wrap", 0),
        ("body/div.modals/body.modal/section#modal", 0),
        ("body/article/...", IN_CONTENT),
    ],
)
def test_what_paths_say(form: ModuleType, path: str, kind: int) -> None:
    assert form.kinds_of_paths([path]) == [kind]
    assert form.kinds_of_paths(["body/nav/p", path, "body/main/p", "body", path, path + "/p"])[-2:] == [kind, kind]


@FORMS
def test_headings_and_items_are_those_of_paths(form: ModuleType) -> None:
    choose = random.Random(2)
    parts = ("h1", "h", "7", "6", "li", "l", "/", ".", "-", "_", "#", ":", "é", "nav", "x", "/", "/")
    for _ in range(2_000):
        path = "".join(choose.choices(parts, k=choose.randrange(9)))
        (kind,) = form.kinds_of_paths([path])
        assert (kind & IN_HEADING != 0) == bool(dom_path.HEADING.search(path)), path
        assert (kind & IN_ITEM != 0) == bool(dom_path.ITEM.search(path)), path


@FORMS
def test_what_is_known_of_paths_counts(form: ModuleType) -> None:
    known = {"body/nav": 0, "body/main/h1": NAV}
    paths = ["body/nav/div.modal/p", "body/nav", "body/nav2/nav", "body/main/h1/p", "body/main"]
    assert form.kinds_of_paths(paths, known) == [WIDGET, 0, NAV, NAV | IN_HEADING, IN_CONTENT]


@pytest.mark.parametrize(
    "start", ['<div class="render-target-modal">', "<header>", "<nav>", "<dialog open>", "<footer>"]
)
def test_a_part_that_holds_the_page_is_no_boilerplate(start: str) -> None:
    page = f"{start}<nav><a href=x>Home</a></nav><h1>Rain</h1><p>{TEXT}<p>{TEXT}<footer><p>© 2026</footer>"
    assert rules(page) == ["nav", None, None, None, "footer"]


def test_parts_in_a_wrapper_may_be_wrappers() -> None:
    page = f'<div class=modal><div class=modal-x><section><div class="popup"><h1>Rain</h1><p>{TEXT}'
    assert rules(page) == [None, None]


def test_a_wrapper_needs_the_titles_of_the_page() -> None:
    consent = f'<div class="cookie-consent"><p>{TEXT}<p>{TEXT}</div>'
    assert rules(f"{consent}<h1>Rain</h1><p>{TEXT}") == ["widget", "widget", None, None]
    consent = f'<div class="cookie-consent"><h1>Cookies</h1><p>{TEXT}<p>{TEXT}</div>'
    assert rules(f"{consent}<h1>Rain</h1><p>{TEXT}") == ["widget", "widget", "widget", None, None]
    assert rules(f"<header><h1>Our site</h1></header><div class=modal><h1>Rain</h1><p>{TEXT}</div><p>And so on.") == [
        "header",
        None,
        None,
        None,
    ]


def test_a_page_without_title_may_have_a_wrapper() -> None:
    assert rules(f'<div class="modal"><p>{TEXT}<p>{TEXT}</div><p>{TEXT[:40]}') == [None, None, None]
    assert rules(f'<div class="modal"><p>{TEXT}<p>{TEXT}</div><p>{TEXT}') == ["widget", "widget", None]
    assert rules(f'<div class="modal"><p>{TEXT}<p>{TEXT}</div><h1>Rain</h1>') == ["widget", "widget", None]
    assert rules(f'<div role="dialog"><p>{TEXT}<p>{TEXT}</div><p>{TEXT[:40]}') == [None, None, None]
    assert rules(f'<div role="dialog"><p>{TEXT}<p>{TEXT}</div><p>{TEXT}') == ["dialog", "dialog", None]
    # many pages whose text is missing have nothing but their footer
    assert rules(f"<footer><p>{TEXT}<p>{TEXT}</footer>") == ["footer", "footer"]


def test_links_are_no_text_of_a_wrapper() -> None:
    menu = segment("body/div.modal/h1", 9 * TEXT, links=9 * len(TEXT))
    assert not kinds_without_wrappers(table_of([menu, segment("body/p"), segment("body/p", 3 * TEXT)]))


def test_options_of_a_form_are_never_a_wrapper() -> None:
    assert not kinds_without_wrappers(table_of([segment("body/select/option/h1"), segment("body/select/option")]))


def test_wrappers_of_large_pages_take_linear_time() -> None:
    assert_linear(
        kinds_without_wrappers,
        lambda size: table_of([segment(f"body/div.modal/div#related-{at}/p") for at in range(size)]),
        2_000,
    )
