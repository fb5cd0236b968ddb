"""The hosts of addresses."""

from __future__ import annotations

import pytest

from ncfilters.text.hosts import host_of


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.News.example:8080/a?b#c", "news.example"),
        ("http://blog.news.example", "blog.news.example"),
        ("//a.example/b", "a.example"),
        ("a.example/b", ""),
        ("http://[::1", ""),
        ("", ""),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_of(url) == host
