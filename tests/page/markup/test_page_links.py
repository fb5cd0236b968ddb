"""Addresses, resolved against the page."""

from __future__ import annotations

import random
from urllib.parse import urljoin

import pytest
from page_rows import page_of

from ncfilters.page.markup.page_links import MAX_URL_CHARS, PageLinks, links_of_page

PAGE = "http://a.example/b/c.html?d=1#e"


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("f.html", "http://a.example/b/f.html"),
        ("../f", "http://a.example/f"),
        ("/f?g=h&i", "http://a.example/f?g=h&i"),
        ("//b.example/f", "http://b.example/f"),
        ("?g", "http://a.example/b/c.html?g"),
        ("#g", "http://a.example/b/c.html?d=1#g"),
        ("", "http://a.example/b/c.html?d=1#e"),
        (" https://b.example/ä b\n.html ", "https://b.example/ä%20b.html"),
        ("https://www.google.com/url?sa=D&q=http://b.example/a%3Fb&ust=1", "http://b.example/a?b"),
        (
            "https://www.google.com/url?q=https://www.google.com/url?q=javascript:x",
            "https://www.google.com/url?q=javascript:x",
        ),
        ("HTTP://B.example", "HTTP://B.example"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ('f"><b>', "http://a.example/b/f%22%3E%3Cb%3E"),
        ("JavaScript:void(0)", None),
        ("java\nscript:void(0)", None),
        (" \x01javascript:x()", None),
        ("data:text/html,x", None),
        ("http://[broken", None),
        ("//[broken", None),
        ("x" * (MAX_URL_CHARS + 1), None),
        (None, None),
    ],
)
def test_addresses(address: str | None, url: str | None) -> None:
    assert PageLinks(PAGE).resolve(address) == url


def test_without_a_page_relative_addresses_stay() -> None:
    links = PageLinks()
    assert [links.resolve(address) for address in ("a b", "#c", "/d", "")] == ["a%20b", "#c", "/d", None]


@pytest.mark.parametrize(
    ("html", "url", "base"),
    [
        ("<base href=/x/>", PAGE, "http://a.example/x/"),
        ("<base target=_top><base href=http://b.example/><base href=c>", PAGE, "http://b.example/"),
        ("<p>late<base href=http://b.example/y>", None, ""),
        ("<base href=http://b.example/y>", None, "http://b.example/y"),
        ("<base href='javascript:x'>", PAGE, PAGE),
        ("<base href='http://[x'>", PAGE, PAGE),
        ("<p>none", "no address", ""),
        ("<p>none", None, ""),
        ("<link rel=canonical href=http://b.example/y>", None, ""),  # an address that other pages may share
    ],
)
def test_base_of_a_page(html: str, url: str | None, base: str) -> None:
    assert links_of_page(page_of(html), url).base == base


def test_the_front_page() -> None:
    links = PageLinks("https://a.example/b/c.html")
    assert links.is_front_page("https://a.example/") and links.is_front_page("https://a.example")
    assert not links.is_front_page("https://a.example/b/") and not links.is_front_page("https://b.example/")
    assert PageLinks().is_front_page("/") and not PageLinks().is_front_page("b/")


# What bases and folders are made of: `urljoin` drops empty names and reads dots and parameters.
NAMES = ["a", "b-c", ".", "..", "", "%20", "x;p", "~u", "c:d", "..a", "a."]
HOSTS = ["http://a.example", "https://A.example:80", "HTTP://a.example", "ftp://a", "//a.example", "http://[::1]"]
ENDS = ["", "/", "?q=/a/../b", "#f/../x", "?", "#", ";p"]


def test_folders_are_those_of_urljoin() -> None:
    chance = random.Random(1)
    for _ in range(2_000):
        base = chance.choice(HOSTS) + "".join([f"/{name}" for name in chance.choices(NAMES, k=chance.randrange(4))])
        links = PageLinks(base + chance.choice(ENDS))
        folder = "".join([f"{name}/" for name in chance.choices(NAMES, k=chance.randrange(3))])
        assert links.address_of_folder(folder) == urljoin(links.base, f"{folder}x").removesuffix("x")
        assert links.address_of_folder("?") == urljoin(links.base, "?x").removesuffix("?x")


@pytest.mark.parametrize(
    ("folder", "address"),
    [
        ("", "http://a.example/b/"),
        ("d/e/", "http://a.example/b/d/e/"),
        ("/d/", "http://a.example/d/"),
        ("../d/", "http://a.example/d/"),
        ("?", "http://a.example/b/c.html"),
    ],
)
def test_plain_folders(folder: str, address: str) -> None:
    assert PageLinks(PAGE).address_of_folder(folder) == address
