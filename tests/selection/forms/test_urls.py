"""Addresses that run code, or leave their place in markup, are not written."""

from __future__ import annotations

import pytest

from ncfilters.selection.forms.urls import MAX_URL_CHARS, image_url, link_url, picture_of


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " \x01java\nscript:alert(1)",
        "java\tscript:x",
        "data:text/html,<script>",
        "vbscript:x",
        "file:///etc/passwd",
        "view-source:http://x",
        "\u202ejavascript:x",
        "a&b:c",
        "",
        "x" * (MAX_URL_CHARS + 1),
    ],
)
def test_unsafe_addresses(url: str) -> None:
    assert link_url(url) == image_url(url) == ""


@pytest.mark.parametrize(
    "url",
    ["https://x.y/a_(b)?c=d&e#f", "HTTP://x", "//x.y/a", "/a:b", "a/b:c", "?a:b", "#a:b", "../a", "https://x/ä/中"],
)
def test_safe_addresses_stay(url: str) -> None:
    assert link_url(url) == image_url(url) == url


def test_mail_is_no_image() -> None:
    assert (link_url("mailto:a@b.c"), image_url("mailto:a@b.c")) == ("mailto:a@b.c", "")


def test_characters_with_a_meaning_in_markup_are_encoded() -> None:
    assert link_url(' https://x/a b"<c>`|\\^{}\u202e\u200b\0d ') == (
        "https://x/a%20b%22%3Cc%3E%60%7C%5C%5E%7B%7D%E2%80%AE%E2%80%8B%00d"
    )


@pytest.mark.parametrize(
    "url",
    [
        "images/blackDiamondBullet.gif",
        "https://a.org/i/arrow_r.png",
        "https://a.org/M_images/printButton.png",
        "https://ads.a.org/1.jpg",
        "https://ad.doubleclick.net/x",
        "https://a.org/public/ico_external_link.gif",
        "https://a.org/favicons/favicon.svg",
        "https://a.org/lazy-load/images/1x1.trans.gif?v=2",
        "https://a.org/images/misc/quote_icon.png",
        "https://a.org/RealMedia/ads/adstream_nx.ads/a/728x90",
    ],
)
def test_decorations_have_no_address(url: str) -> None:
    assert image_url(url) == ""


def test_pictures_of_things_have_one() -> None:
    for url in (
        "https://a.org/green-arrow-film.jpg",
        "https://a.org/polka-dots.png",
        "https://a.org/uploads/ads.jpg",
        "https://a.org/icon.png",
    ):
        assert image_url(url) == url


@pytest.mark.parametrize(
    ("url", "picture"),
    [
        ("a-300x200.jpg", ("a-.jpg", 300)),
        ("/thumb/a.png/250px-a.png", ("/thumb/a.png/-a.png", 250)),
        ("a.jpg?w=320&h=240&v=1", ("a.jpg&v=1", 320)),
        ("a.jpg?id=320", ("a.jpg?id=320", 0)),
        ("2024/11/a-100.jpg", ("2024/11/a-100.jpg", 0)),
    ],
)
def test_addresses_of_one_picture_differ_in_sizes(url: str, picture: tuple[str, int]) -> None:
    assert picture_of({"src": url}) == picture
