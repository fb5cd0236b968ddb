"""Hydration data: prose in the JSON of single-page applications.

    script = 'window.__STATE__ = {"post": {"body": "It rained all day, and nobody went out. Then it stopped."}};'
    prose_texts([("", script)])
    # [("post/body", "It rained all day, and nobody went out. Then it stopped.")]

The sources are scripts of the type `application/json` (Next.js and others), JSON assigned to a variable, directly or by
`JSON.parse`, and the stream of React's server components (`self.__next_f.push`). Other JavaScript is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

import orjson

from ...text.lazy_pattern import lazy_pattern
from ...text.scripts import IN_JSON, UNSPACED_SCRIPTS, prose_end_pattern, western_prose_end_pattern
from ...text.words import characters, is_western
from ..blocks.dom_path import MAX_NAME_CHARS
from .lenient_json import MAX_CHARS, load_json, load_json_at

# Bounds of a page: texts that are returned, values that are visited, and characters of the names that lead to a text.
MAX_TEXTS, MAX_VALUES, MAX_NAMES_CHARS = 1_000, 20_000, 200
# Scripts with sentences, and attributes with data, that are read. No development page has so many.
MAX_SCRIPTS = 1_000
# Names of data about the interface rather than the page. To `re`, the Turkish ı is an i in another case.
INTERFACE_NAMES = lazy_pattern(
    r"(?!.*(?-i:ı))(?:translations?|messages?|i18n|intl|locales?|dictionary|labels?|l10n|strings|errors?|config|consent"
    r"|cookies?|privacy|seo|meta(?:data|tags)?|styles?|css|scripts?|query|queries|svg|icons?)",
    re.I,
)
# Prose has at least so many words, or characters of scripts without spaces, and a sentence end, within its first
# MAX_EXAMINED_CHARS characters. A script element with fewer than MIN_SENTENCES sentence ends is skipped.
MIN_WORDS, MIN_UNSPACED_CHARS, MAX_EXAMINED_CHARS = 8, 16, 600
MIN_SENTENCES = 2
# Characters of a script before its first assignment.
MAX_BEFORE_ASSIGNMENT = 2_000
# Shorter strings that look like JSON are treated as text.
MIN_NESTED_JSON_CHARS = 100

_ASSIGNMENT = lazy_pattern(r"(?:^|[;\n\s])(?:(?:var|let|const)\s+)?[\w$.\[\]\"']{2,80}\s*=\s*(?=[{\[]|JSON\.parse\()")
_JSON_PARSE = lazy_pattern(r"JSON\.parse\(\s*(?=\")")
_PUSH = lazy_pattern(r"self\.__next_f(?:\s?=[^)]{0,40}\))?\.push\(")
_ROW = lazy_pattern(r"[0-9a-f]*:(?=[\[{\"])")
_LONG_ROW = lazy_pattern(r"[0-9a-f]*:T([0-9a-f]{1,7}),")
_UNDEFINED = lazy_pattern(r"(?<=[:\[,])\s*undefined(?=\s*[,}\]])")
_TAG = lazy_pattern(r"<[^<>]{0,2000}>")
# The end of a sentence, and a word, in ASCII: as `_patterns` has them, for speed.
_ASCII_END = lazy_pattern(r"[.!?:][\"')\]]*(?:[\t-\r ]|$)")
_ASCII_WORD = lazy_pattern(r"(?<![^\t-\r ])[\"'(\[]*[A-Z]?[a-z'-]+[\])}.,;:!?\"']*(?![^\t-\r ])")
# A word, of any scripts.
_WORD = r"{before}[\"'“‘«(¿¡\[]*{upper}?[{lower}'’-]+[\])}}.,;:!?…\"'”’»]*{behind}"
_CODE = lazy_pattern(r"\{\{|\$\{|=>|[{};]\s*[\w.#-]+\s*[:{=(]|function\s*\(|</?script")


def is_prose(text: str) -> bool:
    """Whether *text*, which may be HTML, reads like sentences rather than code, names or a list of words."""
    if text.isascii() and text.count(" ", 0, MAX_EXAMINED_CHARS) < MIN_WORDS - 1:  # for speed: most strings are names
        return False
    if len(text) < MIN_UNSPACED_CHARS or _CODE.search(text, 0, MAX_EXAMINED_CHARS):
        return False
    start = text[: MAX_EXAMINED_CHARS * 4]
    if "<" in start:
        start = _TAG.sub(" ", start)
    start = start[:MAX_EXAMINED_CHARS].strip()
    is_ascii = start.isascii()
    is_simple = is_ascii or is_western(start)
    end = _ASCII_END if is_ascii else western_prose_end_pattern() if is_simple else prose_end_pattern()
    if not end.search(start):
        return False
    num_words = len((_ASCII_WORD if is_ascii else _western_word() if is_simple else _patterns()[0]).findall(start))
    if num_words >= MIN_WORDS and 2 * num_words >= len(start.split()):
        return True
    return not is_simple and len(_patterns()[1].findall(start)) >= max(MIN_UNSPACED_CHARS, len(start) // 2)


@cache
def _western_word() -> Any:
    """The pattern of a word of Western text."""
    upper, lower = f"[{characters('Lu')}]", characters("Ll", "Lo", "M")
    before, behind = r"(?<!\S)(?<![\x1c-\x1f])", r"(?!\S)(?![\x1c-\x1f])"  # these are no white space to `regex`
    return re.compile(_WORD.format(before=before, behind=behind, upper=upper, lower=lower))


@cache
def _patterns() -> tuple[Any, Any]:
    """The patterns of a word, and of a character of scripts without spaces between words."""
    import regex  # start-up: many pages have no data beyond ASCII

    word = _WORD.format(before=r"(?<!\S)", behind=r"(?!\S)", upper=r"\p{Lu}", lower=r"\p{Ll}\p{Lo}\p{M}")
    return regex.compile(word), regex.compile(f"[{UNSPACED_SCRIPTS}]")


def prose_texts(scripts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The prose in the scripts of a page, each given by its attribute `type` and its text.

    Returns pairs of the names that lead to a text, joined by `/`, and the text, which may be HTML.
    """
    out: list[tuple[str, str]] = []
    pushed: list[str] = []
    left, num_read = MAX_VALUES, 0
    for kind, text in scripts:
        if len(text) > MAX_CHARS or left <= 0:
            continue
        if "__next_f" in text:
            pushed += _pushed_strings(text)
        elif num_read == MAX_SCRIPTS or not _has_sentences(text):
            continue
        elif "json" in kind:
            num_read += 1
            if "ld+json" not in kind:
                left = _collect_prose(load_json(text), out, left)
        elif kind in ("", "module") or "javascript" in kind:
            num_read += 1
            for value in _assigned_values(text):
                left = _collect_prose(value, out, left)
    stream = "".join(pushed)
    pushed.clear()  # memory: it may be as long as the page
    for value in _rows(stream) if _has_sentences(stream) else ():
        left = _collect_prose(value, out, left)
    return out


