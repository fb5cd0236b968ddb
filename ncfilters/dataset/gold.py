"""Gold text: the clean text of a page as annotators prepared it, from the record itself, another file or a folder.

golds = read_gold("gold.jsonl", 1 << 28)      # or a folder of cleaned files, as CleanEval is distributed
golds["42"].plain
consume_with_gold(["pages.jsonl"], learn, GoldLocation("gold.jsonl"), StreamOptions("nc-train"))

`learn` gets each page with its `gold`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from ..errors import RecordError, UsageError
from ..record import Record
from ..roles import DEFAULT_POLICY, POLICIES
from ..streams import console, runner
from ..streams.runner import StreamOptions
from ..streams.text_folder import CorpusReader, page_name

MAX_EXAMPLES = 3  # ids in a message
_MARKER = re.compile(r"<[phl]>", re.I)
_MARKED_LINE = re.compile(r"^[ \t]*<[phl]>", re.I | re.M)
# A host name as a part of an id: press/20120112_www.example.org_0f3a
_HOST = re.compile(r"(?<![^/_\s])((?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24})(?![^/_\s:])", re.I)
_PAGE = re.compile(r"\s*<(?:!doctype html|html|head|body|text id=)\b", re.I)
_URL_LINE = re.compile(r"^\s{0,99}URL:[ \t]*(.*)$", re.M)


@dataclass(frozen=True)
class Gold:
    """The gold text of a page: `marked` is the text with its CleanEval markers, if any; `plain` has no markers.

    `required` and `forbidden` are snippets that must and must not appear in the output (WCXB). `fields` are the other
    fields of the record, without the page's content. `policy` is the content policy of the annotators (see `roles`).
    `is_partial`: the snippets alone are known, not the text.

    What a gold standard says of the roles of segments: the `title`, `author` and `date` of the page (WCXB), the text of
    its `comments` (Dragnet; None: not known), the `runs` of the gold text with their roles, in order (L3S-GN1).
    """

    marked: str
    has_markers: bool = False
    text: str | None = None
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    policy: str = DEFAULT_POLICY
    is_partial: bool = False
    title: str = ""
    author: str = ""
    date: str = ""
    comments: str | None = None
    runs: tuple[tuple[str, str], ...] = ()

    @property
    def plain(self) -> str:
        """The text without markers and URL line; each marker is an empty line."""
        return self.text if self.text is not None else strip_markers(self.marked)

    def as_field(self) -> Record:
        """The field `gold` of a record that has this gold (see `gold_of`)."""
        runs = [{"role": role, "text": text} for role, text in self.runs]
        known: Record = {"with": list(self.required), "without": list(self.forbidden), "roles": runs}
        known |= {name: getattr(self, name) for name in ("title", "author", "date")}
        out: Record = {"text": self.text, "markup": self.marked if self.has_markers else None}
        out |= {name: value for name, value in known.items() if value}
        if self.comments is not None:
            out["comments"] = self.comments
        return out if _policy({}, out) == self.policy else out | {"policy": self.policy}

    @property
    def lang(self) -> str:
        """The language of the page; empty if the record does not give it."""
        lang = self.fields.get("lang")
        return lang if isinstance(lang, str) else ""


def strip_markers(markup: str) -> str:
    """CleanEval markup (`<p>`, `<h>`, `<l>`, a URL line) as plain text; each marker becomes an empty line."""
    return _MARKER.sub("\n\n", _URL_LINE.sub("", markup))


def gold_of(page: Record, *, partial: bool = False) -> Gold:
    """The gold text of a page, from its field `gold`: a string (plain or CleanEval markup), or an object with `text` or
    `markup`, the optional lists `with` and `without`, and what it says of roles (see `Gold`). *partial*: an object may
    have snippets alone. Raises RecordError."""
    given = page.get("gold")
    gold: Record = given if isinstance(given, dict) else {}
    if isinstance(given, str):
        gold = {"markup" if _MARKED_LINE.search(given) else "text": given}
    text, marked = gold.get("text"), gold.get("markup")
    required, forbidden = (_strings(gold.get(name), name) for name in ("with", "without"))
    annotations = _annotations(gold)
    if is_partial := partial and text is marked is None and bool(required or forbidden):
        text = ""
    if not isinstance(text, str | None) or not isinstance(marked, str | None) or text is marked is None:
        problem = "missing" if given is None or given == {} else "invalid"
        remedy = "--gold names its file, --field gold=NAME its field" if problem == "missing" else ""
        message = f"gold: {problem}: expected the cleaned text, or an object with text or markup"
        raise RecordError(message, remedy=remedy)
    return Gold(
        marked if marked is not None else text or "",
        marked is not None,
        text,
        required,
        forbidden,
        {name: value for name, value in page.items() if name not in CONTENT_FIELDS},
        _policy(page, gold),
        is_partial,
        **annotations,
    )


def _policy(page: Record, gold: Record) -> str:
    """The content policy of a page's gold: as its field `policy` or that of the gold says, or else that of the gold
    standard that has the same fields."""
    given = gold.get("policy", page.get("policy"))
    if given is None:
        given = DEFAULT_POLICY if gold.keys() & {"with", "without", "title", "author", "date"} else "article"
        return given if gold.get("markup") is None else "all"
    if given not in POLICIES:
        raise RecordError(f"gold.policy: expected one of {', '.join(POLICIES)}, got {str(given)[:40]!r}")
    return str(given)


def _annotations(gold: Record) -> Record:
    """The title, author, date, comments and runs of a gold standard that has them."""
    runs = gold.get("roles") or []
    if not isinstance(runs, list) or not all(
        isinstance(run, dict) and isinstance(run.get("role"), str) and isinstance(run.get("text"), str) for run in runs
    ):
        raise RecordError("gold.roles: expected an array of objects with role and text")
    texts = {name: gold[name] for name in ("title", "author", "date", "comments") if gold.get(name) is not None}
    if isinstance(texts.get("author"), list):
        texts["author"] = ", ".join(_strings(texts["author"], "author"))
    for name, text in texts.items():
        if not isinstance(text, str):
            raise RecordError(f"gold.{name}: expected a string")
    return {**texts, "runs": tuple((run["role"], run["text"]) for run in runs)}


def clean_text(page: Record) -> str:
    """The clean text of a record without markers: its gold text, or the `text` of a record without `gold`. Raises
    RecordError."""
    if "gold" not in page and isinstance(page.get("text"), str):
        page = {"gold": page["text"]}  # a cleaned file may have CleanEval markup
    return gold_of(page).plain


# The content of a page, which is not kept with the gold text.
CONTENT_FIELDS = frozenset(("gold", "html", "blocks", "segments", "text"))


def _strings(value: Any, name: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"gold.{name}: expected an array of strings")
    return tuple(value)


def read_gold(path: str, limit: int, name: str | None = None) -> dict[str, Gold]:
    """The gold texts by page id, from a file of records or a folder of cleaned texts named by the ids.

    *name* is the field with the gold text, if not `gold`; in a record without it, `text` is the gold text. *limit* is
    in bytes a record. Raises UsageError, which names the file, if a record is unreadable, has no id, repeats an id or
    has no gold text.
    """
    out: dict[str, Gold] = {}
    for number, page in enumerate(CorpusReader([path], limit, text_only=True), 1):
        try:
            if isinstance(page, RecordError):
                raise page
            if name and name in page:
                page["gold"] = page.pop(name)
            elif "gold" not in page and isinstance(page.get("text"), str):
                page["gold"] = page["text"]
            key = key_of(page)
            if key is None:
                raise RecordError("id: missing: gold text is joined to pages by id")
            if key in out:
                raise RecordError(f"id: {key!r} occurs twice: each page has one gold text")
            out[key] = gold_of(page)
            if _PAGE.match(out[key].marked):
                raise RecordError("gold: HTML instead of cleaned text: is this the folder of the pages?")
        except RecordError as error:
            raise UsageError(f"{_place(path, number, page, error)}{error} ({_EXPECTED})") from None
    if not out:
        raise UsageError(f"{path}: no gold text ({_EXPECTED})")
    if os.path.isdir(path) and any(gold.has_markers for gold in out.values()):
        # a page without text has no marker in its file, only the URL line
        out = {key: replace(gold, text=None, has_markers=True) for key, gold in out.items()}
    return out


def _place(path: str, number: int, page: Record | RecordError, error: RecordError) -> str:
    """The place of an error, for its message; empty if the message begins with the path."""
    if str(error).startswith(path):
        return ""
    if os.path.isdir(path) and not isinstance(page, RecordError):
        return f"{os.path.join(path, page['file'])}: "
    return f"{path}: record {number}: "


_EXPECTED = "gold text must be records with id and gold, or a folder of texts named by id"


def key_of(page: Record) -> str | None:
    """The key by which gold text is joined to a page: the id, or else the URL; None without both."""
    key = page.get("id") if page.get("id") is not None else page.get("url")
    return None if key is None else str(key)


class PageIds:
    """Finds a page by an id, or else by what the names of its files have in common (`page_name`).

    So `42.html`, which is the id of a page in a folder, has the gold text of `42-cleaned.txt`.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = set(ids)

    def find(self, id: str) -> str:
        """The one of the ids that is that of the same page as *id*; *id* itself if there is none."""
        return id if id in self._ids else self._by_name.get(page_name(id), id)

    @cached_property
    def _by_name(self) -> dict[str, str]:
        names = Counter(map(page_name, self._ids))
        return {name: id for id in self._ids if names[name := page_name(id)] == 1}


