#!/usr/bin/env python3
"""nc-dedup against theory, against onion's definition, and beside other programs.

    python bench/dedup.py                                  # writes bench/dedup.md: 20 minutes and 30 GB of data
    python bench/dedup.py --scale 0.01 -o /dev/stdout

Documents are made: of random words, or of blocks of them where there are millions. Peers that are installed (rensa,
datasketch) find the same duplicates from the same lines. CPU is that of the process and its children.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.support import BENCH, BIN, command_environment, json_line, log, markdown
from ncfilters.corpus.ngram_duplicates import MAX_GAP, THRESHOLD, NgramDuplicates, best_bands
from ncfilters.corpus.state import State
from ncfilters.text.words import words

VOCABULARY = [f"w{number}" for number in range(3000)]


def made_documents(count: int, seed: int) -> list[dict[str, Any]]:
    """Documents of paragraphs of random words: a third are new, a third are copies in which words change, a third are
    made of paragraphs of others and new ones."""
    made = random.Random(seed)
    out: list[dict[str, Any]] = []
    for number in range(count):
        kind = made.randrange(3) if out else 0
        if kind == 0:
            paragraphs = [_paragraph(made) for _ in range(made.randint(1, 8))]
        elif kind == 1:
            paragraphs = [_changed(made, one) for one in made.choice(out)["text"].split("\n")]
        else:
            paragraphs = [
                made.choice(made.choice(out)["text"].split("\n")) if made.random() < 0.5 else _paragraph(made)
                for _ in range(made.randint(1, 8))
            ]
        out.append({"id": f"d{number}", "url": f"http://s{number % 7}.example/{number}", "text": "\n".join(paragraphs)})
    return out


def _paragraph(made: random.Random) -> str:
    return " ".join(made.choices(VOCABULARY, k=made.choice((1, 3, 8, 20, 60))))


def _changed(made: random.Random, text: str) -> str:
    share = made.choice((0, 0.02, 0.1, 0.3))
    return " ".join(made.choice(VOCABULARY) if made.random() < share else word for word in text.split())


Words = list[str]


def onion(documents: list[list[Words]], n: int, threshold: float, max_gap: int) -> list[tuple[bool, list[bool]]]:
    """Which documents and paragraphs are duplicates: the loop of onion over tokens, with its counters."""
    seen: set[tuple[str, ...]] = set()
    out = []
    for paragraphs in documents:
        own: set[tuple[str, ...]] = set()
        of_paragraph: list[list[tuple[str, ...]]] = []
        buffer: list[str] = []
        bad, covered, total = [], 0, 0
        for paragraph in paragraphs:
            bad_tokens, previous = 0, n
            of_paragraph.append([])
            for token in paragraph:
                previous = max(previous - 1, 0)
                buffer.append(token)
                if len(buffer) < n:
                    continue
                ngram = tuple(buffer[-n:])
                if ngram in own or ngram in seen:
                    bad_tokens += n - previous
                    previous = n
                own.add(ngram)
                of_paragraph[-1].append(ngram)
            bad.append(bool(paragraph) and bad_tokens / len(paragraph) > threshold)
            covered, total = covered + bad_tokens, total + len(paragraph)
        places = [place for place, is_bad in enumerate(bad) if is_bad]
        for one, other in zip(places, places[1:]):
            if sum(map(len, paragraphs[one + 1 : other])) <= max_gap:
                bad[one + 1 : other] = [True] * (other - one - 1)
        is_duplicate = total > 0 and covered / total > threshold
        if not is_duplicate:
            seen.update(ngram for some, is_bad in zip(of_paragraph, bad) if not is_bad for ngram in some)
        nothing_left = any(bad) and not any(paragraph for paragraph, is_bad in zip(paragraphs, bad) if not is_bad)
        out.append((is_duplicate or nothing_left, bad))
    return out


DEDUP = str(BIN / "nc-dedup")
SIMILARITIES = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
HEAD = """# Duplicates

