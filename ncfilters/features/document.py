"""A document as models read it: the segments of a page, and the metadata of the page.

document = ModelInput.of_record({"url": "http://a.org/blog", "head": {"title": "It rained"}, "segments": []})
document.head.title    # 'It rained'
document.head.names    # ('@no og', '@no ld', '@top org', '@path blog', '@depth 1', '@last 1')
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from collections.abc import Sequence
from typing import NamedTuple

from ..head import MAX_KINDS, MAX_TITLE_CHARS, without_metadata
from ..page.blocks.block_table import BlockTable
from ..record import Record, Segment
from ..text.lazy_pattern import lazy_pattern

# Parts of an address that are read, and words of one part: a part with more is a title.
MAX_ADDRESS_CHARS, MAX_PARTS, MAX_PART_WORDS, MAX_DEPTH = 2000, 8, 3, 5
_SCHEME = lazy_pattern(r"\w+://")
_LETTERS = lazy_pattern(r"[a-z]+")
_NUMBER = lazy_pattern(r"[0-9]{4}")


class Head(NamedTuple):
    """The metadata of a page: its title and description, and *names* for its type and its address, such as
    `@og:article` (its type in Open Graph) and `@path blog` (a word of its address)."""

    title: str = ""
    description: str = ""
    names: tuple[str, ...] = ()

    @classmethod
    def of_record(cls, record: Record) -> "Head":
        """The head that a record's fields `head` and `url` give. Values of other types are ignored."""
        fields = record.get("head")
        if not isinstance(fields, dict):
            fields = {}
        fields = without_metadata(fields)
        title, description, url = fields.get("title"), fields.get("description"), record.get("url")
        kinds = fields.get("kinds")
        names = _kind_names(kinds if isinstance(kinds, list) else []) if fields else []
        if isinstance(url, str):
            names += _address_names(url)
        return cls(
            title[:MAX_TITLE_CHARS] if isinstance(title, str) else "",
            description[:MAX_TITLE_CHARS] if isinstance(description, str) else "",
            tuple(dict.fromkeys(names)),
        )


NO_HEAD = Head()


class ModelInput:
    """The *segments* of a page in reading order, and the *head* of the page. Plain text has no head."""

    __slots__ = ("segments", "head")

    def __init__(self, segments: Sequence[Segment], head: Head = NO_HEAD) -> None:
        self.segments, self.head = segments, head

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelInput) and (self.segments, self.head) == (other.segments, other.head)

    __hash__ = None  # type: ignore[assignment]  # segments are lists

    def __len__(self) -> int:
        return len(self.segments)

    @classmethod
    def of_record(cls, record: Record) -> "ModelInput":
        """The document in a record with `segments`; the segments are the record's own, not copies."""
        return cls(record["segments"], Head.of_record(record))

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> "ModelInput":
        """A document of which only the texts of its segments are known."""
        return cls([{"text": text} for text in texts])


def is_flat(segments: Sequence[Segment]) -> bool:
    """Whether segments have no structure, as those of plain text."""
    if isinstance(segments, BlockTable):
        return all(tag is None for tag in segments.tag)
    return not any("path" in segment for segment in segments)


def running_texts(documents: Sequence[ModelInput]) -> list[str]:
    """The texts of all segments, with spaces for the line breaks of poems and addresses: models of words are trained
    with text without lines."""
    segments = [segment for document in documents for segment in document.segments]
    return [s["text"].replace("\n", " ") if "lines" in s else s["text"] for s in segments]


def _kind_names(kinds: Sequence[object]) -> list[str]:
    names = [f"@{kind.lower()}" for kind in kinds[:MAX_KINDS] if isinstance(kind, str)]
    # the absence of a declared type is informative, too
    return names + [f"@no {source}" for source in ("og", "ld") if not any(n.startswith(f"@{source}:") for n in names)]


def _address_names(url: str) -> list[str]:
    """The words of an address, the depth of its path, and whether the path has long numbers."""
    address = url[:MAX_ADDRESS_CHARS].lower().partition("?")[0]
    if scheme := _SCHEME.match(address):
        address = address[scheme.end() :]
    host, _, path = address.partition("/")
    parts = [part for part in path.split("/") if part]
    site, _, top = host.rpartition(".")
    names = [f"@host {word}" for word in _LETTERS.findall(site) if len(word) > 2]
    names += [f"@top {top}"] if top.isalpha() else []
    for part in parts[:MAX_PARTS]:
        words = _LETTERS.findall(part)
        names += [f"@path {word}" for word in words] if len(words) <= MAX_PART_WORDS else []
    if host:
        names.append(f"@depth {min(len(parts), MAX_DEPTH)}")
    if parts:
        names.append(f"@last {min(len(_LETTERS.findall(parts[-1])), 2 * MAX_PART_WORDS)}")
    return [*names, "@number"] if _NUMBER.search(path) else names
