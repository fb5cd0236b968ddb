"""Damaged files of models: cut short, with bits flipped, with parts that are wrong and a checksum that is right.

    for row in rows(tries=300): print(row)

Each file is loaded and scores some texts, in a process whose memory is bounded. It is *refused* by an error that names
the file, or gives the *same* scores as the file without the fault, or *other* scores, all of them finite. Anything else
is a *failure*: another exception, a score that is no number, a crash, memory beyond MAX_MEMORY, or
MAX_SLOWER times the time.
"""

from __future__ import annotations

import os
import pickle
import random
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fuzz import small_models
from ncfilters.errors import ModelError

TRIES, SEED = 300, 20
# Bytes that loading and scoring may take of memory, beyond what the process has: files here have at most 100 KB.
MAX_MEMORY = 256 << 20
# A file that takes so much longer than the one without the fault, and so many seconds, is a failure.
MAX_SLOWER, LEAST_SECONDS = 3, 0.1
# Files of other programs: their formats have no checksum.
FOREIGN = {
    "ARPA": small_models.DATA / "harbour-2.arpa",
    "KenLM's binary file": small_models.DATA / "harbour-3-pruned.bin",
    "Storable": small_models.DATA / "storable" / "bigrams.st",
}
# Of KenLM's binary files, the library reads the header when it loads a file. The rest is mapped, and read as it is.
HEADER_BYTES = 136


@dataclass
class Outcome:
    """What came of one fault, over all its tries."""

    fault: str
    tries: int = 0
    refused: int = 0
    same: int = 0
    other: int = 0
    failures: list[str] = field(default_factory=list)


def rows(tries: int = TRIES) -> Iterator[Outcome]:
    """The faults of all files, each so many times."""
    kinds = (
        "n-grams",
        "n-grams, Unicode",
        "words",
        "words, back-off",
        "words, probabilities",
        "jusText",
        "quality",
        "structure",
    )
    for name, parts in zip(kinds, small_models.model_parts()):
        whole = small_models.packed(*parts)
        yield tried(f"{name}: cut", ".model", whole, cut(whole, tries))
        yield tried(f"{name}: a bit flipped", ".model", whole, flipped(whole, tries))
        made = (small_models.changed_file(*parts, edit) for edit in edits(tries))
        yield tried(f"{name}: a part wrong, checksum right", ".model", whole, made)
        yield tried(f"{name}: forged, checksum right", ".model", whole, small_models.forged_files(*parts))
    for name, path in FOREIGN.items():
        if not is_readable(path):
            continue
        whole = path.read_bytes()
        yield tried(f"{name}: cut", path.suffix, whole, cut(whole, tries))
        if path.suffix == ".bin":
            yield tried(f"{name}: a bit of the header flipped", ".bin", whole, flipped(whole, tries, HEADER_BYTES))
        else:
            yield tried(f"{name}: a bit flipped", path.suffix, whole, flipped(whole, tries))


def is_readable(path: Path) -> bool:
    """Whether the library that reads the file is installed."""
    try:
        small_models.use_model(path)
    except ModelError:
        return False
    return True


def cut(whole: bytes, tries: int) -> Iterator[bytes]:
    """The file, cut short at places from its start to its end."""
    for number in range(tries):
        yield whole[: len(whole) * number // tries]


def flipped(whole: bytes, tries: int, end: int | None = None) -> Iterator[bytes]:
    """The file with one bit flipped, at random places before *end*."""
    places = random.Random(SEED)
    for _ in range(tries):
        damaged = bytearray(whole)
        damaged[places.randrange(end or len(whole))] ^= 1 << places.randrange(8)
        yield bytes(damaged)


def edits(tries: int) -> Iterator[bytes]:
    """Changes for `small_models.changed_file`."""
    numbers = random.Random(SEED)
    for _ in range(tries):
        yield b"".join(numbers.randbytes(4) for _ in range(numbers.choice((1, 1, 1, 2, 4))))


def tried(fault: str, suffix: str, whole: bytes, damaged: Iterable[bytes]) -> Outcome:
    """What comes of damaged files. After a crash, the rest is tried in another process."""
    left = list(damaged)
    out = Outcome(fault)
    while left:
        results = _in_process(suffix, whole, left)
        if len(results) < len(left):
            results = [*results, "the process crashed"]
        for result in results:
            out.tries += 1
            if result in ("refused", "same", "other"):
                setattr(out, result, getattr(out, result) + 1)
            else:
                out.failures.append(result)
        left = left[len(results) :]
    return out


def _tried_here(suffix: str, whole: bytes, damaged: Sequence[bytes]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(whole)
        start = time.process_time()
        scores = small_models.use_model(path)
        usual = time.process_time() - start
        soft = _address_space() + MAX_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (soft, soft))
        for content in damaged:
            path.unlink()
            path.write_bytes(content)
            start = time.process_time()
            try:
                result = "same" if small_models.use_model(path) == scores else "other"
                yield result if time.process_time() < start + MAX_SLOWER * usual + LEAST_SECONDS else "slow"
            except ModelError as error:
                yield "refused" if str(path) in str(error) and "\n" not in str(error) else f"unclear: {error}"
            except Exception as error:
                yield f"{type(error).__name__}: {error}"[:200]


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _in_process(suffix: str, whole: bytes, damaged: Sequence[bytes]) -> list[str]:
    """What comes of damaged files in a process of its own, as far as it comes."""
    readable, writable = os.pipe()
    child = os.fork()
    if not child:
        os.close(readable)
        warnings.simplefilter("error")  # such as an overflow that numpy reports
        with os.fdopen(writable, "wb", buffering=0) as pipe:
            for result in _tried_here(suffix, whole, damaged):
                pipe.write(pickle.dumps(result))
        os._exit(0)
    os.close(writable)
    out = []
    with os.fdopen(readable, "rb") as pipe:
        while True:
            try:
                out.append(pickle.load(pipe))
            except EOFError:
                break
    os.waitpid(child, 0)
    return out


def table(outcomes: Iterable[Outcome]) -> str:
    """The rows as a table in Markdown."""
    lines = ["| fault | tries | refused | same scores | other scores | failures |", "|---|--:|--:|--:|--:|--:|"]
    for row in outcomes:
        figures = (row.tries, row.refused, row.same, row.other, len(row.failures))
        lines.append(f"| {row.fault} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    for outcome in rows(int(sys.argv[1]) if len(sys.argv) > 1 else TRIES):
        print(table([outcome]).splitlines()[-1], *sorted(set(outcome.failures))[:5], sep="\n    ", flush=True)