Made by `python bench/dedup.py`, with Python {python}; {cores} cores.
"""
# The script that "orjson" stands for in the table of exact duplicates.
PARSE = "import sys, orjson\nfor line in sys.stdin.buffer: orjson.loads(line)"


def dedup(*options: object, **given: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs nc-dedup."""
    command = [sys.executable, DEDUP, "-q", *map(str, options)]
    return subprocess.run(command, env=command_environment(), check=True, **given)


# ---- near duplicates: theory ---------------------------------------------------------------------------------


def pair(made: random.Random, similar: float) -> tuple[str, str]:
    """Two texts of 200 words, whose 5-grams have about this similarity: the second has other words at its end."""
    length, n = 200, 5
    shared = round(2 * (length - n + 1) * similar / (1 + similar)) + n - 1
    first = made.choices(VOCABULARY, k=length)
    return " ".join(first), " ".join([*first[:shared], *made.choices(VOCABULARY, k=length - shared)])


def jaccard(one: str, other: str, n: int = 5) -> float:
    """The similarity of two texts, from sets of tuples of words."""
    sets = [{tuple(some[at : at + n]) for at in range(len(some) - n + 1)} for some in (one.split(), other.split())]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def curve(folder: Path, scale: float) -> Iterator[list[str]]:
    """For each similarity: pairs, candidates by theory, found, and of these right."""
    count, bands = max(int(20_000 * scale), 20), best_bands(THRESHOLD)
    for similar in SIMILARITIES:
        made = random.Random(str(similar))
        pairs = [pair(made, similar) for _ in range(count)]
        path = folder / "pairs.jsonl"
        records = [{"id": f"{n}{side}", "text": text} for n, two in enumerate(pairs) for side, text in zip("ab", two)]
        path.write_bytes(b"".join(map(json_line, records)))
        out = dedup("--near", "--mark", path, capture_output=True).stdout.splitlines()
        found = [int(record["id"][:-1]) for record in map(json.loads, out) if "duplicate" in record]
        exact = [jaccard(*two) for two in pairs]
        theory = sum(float(bands.chance(one)) for one in exact) / count
        right = sum(exact[number] >= THRESHOLD for number in found)
        log(f"near duplicates at {similar}")
        yield [
            f"{sum(exact) / count:.3f}",
            f"{count:,}",
            f"{100 * theory:.1f}",
            f"{100 * len(found) / count:.1f}",
            f"{right:,} of {len(found):,}",
        ]


def chain(folder: Path, scale: float, count: int = 1000) -> Iterator[list[str]]:
    """How many documents of a chain are kept."""
    made, length, step = random.Random(1), 200, 20
    text = made.choices(VOCABULARY, k=length + count * step)
    path = folder / "chain.jsonl"
    path.write_bytes(
        b"".join(json_line({"text": " ".join(text[at * step : at * step + length])}) for at in range(count))
    )
    yield [f"{count:,}", f"{with_ours(str(path)):,}"]


# ---- near duplicates: other programs ---------------------------------------------------------------------------


def with_rensa(path: str) -> int:
    """The number of documents that rensa keeps: 5-grams of words, the same bands."""
    import orjson
    from rensa import RMinHash, RMinHashLSH  # a peer

    index, kept = RMinHashLSH(threshold=THRESHOLD, num_perm=112, num_bands=14), 0
    with open(path, "rb") as file:
        for number, line in enumerate(file):
            signature = RMinHash(num_perm=112, seed=1)
            signature.update(_fivegrams(orjson.loads(line)["text"]))
            if not index.query(signature):
                index.insert(number, signature)
                kept += 1
    return kept


def with_datasketch(path: str) -> int:
    """The number of documents that datasketch keeps, with the same bands."""
    import orjson
    from datasketch import MinHash, MinHashLSH  # a peer

    index, kept = MinHashLSH(num_perm=112, params=(14, 8)), 0
    with open(path, "rb") as file:
        for number, line in enumerate(file):
            signature = MinHash(num_perm=112)
            signature.update_batch([one.encode() for one in _fivegrams(orjson.loads(line)["text"])])
            if not index.query(signature):
                index.insert(number, signature)
                kept += 1
    return kept


