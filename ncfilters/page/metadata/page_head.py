"""The metadata of a page, from its head and its structured data: the record's field `head`.

A `<title>` or `<meta>` in the body counts, too: an element that does not belong into the head ends it early.

head_of_page(table_of(parse_html("<title>It rained</title><meta property=og:type content=article>").root))
# {'title': 'It rained', 'kinds': ['og:article']}
"""

from __future__ import annotations

from ...native.page_table import PageTable
from ...record import Record
from ...text.lazy_pattern import lazy_pattern
from ..survey import Survey, survey

# Characters of a title or description, kinds of a page, characters of a kind, and characters of JSON-LD that are read.
MAX_TITLE_CHARS, MAX_KINDS, MAX_KIND_CHARS, MAX_DATA_CHARS = 300, 30, 40, 1 << 18

# prefix of a kind → the meta field that its value is from
_META_KINDS = {"og": "og:type", "card": "twitter:card"}
# kind → the meta field whose presence it represents
_META_FLAGS = {"author": "author", "published": "article:published_time"}
# The meta fields that are read.
META_FIELDS = ("og:title", "description", "og:description", "generator", *_META_KINDS.values(), *_META_FLAGS.values())
# What models read of a head.
_MODEL_FIELDS = ("title", "description", "kinds", "declared_title")
_TYPE = lazy_pattern(r'"@type"\s*:\s*(\[[^\]]{,200}\]|"[^"]{,100}")')
_TYPE_NAME = lazy_pattern(r'([A-Za-z]+)"')
_GENERATOR = lazy_pattern(r"[A-Za-z]+")


def head_of_page(table: PageTable, found: Survey | None = None) -> Record:
    """The `title`, the `description` and the `kinds` of a page; missing ones are left out.

    Kinds are the types of Open Graph (`og:article`), JSON-LD (`ld:NewsArticle`) and microdata (`it:Article`), the type
    of its Twitter card (`card:summary`), its generator (`generator:WordPress`), and `author` and `published` where the
    head names an author and a date. Title and description have at most MAX_TITLE_CHARS characters. *found*: the survey
    of the page, if it is known.
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


def add_head(record: Record, head: Record) -> None:
    """Sets the `head` of *record* unless *head* is empty or the record has one. A head without metadata gets those of
    *head*; what models read of it stays as it is."""
    if not head:
        return
    own = record.setdefault("head", head)
    if own is head or not isinstance(own, dict) or has_metadata(own) or not has_metadata(head):
        return
    added = {name: value for name, value in head.items() if name not in _MODEL_FIELDS}
    if (title := head.get("title", "")) and title != declared_title(own):
        added |= {"title": title, "declared_title": declared_title(own)}
    record["head"] = {**own, **added}


def has_metadata(head: Record) -> bool:
    """Whether a head has the metadata of the page (see `page_metadata`)."""
    return isinstance(head.get("evidence"), dict)


def declared_title(head: Record) -> str:
    """The title that the page declares, of a head: what models read. Empty if there is none."""
    title = head.get("declared_title", head.get("title"))
    return title if isinstance(title, str) else ""


def without_metadata(head: Record) -> Record:
    """The head as it is without the metadata of the page: what models read."""
    if not has_metadata(head):
        return head
    fields = {"title": declared_title(head), "description": head.get("description"), "kinds": head.get("kinds")}
    return {name: value for name, value in fields.items() if value}


def _meta_fields(found: Survey) -> dict[str, str]:
    """The first value of each of these meta fields that is not empty, by its name in lower case."""
    fields: dict[str, str] = {}
    for name, content in found.metas:
        field = (name or "").lower()
        if field in META_FIELDS and field not in fields and (text := _short_text(content)):
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


def _short_text(text: str | None) -> str:
    return " ".join((text or "")[: 10 * MAX_TITLE_CHARS].split())[:MAX_TITLE_CHARS]
