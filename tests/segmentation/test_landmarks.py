"""What the names of the elements around a segment say."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.page.block_table import table_of
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.landmarks import PathLandmarks, landmarks_without_wrappers

TEXT = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def segment(path: str, text: str = TEXT, **fields: Any) -> dict[str, Any]:
    return {"path": path, "tag": path.rpartition("/")[2], "text": text, **fields}


def rules(html: str) -> list[str | None]:
    return [s.get("rule") for s in segmenter.segment_html(html)]


def test_landmarks_of_elements_add_up() -> None:
    landmarks = PathLandmarks({})
    for _ in range(2):
        assert landmarks.of("body/main/header/div.modal/p") == ("widget", True, True)
        assert landmarks.of("body/main/header") == (None, True, True)
        assert landmarks.of("body/main/headers") == (None, False, True)
        assert landmarks.of("body/nav/div.modal") == ("nav", False, False)
        assert landmarks.of("") == (None, False, False)
        assert landmarks.of("body") == (None, False, False)


def test_landmarks_of_known_paths_count() -> None:
    landmarks = PathLandmarks({"body/nav": (None, False, False)})
    assert landmarks.of("body/nav/div.modal/p") == ("widget", False, False)
    assert landmarks.of("body/nav") == (None, False, False)
    assert landmarks.of("body/nav2/nav") == ("nav", False, False)


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
    # many pages whose text is missing have nothing but their footer
    assert rules(f"<footer><p>{TEXT}<p>{TEXT}</footer>") == ["footer", "footer"]


def test_links_are_no_text_of_a_wrapper() -> None:
    menu = segment("body/div.modal/h1", 9 * TEXT, links=9 * len(TEXT))
    assert not landmarks_without_wrappers(table_of([menu, segment("body/p"), segment("body/p", 3 * TEXT)]))


def test_options_of_a_form_are_never_a_wrapper() -> None:
    assert not landmarks_without_wrappers(table_of([segment("body/select/option/h1"), segment("body/select/option")]))


def test_wrappers_of_large_pages_take_linear_time() -> None:
    assert_linear(
        landmarks_without_wrappers,
        lambda size: table_of([segment(f"body/div.modal/div#related-{at}/p") for at in range(size)]),
        2_000,
    )