def _has_sentences(text: str) -> bool:
    """Whether at least MIN_SENTENCES sentences may end in the text."""
    missing = MIN_SENTENCES
    for end in IN_JSON:
        missing -= text.count(end)
        if missing <= 0:
            return True
    return False


def _assigned_values(text: str) -> list[Any]:
    """JSON assigned to the first variable in a script."""
    assignment = _ASSIGNMENT.search(text, 0, MAX_BEFORE_ASSIGNMENT)
    if not assignment:
        return []
    start = assignment.end()
    if call := _JSON_PARSE.match(text, start):
        inner = load_json_at(text, call.end())
        return [load_json(inner)] if type(inner) is str else []
    if "undefined" in text:
        text, start = _UNDEFINED.sub("null", text[start:]), 0
    try:
        return [orjson.loads(text[start:].rstrip().rstrip(";"))]
    except ValueError:
        return [load_json_at(text, start)]


def _pushed_strings(text: str) -> list[str]:
    """The strings that a script of React's server appends to the stream."""
    push = _PUSH.search(text)
    value = load_json_at(text, push.end()) if push else None
    return [item for item in value if type(item) is str] if type(value) is list else []


def _rows(stream: str) -> Iterable[Any]:
    """The values in a stream of React's server: each row is JSON, or text with its length in bytes."""
    at = 0
    while 0 <= at < len(stream):
        if long := _LONG_ROW.match(stream, at):
            size = int(long[1], 16)
            text = stream[long.end() : long.end() + size].encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
            yield {"text": text}
            at = long.end() + len(text)
            continue
        end = stream.find("\n", at)
        if row := _ROW.match(stream, at):
            stop = end if end >= 0 else len(stream)
            if any(stream.find(mark, row.end(), stop) >= 0 for mark in IN_JSON):
                yield load_json(stream[row.end() : stop])
        at = end + 1 if end >= 0 else -1


def _collect_prose(value: Any, out: list[tuple[str, str]], left: int) -> int:
    """Appends the prose in a value to *out*, in order. At most *left* values are visited; returns how many are left."""
    todo: list[tuple[Any, str]] = [(value, "")]
    while todo and left > 0 and len(out) < MAX_TEXTS:
        value, path = todo.pop()
        left -= 1
        if type(value) is str:
            if len(value) > MIN_NESTED_JSON_CHARS and value[0] in "{[" and value[-1] in "}]":  # JSON in JSON
                inner = load_json(value)
                if type(inner) in (dict, list):
                    todo.append((inner, path))
                    continue
            if is_prose(value):
                out.append((path, value))
        elif type(value) is list:
            todo += [(item, path) for item in reversed(value[:left]) if _may_hold_prose(item)]
        elif type(value) is dict:
            items = [(name[:MAX_NAME_CHARS], item) for name, item in value.items() if _may_hold_prose(item)][:left]
            path = f"{path[-MAX_NAMES_CHARS:]}/" if path else ""
            todo += [(item, path + name) for name, item in reversed(items) if not _is_interface_name(name)]
    return left


def _may_hold_prose(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return len(value) >= MIN_UNSPACED_CHARS and (" " in value or not value.isascii())
    return bool(value) and (kind is dict or kind is list)


@lru_cache(maxsize=1 << 12)
def _is_interface_name(name: str) -> bool:
    return bool(INTERFACE_NAMES.fullmatch(name))
