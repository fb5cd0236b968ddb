"""The host of an address, by which documents of one site are known.

host_of("https://www.News.example:8080/a")    # 'news.example'
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit


@lru_cache(1 << 10)
def host_of(url: str) -> str:
    """The host of an address in lower case without `www.`; empty if it has none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
