"""The metadata of a page, from its head and its structured data: the record's field `head`.

A `<title>` or `<meta>` in the body counts, too: an element that does not belong into the head ends it early.

head_of_page(table_of(parse_html("<title>It rained</title><meta property=og:type content=article>").root))
# {'title': 'It rained', 'kinds': ['og:article']}
"""

from __future__ import annotations

import re

from ...head import MAX_KINDS, MAX_TITLE_CHARS
from ...native.page_table import PageTable
from ...record import Record
from ...text.lazy_pattern import lazy_pattern
from ..tree.survey import Survey, survey
from .statements import line

# Characters of a kind, and of JSON-LD that are read.
MAX_KIND_CHARS, MAX_DATA_CHARS = 40, 1 << 18
# prefix of a kind → the meta field that its value is from
_META_KINDS = {"og": "og:type", "card": "twitter:card"}
# kind → the meta field whose presence it represents
_META_FLAGS = {"author": "author", "published": "article:published_time"}
# The meta fields that are read.
_META_FIELDS = frozenset(
    ("og:title", "description", "og:description", "generator", *_META_KINDS.values(), *_META_FLAGS.values())
)
_TYPE = lazy_pattern(r'"@type"\s*:\s*(\[[^\]]{,200}\]|"[^"]{,100}")')
_TYPE_NAME = lazy_pattern(r'(?<![A-Za-z])([A-Za-z]+)"')
_GENERATOR = lazy_pattern(r"[A-Za-z]+")
# What tells that a description is HTML: one of a page about HTML names elements, too ("The <table> element").
_MARKUP, _TAG = lazy_pattern(r"^<p\b|</\w|<br\b|<a href", re.I), lazy_pattern(r"</?(\w+)[^<>]*(?:>|$)")
_WITHIN_WORDS = frozenset("a b em i span strong u".split())


def head_of_page(table: PageTable, found: Survey | None = None) -> Record:
    """The `title`, the `description` and the `kinds` of a page; missing ones are left out.

    Kinds are the types of Open Graph (`og:article`), JSON-LD (`ld:NewsArticle`) and microdata (`it:Article`), the type
    of its Twitter card (`card:summary`), its generator (`generator:WordPress`), and `author` and `published` where the
    head names an author and a date. Title and description have at most MAX_TITLE_CHARS characters, the latter without
    markup. *found*: the survey of the page, if it is known.
    """
    found = found or survey(table)
    meta = _meta_fields(found)
    # the title for other sites seldom contains the name of the site
    title = meta.get("og:title") or _window_title(found)
    head = {
        "title": title,
        "description": meta.get("description") or meta.get("og:description"),
        "kinds": sorted(_kinds(found, meta), key=_rank)[:MAX_KINDS],
    }
    return {name: value for name, value in head.items() if value}


def _meta_fields(found: Survey) -> dict[str, str]:
    """The first value of each of these meta fields that is not empty, by its name in lower case."""
    fields: dict[str, str] = {}
    for name, content in found.metas:
        field = (name or "").lower()
        if field in _META_FIELDS and field not in fields:
            text = _without_markup(content or "") if field.endswith("description") else content
            if text := _short_text(text):
                fields[field] = text
    return fields


def _window_title(found: Survey) -> str:
    """The first title of the page that is not empty. Titles of drawings are not titles of the page."""
    for text, is_in_drawing in found.titles:
        if (title := _short_text(text)) and not is_in_drawing:
            return title
    return ""


def _kinds(found: Survey, meta: dict[str, str]) -> set[str]:
    kinds = {f"{kind}:{meta[field].lower()[:MAX_KIND_CHARS]}" for kind, field in _META_KINDS.items() if field in meta}
    kinds |= {kind for kind, field in _META_FLAGS.items() if field in meta}
    if generator := _GENERATOR.match(meta.get("generator", "")):
        kinds.add(f"generator:{generator[0][:MAX_KIND_CHARS]}")
    left = MAX_DATA_CHARS
    for data in found.linked_data:
        text = data[:left]
        left -= len(text)
        names = [name for types in _TYPE.findall(text) for name in _TYPE_NAME.findall(types)]
        kinds.update(f"ld:{name[:MAX_KIND_CHARS]}" for name in names)
    for item_type in found.item_types:
        name = (item_type or "").rstrip("/").rpartition("/")[2]
        if name.isalpha():
            kinds.add(f"it:{name[:MAX_KIND_CHARS]}")
    return kinds


def _rank(kind: str) -> tuple[bool, str]:
    """The sort key of a kind: the kinds that a page may have many of come last."""
    return kind.startswith(("it:", "ld:")), kind


def _without_markup(description: str) -> str:
    """A description without character references and tags, which pages escape twice."""
    text = line(description[: 10 * MAX_TITLE_CHARS])
    if "<" in text and _MARKUP.search(text):
        text = _TAG.sub(lambda tag: "" if tag[1].lower() in _WITHIN_WORDS else " ", text)
    return text


def _short_text(text: str | None) -> str:
    return " ".join((text or "")[: 10 * MAX_TITLE_CHARS].split())[:MAX_TITLE_CHARS]
