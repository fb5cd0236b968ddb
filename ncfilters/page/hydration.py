"""Hydration data: the prose that single-page applications carry as JSON in scripts.

    texts([("", 'window.__STATE__ = {"post": {"body": "It rained all day, and nobody went out. Then it stopped."}};')])
    # [("post/body", "It rained all day, and nobody went out. Then it stopped.")]

Read are scripts of the type `application/json` (Next.js and others), JSON assigned to a variable, as it is or by
`JSON.parse`, and what React sends in pieces (`self.__next_f.push`). Other JavaScript is left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import orjson
import regex

from ..text.scripts import UNSPACED_SCRIPTS
from ..text.sentence_ends import IN_JSON, PROSE_END
from . import json_ld
from .dom_path import MAX_NAME_CHARS

# Bounds of a page: texts taken, values looked at, and characters of the names that a text stands under.
MAX_TEXTS, MAX_VALUES, MAX_PATH = 2_000, 20_000, 200

_ASSIGNED = re.compile(r"(?:^|[;\n\s])(?:(?:var|let|const)\s+)?[\w$.\[\]\"']{2,80}\s*=\s*(?=[{\[]|JSON\.parse\()")
_PARSED = re.compile(r"JSON\.parse\(\s*(?=\")")
_FLIGHT = re.compile(r"self\.__next_f(?:\s?=[^)]{0,40}\))?\.push\(")
_ROW = re.compile(r"[0-9a-f]*:(?=[\[{\"])")
_LONG_ROW = re.compile(r"[0-9a-f]*:T([0-9a-f]{1,7}),")
_UNDEFINED = re.compile(r"(?<=[:\[,])\s*undefined(?=\s*[,}\]])")
# What is in the interface, and not on the page.
ASIDE = regex.compile(
    r"(?:translations?|messages?|i18n|intl|locales?|dictionary|labels?|l10n|strings|errors?|config|consent|cookies?"
    r"|privacy|seo|meta(?:data|tags)?|styles?|css|scripts?|query|queries|svg|icons?)",
    regex.I,
)

# Prose has words and a sentence's end.
MIN_WORDS, MIN_SIGNS, MIN_SENTENCES, LOOKED_AT = 8, 16, 2, 600
_TAG = re.compile(r"<[^<>]{0,2000}>")
_WORD = regex.compile(r"(?<!\S)[\"'“‘«(¿¡\[]*\p{Lu}?[\p{Ll}\p{Lo}\p{M}'’-]+[\])}.,;:!?…\"'”’»]*(?!\S)")
_SIGN = regex.compile(f"[{UNSPACED_SCRIPTS}]")
_CODE = re.compile(r"\{\{|\$\{|=>|[{};]\s*\n?\s*[\w.#-]+\s*[:{=(]|function\s*\(|</?script")


def is_prose(text: str) -> bool:
    """Whether *text*, which may be HTML, reads like sentences rather than code, names or a list of words."""
    if text.isascii() and text.count(" ", 0, LOOKED_AT) < MIN_WORDS - 1:  # for speed: most strings are names
        return False
    if len(text) < MIN_SIGNS or _CODE.search(text, 0, LOOKED_AT):
        return False
    head = text[: LOOKED_AT * 4]
    if "<" in head:
        head = _TAG.sub(" ", head)
    head = head[:LOOKED_AT].strip()
    if not PROSE_END.search(head):
        return False
    words = head.split()
    plain = len(_WORD.findall(head))
    if plain >= MIN_WORDS and 2 * plain >= len(words):
        return True
    return len(_SIGN.findall(head)) >= max(MIN_SIGNS, len(head) // 2)


def texts(scripts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The prose in the scripts of a page (the `type` and the text of each): the names it stands under, and the text,
    which may be HTML."""
    out: list[tuple[str, str]] = []
    flight: list[str] = []
    left = MAX_VALUES
    for kind, text in scripts:
        if len(text) > json_ld.MAX_CHARS or left <= 0:
            continue
        if "__next_f" in text:
            flight += _pushed(text)
        elif not _has_sentences(text):
            continue
        elif "json" in kind:
            if "ld+json" not in kind:
                left = _walk(json_ld.load_json(text), out, left)
        elif kind in ("", "module") or "javascript" in kind:
            for value in _assigned(text):
                left = _walk(value, out, left)
    stream = "".join(flight)
    for value in _rows(stream) if _has_sentences(stream) else ():
        left = _walk(value, out, left)
    return out


def _has_sentences(text: str) -> bool:
    """Whether so many sentences may end in it that it is worth reading."""
    wanted = MIN_SENTENCES
    for end in IN_JSON:
        wanted -= text.count(end)
        if wanted <= 0:
            return True
    return False


def _assigned(text: str) -> list[Any]:
    """JSON assigned to the first variable in a script."""
    found = _ASSIGNED.search(text, 0, 2_000)
    if not found:
        return []
    start = found.end()
    if call := _PARSED.match(text, start):
        inner = _decoded(text, call.end())
        return [json_ld.load_json(inner)] if type(inner) is str else []
    if "undefined" in text:
        text, start = _UNDEFINED.sub("null", text[start:]), 0
    try:
        return [orjson.loads(text[start:].rstrip().rstrip(";"))]
    except ValueError:
        return [_decoded(text, start)]


def _decoded(text: str, start: int) -> Any:
    """The JSON value that begins there; None if there is none."""
    if len(text) - start > json_ld.MAX_LENIENT_CHARS * 4:
        return None
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None


def _pushed(text: str) -> list[str]:
    """What a script of React's server adds to the stream."""
    found = _FLIGHT.search(text)
    value = _decoded(text, found.end()) if found else None
    return [item for item in value if type(item) is str] if type(value) is list else []


def _rows(stream: str) -> Iterable[Any]:
    """The values in a stream of React's server: a row each, JSON, or text of a length in bytes."""
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
            text = stream[row.end() : end if end >= 0 else len(stream)]
            if any(map(text.count, IN_JSON)):
                yield json_ld.load_json(text)
        at = end + 1 if end >= 0 else -1


def _walk(value: Any, out: list[tuple[str, str]], left: int) -> int:
    """Adds the prose in a value, in order, and returns how many more values may be looked at."""
    todo: list[tuple[Any, str]] = [(value, "")]
    while todo and left > 0 and len(out) < MAX_TEXTS:
        value, path = todo.pop()
        left -= 1
        if type(value) is str:
            if len(value) > 100 and value[0] in "{[" and value[-1] in "}]":  # JSON in JSON
                inner = json_ld.load_json(value)
                if type(inner) in (dict, list):
                    todo.append((inner, path))
                    continue
            if is_prose(value):
                out.append((path, value))
        elif type(value) is list:
            todo += [(item, path) for item in reversed(value[:left]) if _may_hold(item)]
        elif type(value) is dict:
            items = [(name[:MAX_NAME_CHARS], item) for name, item in value.items() if _may_hold(item)][:left]
            path = f"{path[-MAX_PATH:]}/" if path else ""
            todo += [(item, path + name) for name, item in reversed(items) if not _is_aside(name)]
    return left


def _may_hold(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return len(value) >= MIN_SIGNS and (" " in value or not value.isascii())
    return bool(value) and (kind is dict or kind is list)


@lru_cache(maxsize=1 << 12)
def _is_aside(name: str) -> bool:
    return bool(ASIDE.fullmatch(name))
