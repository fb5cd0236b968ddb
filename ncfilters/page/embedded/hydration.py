"""Hydration data: prose in the JSON of pages that JavaScript makes.

    script = 'window.__STATE__ = {"post": {"body": "It rained all day, and nobody went out. Then it stopped."}};'
    prose_texts([("", script)])    # [("post/body", "It rained all day, and nobody went out. Then it stopped.")]

The sources are scripts of the type `application/json` (Next.js and others), JSON assigned to a variable, directly or by
`JSON.parse`, and the stream of React's server components (`self.__next_f.push`). Other JavaScript is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...text.lazy_pattern import lazy_pattern
from ...text.scripts import is_prose, sentences_in_json
from ..dom_path import MAX_NAME_CHARS
from .json_ld import load_json, load_json_at

# Bounds of a page: texts that are returned, values that are visited, and characters of the names that lead to a text.
MAX_TEXTS, MAX_VALUES, MAX_NAMES_CHARS = 1_000, 50_000, 200
# The fewest sentences of a script that is read, and the characters before its first assignment.
MIN_SENTENCES, MAX_BEFORE_ASSIGNMENT = 2, 2_000
# Names of data about the interface rather than the page. To `re`, the Turkish ı is an i in another case.
INTERFACE_NAMES = lazy_pattern(
    r"(?i)(?!.*(?-i:ı))(?:translations?|messages?|i18n|intl|locales?|dictionary|labels?|l10n|strings|errors?|config|consent"
    r"|cookies?|privacy|seo|meta(?:data|tags)?|styles?|css|scripts?|query|queries|svg|icons?)"
)
_ASSIGNMENT = lazy_pattern(r"(?:^|[;\s])[\w$.\[\]\"']{2,80}\s*=\s*(?:JSON\.parse\(\s*(?=\")|(?=[{\[]))")
_UNDEFINED = lazy_pattern(r"(?<=[:\[,])\s*undefined(?=\s*[,}\]])")
_PUSH = lazy_pattern(r"self\.__next_f(?:\s?=[^)]{0,40}\))?\.push\(")
_ROW = lazy_pattern(r"[0-9a-f]{0,8}:(?:T([0-9a-f]{1,7}),|(?=[\[{\"])(.*))")


def prose_texts(scripts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The prose in the scripts of a page, each given by its attribute `type` and its text: pairs of the names that lead
    to a text, joined by `/`, and the text, which may be HTML."""
    out: list[tuple[str, str]] = []
    left = MAX_VALUES
    for data in _values(scripts):
        todo: list[tuple[Any, str]] = [(data, "")]
        while todo and left and len(out) < MAX_TEXTS:
            value, path = todo.pop()
            left -= 1
            if type(value) is str and value[:1] + value[-1:] in ("{}", "[]"):
                value = load_json(value) or value  # JSON in JSON
            if type(value) is dict:
                before = f"{path[-MAX_NAMES_CHARS:]}/" if path else ""
                names = [name for name in value if not INTERFACE_NAMES.fullmatch(name[:MAX_NAME_CHARS])][:left]
                todo += [(value[name], before + name[:MAX_NAME_CHARS]) for name in reversed(names)]
            elif type(value) is list:
                todo += [(item, path) for item in reversed(value[:left])]
            elif type(value) is str and is_prose(value):
                out.append((path, value))
        if not left or len(out) == MAX_TEXTS:
            break
    return out


def _values(scripts: Iterable[tuple[str, str]]) -> Iterator[Any]:
    """The values in scripts, in order. Those of React's server come last: rows of JSON, and texts of so many bytes."""
    pushed: list[str] = []
    for kind, text in scripts:
        if "__next_f" in text:
            items = load_json_at(text, push.end()) if (push := _PUSH.search(text)) else None
            pushed += [item for item in items if type(item) is str] if type(items) is list else []
        elif "ld+json" in kind or sentences_in_json(text) < MIN_SENTENCES:
            continue
        elif "json" in kind:
            yield load_json(text)
        elif kind in ("", "module") or "javascript" in kind:
            start = _ASSIGNMENT.search(text, 0, MAX_BEFORE_ASSIGNMENT)
            yield load_json_at(_UNDEFINED.sub("null", text[start.end() :]), 0) if start else None
    stream, at = "".join(pushed), 0
    while row := _ROW.search(stream, at):
        size = int(row[1] or "0", 16)
        text = stream[row.end() : row.end() + size].encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
        yield {"text": text} if row[1] else load_json(row[2]) if sentences_in_json(row[2]) else None
        at = row.end() + len(text)
