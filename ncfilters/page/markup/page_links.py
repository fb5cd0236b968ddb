"""Addresses of links and images, resolved against the page: its `<base>` and its own address.

links = PageLinks("http://a.example/b/c.html")
links.resolve("d?e"), links.resolve("#f"), links.resolve("javascript:g()")
# ('http://a.example/b/d?e', 'http://a.example/b/c.html#f', None)
"""

from __future__ import annotations

import re

from ...native.element_names import HREF, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import children, elements_of

_HEAD, _BASES = number_of_tag("head"), tag_groups({1: "base"})
# Schemes that are no addresses of other documents.
_NO_ADDRESS = frozenset("about blob data javascript vbscript view-source".split())
_HTTP = ("http://", "https://")
_DOCUMENT_SCHEMES = ("http", "https", "file", "ftp")
# Characters of an address; longer ones hold data.
MAX_URL_CHARS = 4_000

_HOST = lazy_pattern(r"https?://[\w.:-]+")
# An absolute address, or a path from the root of the site.
_PLAIN = lazy_pattern(r"(?:https?:/|(/(?!/)))[\w./?=&%#:;,+~@!$*()'|-]*", re.A)
# A relative address: its folders, its name, which is no dot, its query and its fragment.
_RELATIVE = lazy_pattern(
    r"(/?(?:[\w.,%~@!$*()'|+=&-]+/)*)([\w,%~@!$*()'|+=&-][\w.,%~@!$*()'|+=&-]*)?"
    r"(\?[\w./?=&%:;,+~@!$*()'|-]+)?(?:#[\w./?=&%:;,+~@!$*()'|-]+)?",
    re.A,
)
# An address whose folders have no dots, parameters or empty names: its host, and these.
_PLAIN_BASE = lazy_pattern(
    r"(https?://[\w.-]+(?::\d+)?)((?:/[\w~%+,=@!-][\w.~%+,=@!-]*)*/)[\w.~%+,=@!-]*(?![^?#])", re.A
)
_PLAIN_FOLDER = lazy_pattern(r"(/?)((?:\.\./)*)(?:[\w~%+,=@!-][\w.~%+,=@!-]*/)*", re.A)
# Links of documents and mails of Google.
WRAPPER = "https://www.google.com/url?"
_WRAPPED = lazy_pattern(r"https://www\.google\.com/url\?(?:[^#]{0,200}&)?q=(https?(?::|%3A)[^&#]+)")
_SCHEME = lazy_pattern(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
# Control characters and spaces, which browsers remove or encode (WHATWG URL standard).
_CONTROL = lazy_pattern("[\x00-\x1f\x7f]+")
_ENCODED = {" ": "%20", "<": "%3C", ">": "%3E", '"': "%22"}


class PageLinks:
    """Resolves the addresses of a page. Without a *base*, relative ones stay as they are."""

    def __init__(self, base: str = "") -> None:
        self._has_base = False
        self._use(base)

    def set_base(self, address: str | None) -> None:
        """Takes the address of a `<base>` over. The first one counts, if it is that of a document."""
        if address is None or self._has_base:
            return
        self._has_base = True
        from urllib.parse import urljoin, urlsplit  # start-up: many pages have plain addresses alone

        try:
            base = urljoin(self.base, address.strip())
            if urlsplit(base).scheme in _DOCUMENT_SCHEMES:
                self._use(base)
        except ValueError:  # a broken host
            pass

    def _use(self, base: str) -> None:
        self.base = base
        host = _HOST.match(base)
        self.host = host[0] if host else ""
        self._known: dict[str, str | None] = {}
        self._folders: dict[str, str] = {}

    def resolve(self, address: str | None) -> str | None:
        """The absolute address; None for one that leads nowhere, such as a script."""
        if address is None:
            return None
        if address not in self._known:
            self._known[address] = self._resolved(address)
        return self._known[address]

    def is_front_page(self, url: str) -> bool:
        """Whether an absolute address is that of the site."""
        return url == "/" or self.host != "" and url.rstrip("/") == self.host

    def address_of_folder(self, folder: str) -> str:
        """What is before the names in a relative *folder*, such as `../`; "?" is that of queries without a name. Raises
        ValueError for a broken host."""
        if folder not in self._folders:
            plain = self._plain_folder(folder)
            if plain is None:
                from urllib.parse import urljoin  # start-up: as above

                path = "?x" if folder == "?" else f"{folder}x"
                plain = urljoin(self.base, path).removesuffix("?x" if folder == "?" else "x")
            self._folders[folder] = plain
        return self._folders[folder]

    def _plain_folder(self, folder: str) -> str | None:
        """The same without `urljoin`, which takes ten times as long; None if the base or the folder is not plain."""
        base, own = _PLAIN_BASE.match(self.base), _PLAIN_FOLDER.fullmatch(folder)
        if base is None or own is None:
            return base[0] if base and folder == "?" else None
        if own[1]:
            return None if own[2] else base[1] + folder
        up = len(own[2]) // 3
        around = base[2].split("/")[:-1]  # empty, and the folders
        return "/".join([base[1], *around[1 : len(around) - up], folder[3 * up :]]) if up < len(around) else None

    def _resolved(self, address: str) -> str | None:
        plain = _PLAIN.fullmatch(address)  # most addresses, for speed
        if plain is not None and len(address) <= MAX_URL_CHARS and not address.startswith(WRAPPER):
            if not plain[1]:
                return address
            if self.host and "/." not in address:
                return self.host + address
        url = _CONTROL.sub("", address).strip()
        if len(url) > MAX_URL_CHARS:
            return None
        scheme = _SCHEME.match(url)
        if scheme and scheme[1].lower() in _NO_ADDRESS:
            return None
        if not scheme and self.base:
            try:
                url = self.base.partition("#")[0] + url if url.startswith("#") else self._joined(url)
            except ValueError:  # a broken host
                return None
        elif "[" in url[:20] and "]" not in url:
            return None
        if url.startswith(WRAPPER) and (wrapped := _WRAPPED.match(url)):
            from urllib.parse import unquote  # start-up: as above

            return self.resolve(unquote(wrapped[1]))
        return _encoded(url) or None

    def _joined(self, url: str) -> str:
        """As `urljoin`, which takes 20 µs: once for each folder. Raises ValueError for a broken host."""
        parts = _RELATIVE.fullmatch(url)
        if parts is None or not (parts[1] or parts[2] or parts[3]):
            from urllib.parse import urljoin  # start-up: as above

            return urljoin(self.base, url)
        folder = parts[1] if parts[1] or parts[2] else "?"
        return self.address_of_folder(folder) + url[len(parts[1]) :]


def _encoded(address: str) -> str:
    """The address with some signs encoded: see _ENCODED."""
    for sign, code in _ENCODED.items():
        if sign in address:
            address = address.replace(sign, code)
    return address


def links_of_page(page: PageTable, url: str | None) -> PageLinks:
    """The resolver for a page at *url*, with the first `<base href>` of its head."""
    is_absolute = url is not None and (url.startswith(_HTTP) or _SCHEME.match(url) is not None)
    links = PageLinks(url if url and is_absolute else "")
    for head in children(page, 0):
        if page.tag[head] == _HEAD:
            bases = (row for row in elements_of(page, head, _BASES) if page.flags[row] & HREF)
            links.set_base(page.attribute_of(next(bases, head), "href"))
    return links
