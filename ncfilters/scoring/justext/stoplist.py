"""Stop lists: the most frequent words of a language, by which jusText tells sentences from lists and menus.

    words, about = read(Path("english.txt"))
    sum(word in words for word in align.words("It is on the table.")) / 5    # 0.8

A list is UTF-8 text: lines `# key: value` that say where it comes from, then a word a line in lower case, the most
frequent first. Words are those of `text.words`, and text is split likewise: scripts
written without spaces have a character for a word.

The lists that come with the program are in models/stoplists, one for a language. `find` takes them by code or English
name, and also the lists of the justext package where that is installed.

    words, about = find("English")    # or "en", or "justext:English", or "mine.txt"
"""

from __future__ import annotations

import difflib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import resources
from itertools import repeat
from pathlib import Path
from typing import Any

from ...text.words import words as words_of

# Who has it can use its lists; they are not copied.
PACKAGE = "justext"


class StopListError(Exception):
    """A stop list that cannot be had; says which and why."""


def count(texts: Iterable[str], times: Iterable[int] | None = None) -> Counter[str]:
    """How often each word stands in *texts*, in lower case; words without a letter (numbers) are none.

    *times* is how often each text was seen, where it is more than once: so a table of words and their numbers counts.
    """
    counts: Counter[str] = Counter()
    for text, number in zip(texts, repeat(1) if times is None else times):
        for word in words_of(text):
            counts[word] += number
    for word in [word for word in counts if not any(map(str.isalpha, word))]:
        del counts[word]
    return counts


def train(counts: Mapping[str, int], size: int | None = None, coverage: float | None = None) -> list[str]:
    """The most frequent words, as few as are *coverage* (0 to 1) of all running words, and at most *size*.

    The most frequent come first, those equally frequent in the order of their characters. Raises ValueError for a size
    or share that cannot be, where neither is given, and where there is no word to learn from.
    """
    if size is None and coverage is None:
        raise ValueError("a stop list wants a size or a coverage")
    if size is not None and size < 1:
        raise ValueError(f"size is {size}: at least 1")
    if coverage is not None and not 0 < coverage <= 1:
        raise ValueError(f"coverage is {coverage}: above 0, at most 1")
    total = sum(counts.values())
    if not total:
        raise ValueError("nothing to learn from: no word in the texts")
    chosen: list[str] = []
    running = 0
    for word, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        # a quotient: it is the very number that was asked for, where a product would be rounded past it
        if len(chosen) == size or (coverage is not None and running / total >= coverage):
            break
        chosen.append(word)
        running += number
    return chosen


def covered(counts: Mapping[str, int], words: Iterable[str]) -> float:
    """The share of all running words that *words* are (0 to 1): the coverage of a list. 0 where nothing was counted."""
    total = sum(counts.values())
    return sum(counts.get(word, 0) for word in set(words)) / total if total else 0.0


def write(path: Path, words: Iterable[str], about: Mapping[str, Any]) -> None:
    """Writes a list, *about* (language, credits, coverage, command …) before it. Raises OSError.

    A value of several lines has its key on each; keys without a value are left out.
    """
    lines = [f"# {key}: {line.strip()}" for key, value in about.items() for line in str(value).splitlines()]
    # a command line may have bytes that are no text
    path.write_bytes("".join(line + "\n" for line in [*lines, *words]).encode("utf-8", "replace"))


def read(path: Path) -> tuple[frozenset[str], dict[str, str]]:
    """The words of a list, in lower case, and what is said about it: the lines of a key joined. Raises StopListError.

    Other people's lists will do: a comment need have no key, and order and case do not matter.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StopListError(f"{path}: {error.strerror}") from None
    if data.startswith(b"\x80"):
        raise StopListError(f"{path}: a pickle, which could run code, and no stop list")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise StopListError(f"{path}: line {number}: not UTF-8: convert the list with iconv") from None
    words = set()
    said: dict[str, list[str]] = {}
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            if colon:
                said.setdefault(key.strip(), []).append(value.strip())
        elif line:
            if not line.isprintable() or len(line.split()) > 1:
                raise StopListError(f"{path}: line {number}: a single word is wanted, in plain text")
            words.add(line.lower())
    if not words:
        raise StopListError(f"{path}: no word in the stop list")
    return frozenset(words), {key: "\n".join(values) for key, values in said.items()}


def available() -> dict[str, tuple[str, Path]]:
    """The lists that come with the program: language code → its English name, and the file. Sorted by code."""
    folder = Path(str(resources.files("ncfilters") / "models" / "stoplists")).resolve()
    return {path.stem: (_named(path), path) for path in sorted(folder.glob("*.txt"))}


def find(name: str) -> tuple[frozenset[str], dict[str, str]]:
    """The words of a list in lower case, and what is said about it. Raises StopListError.

    *name* is a language's code (`en`) or English name (`English`; case, accents and `_` for a space do not matter), a
    file, or `justext:` and a name that the justext package has for a language (`justext:English`).
    """
    package, colon, language = name.partition(":")
    if colon and package == PACKAGE:
        return of_package(language)
    lists = available()
    if name in lists:
        return read(lists[name][1])
    if "/" in name or Path(name).is_file():
        return read(Path(name))
    names = {_plain(key): path for code, (english, path) in lists.items() for key in (code, english)}
    if _plain(name) in names:
        return read(names[_plain(name)])
    raise StopListError(
        f"{name}: no such stop list{_close(name, [n for n, _ in lists.values()])} A code such as en, an English name "
        f"such as English, a file, or justext:English is wanted; there are {', '.join(lists) or 'none installed'}"
    )


def of_package(language: str) -> tuple[frozenset[str], dict[str, str]]:
    """The same of the package justext, which need only be installed and is not ours to copy. Raises StopListError."""
    from importlib.util import find_spec  # not the package itself, which would load its parser

    found = find_spec(PACKAGE)
    if not found or not found.submodule_search_locations:
        raise StopListError(f"{PACKAGE}:{language}: the package {PACKAGE} is not installed: pip install {PACKAGE}")
    files = sorted(Path(found.submodule_search_locations[0], "stoplists").glob("*.txt"))
    paths = {_plain(path.stem): path for path in files}
    if _plain(language) not in paths:
        close = _close(language, [path.stem for path in files])
        raise StopListError(
            f"{PACKAGE}:{language}: no such list{close} There is {', '.join(path.stem for path in files) or 'none'}"
        )
    path = paths[_plain(language)]
    about = {"kind": "stoplist", "name": path.stem, "credits": f"the package {PACKAGE}"}
    return frozenset(line.decode().lower() for line in path.read_bytes().splitlines()), about


def _named(path: Path) -> str:
    """The English name in a list's header; the file's name where there is none."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("# name:"):
                return line.partition(":")[2].strip()
            if not line.startswith("#"):
                break
    return path.stem


def _plain(name: str) -> str:
    """A name as it is compared: without case and accents, words apart by a space."""
    bare = "".join(letter for letter in unicodedata.normalize("NFD", name) if not unicodedata.combining(letter))
    return " ".join(bare.casefold().replace("_", " ").replace("-", " ").split())


def _close(name: str, names: list[str]) -> str:
    """The end of a sentence: what may have been meant."""
    plain = {_plain(known): known for known in names}
    found = difflib.get_close_matches(_plain(name), plain, n=3)
    return f" (did you mean {', '.join(plain[match] for match in found)}?)." if found else "."
