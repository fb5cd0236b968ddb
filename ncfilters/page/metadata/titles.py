"""The headline of a page and the name of its site, by the titles of its head and its headings; its title in segments.

without_site_name("It rained - The Gazette", "https://gazette.org/rain")    # 'It rained'
headline([("It rained - News", "meta og:title")], ["News", "It rained"])    # ('It rained', 'h1')
place_of_title([{"text": "Log"}, {"text": "It rained"}], "It rained | Log")    # 1
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from ...head import MAX_TITLE_CHARS
from ...record import Segment
from ...text.lazy_pattern import lazy_pattern
from ...words.labels import PAGES, SMALL_WORDS

# The last part of a title is taken for the name of the site if it has at most so many words, and at least so many
# remain. Of the WCXB development pages whose title is part of that in the head, 79 % get the title of the gold
# standard, 1 % less, and others more.
MAX_SITE_WORDS, MIN_TITLE_WORDS = 4, 3
# Words of a name after the heading of a page, which is all of the rest of the title.
MAX_NAME_WORDS = 6
# Letters of a name, or initials of its words, that must be in the host for the name to be that of the site.
MIN_NAME_LETTERS = 3
# A heading h1 with this overlap with the title in the head (the F of distinct words) is the title. Of 1,497 WCXB
# development pages, 88 % of the articles get the title of the gold standard by that, 76 % by the head alone.
MIN_OVERLAP = 0.4
# Characters of a headline that may be cut, and words of a title that may be in a longer heading.
MIN_CUT, MIN_WORDS = 60, 4

_WORD = lazy_pattern(r"\w+")
_PLAIN_HOST = lazy_pattern(r"[\w.-]+", re.A)
# The characters of ASCII words in lower case, and a space for each other.
_ASCII_WORDS = "".join(chr(code).lower() if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))
# The version of what a manual is of: "Rain 1.2 documentation", "Rain Documentation (1.2.x)".
_VERSION = lazy_pattern(r"(?<!\s)\s+(?:v?\d+(?:\.\w+)+(?=\s|$)|\(v?\d+(?:\.\w+)*\))")
_NO_NAME = "*?%$€£()[]…"
# A year, or the number of a page.
_NO_NAME_NUMBER = lazy_pattern(rf"\d{{4}}|^(?:{PAGES})\s*\d", re.I)
_SEPARATOR = lazy_pattern(r"(?<!\s)\s+(?:[|·•»«~–—-]|::|//|<|>)+\s+|(?:(?<!\s)\s+)?[|｜]\s*|(?<!\s)\s+»\s*")
_NUMBER = lazy_pattern(r"\d+(?:\.\d+)*\.?\s+(?=\D)")
# What the part of a title after the first begins with.
_PART_SIGNS = frozenset("|~-<>«·»–—•:/")
# What a title for other sites ends with, though nothing was cut.
_CUT = ("...", "…")
# Characters that one becomes when its case is folded; and of a segment, for each of the title that it is.
MAX_CASEFOLDED, MAX_TITLE_TIMES = 3, 2
# Parts of a title, letters of one that may be the whole title, and characters of the name of a site.
MAX_PARTS, MIN_LETTERS, MAX_SITE_CHARS = 6, 6, 40
# The share of the letters of a title that a part has which is the title; of one with so many words, which is no name.
MIN_SHARE, MIN_SHARE_OF_SENTENCE, MIN_WORDS_OF_SENTENCE = 0.3, 0.15, 4

# What is between the parts of a title; and in scripts without spaces, too, whose wide ranges take 2 ms to compile.
# Signs beyond Latin-1, which take 0.2 ms, become others of their kind.
_FIRST_UNSPACED, _SAME_SIGNS = "\u3040", str.maketrans("｜•／‖–—", "||||--")
_SPACED = r"(?:(?<!\s)\s+)?[|_»«·]+\s*|(?<!\s)\s+[:/~>-]+\s+"
_SPACED_SIGN = lazy_pattern(_SPACED)
_UNSPACED_SIGN = lazy_pattern(rf"{_SPACED}|(?<=[{_FIRST_UNSPACED}-\ua000])-|-(?=[{_FIRST_UNSPACED}-\ua000])")
# The evidence of the title of the window, and of a heading.
WINDOW, HEADING = "title", "h1"


def headline(
    declared: Sequence[tuple[str, str]], headings: Sequence[str], url: str = "", sites: Collection[str] = ()
) -> tuple[str, str] | None:
    """The title of a page at *url* and its evidence: the heading h1 that its head says, or else what its head says,
    without the name of the site; None if neither says it. *declared*: the titles of the head with their evidence, the
    most trusted first; headings that are the name of one of *sites* are none."""
    if not declared:
        return (headings[0], HEADING) if len(headings) == 1 else None
    titles = {text: _without_site(text, url, sites) for text, _ in declared}  # most sources say the same
    heads = [(titles[text], evidence) for text, evidence in declared]
    first = heads[0]
    if len(first[0]) > MIN_CUT:  # a headline may be cut for search engines
        first = next((head for head in heads[1:] if _continues(first[0], head[0])), first)
    own = _own_headings(headings, sites)
    found = _heading(own, heads, declared, first[0]) if own else ""
    if not found:
        return first
    if found.isupper():  # by its design
        for text, evidence in (*heads, *declared):
            if not text.isupper() and (place := text.upper().find(found)) >= 0 and len(text) == len(text.upper()):
                return text[place : place + len(found)], evidence
    key = title_key(found)
    said = next((head for head in heads if title_key(head[0]) == key), (found, HEADING))
    return said if found.endswith(_CUT) or not said[0].endswith(_CUT) else (found, said[1])


def _without_site(title: str, url: str, sites: Collection[str]) -> str:
    """*title* without the name of the site, also if it has that twice or before a colon."""
    out = without_site_name(title, url, sites)
    parts = title_parts(out)
    start, colon, rest = out.partition(": ")
    if not parts and not colon:
        return out
    known = {key for site in sites if (key := title_key(site))}
    if parts and title_key(parts[1]) in known:
        return parts[0]
    return rest if colon and title_key(start) in known and is_below_front_page(url) else out


def _own_headings(headings: Sequence[str], sites: Collection[str]) -> list[str]:
    """The *headings* that may be the title, without a last part that is the name of the site."""
    names = {title_key(site) for site in sites}
    own = [text for text in headings if len(text) <= MAX_TITLE_CHARS and title_key(text) not in names]
    own = [parts[0] if (parts := title_parts(text)) and title_key(parts[1]) in names else text for text in own]
    if sum(_NUMBER.match(heading) is not None for heading in own) > 1:  # sections
        own = [heading for heading in own if not _NUMBER.match(heading)]
    return own


def _heading(own: list[str], heads: Sequence[tuple[str, str]], declared: Sequence[tuple[str, str]], first: str) -> str:
    """The heading that is the title; a title of the head that is in a heading which has little more; empty if none is
    either. *first*: what the head says first."""
    distinct = {title_key(heading): heading for heading in own}
    # what the window says of each page of a site is no title: "Reddit - The heart of the internet", "notebook3"
    is_alone = len(distinct) == 1 and all(evidence == WINDOW for _, evidence in declared)
    window = declared[0][0]
    if is_alone and (title_parts(window) or (" " not in window and window.isascii()) or _words(first) & _words(own[0])):
        return own[0]
    # a heading that the head has in the same words, or in the same with the name of the site
    for text, _ in heads:
        if (key := title_key(text)) in distinct:
            return distinct[key]
    # a heading of one or two words may be all of the title but the name of a manual
    texts = dict.fromkeys([text for text, _ in declared])
    parts = [parts for text in texts if (parts := title_parts(text))]
    starts = {title_key(start) for start, _ in parts} | {title_key(_first_part(text)) for text in texts}
    if whole := next((heading for heading in own if title_key(heading) in starts), ""):
        ends = {title_key(end) for _, end in parts}  # the heading of a section is above that of the page
        longer = (heading for heading in own if len(heading.split()) > len(whole.split()))
        return next((heading for heading in longer if title_key(heading) in ends), whole)
    keys = [_words(text) for text in dict.fromkeys([first, window, heads[-1][0]])]
    overlap, best = max([(_overlap(heading, keys), -place) for place, heading in enumerate(own)])
    if overlap < MIN_OVERLAP or not (heading := own[-best]):
        return ""
    return next((text for text, _ in heads if _is_all_but_label(text, heading)), heading)


def _is_all_but_label(text: str, heading: str) -> bool:
    """Whether a *heading* is the title *text* after a day or a label ("Blog:"), or before what is in brackets or after
    a bar."""
    if len(text.split()) < MIN_WORDS or (place := heading.find(text)) < 0:
        return False
    from .dates import iso_day  # start-up: few titles need it

    before, after = heading[:place].strip(), heading[place + len(text) :].strip()
    return before.endswith(":") or iso_day(before) != "" or not before and after.startswith(("(", "|"))


def _continues(start: str, text: str) -> bool:
    """Whether *text* is *start* and more words, which no sign separates, as it does the name of a section."""
    start = start.rstrip(" .…")
    if len(text) <= len(start) or not text.startswith(start) or not text[len(start)].isspace():
        return False
    return text[len(start) :].lstrip()[:1] not in _PART_SIGNS


def _words(text: str) -> set[str]:
    return set(title_key(text).split())


def _overlap(text: str, keys: list[set[str]]) -> float:
    words = _words(text)
    return max([2 * len(words & key) / max(len(words) + len(key), 1) for key in keys])


# ---- parts of titles, and names of sites ---------------------------------------------------------------------------


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
    host = _letters_of_host(url)
    if host and not is_below_front_page(url):
        return title
    known = {key for site in sites if (key := _bare_key(site))}
    start, end, last, behind = separators
    rest, key = title[:last], _bare_key(name := title[behind:])
    if key in known or _is_name_of(key, host):
        return rest
    if (key := _bare_key(title[:start])) in known or _is_name_of(key, host):
        return title[end:]
    left = _num_words(rest)
    return rest if left >= MIN_TITLE_WORDS and _num_words(name) <= min(MAX_SITE_WORDS, left) else title


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
    start, end, last, behind = separators
    parts = ((title[behind:], title[:last]), (title[:start], title[end:]))
    key, host = title_key(headline), host_name(url)
    label = max(host.split("."), key=len).replace("-", "")  # the longest
    for part, _ in parts:
        if _is_name_of(_bare_key(part), _letters_of_host(url)):
            return part
        letters = title_key(part.replace("&", " and ")).replace(" ", "")
        if len(label) > MIN_NAME_LETTERS and label in letters and title_key(part) != key:
            return part
    for (part, rest), most in zip(parts, (MAX_NAME_WORDS, MAX_SITE_WORDS)):
        if key and title_key(rest) == key and is_short_name(name := _VERSION.sub("", part), most):
            return name
    return ""


def is_short_name(part: str, most: int = MAX_NAME_WORDS) -> bool:
    """Whether what stands beside a title may be a name of a site, which has *most* words."""
    if not 1 <= _num_words(part) <= most or any(map(part.__contains__, _NO_NAME)):
        return False
    return not any(map(str.isdigit, part)) or not _NO_NAME_NUMBER.search(part)


def is_in_host(name: str, url: str) -> bool:
    """Whether the letters of a *name* are in the host in *url*."""
    letters = _bare_key(name).replace(" ", "")
    return len(letters) >= MIN_NAME_LETTERS and letters in _letters_of_host(url)


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


def _first_part(title: str) -> str:
    separators = title_separators(title)
    return title[: separators[0]] if separators else title


def _num_words(text: str) -> int:
    return len(title_key(text).split())


def _bare_key(name: str) -> str:
    return title_key(name).removeprefix("the ")


def _letters_of_host(url: str) -> str:
    """The letters and digits of the host in *url*, without `www`."""
    return "".join(_WORD.findall(host_name(url)))


def _is_name_of(key: str, host: str) -> bool:
    """Whether the part of a title with this *key* names the site: its letters, or the initials of its words, are in the
    host."""
    letters = key.replace(" ", "")
    if len(letters) < MIN_NAME_LETTERS:
        return False
    initials = "".join([word[0] for word in key.split() if word not in SMALL_WORDS])
    return letters in host or len(initials) >= MIN_NAME_LETTERS and initials in host


# ---- titles among segments -------------------------------------------------------------------------------------------


def place_of_title(segments: Sequence[Segment], title: str) -> int | None:
    """The index of the first heading that is the title, or else of the first such segment; else of one that is a part
    of it; else of the first h1."""
    if (place := exact_place(segments, title)) is not None:
        return place
    if found := _part_on_page(segments, title):
        return found[1]
    return next((number for number, segment in enumerate(segments) if segment.get("tag") == "h1"), None)


def exact_place(segments: Sequence[Segment], title: str) -> int | None:
    """The index of the first h1 or h2 with the `title_key` of *title*, or else of the first such segment, which has at
    most MAX_TITLE_TIMES its characters."""
    key, most, first = title_key(title), MAX_TITLE_TIMES * len(title), None
    word, least = key.partition(" ")[0], len(key) // MAX_CASEFOLDED
    for number, segment in enumerate(segments if key else ()):
        text = segment["text"]
        if least <= len(text) <= most and word in text.casefold() and title_key(text) == key:
            if segment.get("tag") in ("h1", "h2"):
                return number
            first = number if first is None else first
    return first


def short_around(
    segments: Sequence[Segment], place: int, before: int, after: int, most: int, least: int = 0
) -> list[int]:
    """The indexes of so many segments before and after one that have at least and at most so many characters; what
    follows it is nearer than what is before it."""
    near = [*range(place + 1, min(place + 1 + after, len(segments))), *range(place - 1, max(place - before, 0) - 1, -1)]
    return [number for number in near if least <= len(segments[number]["text"]) <= most]


def title_on_page(segments: Sequence[Segment], title: str) -> str:
    """The part of *title* that is a segment, if no segment is all of it, and if that part has MIN_SHARE of its letters
    and the longest of its parts, or MIN_WORDS_OF_SENTENCE; else *title*."""
    if exact_place(segments, title) is not None or (found := _part_on_page(segments, title)) is None:
        return title
    part = found[0]
    share = len(title_key(part)) / len(title_key(title))
    is_most = share >= MIN_SHARE and max(_parts_of(title), key=len) in part
    return part if is_most or share >= MIN_SHARE_OF_SENTENCE and len(part.split()) >= MIN_WORDS_OF_SENTENCE else title


def may_be_section(heading: str, title: str) -> bool:
    """Whether a *heading* may be the name of a section on a page with this *title*: it has none of its words, or is a
    part in the middle of it, after a longer one."""
    key, whole = title_key(heading), title_key(title)
    if key not in whole:
        return not set(key.split()) & set(whole.split())
    keys = [title_key(part) for part in _parts_of(title)[:MAX_PARTS]]
    return key in keys[1:-1] and len(keys[0]) > len(key)


def site_beside(title: str, part: str) -> str:
    """The name of the site in what a *title* has after the *part* that is the title of the page, or else before it."""
    before, _, after = title.partition(part)
    pieces = [piece for piece in (_parts_of(before)[0], _parts_of(after)[-1]) if title_key(piece)]
    return pieces[-1].strip(" -–—:《》「」") if pieces and len(pieces[-1]) <= MAX_SITE_CHARS else ""


def _part_on_page(segments: Sequence[Segment], title: str) -> tuple[str, int] | None:
    """The longest part of *title* that is a segment, and its index: the whole without the names of the section and the
    site after it or before it."""
    found = _signs_in(title)
    if not 0 < len(found) < MAX_PARTS:
        return None
    parts = {title[:start] for start, _ in found} | {title[end:] for _, end in found}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if len(title_key(part)) >= MIN_LETTERS and (place := exact_place(segments, part)) is not None:
            return part, place
    return None


def _parts_of(title: str) -> list[str]:
    found = _signs_in(title)
    return [title[end:start] for (_, end), (start, _) in zip([(0, 0), *found], [*found, (len(title), 0)])]


@lru_cache(maxsize=32)  # a title is read several times
def _signs_in(title: str) -> tuple[tuple[int, int], ...]:
    """Where the separators of a title start and end."""
    pattern = _SPACED_SIGN if not title or max(title) < _FIRST_UNSPACED else _UNSPACED_SIGN
    return tuple(sign.span() for sign in pattern.finditer(title.translate(_SAME_SIGNS)))
