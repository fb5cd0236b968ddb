"""Which block an image belongs to that stands alone."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.page.markup.markup_reader import MarkupReader
from ncfilters.page.markup.page_links import PageLinks
from ncfilters.page.tree.html_parser import parse_html

LONG = "Some text of the article, of more than a hundred characters, so that it counts as a real paragraph. " * 2


def figures_of(html: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """The first word of each block with images, and these."""
    blocks = MarkupReader(PageLinks())(parse_html(html))
    return [(block["text"].split()[0], block["figure"]) for block in blocks if "figure" in block]


@pytest.mark.parametrize(
    ("html", "word", "is_after"),
    [
        ("<div><p>One</p></div><article><img src=a><p>Two", "Two", False),
        ("<article><p>One</p><img src=a></article><p>Two", "One", True),
        ("<article><div><p>One</p></div><div><img src=a></div></article><div><p>Two", "One", True),
        (f"<h2>One</h2><img src=a><p>{LONG}", "Some", False),
        (f"<p>{LONG}</p><img src=a><p><a href=b>{LONG}</a>", "Some", True),
        ("<p>One</p><p hidden>No</p><img src=a><p hidden>No</p>", "One", True),
        ("<img src=a><p>Two", "Two", False),
        ("<ul><li>One word of many</ul><img src=a><p>Two", "Two", False),
        ("<blockquote><p>One word of many</blockquote><img src=a><p>Two", "Two", False),
        ("<table><tr><td><p>One word of many</table><img src=a><p>Two", "Two", False),
        ("<p>One</p><img src=a>", "One", True),
    ],
)
def test_the_block_in_the_same_container(html: str, word: str, is_after: bool) -> None:
    image = {"src": "a", "alt": ""}
    assert figures_of(html) == [(word, [{**image, "after": True} if is_after else image])]


@pytest.mark.parametrize(
    ("html", "place"),
    [
        ("<ul><li>One</ul><img src=a>", {"depth": 0}),
        ("<ol><li>One<ul><li>Two</ul><img src=a></ol>", {"depth": 1}),
        ("<ul><li>One</li><img src=a></ul>", {}),
        ("<li><p>One</p><img src=a></li>", {}),
        ("<blockquote>One</blockquote><img src=a>", {"quote": 0}),
        ("<table><tr><th>One<th>Two</table><img src=a>", {"table": 0}),
        ("<ul><li><table><tr><th>One<th>Two</table></ul><img src=a>", {"depth": 0, "table": 0}),
        ("<table><tr><th>One<th><p>Two</p><img src=a></table>", {}),
        ("<table><tr><td><h2>One</h2><p>Two</table><img src=a>", {}),
        ("<div role=list><blockquote><ul><li>One</ul></blockquote></div><img src=a>", {"depth": 0, "quote": 0}),
    ],
)
def test_lists_quotes_and_tables_that_an_image_is_not_in(html: str, place: dict[str, int]) -> None:
    (_, figures), *_ = figures_of(html)
    assert figures == [{"src": "a", "alt": "", **place, "after": True}]


def test_an_image_before_a_table_is_in_no_cell() -> None:
    ((_, figures),) = figures_of("<div><img src=a></div><table><tr><th>One<th>Two</table>")
    assert figures == [{"src": "a", "alt": "", "table": 0}]


def test_captions_belong_to_the_image() -> None:
    html = f"<p>{LONG}</p><figure><img src=a alt=A><figcaption>By <b>Ann</b>.<p>Yes.</figcaption></figure><p>Next"
    assert figures_of(html) == [("Some", [{"src": "a", "alt": "A", "caption": "By Ann. Yes.", "after": True}])]


@pytest.mark.parametrize(
    "html",
    [
        "<div class='wp-caption x'><a href=b.gif><img src=a></a><p class=wp-caption-text>Debt</div>",
        "<div><img src=a><p class=image-caption>Debt</div>",
    ],
)
def test_captions_by_their_class(html: str) -> None:
    ((word, (image,)),) = figures_of(f"<p>{LONG}</p>{html}<p>Next")
    assert (word, image["caption"]) == ("Some", "Debt")


def test_a_caption_outside_of_figures_is_that_of_the_image_before_it() -> None:
    html = f"<p>{LONG}</p><div><img src=a><figcaption>Ann</figcaption><p>One</div>"
    assert figures_of(html) == [("One", [{"src": "a", "alt": "", "caption": "Ann"}])]


def test_the_caption_of_the_next_image_is_not_added() -> None:
    one, two = (f"<dl><dt><img src={name}><dd class=wp-caption-text>Of {name}</dl>" for name in "ab")
    captions = [image["caption"] for _, images in figures_of(f"<p>{LONG}</p>{one}{two}<p>Next") for image in images]
    assert captions == ["Of a", "Of b"]


def test_a_caption_alone_has_its_image() -> None:
    html = "<nav>Menu</nav><div><figure><img src=a><figcaption>A caption</figcaption></figure></div>"
    assert figures_of(html)[0][1][0]["src"] == "a"


def test_the_size_of_an_enlarged_image_is_no_place_for_it() -> None:
    html = f"<p>{LONG}</p><div><a href=big.jpg><img src=a><div>10 KB</div></a></div><p>Two"
    assert figures_of(html) == [("Some", [{"src": "a", "alt": "", "link": "big.jpg", "after": True}])]


def test_a_linked_image_has_its_link() -> None:
    assert figures_of("<p>One</p><a href=b><img src=a></a>")[0][1][0]["link"] == "b"


def test_a_page_without_text_has_no_images() -> None:
    assert figures_of("<img src=a>") == []


def test_text_after_a_line_break_is_not_the_line_of_the_image() -> None:
    assert figures_of("<p>One</p><div><img src=a><br>Two</div>") == [("Two", [{"src": "a", "alt": ""}])]
    assert figures_of("<p>One</p><div><img src=a> Two</div>") == []


def test_the_sign_of_the_site_is_no_image_of_the_text() -> None:
    assert figures_of("<a href=/><img src=logo.png></a><p>One</p><p><a href=/><img src=logo.png></a> Two") == []


@pytest.mark.parametrize(
    ("link", "is_button"),
    [
        ("mailto:?subject=Rain", True),
        ("https://www.pinterest.com/pin/create/button/?url=a", True),
        ("https://www.facebook.com/sharer/sharer.php?u=a", True),
        ("https://example.org/shared/rain.html", False),
    ],
)
def test_buttons_to_share_are_no_images(link: str, is_button: bool) -> None:
    assert (figures_of(f"<p>One</p><a href='{link}'><img src=a></a><p>Two") == []) == is_button


def test_controls_are_no_images_unless_they_enlarge_a_figure() -> None:
    assert figures_of("<p>One</p><button aria-label=Red><img src=red.jpg></button><p>Two") == []
    for html in ("<figure><button><img src=a></button></figure>", "<button><figure><img src=a></figure></button>"):
        assert [image["src"] for _, images in figures_of(f"<p>One</p>{html}") for image in images] == ["a"]


def test_of_the_images_in_a_link_to_a_page_the_first_is_one() -> None:
    for url, found in (("shoe.html", ["a"]), ("a.jpg", ["a", "b"])):
        html = f"<p>One</p><a href={url}><div><img src=a></div><div><img src=b></div></a><p>Two"
        assert [image["src"] for _, images in figures_of(html) for image in images] == found


def test_an_image_stays_before_a_table_caption() -> None:
    html = "<p>One word</p><div class=figure><img src=a><p class=caption>Fig</p></div><table><caption>Longer text of it"
    assert figures_of(html) == [("One", [{"src": "a", "alt": "", "caption": "Fig", "after": True}])]


def test_captions_in_a_gallery_are_those_of_their_image() -> None:
    one, two, three = (
        f"<figure><img src={name}>{caption}</figure>"
        for name, caption in (("a", "<figcaption>Ann</figcaption>"), ("b", ""), ("c", "<figcaption>Cy</figcaption>"))
    )
    page = f"<p>{LONG}</p><figure>{one}{two}{three}<figcaption>All</figcaption></figure><p>Next"
    captions = [image.get("caption") for _, images in figures_of(page) for image in images]
    assert captions == ["Ann", None, "Cy"]
