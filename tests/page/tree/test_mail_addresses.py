"""Addresses of e-mail that Cloudflare writes as numbers."""

from __future__ import annotations

import time

import pytest

from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html
from ncfilters.page.tree.mail_addresses import with_addresses

CODE = "4223022c6c30"
SHOWN = "[email&#160;protected]"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f'<b class="x" data-cfemail="{CODE}">{SHOWN}</b>', f'<b class="x" data-cfemail="{CODE}">a@n.r</b>'),
        (f'<a href="/cdn-cgi/l/email-protection#{CODE}">Write</a>', '<a href="mailto:a@n.r">Write</a>'),
        (
            f"<a href='/cdn-cgi/l/email-protection' data-cfemail='{CODE}'>[email protected]</a>",
            f"<a href='mailto:a@n.r' data-cfemail='{CODE}'>a@n.r</a>",
        ),
    ],
)
def test_addresses_are_read(html: str, expected: str) -> None:
    link = '<a href="/cdn-cgi/l/email-protection">?</a>'
    assert with_addresses((html + link).encode()).decode() == expected + link


@pytest.mark.parametrize("code", ["42", "4223", "42ff", "424302", "zz", "422"])
def test_other_numbers_stay(code: str) -> None:
    html = f'<a href="/cdn-cgi/l/email-protection#{code}"><b data-cfemail="{code}">[email protected]</b></a>'.encode()
    assert with_addresses(html) == html


def test_an_address_has_no_markup() -> None:
    code = bytes([1, *(1 ^ ord(sign) for sign in '<a@b">')]).hex()
    html = f"<a href='/cdn-cgi/l/email-protection' data-cfemail={code}>[email protected]</a>"
    assert with_addresses(html.encode()).endswith(b">&lt;a@b&quot;&gt;</a>")


def test_the_text_and_the_link_have_it() -> None:
    html = f'<p>Write to <a href="/cdn-cgi/l/email-protection#{CODE}"><b data-cfemail="{CODE}">{SHOWN}</b></a>.'
    block = blocks_of_html(html, PageOptions(markup=True))[0]
    assert block["text"] == "Write to a@n.r."
    assert [span[3] for span in block["spans"] if span[2] == "link"] == ["mailto:a@n.r"]


def test_addresses_of_other_sites_stay() -> None:
    html = f'<a href="https://n.r/cdn-cgi/l/email-protection#{CODE}">?</a>'.encode()
    assert with_addresses(html) == html


def test_time_is_linear() -> None:
    html = b'"/cdn-cgi/l/email-protection"<b data-cfemail="' + b"0" * 1_000_000
    start = time.process_time()
    assert with_addresses(html) == html
    assert time.process_time() - start < 1
