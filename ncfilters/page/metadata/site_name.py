"""The name of a site in the titles of its pages.

without_site_name("It rained - The Gazette", "https://gazette.org/rain")    # 'It rained'
site_in_title("It rained - The Gazette", "https://gazette.org/rain")    # 'The Gazette'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...text.lazy_pattern import lazy_pattern

# The last part of a title is taken for the name of the site if it has at most so many words, and at least so many
# remain. Of the WCXB development pages whose title is part of that in the head, 79 % get the title of the gold
# standard, 1 % less, and others more.
MAX_SITE_WORDS, MIN_TITLE_WORDS = 4, 3
# Words of a name after the heading of a page, which is all of the rest of the title.
MAX_NAME_WORDS = 6
# Letters of a name, or initials of its words, that must be in the host for the name to be that of the site.
MIN_NAME_LETTERS = 3

_WORD = lazy_pattern(r"\w+")
_PLAIN_HOST = lazy_pattern(r"[\w.-]+", re.A)
# The characters of ASCII words in lower case, and a space for each other.
_ASCII_WORDS = "".join(chr(code).lower() if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))
# Words that have no initial in the name of a host.
SMALL_WORDS = frozenset("and of the for in on at und der die das für et de la le du des y e del".split())
# The version of what a manual is of: "Rain 1.2 documentation", "Rain Documentation (1.2.x)".
_VERSION = lazy_pattern(r"(?<!\s)\s+(?:v?\d+(?:\.\w+)+(?=\s|$)|\(v?\d+(?:\.\w+)*\))")
NO_NAME = "*?%$€£()[]…"
# A year, or the number of a page.
_NO_NAME_NUMBER = lazy_pattern(
    r"\d{4}|^(?:page|seite|página|pagina|pag\.|strona|sida|side|sivu|sayfa|страница|стр\.|σελίδα)\s*\d", re.I
)
_SEPARATOR = lazy_pattern(r"(?<!\s)\s+(?:[|·•»«~–—-]|::|//|<|>)+\s+|(?:(?<!\s)\s+)?[|｜]\s*|(?<!\s)\s+»\s*")


def title_key(text: str) -> str:
    """The words of *text* in lower case: titles with the same key are copies."""
    if text.isascii():  # for speed
        return " ".join(text.translate(_ASCII_WORDS).split())
    return " ".join(_WORD.findall(text.casefold()))


def without_site_name(title: str, url: str = "", sites: Iterable[str] = ()) -> str:
    """*title* without a first or last part that names the site: `It rained - The Gazette`.

    The name is recognised by *sites*, what the page says that it is, or by the host in *url*; otherwise the last part
    is one if it is short. The title of a front page stays, because it is the name of the site.
    """
    separators = title_separators(title)
    if not separators:
        return title
    host, path = _letters_and_path(url)
    if host and not path:
        return title
    known = {key for site in sites if (key := _bare_key(site))}
    start, end, last, behind = separators
    rest, key = title[:last], _bare_key(name := title[behind:])
    if key in known or _is_name_of(key, host):
        return rest
    if (key := _bare_key(title[:start])) in known or _is_name_of(key, host):
        return title[end:]
    left = _words(rest)
    return rest if left >= MIN_TITLE_WORDS and _words(name) <= min(MAX_SITE_WORDS, left) else title


def title_parts(title: str) -> tuple[str, str] | None:
    """What precedes the last part of *title*, and that part, which is often the name of the site; None if it has one
    part."""
    separators = title_separators(title)
    return (title[: separators[2]], title[separators[3] :]) if separators else None


def site_in_title(title: str, url: str, headline: str = "") -> str:
    """The first or last part of *title* that is the name of the site: the host in *url* says so, or the rest is the
    *headline* of the page. Empty if none is."""
    separators = title_separators(title)
    if not separators:
        return ""
    host, _ = _letters_and_path(url)
    start, end, last, behind = separators
    parts = ((title[behind:], title[:last]), (title[:start], title[end:]))
    key = title_key(headline)
    for part, _ in parts:
        if _is_name_of(_bare_key(part), host):
            return part
        if is_label_in(part, url) and title_key(part) != key:
            return part
    for (part, rest), most in zip(parts, (MAX_NAME_WORDS, MAX_SITE_WORDS)):
        if key and title_key(rest) == key and is_short_name(name := _VERSION.sub("", part), most):
            return name
    return ""


def is_label_in(name: str, url: str) -> bool:
    """Whether the longest part of the host in *url* is in the letters of a *name*."""
    label = _longest_label(url)
    return len(label) > MIN_NAME_LETTERS and label in _letters(name.replace("&", " and "))


def is_short_name(part: str, most: int = MAX_NAME_WORDS) -> bool:
    """Whether what stands beside a title may be a name of a site, which has *most* words."""
    if not 1 <= _words(part) <= most or any(map(part.__contains__, NO_NAME)):
        return False
    return not any(map(str.isdigit, part)) or not _NO_NAME_NUMBER.search(part)


def is_in_host(name: str, url: str) -> bool:
    """Whether the letters of a *name* are in the host in *url*."""
    letters = _bare_key(name).replace(" ", "")
    return len(letters) >= MIN_NAME_LETTERS and letters in _letters_and_path(url)[0]


def is_below_front_page(url: str) -> bool:
    """Whether an address is not that of a site alone."""
    return host_and_path(url)[1].strip("/") != ""


def host_name(url: str) -> str:
    """The host in *url*, without `www`; empty if there is none."""
    return host_and_path(url)[0].removeprefix("www.")


@lru_cache(maxsize=256)  # a page has one address, which is asked for several times
def host_and_path(url: str) -> tuple[str, str]:
    """The host and the path in *url*, as `urlsplit` has them; both empty where it is broken."""
    scheme, _, rest = url.partition("://")
    if scheme in ("http", "https") and rest.isascii() and rest.isprintable():  # for speed: most
        host, slash, path = rest.partition("#")[0].partition("?")[0].partition("/")
        if _PLAIN_HOST.fullmatch(host):
            return host.lower(), slash + path
    from urllib.parse import urlsplit  # start-up: few pages have other addresses

    try:
        parts = urlsplit(url)
        return parts.hostname or "", parts.path
    except ValueError:
        return "", ""


def first_part(title: str) -> str:
    """What precedes the first separator of *title*: all of it, if it has one part."""
    separators = title_separators(title)
    return title[: separators[0]] if separators else title


@lru_cache(maxsize=256)  # a title is looked at several times
def title_separators(title: str) -> tuple[int, int, int, int] | None:
    """The start and the end of what is between the first part of a title and the next, and of what is before the last
    part; None if it has one part. A sign that ends a quotation («rain») is none."""
    found = list(_SEPARATOR.finditer(title))
    if "«" in title:
        found = [
            sign
            for sign in found
            if "»" not in sign[0] or title.count("«", 0, sign.end()) <= title.count("»", 0, sign.start())
        ]
    return (*found[0].span(), *found[-1].span()) if found else None


def _words(text: str) -> int:
    return len(text.translate(_ASCII_WORDS).split() if text.isascii() else _WORD.findall(text))


def _bare_key(name: str) -> str:
    return title_key(name).removeprefix("the ")


def _letters(name: str) -> str:
    return title_key(name).replace(" ", "")


@lru_cache(maxsize=256)
def _longest_label(url: str) -> str:
    """The longest part of the host in *url*, without hyphens."""
    return max(host_name(url).split("."), key=len).replace("-", "")


@lru_cache(maxsize=256)  # several titles of a page are compared with its address
def _letters_and_path(url: str) -> tuple[str, str]:
    """The letters and digits of the host in *url*, without `www`, and the path; both empty where there is no host."""
    _, path = host_and_path(url)
    return "".join(_WORD.findall(host_name(url))), path.strip("/")


def _is_name_of(key: str, host: str) -> bool:
    """Whether the part of a title with this *key* names the site: its letters, or the initials of its words, are in the
    host."""
    letters = key.replace(" ", "")
    if len(letters) < MIN_NAME_LETTERS:
        return False
    if letters in host:
        return True
    initials = "".join([word[0] for word in key.split() if word not in SMALL_WORDS])
    return len(initials) >= MIN_NAME_LETTERS and initials in host