def domain(page: Record) -> str:
    """The host of a page without `www.`: from its `url`, the URL line of its gold text or a host name in its id; else
    the id itself. Empty for a page with none of these."""
    url = page.get("url")
    gold = page.get("gold")
    if isinstance(gold, dict):
        gold = gold.get("markup")
    if not url and isinstance(gold, str) and (line := _URL_LINE.search(gold)):
        url = line[1]
    try:
        host = urlsplit(str(url or "")).hostname or ""
    except ValueError:
        host = ""
    key = str(key_of(page) or "")
    if not host and (named := _HOST.search(key)):
        host = named[1].lower()
    return host.removeprefix("www.") or key


# ---- gold text joined to its pages ------------------------------------------------------------------------------


@dataclass(frozen=True)
class GoldLocation:
    """Where gold text is: in the records themselves if *path* is None, else in that file or folder. *field* is the
    name of the field there, if not `gold`."""

    path: str | None = None
    field: str | None = None


def consume_with_gold(
    files: Sequence[str],
    function: Callable[[Record], Record],
    where: GoldLocation,
    options: StreamOptions,
    plain: bool = False,
) -> int:
    """Calls the function with each record of files and folders, which then has its gold text. With *plain*, files may
    be plain text.

    Returns the exit status. Gold text without a page is reported on standard error. Raises UsageError if an input
    cannot be opened or no gold text has a page.
    """
    if where.path == "-" and (not files or "-" in files):
        raise UsageError("standard input cannot be both the pages and their gold text")
    source = CorpusReader(files, options.max_record, plain=plain)  # missing files are reported before the work
    console.hint_at_terminal(options.tool, files or ["-"], options.quiet)
    golds = read_gold(where.path, options.max_record, where.field) if where.path else {}
    number = len(golds)
    status = runner.consume(source, _joined(function, golds, where.path) if where.path else function, options)
    if status not in (0, 1):
        raise KeyboardInterrupt(status)
    if status and options.strict:
        return status
    examples = ", ".join(repr(key) for key, _ in zip(golds, range(MAX_EXAMPLES)))
    if number and len(golds) == number:
        raise UsageError(f"{where.path}: no page has the id of a gold text, such as {examples}")
    if golds:
        console.warn(
            options.tool, f"{where.path}: {len(golds)} of {number} gold texts have no page, such as {examples}"
        )
    return status


def describe_inputs(files: Sequence[str]) -> str:
    """The name of the input, for messages."""
    first = files[0] if files and files[0] != "-" else "standard input"
    return first if len(files) < 2 else f"{first} and {len(files) - 1} more"


def _joined(function: Callable[[Record], Record], golds: dict[str, Gold], path: str) -> Callable[[Record], Record]:
    """*function* of a page with its gold text, which is removed from *golds*."""
    used: set[str] = set()
    ids = PageIds(golds)

    def work(page: Record) -> Record:
        if (own := key_of(page)) is None:
            raise RecordError("id: missing: gold text is joined to pages by id")
        key = ids.find(own)
        if key in used:
            raise RecordError(f"an earlier page has the same id and the gold text in {path}")
        if key not in golds:
            raise RecordError(f"no gold text in {path} has this id")
        used.add(key)
        gold = golds.pop(key)
        page["gold"] = gold.as_field()
        if not page.get("url") and gold.fields.get("url"):
            page["url"] = gold.fields["url"]
        return function(page)

    return work
