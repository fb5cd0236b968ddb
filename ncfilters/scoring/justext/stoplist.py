"""Stop lists: the most frequent words of a language, by which jusText distinguishes sentences from lists and menus.

    words, about = find_stoplist("English")    # or "en", or "justext:English", or "mine.txt"
    sum(word in words for word in text.words.words("It is on the table.")) / 5    # 0.8

A list is UTF-8 text: lines `# key: value` with its origin, then one word a line in lower case, the most frequent first.
Words are those of `text.words`; in scripts without spaces they are characters. The installed lists are in
models/stoplists, one for each language. The lists of the package justext are used where it is installed.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from typing import Any

from ...errors import ModelError
from ...installed import installed_folder
from ...streams.output_file import write_whole
from ...text.words import words as words_of
from .rules import JusTextRules, rules_for_language

PACKAGE = "justext"


def count_words(texts: Iterable[str], times: Iterable[int] | None = None) -> Counter[str]:
    """The number of occurrences of each word in the texts, in lower case. Words without a letter are not counted.

    *times* are the weights of the texts.
    """
    counts: Counter[str] = Counter()
    for text, number in zip(texts, repeat(1) if times is None else times):
        for word in words_of(text):
            counts[word] += number
    for word in [word for word in counts if not any(map(str.isalpha, word))]:
        del counts[word]
    return counts


def most_frequent_words(counts: Mapping[str, int], size: int | None = None, coverage: float | None = None) -> list[str]:
    """The most frequent words: as few as make up *coverage* (0 to 1) of all running words, and at most *size*.

    Equally frequent words are in the order of their characters. Raises ValueError for a size or share out of range, if
    neither is given, and if there are no words.
    """
    if size is None and coverage is None:
        raise ValueError("a stop list needs a size or a coverage")
    if size is not None and size < 1:
        raise ValueError(f"size is {size}; it must be at least 1")
    if coverage is not None and not 0 < coverage <= 1:
        raise ValueError(f"coverage is {coverage}; it must be above 0 and at most 1")
    total = sum(counts.values())
    if not total:
        raise ValueError("no training data: the texts contain no word")
    chosen: list[str] = []
    running = 0
    for word, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        # a quotient: it equals the share that was asked for, where a product is rounded past it
        if len(chosen) == size or (coverage is not None and running / total >= coverage):
            break
        chosen.append(word)
        running += number
    return chosen


def coverage_of(counts: Mapping[str, int], words: Iterable[str]) -> float:
    """The share of all running words that the words of a list make up (0 to 1); 0 where nothing was counted."""
    total = sum(counts.values())
    return sum(counts.get(word, 0) for word in set(words)) / total if total else 0.0


def write_stoplist(path: Path, words: Iterable[str], about: Mapping[str, Any]) -> None:
    """Writes a list, preceded by *about* (language, credits, coverage, command …). Raises OSError and UsageError.

    A value of several lines has its key on each line; keys without a value are left out.
    """
    lines = [f"# {key}: {line.strip()}" for key, value in about.items() for line in str(value).splitlines()]
    # a command line may have bytes that are not text
    write_whole(str(path), ["".join(line + "\n" for line in [*lines, *words]).encode("utf-8", "replace")])


def read_stoplist(path: Path) -> tuple[frozenset[str], dict[str, str]]:
    """The words of a list, in lower case, and the values in its comments by key, those of one key joined by line
    breaks. Raises ModelError.

    Comments need no key; the order and the letter case of words do not matter.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    if data.startswith(b"\x80"):
        raise ModelError(f"{path}: refused: a pickle file, which can run code, and not a stop list")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise ModelError(f"{path}: line {number}: not UTF-8: convert the list with iconv") from None
    words = set()
    about: dict[str, list[str]] = {}
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            if colon:
                about.setdefault(key.strip(), []).append(value.strip())
        elif line:
            if not line.isprintable() or len(line.split()) > 1:
                raise ModelError(f"{path}: line {number}: must be a single word, in plain text")
            words.add(line.lower())
    if not words:
        raise ModelError(f"{path}: the stop list has no words")
    return frozenset(words), {key: "\n".join(values) for key, values in about.items()}


def rules_of_file(path: Path) -> tuple[dict[str, Any], JusTextRules]:
    """A header as our model files have it, and jusText's rules with the list in a file. Raises ModelError."""
    words, about = read_stoplist(path)
    language = about.get("language", "")
    try:
        rules = rules_for_language(words, language)
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None
    header = {
        "kind": rules.kind,
        "language": language,
        "description": f"jusText's rules with our stop list: {about.get('name') or path.stem}.",
        "credits": about.get("credits", "").splitlines(),
        "command": about.get("command", ""),
        "parameters": rules.header(),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }
    return header, rules


def installed_stoplists() -> dict[str, tuple[str, Path]]:
    """The English name and the file of each installed list, by language code, sorted."""
    return {path.stem: (_english_name(path), path) for path in sorted(_folder().glob("*.txt"))}


def find_stoplist(name: str) -> tuple[frozenset[str], dict[str, str]]:
    """The words of a list and what its comments say, as `read_stoplist` returns them. Raises ModelError.

    *name* is a language code (`en`) or an English name (`English`; letter case, accents and `_` for a space do not
    matter), a file, or `justext:` and a name that the package justext has for a language (`justext:English`).
    """
    package, colon, language = name.partition(":")
    if colon and package == PACKAGE:
        return package_stoplist(language)
    lists = installed_stoplists()
    if name in lists:
        return read_stoplist(lists[name][1])
    if "/" in name or Path(name).is_file():
        return read_stoplist(Path(name))
    names = {_comparable(key): path for code, (english, path) in lists.items() for key in (code, english)}
    if _comparable(name) in names:
        return read_stoplist(names[_comparable(name)])
    raise ModelError(
        f"{name}: no such stop list. Give a code such as en, an English name such as English, a file, or "
        f"justext:English; installed are {', '.join(lists) or 'none'}"
    )


def package_stoplist(language: str) -> tuple[frozenset[str], dict[str, str]]:
    """The same for a list of the package justext, which must be installed. Raises ModelError."""
    spec = find_spec(PACKAGE)  # not the package itself, which would load its parser
    if not spec or not spec.submodule_search_locations:
        raise ModelError(f"{PACKAGE}:{language}: the package {PACKAGE} is not installed: pip install {PACKAGE}")
    files = sorted(Path(spec.submodule_search_locations[0], "stoplists").glob("*.txt"))
    paths = {_comparable(path.stem): path for path in files}
    if _comparable(language) not in paths:
        known = ", ".join(path.stem for path in files) or "none"
        raise ModelError(f"{PACKAGE}:{language}: no such list. It has {known}")
    path = paths[_comparable(language)]
    about = {"kind": "stoplist", "name": path.stem, "credits": f"the package {PACKAGE}"}
    return frozenset(line.decode().lower() for line in path.read_bytes().splitlines()), about


def _folder() -> Path:
    return Path(installed_folder()) / "stoplists"


def _english_name(path: Path) -> str:
    """The name in the comments of a list; without one the name of the file."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("# name:"):
                return line.partition(":")[2].strip()
            if not line.startswith("#"):
                break
    return path.stem


def _comparable(name: str) -> str:
    """The name without letter case and accents, its words separated by spaces."""
    letters = "".join(letter for letter in unicodedata.normalize("NFD", name) if not unicodedata.combining(letter))
    return " ".join(letters.casefold().replace("_", " ").replace("-", " ").split())