def with_ours(path: str) -> int:
    """The number of documents that nc-dedup keeps."""
    return len(dedup("--near", path, capture_output=True).stdout.splitlines())


def _fivegrams(text: str) -> list[str]:
    some = re.findall(r"\w+", text.lower())
    return [" ".join(some[at : at + 5]) for at in range(len(some) - 4)]


def peers(folder: Path, scale: float) -> Iterator[list[str]]:
    """CPU for a document and kept documents of each program, in turn; the least of three rounds."""
    count = max(int(20_000 * scale), 100)
    path = folder / "near.jsonl"
    with path.open("wb") as file:
        for document in made_documents_of_2_kb(count):
            file.write(document)
    programs: dict[str, Callable[[str], int]] = {"nc-dedup --near": with_ours}
    programs |= {"rensa": with_rensa} if find_spec("rensa") else {}
    programs |= {"datasketch": with_datasketch} if find_spec("datasketch") else {}
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    kept = {}
    for _ in range(3):
        for name in programs:
            function = programs[name].__name__
            code = f"import sys; sys.path[:0] = ['.']; from bench import dedup; print(dedup.{function}('{path}'))"
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([sys.executable, "-c", code], cwd=BENCH.parent, capture_output=True, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            kept[name] = int(done.stdout)
            log(f"{name}: {seconds[name][-1]:.1f} s")
    ours = min(seconds["nc-dedup --near"])
    for name, some in seconds.items():
        yield [name, f"{1e6 * min(some) / count:.0f}", f"{ours / min(some):.2f}", f"{kept[name]:,} of {count:,}"]


# ---- exact duplicates ------------------------------------------------------------------------------------------


def made_documents_of_2_kb(count: int, duplicates: float = 0.1, seed: int = 1) -> Iterator[bytes]:
    """Lines of documents of some 2 KB, of blocks of random words; each has a number of its own, or that of an
    earlier one whose text it has."""
    made = random.Random(seed)
    blocks = [json.dumps(" ".join(made.choices(VOCABULARY, k=60)))[1:-1] for _ in range(5000)]
    for number in range(count):
        is_copy = number > 0 and made.random() < duplicates
        original = made.randrange(number) if is_copy else number
        text = "\\n".join(random.Random(original).choices(blocks, k=6))
        yield b'{"id":"doc-%09d","url":"http://site%d.example/%d","text":"%d %s"}\n' % (
            number,
            number % 997,
            number,
            original,
            text.encode(),
        )


def exact(folder: Path, scale: float) -> Iterator[list[str]]:
    """Documents a second, CPU beside that of `cat` and orjson, peak of memory, missed and dropped in vain."""
    for count in sorted({max(int(1_000_000 * scale), 1000), max(int(10_000_000 * scale), 1000)}):
        path = folder / "exact.jsonl"
        originals = set()
        with path.open("wb") as file:
            for line in made_documents_of_2_kb(count, seed=2):
                file.write(line)
                originals.add(int(line[line.index(b'"text":"') + 8 :].split(b" ", 1)[0]))
        log(f"{count:,} documents: {path.stat().st_size / 1e9:.1f} GB")
        parse = measured(f"cat {path} | {sys.executable} -c '{PARSE}'")
        ours = measured(f"{sys.executable} {DEDUP} --state {folder}/seen.db {path} | wc -l")
        kept = int(ours.output.split()[-1])
        state = (folder / "seen.db").stat().st_size
        (folder / "seen.db").unlink()
        yield [
            f"{count:,}",
            f"{count / ours.seconds:,.0f}",
            f"{ours.cpu / parse.cpu:.1f}",
            f"{ours.memory / 1024:,.0f}",
            f"{state / 2**20:,.0f}",
            f"{max(kept - len(originals), 0):,}",
            f"{max(len(originals) - kept, 0):,}",
        ]
        path.unlink()


class measured:  # noqa: N801 (read as a function)
    """A shell command: its output, seconds, CPU in seconds, and the peak of memory in KB."""

    def __init__(self, command: str) -> None:
        code = (
            "import json, resource, subprocess, sys, time\n"
            "start = time.monotonic()\n"
            "done = subprocess.run(['bash', '-c', sys.argv[1]], capture_output=True, text=True)\n"
            "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
            "cpu = used.ru_utime + used.ru_stime\n"
            "print(json.dumps([done.stdout, time.monotonic() - start, cpu, used.ru_maxrss]))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, command], env=command_environment(), capture_output=True, check=True
        )
        self.output, self.seconds, self.cpu, self.memory = json.loads(done.stdout)


# ---- n-grams -----------------------------------------------------------------------------------------------------


def ngrams(_: Path, scale: float) -> Iterator[list[str]]:
    """Documents, paragraphs that are duplicates by the definition, and decisions that differ."""
    documents = made_documents(max(int(10_000 * scale), 100), 7)
    for n, threshold in ((5, 0.5), (7, 0.3)):
        tokens = [[words(paragraph) for paragraph in one["text"].split("\n")] for one in documents]
        wanted = onion(tokens, n, threshold, MAX_GAP)
        finder = NgramDuplicates(State(None, {}, NgramDuplicates.TABLES, 1 << 28), n, threshold)
        found = [verdict for at in range(0, len(documents), 500) for verdict in finder.find(documents[at : at + 500])]
        decided = [(one.is_duplicate, list(one.parts.dropped) if one.parts else []) for one in found]
        log(f"n-grams: {n}, {threshold}")
        yield [
            f"{n}, {threshold}, {MAX_GAP}",
            f"{len(documents):,}",
            f"{sum(is_duplicate for is_duplicate, _ in wanted):,}",
            f"{sum(sum(bad) for _, bad in wanted):,} of {sum(map(len, tokens)):,}",
            f"{sum(one != other for one, other in zip(wanted, decided)):,}",
        ]


# Each table: its heading, what is above it, its columns, and the function that makes its rows.
TABLES: tuple[tuple[str, str, tuple[str, ...], Callable[[Path, float], Iterator[list[str]]]], ...] = (
    (
        "Near duplicates",
        "Pairs of texts of 200 words. By default, a document is a duplicate from a similarity of 0.72 on.",
        ("similarity", "pairs", "candidates by theory, %", "duplicates, %", "of these at 0.72 or more"),
        curve,
    ),
    (
        "A chain",
        "Documents of 200 words, each 0.8 like the next one, and unlike the tenth.",
        ("documents", "kept"),
        chain,
    ),
    (
        "Near duplicates beside other programs",
        "CPU for a document of 2 KB, reading included. Peers verify nothing, and keep nothing for the next run.",
        ("program", "CPU, \u00b5s", "ours / this", "kept"),
        peers,
    ),
    (
        "Exact duplicates",
        "Documents of 2 KB, one in ten a copy of an earlier one; a state on disk.",
        ("documents", "a second", "CPU / (cat + orjson)", "peak, MB", "state, MB", "missed", "dropped in vain"),
        exact,
    ),
    (
        "N-grams",
        "Documents of which a third are copies with changes, and a third have paragraphs of others.",
        ("n, threshold, gap", "documents", "duplicates", "paragraphs", "decisions that differ from onion's definition"),
        ngrams,
    ),
)


def document(folder: Path, scale: float) -> Iterator[str]:
    """The pieces of the page."""
    yield HEAD.format(python=platform.python_version(), cores=os.cpu_count())
    for heading, above, columns, rows in TABLES:
        yield f"\n## {heading}\n\n{above}\n\n"
        for line in markdown(columns, list(rows(folder, scale))):
            yield line.rstrip("\n") + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1, metavar="SHARE", help="of the numbers of documents")
    parser.add_argument("-o", "--output", type=Path, default=BENCH / "dedup.md", metavar="FILE")
    args = parser.parse_args(argv)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        page = "".join(document(Path(folder), args.scale))
    args.output.write_text(page, encoding="utf-8")
    log(f"{time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
